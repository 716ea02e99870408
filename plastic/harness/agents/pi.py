"""pi as an agent of a relay: `pi --mode json -p`, the prompt on its stdin.

A session id that is new makes a session. What a message has cost comes with each of them; a model
without prices tells tokens and nothing else. Children of its own end with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.harness.agents.protocol import PROTOCOL
from plastic.harness.agents.shape import Caps, Launch, Said
from plastic.harness.agents.values import SHOWN, inner, number, row_of, rows, text

if TYPE_CHECKING:
    from typing import Any


class Pi:
    """pi; `program` where it is not called `pi`."""

    name = "pi"
    caps = Caps(
        resumes=True,
        steers=False,
        cost="exact",
        chooses_session=True,
        keeps_background=False,
        proof="stream",
    )

    def __init__(self, program: str) -> None:
        self._program = program or "pi"
        self._why = ""  # of the last message, where it is an error

    def first(self, session: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """A session under our id."""
        told = f"{PROTOCOL}\nRelay delivery: {delivery}"  # the session's file keeps it
        chosen = ("--model", model) if model else ()
        words = ("--mode", "json", "-p", "--session-id", session, "--append-system-prompt", told)
        return Launch((self._program, *words, *chosen), {}, prompt)

    def again(self, session: str, named: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """The same: the session is there."""
        return self.first(named, prompt, delivery, model)

    def read(self, line: bytes) -> list[Said]:
        """One line of its stream."""
        row = row_of(line)
        kind, message = row.get("type"), inner(row, "message")
        if kind == "session":
            return [Said("named", text(row, "id"))] if text(row, "id") else []
        if kind == "agent_start":
            return [Said("turn")]
        if kind == "message_start" and message.get("role") == "user":
            return [Said("delivered")]
        if kind == "message_end" and message.get("role") == "assistant":
            return self._message(message)
        if kind == "tool_execution_start":
            return [Said("line", text(row, "toolName")[:SHOWN])]
        return self._settled(row) if kind == "agent_settled" else []

    def _message(self, message: dict[str, Any]) -> list[Said]:
        failed = message.get("stopReason") == "error"
        self._why = (text(message, "errorMessage") or "error") if failed else ""
        blocks = rows(message, "content")
        said = "\n".join(text(one, "text") for one in blocks if one.get("type") == "text").strip()
        shown = [Said("line", said[:SHOWN]), Said("final", said)] if said else []
        return [*shown, *_used(inner(message, "usage"))]

    def _settled(self, row: dict[str, Any]) -> list[Said]:
        if row.get("aborted") is True:
            return [Said("settled", "aborted")]
        if self._why:
            return [Said("limit", self._why), Said("settled", "error")]
        return [Said("settled", "clean")]

    def transcripts(self, named: str, home: str, cwd: str) -> tuple[str, ...]:
        """One file a session, in a folder that is named after the directory."""
        return (f"{home}/.pi/agent/sessions/*/*_{named}.jsonl",)


def _used(usage: dict[str, Any]) -> list[Said]:
    """What one message has cost."""
    usd = number(inner(usage, "cost"), "total")
    if not usd and not number(usage, "totalTokens"):
        return []
    return [Said("cost", usd=usd, is_added=True, pricing="exact" if usd else "unknown")]
