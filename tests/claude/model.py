"""A scripted model on loopback (Anthropic's Messages API) and one program that talks to it.

`python model.py SCRIPT.json SEEN.jsonl -- PROGRAM…` starts the server, sets ANTHROPIC_BASE_URL for
the program and ends with its exit code. SCRIPT is a list of turns, each a list of blocks
(`{"text": …}` or `{"tool": NAME, "input": {…}}`). The turn is the number of assistant messages that
the request already carries, so the server keeps no state. SEEN gets one JSON line a request.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "scripted"
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 0x1
_guard = threading.Lock()


def loopback_up() -> None:
    """In a fresh network namespace `lo` is down; elsewhere this is not ours to change."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        ask = struct.pack("16sH14s", b"lo", 0, b"")
        flags = struct.unpack("16sH14s", fcntl.ioctl(sock, _SIOCGIFFLAGS, ask))[1]
        if not flags & _IFF_UP:
            fcntl.ioctl(sock, _SIOCSIFFLAGS, struct.pack("16sH14s", b"lo", flags | _IFF_UP, b""))


def blocks_of(turn: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """A turn of the script as content blocks of an answer."""
    out: list[dict[str, Any]] = []
    for place, item in enumerate(turn):
        if "text" in item:
            out.append({"type": "text", "text": item["text"]})
        else:
            id = f"toolu_{number:04d}_{place:04d}"
            out.append({"type": "tool_use", "id": id, "name": item["tool"], "input": item["input"]})
    return out


def events_of(blocks: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """An answer as the events of a stream."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: dict[str, Any] = {
        "id": f"msg_{number:04d}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    reason = "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"
    delta = {"stop_reason": reason, "stop_sequence": None}
    events.append({"type": "message_delta", "delta": delta, "usage": usage})
    events.append({"type": "message_stop"})
    return events


class Handler(BaseHTTPRequestHandler):
    """One request; the script and the log are the server's."""

    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *args: object) -> None:
        """Nothing: the log is SEEN."""

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self._send(b'{"data": [], "has_more": false}', "application/json")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        asked: dict[str, Any] = json.loads(raw or b"{}")
        if not self.path.partition("?")[0].endswith("/messages"):
            self._send(b'{"input_tokens": 1}', "application/json")
            return
        messages = asked.get("messages", [])
        number = sum(message.get("role") == "assistant" for message in messages)
        # What the harness asks on its own account (titles, summaries) has no tools.
        turns = self.server.script if asked.get("tools") else []
        turn = turns[number] if number < len(turns) else [{"text": "Done."}]
        with _guard, open(self.server.seen, "a", encoding="utf-8") as file:
            file.write(json.dumps({"turn": number, "messages": messages}) + "\n")
        blocks = blocks_of(turn, number)
        if not asked.get("stream"):
            whole = events_of(blocks, number)[0]["message"] | {"content": blocks}
            self._send(
                json.dumps({**whole, "stop_reason": "end_turn"}).encode(), "application/json"
            )
            return
        lines = [
            f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events_of(blocks, number)
        ]
        self._send("".join(lines).encode(), "text/event-stream")


class Server(ThreadingHTTPServer):
    """The server with its script."""

    daemon_threads = True

    def __init__(self, script: list[Any], seen: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.seen = seen


def main(argv: list[str]) -> int:
    """Serve one program and end with its exit code."""
    script, seen, _, *program = argv
    loopback_up()
    with open(script, encoding="utf-8") as file:
        server = Server(json.load(file), seen)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    env = {**os.environ, "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.server_port}"}
    return subprocess.run(program, env=env, stdin=subprocess.DEVNULL, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
