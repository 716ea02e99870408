"""Anthropic's Messages API: Claude Code."""

from __future__ import annotations

import json
from typing import Any

from tests.harnesses.wire import MODEL, Asked, Body, Item, Result, stream, text_of, whole

USAGE = {"input_tokens": 1, "output_tokens": 1}


def asked(body: Body) -> Asked:
    """Read a request."""
    messages = body.get("messages", [])
    texts = [text_of(one["content"]) for one in messages if one["role"] == "user"]
    turn = sum(one["role"] == "assistant" for one in messages)
    return Asked("\n".join(texts), turn, bool(body.get("tools")))


def results(body: Body) -> list[Result]:
    """The outcomes of all tool calls so far."""
    found = []
    for message in body.get("messages", []):
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block.get("type") == "tool_result":
                text = text_of(block.get("content"))
                found.append(Result(text, bool(block.get("is_error"))))
    return found


def answer(turn: list[Item], number: int, *, streamed: bool) -> tuple[bytes, str]:
    """A turn of the script as the body of an answer."""
    blocks = [_block(item, f"toolu_{number:04d}_{place:04d}") for place, item in enumerate(turn)]
    reason = "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"
    message: dict[str, Any] = {
        "id": f"msg_{number:04d}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
    }
    message |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": USAGE}
    if not streamed:
        return whole(message | {"content": blocks, "stop_reason": reason})
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    for index, block in enumerate(blocks):
        empty, delta = _parts(block)
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    ended = {"stop_reason": reason, "stop_sequence": None}
    events.append({"type": "message_delta", "delta": ended, "usage": USAGE})
    events.append({"type": "message_stop"})
    return stream(events, named=True)


def _block(item: Item, id: str) -> dict[str, Any]:
    if "text" in item:
        return {"type": "text", "text": item["text"]}
    return {"type": "tool_use", "id": id, "name": item["tool"], "input": item["input"]}


def _parts(block: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A block as it starts, and the one piece that fills it."""
    if block["type"] == "text":
        return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    piece = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return {**block, "input": {}}, piece
