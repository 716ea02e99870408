"""How an agent program is driven by a relay: how it is started, and what its output tells.

An adapter is pure. One instance reads the output of one child, line by line from the first: what a
line means may hang on earlier ones, and a reader that starts over comes to the same end.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Launch(NamedTuple):
    """One child: its words, what changes in its environment (None: taken away), its stdin.

    `keeps_stdin`: its stdin stays open until its turn and its background work are over.
    """

    argv: tuple[str, ...]
    env: dict[str, str | None]
    stdin: bytes
    keeps_stdin: bool = False


class Caps(NamedTuple):
    """What a program can do.

    `cost`: it tells USD (exact), tokens, or none. `proof` that a prompt began: its stdin was read
    (stdin) or a line of its stream (stream).
    """

    resumes: bool
    steers: bool
    cost: str
    chooses_session: bool
    keeps_background: bool
    proof: str


class Said(NamedTuple):
    """One thing that a line of output tells.

    `kind`: named (`text` is the program's id for the session), turn (one begins; `text` is
    notification when results of background work began it), delivered (the prompt has begun), cost
    (`usd`, or `tokens` = input, of that cached, output), final (`text` is the last message), limit
    (a usage limit: `text`), settled (`text` is clean, error or aborted), line (for the progress),
    and bg_created, bg_started, bg_completed, bg_failed, bg_consumed, bg_reopened of `task`.
    """

    kind: str
    text: str = ""
    usd: float = 0.0
    is_added: bool = False  # since the last report, not so far in this session
    pricing: str = "exact"  # estimated, unknown; tokens: to be priced
    task: str = ""
    is_detached: bool = False
    tokens: tuple[int, int, int] = (0, 0, 0)


class Adapter(Protocol):
    """One way to run an agent."""

    name: str
    caps: Caps

    def first(self, session: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """Begin a session of ours with a prompt."""

    def again(self, session: str, named: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """Go on in a session that the program calls `named`."""

    def read(self, line: bytes) -> list[Said]:
        """What one line of its stdout tells; of what is unknown, nothing. Never raises."""

    def transcripts(self, named: str, home: str, cwd: str) -> tuple[str, ...]:
        """Where the prompt's id may be found on disk, as patterns; () = nobody knows."""
