"""Is a person here? A terminal on both sides, no harness in the environment, and a typed id."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from plastic.disk.command import again
from plastic.disk.session import harness_sessions
from plastic.words import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

HARNESS_MARKS = (
    "CLAUDECODE",
    "CODEX_SANDBOX",
    "GEMINI_CLI",
    "CURSOR_AGENT",
    "OPENCODE",
    "RELAY_TOKEN",
)


def _at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def why_no_person(env: Mapping[str, str], *, terminal: bool) -> str | None:
    """What speaks against a person at the keyboard, None when nothing does."""
    if not terminal:
        return "stdin and stdout are not a terminal"
    marks = [name for name in HARNESS_MARKS if env.get(name, "").strip()]
    found = [*sorted(harness_sessions(env)), *marks]
    return f"{found[0]} is set: an agent's environment" if found else None


def require_person(
    env: Mapping[str, str], id: str, action: str, ask: Callable[[str], str] = input
) -> None:
    """Refuse unless a person types the id."""
    why = why_no_person(env, terminal=_at_terminal())
    if why is None:
        try:
            typed = ask(f"{action}: type the id {id} to confirm: ").strip()
        except EOFError:
            typed = ""
        if typed == id:
            return
        why = f"the id {id} was not typed"
    raise Refused("person", f"{action} needs a person: {why}", run=again())
