"""OpenCode as an agent of a relay: `opencode run --format json`, the prompt on its stdin.

It names its session itself and has no word for instructions: what an agent of a relay must know
follows the prompt. Its sessions lie in a database of its own, which is not searched for a prompt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.harness.agents.protocol import PROTOCOL
from plastic.harness.agents.shape import Caps, Launch, Said
from plastic.harness.agents.values import SHOWN, inner, number, row_of, text

if TYPE_CHECKING:
    from typing import Any

GOES_ON = "tool-calls"  # why a step ended that another one follows


class OpenCode:
    """OpenCode; `program` where it is not called `opencode`."""

    name = "opencode"
    caps = Caps(
        resumes=True,
        steers=False,
        cost="exact",
        chooses_session=False,
        keeps_background=False,
        proof="stream",
    )

    def __init__(self, program: str) -> None:
        self._program = program or "opencode"
        self._has_begun = False

    def first(self, session: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """A session whose id comes with its first line."""
        return self._launch((), prompt, delivery, model)

    def again(self, session: str, named: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """The same session, from its database."""
        return self._launch(("--session", named), prompt, delivery, model)

    def _launch(self, words: tuple[str, ...], prompt: bytes, delivery: str, model: str) -> Launch:
        told = f"\n\n{PROTOCOL}\nRelay delivery: {delivery}\n".encode()
        chosen = ("--model", model) if model else ()
        argv = (self._program, "run", "--format", "json", *words, *chosen)
        return Launch(argv, {}, prompt + told)

    def read(self, line: bytes) -> list[Said]:
        """One line of its stream."""
        row = row_of(line)
        kind, part = row.get("type"), inner(row, "part")
        if kind == "step_start":
            return self._began(row)
        if kind == "text":
            said = text(part, "text").strip()
            return [Said("line", said[:SHOWN]), Said("final", said)] if said else []
        if kind == "tool_use":
            return [Said("line", text(part, "tool")[:SHOWN])]
        if kind == "step_finish":
            end = [] if part.get("reason") == GOES_ON else [Said("settled", "clean")]
            return [*_used(part), *end]
        return [Said("limit", _why(row)), Said("settled", "error")] if kind == "error" else []

    def _began(self, row: dict[str, Any]) -> list[Said]:
        """A step begins: the first proves that the prompt has arrived."""
        if self._has_begun:
            return []
        self._has_begun = True
        return [Said("named", text(row, "sessionID")), Said("turn"), Said("delivered")]

    def transcripts(self, named: str, home: str, cwd: str) -> tuple[str, ...]:
        """A database is none."""
        return ()


def _used(part: dict[str, Any]) -> list[Said]:
    """What one step has cost; a model without a price costs nothing that is known."""
    usd = number(part, "cost")
    return [Said("cost", usd=usd, is_added=True, pricing="exact" if usd else "unknown")]


def _why(row: dict[str, Any]) -> str:
    error = inner(row, "error")
    return text(inner(error, "data"), "message") or text(error, "message") or text(error, "name")
