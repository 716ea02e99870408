"""Codex: how it is called and what its tools are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from plastic.disk.process import ask
from plastic.work.house.trust import _is_answer, _question
from tests.harnesses.program import KEY, Program

if TYPE_CHECKING:
    from tests.harnesses.wire import Item

# This model of Codex's own list has the freeform apply_patch; names that it does not know have not.
MODEL = "gpt-5.5"
CONFIG = f"""model = "{MODEL}"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
"""


class Codex(Program):
    """Codex of one test's user."""

    name = "codex"
    title = "Codex"
    variable = "PLASTIC_TEST_CODEX"
    package = "@openai/codex@0.171.0"
    pattern = "node_modules/@openai/codex-*/vendor/*/bin/codex"
    field = "thread_id"
    asks_trust = False

    @property
    def folder(self) -> Path:
        """Where its settings are."""
        return Path(os.environ["HOME"], ".codex")

    def prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "config.toml").write_text(CONFIG)

    def extra(self) -> dict[str, str]:
        return {"CODEX_HOME": str(self.folder), "SCRIPTED_KEY": KEY}

    def argv(self, prompt: str, session: str) -> list[str]:
        bypass = [] if self.asks_trust else ["--dangerously-bypass-hook-trust"]
        return [
            self.path, "exec", "--json", "--skip-git-repo-check", *bypass, "-c",
            'model_providers.scripted.base_url="{url}/v1"', prompt,
        ]  # fmt: skip

    def trust(self) -> None:
        """What a person does in `/hooks`: say yes to each hook as it is."""
        cwd = str(self.world.repo)
        line = ask([self.path, "app-server"], cwd, _question(cwd), _is_answer, 30)
        assert line is not None
        rows = [
            f'[hooks.state."{hook["key"]}"]\ntrusted_hash = "{hook["currentHash"]}"\n'
            for hook in json.loads(line)["result"]["data"][0]["hooks"]
        ]
        with (self.folder / "config.toml").open("a") as file:
            file.write("".join(rows))

    def patch(self, text: str) -> Item:
        """A call of its tool that changes files."""
        body = f"*** Begin Patch\n{text}*** End Patch\n"
        return {"tool": "apply_patch", "input": body}

    def write(self, path: str, text: str = "x\n") -> Item:
        lines = "".join(f"+{line}\n" for line in text.splitlines())
        return self.patch(f"*** Add File: {path}\n{lines}")

    def shell(self, command: str) -> Item:
        return {"tool": "exec_command", "input": {"cmd": command, "login": False}}

    def agent(self, prompt: str) -> Item:
        given = {"message": prompt, "agent_type": "worker"}
        return {"tool": "spawn_agent", "input": given, "namespace": "multi_agent_v1"}
