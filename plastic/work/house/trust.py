"""Whether Codex trusts our hooks: those that it does not trust it leaves out without a word."""

from __future__ import annotations

import json
from shutil import which
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.paths import real
from plastic.disk.process import ask
from plastic.harness.entry import is_ours
from plastic.words import Refusal

if TYPE_CHECKING:
    from plastic.work.house.target import Target

SECONDS = 10.0
TRUSTED = "trusted"
UNTRUSTED = "not trusted"
PARTLY = "not all trusted"
UNLOADED = "not loaded"
UNKNOWN = "unknown"


class Trust(NamedTuple):
    """What Codex says of our hooks, and why when it is not `trusted`."""

    state: str
    why: str


def look(where: Target) -> Trust:
    """Ask Codex itself, for at most ten seconds; it is asked for a list and changes nothing."""
    codex = which("codex")
    if codex is None:
        return Trust(UNKNOWN, "codex is not on PATH")
    try:
        line = ask([codex, "app-server"], where.cwd, _question(where.cwd), _is_answer, SECONDS)
    except Refusal as refused:
        return Trust(UNKNOWN, refused.reason)
    if line is None:
        return Trust(UNKNOWN, "codex app-server did not list its hooks in time")
    return judged(json.loads(line), real(where.settings))


def _question(cwd: str) -> bytes:
    client = {"name": "plastic", "title": "plastic", "version": "0"}
    asked: list[dict[str, Any]] = [
        {
            "id": 1,
            "method": "initialize",
            "params": {"clientInfo": client, "capabilities": {"experimentalApi": True}},
        },
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [cwd]}},
    ]
    return "".join(json.dumps(one) + "\n" for one in asked).encode()


def _is_answer(line: str) -> bool:
    try:
        said = json.loads(line)
    except ValueError:
        return False
    return isinstance(said, dict) and said.get("id") == 2


def judged(said: dict[str, Any], settings: str) -> Trust:
    """The answer of `hooks/list`, seen for one settings file."""
    try:
        data = said["result"]["data"][0]
        hooks = [one for one in data["hooks"] if is_ours(one.get("command"), "codex")]
        mine = [one for one in hooks if real(one["sourcePath"]) == settings]
        states = [(one["trustStatus"], one.get("enabled", True)) for one in mine]
        troubles = [str(one) for one in (*data.get("errors", ()), *data.get("warnings", ()))]
    except (AttributeError, IndexError, KeyError, TypeError):
        return Trust(UNKNOWN, "codex app-server answered in a form that is not known")
    about = [one for one in troubles if settings in one]
    if not states:
        return Trust(UNLOADED, about[0] if about else f"Codex does not load {settings} here")
    if any(not enabled for _, enabled in states):
        return Trust(UNLOADED, "the hooks are switched off in Codex")
    good = sum(state in ("trusted", "managed") for state, _ in states)
    if good == len(states):
        return Trust(TRUSTED, "")
    return Trust(PARTLY if good else UNTRUSTED, f"{len(states) - good} of {len(states)} hooks")
