"""Codex as an agent of a relay: `codex exec --json`, the prompt on its stdin.

It names its session itself, and tells tokens of the whole session, not money. What it may write is
what its own configuration says; a sandbox that keeps it from `plastic relay signal` leaves the tag.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from plastic.harness.agents.protocol import PROTOCOL
from plastic.harness.agents.shape import Caps, Launch, Said
from plastic.harness.agents.values import SHOWN, inner, number, row_of, text

if TYPE_CHECKING:
    from typing import Any


class Codex:
    """Codex; `program` where it is not called `codex`."""

    name = "codex"
    caps = Caps(
        resumes=True,
        steers=False,
        cost="tokens",
        chooses_session=False,
        keeps_background=False,
        proof="stream",
    )

    def __init__(self, program: str) -> None:
        self._program = program or "codex"

    def first(self, session: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """A session whose id comes with its first line."""
        return self._launch((), prompt, delivery, model)

    def again(self, session: str, named: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """The same thread, from its rollout."""
        return self._launch(("resume", named), prompt, delivery, model)

    def _launch(self, words: tuple[str, ...], prompt: bytes, delivery: str, model: str) -> Launch:
        """The delivery's id stands with the instructions, which the rollout keeps."""
        told = json.dumps(f"{PROTOCOL}\nRelay delivery: {delivery}")
        chosen = (f"--model={model}",) if model else ()
        settings = ("--json", "--config", f"developer_instructions={told}", *chosen)
        return Launch((self._program, "exec", *words[:1], *settings, *words[1:], "-"), {}, prompt)

    def read(self, line: bytes) -> list[Said]:
        """One line of its stream."""
        row = row_of(line)
        kind = row.get("type")
        if kind == "thread.started":
            return [Said("named", text(row, "thread_id"))] if text(row, "thread_id") else []
        if kind == "turn.started":
            return [Said("turn"), Said("delivered")]
        if kind in ("item.started", "item.completed"):
            return _item(inner(row, "item"), is_whole=kind == "item.completed")
        if kind == "turn.completed":
            return [*_used(row), Said("settled", "clean")]
        if kind == "turn.failed":
            return [Said("limit", text(inner(row, "error"), "message")), Said("settled", "error")]
        return [Said("limit", text(row, "message"))] if kind == "error" else []

    def transcripts(self, named: str, home: str, cwd: str) -> tuple[str, ...]:
        """One file a thread, in a folder of its day."""
        return (f"{home}/.codex/sessions/*/*/*/rollout-*-{named}.jsonl",)


def _item(item: dict[str, Any], *, is_whole: bool) -> list[Said]:
    """What it says or does; its last message may carry the tag."""
    words = (text(item, "text") or text(item, "command")).strip()
    shown = [Said("line", words[:SHOWN])] if words else []
    if is_whole and item.get("type") == "agent_message":
        return [*shown, Said("final", text(item, "text"))]
    return shown


def _used(row: dict[str, Any]) -> list[Said]:
    """Tokens of the whole session so far: input, how much of it was cached, output."""
    usage = inner(row, "usage")
    keys = ("input_tokens", "cached_input_tokens", "output_tokens")
    one, two, three = (int(number(usage, key)) for key in keys)
    return [Said("cost", pricing="tokens", tokens=(one, two, three))] if usage else []
