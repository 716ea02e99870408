"""Which session is calling: a flag, a harness's variable, else a derived key."""

from __future__ import annotations

import os

from plastic.words import Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Variable -> harness, what each gives the shell of its model. Of two for one harness the first that
# is set counts: Codex's thread is the sub-agent, its session the root. PLASTIC_SESSION is what our
# own extensions set where a harness has nothing.
VARIABLES: dict[str, str] = {
    "CLAUDE_CODE_SESSION_ID": "claude",
    "CODEX_SESSION_ID": "codex",
    "CODEX_THREAD_ID": "codex",
    "GEMINI_SESSION_ID": "gemini",
    "COPILOT_AGENT_SESSION_ID": "copilot",
    "PI_SESSION_ID": "pi",
    "PLASTIC_SESSION": "opencode, cursor",
}


class Caller:
    """Who runs this command: `session` ("" when unknown) and where that was read (`source`).

    `source` is flag, the variable's name, derived, or none.
    """

    __slots__ = ("session", "source")

    def __init__(self, session: str, source: str) -> None:
        self.session = session
        self.source = source

    @property
    def is_derived(self) -> bool:
        """A derived key is shared by all session-less processes: never call it exclusive."""
        return self.source == "derived"


def harness_sessions(env: Mapping[str, str]) -> dict[str, str]:
    """The harness variables that are set and not blank, one for each harness, by name."""
    found: dict[str, str] = {}
    seen = set()
    for name, harness in VARIABLES.items():
        value = env.get(name, "").strip()
        if value and harness not in seen:
            seen.add(harness)
            found[name] = value
    return found


def caller_from(env: Mapping[str, str], flag: str | None) -> Caller:
    """The caller by `--session`, else by the one harness variable that is set.

    Two variables with different values (one agent started by another) are refused: guessing
    would let one agent act as the other.
    """
    if flag is not None and flag.strip():
        return Caller(flag.strip(), "flag")
    found = harness_sessions(env)
    if len(set(found.values())) > 1:
        from plastic.disk.command import again  # the hook loads this file, but never needs that

        both = ", ".join(f"{name}={value}" for name, value in sorted(found.items()))
        raise Usage(
            "two-sessions",
            f"more than one harness session is in the environment ({both})",
            run=again("--session", sorted(found.items())[0][1]),
        )
    for name, value in found.items():
        return Caller(value, name)
    return Caller("", "none")


def derived(root: str, id: str) -> Caller:
    """A key for processes without any session: the same for one user, host, home and intent."""
    import hashlib  # most callers have a name
    import socket

    text = f"{root}\0{id}\0{socket.gethostname()}\0{os.getuid()}"
    return Caller("auto-" + hashlib.sha256(text.encode()).hexdigest()[:10], "derived")
