"""Where one installation goes: harness, scope, folder, and the entry that belongs there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.files import exists, read_text
from plastic.disk.git import toplevel
from plastic.disk.paths import real
from plastic.harness import (
    claude_settings,
    codex_settings,
    codex_toml,
    copilot_settings,
    cursor_settings,
    gemini_settings,
    opencode_settings,
    pi_settings,
)
from plastic.harness.jsontext import JsonError
from plastic.harness.places import PLACES
from plastic.words import Refused, Usage
from plastic.work.house import share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plastic.harness.places import Place

# Each has command, state, installed, removed and STRICT.
SETTINGS: dict[str, Any] = {
    "claude": claude_settings,
    "codex": codex_settings,
    "gemini": gemini_settings,
    "cursor": cursor_settings,
    "opencode": opencode_settings,
    "pi": pi_settings,
    "copilot": copilot_settings,
}


class Target(NamedTuple):
    """One installation: the harness's folder of the scope, and the entries that belong there."""

    harness: str
    scope: str
    folder: str
    commands: str  # the folder of its commands
    line: str
    gate: str
    python: str
    strict: bool
    cwd: str
    file: str  # relative to the folder

    @property
    def place(self) -> Place:
        """What is known of the harness's files."""
        return PLACES[self.harness]

    @property
    def settings(self) -> str:
        """The file that holds our entries."""
        return f"{self.folder}/{self.file}"

    @property
    def form(self) -> Any:
        """How our entries stand in the file."""
        return codex_toml if self.file.endswith(".toml") else SETTINGS[self.harness]


def target(
    harness: str, scope: str, env: Mapping[str, str], cwd: str, *, strict: bool = False
) -> Target:
    """What to install and where; Usage for a harness or scope that there is not."""
    if harness not in PLACES:
        known = ", ".join(PLACES)
        raise Usage(
            "harness", f"`{harness}` is not known; there is {known}", run="plastic install claude"
        )
    if scope not in ("user", "project"):
        raise Usage(
            "scope", f"--scope is user or project, not `{scope}`", run=f"plastic install {harness}"
        )
    python, gate = share.interpreter(), f"{share.folder()}/hooks/gate"
    line = SETTINGS[harness].command(python, gate)
    place = PLACES[harness]
    if scope == "user":
        folder = _user_folder(place, env)
        commands = f"{folder}/{place.commands}"
    else:
        top = _top(harness, cwd)
        folder, commands = f"{top}/{place.project}", f"{top}/{place.project_commands}"
    file = place.file if scope == "user" else place.project_file
    if harness == "codex" and _keeps_hooks_in_toml(folder):
        file = "config.toml"
    return Target(harness, scope, folder, commands, line, gate, python, strict, cwd, file)


def _keeps_hooks_in_toml(folder: str) -> bool:
    """Where the hooks of this folder are: Codex warns when they are in both files."""
    try:
        text = read_text(real(f"{folder}/config.toml")) or ""
        if codex_toml.has_ours(text):
            return True
        return codex_toml.has_hooks(text) and not exists(f"{folder}/hooks.json")
    except (OSError, JsonError):
        return False


def _user_folder(place: Place, env: Mapping[str, str]) -> str:
    for name, rest in place.variables:
        value = env.get(name, "").strip()
        if value:
            return os.path.abspath(value) + rest
    return os.path.expanduser(place.user)


def _top(harness: str, cwd: str) -> str:
    top = toplevel(cwd)
    if top is None:
        raise Refused(
            "no-repository",
            f"{cwd} is not in a git repository: --scope project writes into one",
            run=f"plastic install {harness} --scope user",
        )
    return top
