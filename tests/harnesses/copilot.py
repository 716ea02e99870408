"""Copilot CLI: how it is called and what its tools are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tests.harnesses.program import KEY, Program
from tests.harnesses.wire import MODEL

if TYPE_CHECKING:
    from tests.harnesses.wire import Item


class Copilot(Program):
    """Copilot CLI of one test's user."""

    name = "copilot"
    title = "Copilot CLI"
    variable = "PLASTIC_TEST_COPILOT"
    package = "@github/copilot@1.0.102"
    pattern = "node_modules/@github/copilot-*/copilot"
    field = "sessionId"

    @property
    def folder(self) -> Path:
        """Where its settings are."""
        return Path(os.environ["HOME"], ".copilot")

    def extra(self) -> dict[str, str]:
        return {
            "COPILOT_HOME": str(self.folder),
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_OFFLINE": "true",
            "COPILOT_MODEL": MODEL,
            "COPILOT_PROVIDER_API_KEY": KEY,
            "COPILOT_PROVIDER_BASE_URL": "{url}/v1",
            "DO_NOT_TRACK": "1",
        }

    def argv(self, prompt: str, session: str) -> list[str]:
        return [
            self.path, "--output-format", "json", "--allow-all-tools", "--allow-all-paths",
            "--disable-client-telemetry", *(["--session-id", session] if session else []),
            "-p", prompt,
        ]  # fmt: skip

    def write(self, path: str, text: str = "x\n") -> Item:
        return {"tool": "create", "input": {"path": path, "file_text": text}}

    def shell(self, command: str) -> Item:
        return {"tool": "bash", "input": {"command": command, "description": "run"}}

    def agent(self, prompt: str) -> Item:
        given = {"name": "part", "description": "part", "agent_type": "general-purpose"}
        return {"tool": "task", "input": {**given, "prompt": prompt, "mode": "sync"}}
