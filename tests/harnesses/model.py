"""A scripted model on loopback, for one agent program that it starts.

`main(["SCRIPT.json", "SEEN.jsonl", PORT, FILE…, "--", PROGRAM…])` serves until the program ends,
and returns its exit code; port 0 is any. `{url}` stands for the server's address in the program's
words and environment and in the FILEs. SCRIPT is an object: words of the user -> turns; the first
whose words are in a conversation is the one that it follows ("" fits every conversation). Which
turn is due is counted in the request itself, so the server keeps no state. SEEN gets one JSON line
a request.
"""

from __future__ import annotations

import fcntl
import gzip
import json
import os
import socket
import struct
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tests.harnesses.wire import JSON, chat, gemini, messages, responses

if TYPE_CHECKING:
    from tests.harnesses.wire import Wire

# End of a path -> who speaks there; Gemini's paths end in `MODEL:VERB`.
WIRES = {
    "/messages": messages,
    "/responses": responses,
    "/chat/completions": chat,
    "enerateContent": gemini,
}
MODELS = {
    "data": [{"id": "scripted", "object": "model"}],
    "models": [{"name": "models/scripted"}],
    "has_more": False,
}
COUNTED = {"input_tokens": 1, "totalTokens": 1}
DONE = [{"text": "Done."}]
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 0x1
_guard = threading.Lock()


def loopback_up() -> None:
    """In a fresh network namespace `lo` is down; elsewhere this is not ours to change."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        ask = struct.pack("16sH14s", b"lo", 0, b"")
        flags = struct.unpack("16sH14s", fcntl.ioctl(sock, _SIOCGIFFLAGS, ask))[1]
        if not flags & _IFF_UP:
            fcntl.ioctl(sock, _SIOCSIFFLAGS, struct.pack("16sH14s", b"lo", flags | _IFF_UP, b""))


def wire_of(path: str) -> tuple[str, Wire] | None:
    """Who speaks at this path, with the name that SEEN gives it."""
    bare = path.partition("?")[0]
    for end, module in WIRES.items():
        if bare.endswith(end):
            return module.__name__.rpartition(".")[2], cast("Wire", module)
    return None


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
        if self.command != "HEAD":
            self.wfile.write(data)

    def do_HEAD(self) -> None:
        self._send(b"", JSON)

    def do_GET(self) -> None:
        self._send(json.dumps(MODELS).encode(), JSON)

    def do_POST(self) -> None:
        raw = self._body()
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        found = wire_of(self.path)
        if found is None:
            self._send(json.dumps(COUNTED).encode(), JSON)
            return
        name, wire = found
        body: dict[str, Any] = json.loads(raw or b"{}")
        asked = wire.asked(body)
        key, turn = self.server.turn(asked.text, asked.turn)
        # What a program asks on its own account (titles, summaries) has no tools.
        turn = turn if asked.has_tools else DONE
        row = {"wire": name, "key": key, "turn": asked.turn, "body": body}
        if asked.has_tools:
            with _guard, open(self.server.seen, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        streamed = bool(body.get("stream")) or ":stream" in self.path
        self._send(*wire.answer(turn, asked.turn, streamed=streamed))

    def _body(self) -> bytes:
        if "chunked" not in (self.headers.get("transfer-encoding") or ""):
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        parts = []
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)


class Server(ThreadingHTTPServer):
    """The server with its script."""

    daemon_threads = True

    def __init__(self, script: dict[str, Any], seen: str, port: int) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.script = script
        self.seen = seen

    def handle_error(self, request: Any, address: Any) -> None:
        """Nothing: a program that hangs up while it is answered has its reasons."""

    def turn(self, text: str, number: int) -> tuple[str, list[Any]]:
        """Which conversation this is, and what is said at this point of it."""
        for key, turns in self.script.items():
            if key in text:
                return key, turns[number] if number < len(turns) else DONE
        return "", DONE


def main(argv: list[str]) -> int:
    """Serve one program and end with its exit code."""
    script, seen, port, *files = argv[: argv.index("--")]
    program = argv[argv.index("--") + 1 :]
    loopback_up()
    server = Server(json.loads(Path(script).read_text()), seen, int(port))
    url = f"http://127.0.0.1:{server.server_port}"
    for file in files:
        Path(file).write_text(Path(file).read_text().replace("{url}", url))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    env = {name: value.replace("{url}", url) for name, value in os.environ.items()}
    words = [word.replace("{url}", url) for word in program]
    return subprocess.run(words, env=env, stdin=subprocess.DEVNULL, check=False).returncode
