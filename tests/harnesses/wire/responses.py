"""OpenAI's Responses API: Codex. A tool's input that is a string makes a freeform call."""

from __future__ import annotations

import json
from typing import Any

from tests.harnesses.wire import MODEL, Asked, Body, Item, Result, stream, text_of, whole

_TOLD = ("function_call_output", "custom_tool_call_output")
_MADE = ("function_call", "custom_tool_call", "local_shell_call", "reasoning")


def _items(body: Body) -> list[dict[str, Any]]:
    given = body.get("input", [])
    return [{"role": "user", "content": given}] if isinstance(given, str) else given


def _is_made(item: dict[str, Any]) -> bool:
    """Whether the model made this item."""
    kind = item.get("type", "message")
    return kind in _MADE or (kind == "message" and item.get("role") == "assistant")


def asked(body: Body) -> Asked:
    """Read a request; items of the model side by side are one turn of it."""
    items = _items(body)
    texts = [text_of(one.get("content")) for one in items if one.get("role") == "user"]
    made = [_is_made(one) for one in items]
    turn = sum(now and not before for before, now in zip([False, *made], made, strict=False))
    return Asked("\n".join(texts), turn, bool(body.get("tools")))


def results(body: Body) -> list[Result]:
    """The outcomes of all tool calls so far."""
    told = [one.get("output") for one in _items(body) if one.get("type") in _TOLD]
    return [Result(text_of(one) if isinstance(one, str | list) else str(one), None) for one in told]


def answer(turn: list[Item], number: int, *, streamed: bool) -> tuple[bytes, str]:
    """A turn of the script as the body of an answer."""
    output = [_made(item, f"{number:04d}_{place:04d}") for place, item in enumerate(turn)]
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    response = {"id": f"resp_{number:04d}", "object": "response", "created_at": 1, "model": MODEL}
    response |= {"status": "completed", "output": output, "usage": usage}
    if not streamed:
        return whole(response)
    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for index, item in enumerate(output):
        begun = {**item, "status": "in_progress"}
        events.append({"type": "response.output_item.added", "output_index": index, "item": begun})
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    events.append({"type": "response.completed", "response": response})
    numbered = [{**event, "sequence_number": place} for place, event in enumerate(events)]
    return stream(numbered, named=True)


def _made(item: Item, id: str) -> dict[str, Any]:
    done = {"status": "completed"}
    if "text" in item:
        content = [{"type": "output_text", "text": item["text"], "annotations": []}]
        said = {"type": "message", "id": f"msg_{id}", "role": "assistant", "content": content}
        return said | done
    call = {"call_id": f"call_{id}", "name": item["tool"], **done}
    if isinstance(item["input"], str):
        return {"type": "custom_tool_call", "id": f"ctc_{id}", "input": item["input"], **call}
    if "namespace" in item:
        call["namespace"] = item["namespace"]
    text = json.dumps(item["input"])
    return {"type": "function_call", "id": f"fc_{id}", "arguments": text, **call}
