"""Gemini CLI as an agent of a relay: its stream of JSON lines, the prompt on its stdin.

It has no word for instructions: what an agent of a relay must know follows the prompt, together
with the delivery's id, which the chat's file keeps. It tells tokens, not money.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.harness.agents.protocol import PROTOCOL
from plastic.harness.agents.shape import Caps, Launch, Said
from plastic.harness.agents.values import SHOWN, inner, number, row_of, text

if TYPE_CHECKING:
    from typing import Any


class Gemini:
    """Gemini CLI; `program` where it is not called `gemini`."""

    name = "gemini"
    caps = Caps(
        resumes=True,
        steers=False,
        cost="tokens",
        chooses_session=True,
        keeps_background=False,
        proof="stream",
    )

    def __init__(self, program: str) -> None:
        self._program = program or "gemini"
        self._said = ""

    def first(self, session: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """A session under our id."""
        return self._launch("--session-id", session, prompt, delivery, model)

    def again(self, session: str, named: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """The same session, from its chat."""
        return self._launch("--resume", named, prompt, delivery, model)

    def _launch(self, word: str, id: str, prompt: bytes, delivery: str, model: str) -> Launch:
        told = f"\n\n{PROTOCOL}\nRelay delivery: {delivery}\n".encode()
        chosen = ("--model", model) if model else ()
        argv = (self._program, "--output-format", "stream-json", word, id, *chosen)
        return Launch(argv, {}, prompt + told)

    def read(self, line: bytes) -> list[Said]:
        """One line of its stream."""
        row = row_of(line)
        kind = row.get("type")
        if kind == "init":
            named = text(row, "session_id")
            return [Said("named", named), Said("turn")] if named else [Said("turn")]
        if kind == "message" and row.get("role") == "user":
            self._said = ""
            return [Said("delivered")]
        if kind == "message":
            return self._message(row)
        if kind == "tool_use":
            self._said = ""  # what comes behind it is another message
            return [Said("line", text(row, "tool_name")[:SHOWN])]
        if kind == "error":
            return [Said("limit", text(row, "message"))]
        return _result(row) if kind == "result" else []

    def _message(self, row: dict[str, Any]) -> list[Said]:
        """A message, or the next piece of one."""
        piece = text(row, "content")
        self._said = self._said + piece if row.get("delta") is True else piece
        said = self._said.strip()
        return [Said("line", said[-SHOWN:]), Said("final", said)] if said else []

    def transcripts(self, named: str, home: str, cwd: str) -> tuple[str, ...]:
        """One file a session below a folder of the project, named after the id's begin."""
        return (f"{home}/.gemini/tmp/*/chats/session-*-{named[:8]}.jsonl",)


def _result(row: dict[str, Any]) -> list[Said]:
    """The end: tokens of this run, and how it went."""
    stats = inner(row, "stats")
    keys = ("input_tokens", "cached", "output_tokens")
    one, two, three = (int(number(stats, key)) for key in keys)
    found = (
        [Said("cost", is_added=True, pricing="tokens", tokens=(one, two, three))] if stats else []
    )
    if row.get("status") == "success":
        return [*found, Said("settled", "clean")]
    why = text(inner(row, "error"), "message") or text(row, "status")
    return [*found, Said("limit", why), Said("settled", "error")]
