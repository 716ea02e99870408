"""Google's generateContent: Gemini CLI."""

from __future__ import annotations

from tests.harnesses.wire import MODEL, Asked, Body, Item, Result, stream, text_of, whole


def asked(body: Body) -> Asked:
    """Read a request."""
    contents = body.get("contents", [])
    texts = [text_of(one["parts"]) for one in contents if one.get("role", "user") == "user"]
    turn = sum(one.get("role") == "model" for one in contents)
    offered = [tool.get("functionDeclarations") for tool in body.get("tools", [])]
    return Asked("\n".join(texts), turn, any(offered))


def results(body: Body) -> list[Result]:
    """The outcomes of all tool calls so far."""
    told = [
        part["functionResponse"].get("response", {})
        for content in body.get("contents", [])
        for part in content["parts"]
        if "functionResponse" in part
    ]
    return [Result(str(one.get("error", one.get("output", one))), "error" in one) for one in told]


def answer(turn: list[Item], number: int, *, streamed: bool) -> tuple[bytes, str]:
    """A turn of the script as the body of an answer."""
    parts = [
        {"text": item["text"]}
        if "text" in item
        else {"functionCall": {"name": item["tool"], "args": item["input"]}}
        for item in turn
    ]
    content = {"role": "model", "parts": parts}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    said = {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": usage,
        "modelVersion": MODEL,
        "responseId": f"response-{number:04d}",
    }
    return stream([said], named=False) if streamed else whole(said)
