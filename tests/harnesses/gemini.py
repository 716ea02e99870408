"""Gemini CLI: how it is called and what its tools are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tests.harnesses.program import KEY, Program, node

if TYPE_CHECKING:
    from tests.harnesses.wire import Item

SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
}


class Gemini(Program):
    """Gemini CLI of one test's user."""

    name = "gemini"
    title = "Gemini CLI"
    variable = "PLASTIC_TEST_GEMINI"
    package = "@google/gemini-cli@0.61.0"
    pattern = "node_modules/@google/gemini-cli/bundle/gemini.js"
    field = "session_id"
    has_agents = False

    @property
    def folder(self) -> Path:
        """Where its settings are."""
        return Path(os.environ["HOME"], ".gemini")

    def prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "settings.json").write_text(json.dumps(SETTINGS, indent=2) + "\n")

    def extra(self) -> dict[str, str]:
        return {
            "GEMINI_API_KEY": KEY,
            "GOOGLE_GEMINI_BASE_URL": "{url}",
            "GEMINI_TELEMETRY_ENABLED": "false",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "NO_BROWSER": "true",
        }

    def argv(self, prompt: str, session: str) -> list[str]:
        return [
            node(), self.path, "-m", "gemini-2.5-pro", "--approval-mode", "yolo",
            *(["--session-id", session] if session else []),
            # Its tools write nowhere else; documents of an intent are in the home.
            "--include-directories", os.environ["PLASTIC_HOME"],
            "--output-format", "stream-json", "-p", prompt,
        ]  # fmt: skip

    def flag(self, session: str) -> str:
        return f" --session {session}"

    def write(self, path: str, text: str = "x\n") -> Item:
        return {"tool": "write_file", "input": {"file_path": path, "content": text}}

    def shell(self, command: str) -> Item:
        given = {"command": command, "description": "run"}
        return {"tool": "run_shell_command", "input": given}
