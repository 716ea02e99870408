"""Claude Code as an agent of a relay: `claude -p` with JSON lines on both sides.

Its stdin stays open until background work is over: a result of it begins a turn of its own, and
what is still running when stdin ends is killed. `total_cost_usd` counts the whole session, the
runs before this one included.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from plastic.harness.agents.protocol import PROTOCOL
from plastic.harness.agents.shape import Caps, Launch, Said
from plastic.harness.agents.values import SHOWN, inner, row_of, rows, text

if TYPE_CHECKING:
    from typing import Any

WORDS = (
    "-p",
    "--input-format=stream-json",
    "--output-format=stream-json",
    "--verbose",
    "--replay-user-messages",
    "--allowedTools=Bash(plastic relay signal:*)",
    f"--append-system-prompt={PROTOCOL}",
)
ENDED = {"completed": "bg_completed", "stopped": "bg_consumed"}  # else bg_failed
OPEN = ("pending", "running", "paused")


class Claude:
    """Claude Code; `program` where it is not called `claude`."""

    name = "claude"
    caps = Caps(
        resumes=True,
        steers=False,
        cost="exact",
        chooses_session=True,
        keeps_background=True,
        proof="stream",
    )

    def __init__(self, program: str) -> None:
        self._program = program or "claude"
        self._has_begun = False
        self._results: list[str] = []  # tasks whose results wait for a turn

    def first(self, session: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """A session under our id; one that is taken is refused by the program."""
        return self._launch(f"--session-id={session}", prompt, delivery, model)

    def again(self, session: str, named: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """The same session, from its transcript."""
        return self._launch(f"--resume={named}", prompt, delivery, model)

    def _launch(self, word: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """The delivery is the message's own id, which the transcript keeps."""
        content = [{"type": "text", "text": prompt.decode("utf-8", "replace")}]
        message = {"role": "user", "content": content}
        line = json.dumps({"type": "user", "uuid": delivery, "message": message})
        chosen = (f"--model={model}",) if model else ()
        argv = (self._program, *WORDS, word, *chosen)
        return Launch(argv, {}, f"{line}\n".encode(), keeps_stdin=True)

    def read(self, line: bytes) -> list[Said]:
        """One line of its stream."""
        row = row_of(line)
        kind = row.get("type")
        if kind == "system":
            return self._system(row)
        if kind == "user" and row.get("isReplay") is True:
            return [Said("delivered")]
        if kind == "assistant":
            return _shown(row)
        return _result(row) if kind == "result" else []

    def _system(self, row: dict[str, Any]) -> list[Said]:
        kind, task = row.get("subtype"), text(row, "task_id")
        if kind == "init":
            return self._turn(text(row, "session_id"))
        if kind == "task_started" and row.get("is_backgrounded") is not False:
            return [Said("bg_started", text(row, "description"), task=task, is_detached=True)]
        patch = inner(row, "patch")
        if kind == "task_updated":
            if patch.get("is_backgrounded") is True:
                return [Said("bg_started", task=task, is_detached=True)]
            return _ended(task, text(patch, "status"))
        if kind == "task_notification":
            self._results.append(task)
            return _ended(task, text(row, "status"))
        return []

    def _turn(self, session: str) -> list[Said]:
        """A turn begins: the first by our prompt, later ones by results that wait."""
        seen = [Said("bg_consumed", task=task) for task in self._results]
        self._results = []
        if not self._has_begun:
            self._has_begun = True
            return [Said("named", session), Said("turn")]
        return [Said("turn", "notification" if seen else ""), *seen]

    def transcripts(self, named: str, home: str, cwd: str) -> tuple[str, ...]:
        """One file a session, below a folder that is named after the directory."""
        return (f"{home}/.claude/projects/*/{named}.jsonl",)


def _ended(task: str, status: str) -> list[Said]:
    if not task or not status or status in OPEN:
        return []
    return [Said(ENDED.get(status, "bg_failed"), task=task)]


def _shown(row: dict[str, Any]) -> list[Said]:
    """What it says or does, for the progress."""
    found = []
    for block in rows(inner(row, "message"), "content"):
        words = (text(block, "text") or text(block, "name")).strip()
        found += [Said("line", words[:SHOWN])] if words else []
    return found


def _result(row: dict[str, Any]) -> list[Said]:
    """The end of a turn: cost, last message, how it went."""
    found = []
    usd = row.get("total_cost_usd")
    if isinstance(usd, int | float) and not isinstance(usd, bool):
        found.append(Said("cost", usd=float(usd)))
    said = text(row, "result")
    if row.get("is_error") is not False:
        return [*found, Said("limit", said or text(row, "subtype")), Said("settled", "error")]
    return [*found, Said("final", said), Said("settled", "clean")]
