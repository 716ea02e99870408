"""OpenAI's Chat Completions API: what OpenCode, pi and Copilot CLI speak to any provider."""

from __future__ import annotations

import json
from typing import Any

from tests.harnesses.wire import MODEL, Asked, Body, Item, Result, stream, text_of, whole


def asked(body: Body) -> Asked:
    """Read a request."""
    messages = body.get("messages", [])
    texts = [text_of(one.get("content")) for one in messages if one["role"] == "user"]
    turn = sum(one["role"] == "assistant" for one in messages)
    return Asked("\n".join(texts), turn, bool(body.get("tools")))


def results(body: Body) -> list[Result]:
    """The outcomes of all tool calls so far."""
    told = [one for one in body.get("messages", []) if one["role"] == "tool"]
    return [Result(text_of(one.get("content")), None) for one in told]


def answer(turn: list[Item], number: int, *, streamed: bool) -> tuple[bytes, str]:
    """A turn of the script as the body of an answer."""
    text = "".join(item["text"] for item in turn if "text" in item)
    calls = [
        {
            "id": f"call_{number:04d}_{place:04d}",
            "type": "function",
            "function": {"name": item["tool"], "arguments": json.dumps(item["input"])},
        }
        for place, item in enumerate(item for item in turn if "tool" in item)
    ]
    reason = "tool_calls" if calls else "stop"
    head = {"id": f"chatcmpl-{number:04d}", "created": 1, "model": MODEL}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    if not streamed:
        message = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return whole({**head, "object": "chat.completion", "choices": [choice], "usage": usage})
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": text}]
    deltas += [{"tool_calls": [{"index": place, **call}]} for place, call in enumerate(calls)]
    chunk = {**head, "object": "chat.completion.chunk"}
    events: list[dict[str, Any]] = [
        {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        for delta in deltas
    ]
    events.append({**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
    events.append({**chunk, "choices": [], "usage": usage})
    return stream(events, named=False, end="data: [DONE]\n\n")
