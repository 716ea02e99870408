"""Claude Code: how it is called and what its tools are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tests.harnesses.program import KEY, Program

if TYPE_CHECKING:
    from tests.harnesses.wire import Item

_QUIET = """
DISABLE_AUTOUPDATER DISABLE_UPDATES DISABLE_TELEMETRY DISABLE_ERROR_REPORTING DO_NOT_TRACK
CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC
"""


class Claude(Program):
    """Claude Code of one test's user."""

    name = "claude"
    title = "Claude Code"
    variable = "PLASTIC_TEST_CLAUDE"
    package = "@anthropic-ai/claude-code@2.1.332"
    pattern = "node_modules/@anthropic-ai/claude-code-*/claude"
    field = "session_id"

    @property
    def folder(self) -> Path:
        """Where its settings are."""
        return Path(os.environ["HOME"], ".claude")

    def extra(self) -> dict[str, str]:
        quiet = dict.fromkeys(_QUIET.split(), "1")
        # A key only for sessions: with one its other verbs wait for a network that is not there.
        return {**quiet, "CLAUDE_CONFIG_DIR": str(self.folder), "ANTHROPIC_BASE_URL": "{url}"}

    def argv(self, prompt: str, session: str) -> list[str]:
        return [
            "env", f"ANTHROPIC_API_KEY={KEY}", self.path, "-p", prompt,
            *(["--session-id", session] if session else []), "--output-format", "json",
            "--permission-mode", "acceptEdits", "--allowedTools", "Write", "Bash", "Agent",
        ]  # fmt: skip

    def write(self, path: str, text: str = "x\n") -> Item:
        return {"tool": "Write", "input": {"file_path": path, "content": text}}

    def shell(self, command: str) -> Item:
        return {"tool": "Bash", "input": {"command": command}}

    def agent(self, prompt: str) -> Item:
        kind = {"subagent_type": "general-purpose", "run_in_background": False}
        return {"tool": "Agent", "input": {"description": "part", "prompt": prompt, **kind}}
