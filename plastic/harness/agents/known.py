"""The agents that a relay can drive, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.harness.agents.claude import Claude
from plastic.harness.agents.codex import Codex
from plastic.harness.agents.command import Command
from plastic.harness.agents.gemini import Gemini
from plastic.harness.agents.opencode import OpenCode
from plastic.harness.agents.pi import Pi

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.harness.agents.shape import Adapter

# Name -> the adapter for a program: its path, where the user names one.
AGENTS: dict[str, Callable[[str], Adapter]] = {
    "claude": Claude,
    "codex": Codex,
    "command": Command,
    "gemini": Gemini,
    "opencode": OpenCode,
    "pi": Pi,
}
