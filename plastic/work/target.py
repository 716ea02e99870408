"""Where one installation goes: harness, scope, folder, and the entry that belongs there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.git import toplevel
from plastic.harness import (
    claude_settings,
    codex_settings,
    copilot_settings,
    cursor_settings,
    gemini_settings,
    opencode_settings,
    pi_settings,
)
from plastic.harness.places import PLACES
from plastic.words import Refused, Usage
from plastic.work import share

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

    @property
    def place(self) -> Place:
        """What is known of the harness's files."""
        return PLACES[self.harness]

    @property
    def settings(self) -> str:
        """The file that holds our entries."""
        file = self.place.file if self.scope == "user" else self.place.project_file
        return f"{self.folder}/{file}"

    @property
    def form(self) -> Any:
        """How our entries stand in the file."""
        return SETTINGS[self.harness]


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
    return Target(harness, scope, folder, commands, line, gate, python, strict, cwd)


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
