"""OpenCode: how it is called and what its tools are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tests.harnesses.program import KEY, Program
from tests.harnesses.wire import MODEL

if TYPE_CHECKING:
    from tests.harnesses.wire import Item

_QUIET = """
OPENCODE_DISABLE_AUTOUPDATE OPENCODE_DISABLE_MODELS_FETCH OPENCODE_DISABLE_LSP_DOWNLOAD
OPENCODE_DISABLE_SHARE OPENCODE_DISABLE_DEFAULT_PLUGINS DO_NOT_TRACK
"""
PROVIDER = {
    "npm": "@ai-sdk/openai-compatible",
    "name": "ours",
    "options": {"baseURL": "{url}/v1", "apiKey": KEY},
    "models": {MODEL: {"name": MODEL, "limit": {"context": 128000, "output": 4096}}},
}


class OpenCode(Program):
    """OpenCode of one test's user."""

    name = "opencode"
    title = "OpenCode"
    variable = "PLASTIC_TEST_OPENCODE"
    package = "opencode-ai@1.18.33"
    pattern = "node_modules/opencode-*/bin/opencode"
    field = "sessionID"
    seconds = 240.0

    @property
    def folder(self) -> Path:
        """Where its settings are."""
        return Path(os.environ["HOME"], ".config", "opencode")

    def extra(self) -> dict[str, str]:
        config = {
            "autoupdate": False,
            "share": "disabled",
            "model": f"ours/{MODEL}",
            "small_model": f"ours/{MODEL}",
            "permission": {"edit": "allow", "bash": "allow", "external_directory": "allow"},
            "provider": {"ours": PROVIDER},
        }
        # Two first starts at once make one database twice: each session gets its own.
        data = self.world.root / f"data{next(self.runs)}"
        quiet = dict.fromkeys(_QUIET.split(), "1")
        return {
            **quiet,
            "OPENCODE_CONFIG_CONTENT": json.dumps(config),
            "XDG_DATA_HOME": str(data),
        }

    def argv(self, prompt: str, session: str) -> list[str]:
        return [self.path, "run", "--format", "json", prompt]

    def write(self, path: str, text: str = "x\n") -> Item:
        return {"tool": "write", "input": {"filePath": path, "content": text}}

    def shell(self, command: str) -> Item:
        return {"tool": "bash", "input": {"command": command, "description": "run"}}

    def agent(self, prompt: str) -> Item:
        given = {"description": "part", "prompt": prompt, "subagent_type": "general"}
        return {"tool": "task", "input": given}
