"""Claude Code: how it is called and what its tools are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.harnesses.program import KEY, Program

_QUIET = """
DISABLE_AUTOUPDATER DISABLE_UPDATES DISABLE_TELEMETRY DISABLE_ERROR_REPORTING DO_NOT_TRACK
CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC
"""


class Claude(Program):
    """Claude Code of one test's user."""

    title = "Claude Code"
    variable = "PLASTIC_TEST_CLAUDE"
    package = "@anthropic-ai/claude-code@2.1.332"
    pattern = "node_modules/@anthropic-ai/claude-code-*/claude"

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
            "--permission-mode", "acceptEdits", "--allowedTools", "Read", "Write", "Bash", "Agent",
        ]  # fmt: skip

    @staticmethod
    def write(path: str, text: str = "x\n") -> dict[str, Any]:
        """A call of its tool that writes a file."""
        return {"tool": "Write", "input": {"file_path": path, "content": text}}

    @staticmethod
    def read(path: str) -> dict[str, Any]:
        """A call of its tool that reads: it writes over no file that it has not read."""
        return {"tool": "Read", "input": {"file_path": path}}

    @staticmethod
    def shell(command: str) -> dict[str, Any]:
        """A call of its shell."""
        return {"tool": "Bash", "input": {"command": command}}

    @staticmethod
    def agent(prompt: str) -> dict[str, Any]:
        """A call that starts a sub-agent and waits for it."""
        kind = {"subagent_type": "general-purpose", "run_in_background": False}
        return {"tool": "Agent", "input": {"description": "part", "prompt": prompt, **kind}}
