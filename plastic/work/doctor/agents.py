"""Checks of the harnesses: installed, current, trusted, obeyed, and seen since they ran last."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from plastic.disk.clock import both
from plastic.disk.files import names, stat
from plastic.disk.gitdir import find
from plastic.disk.presence import last
from plastic.disk.projects import edit_command
from plastic.disk.troubles import broken
from plastic.harness.entry import ABSENT, CHANGED, INSTALLED
from plastic.harness.jsontext import JsonError
from plastic.harness.jsontext import read as read_json
from plastic.harness.places import PLACES
from plastic.words import Refusal
from plastic.work.doctor.canary import canary
from plastic.work.doctor.found import NOTE, Found
from plastic.work.doctor.signs import last_run
from plastic.work.house.install import check, target
from plastic.work.house.trust import TRUSTED, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.work.doctor.found import Patient
    from plastic.work.house.target import Target

SLACK = 600.0  # seconds that a session's file may be newer than its last hook
# What makes a harness call its hooks once, as a person pastes it.
TRIALS: dict[str, str] = {
    "claude": "claude -p ok",
    "codex": "codex exec ok",
    "gemini": "gemini -p ok",
    "cursor": "cursor-agent -p ok",
    "opencode": "opencode run ok",
    "pi": "pi -p ok",
    "copilot": "copilot -p ok",
}


def checks() -> dict[str, Callable[[Patient], list[Found]]]:
    """One check a harness."""
    return {name: partial(harness, name) for name in PLACES}


def harness(name: str, patient: Patient) -> list[Found]:
    """Both scopes of one harness; the user's is the one that is missed."""
    found: list[Found] = []
    there: list[Target] = []
    scopes = ["user", "project"] if find(patient.cwd) is not None else ["user"]
    for scope in scopes:
        try:
            where = target(name, scope, patient.env, patient.cwd)
            seen = check(where)
        except Refusal as refused:
            found.append(Found(refused.reason, refused.run or ""))
            continue
        if seen["state"] == INSTALLED:
            there.append(where)
            found += [*canary(where, strict=seen["strict"]), *_switches(where), *_trust(seen)]
        elif seen["state"] != ABSENT:
            found.append(_other(where, seen))
    if not there and not found:
        return _absent(name, patient)
    return [*found, *_seen(name, patient, there)]


def _other(where: Target, seen: dict[str, Any]) -> Found:
    again = f"plastic install {where.harness} --scope {where.scope}"
    if seen["state"] == CHANGED:
        return Found(f"{seen['settings']} was changed by somebody", again)
    return Found(f"the hooks in {seen['settings']} are of another version or incomplete", again)


def _absent(name: str, patient: Patient) -> list[Found]:
    """Worth a note where the harness is used, and for the one that `install` is mostly for."""
    title = PLACES[name].title
    what = f"the hooks of {title} are not installed"
    seen = last(patient.home, name)
    if seen is not None:
        how = f"{what} here, and were seen all the same at {both(seen[0])}: a plugin, or another's"
        return [Found(how, f"plastic install {name}", NOTE)]
    if _is_used(target(name, "user", patient.env, patient.cwd).folder):
        return [Found(f"{what}, and it is used here", f"plastic install {name}", NOTE)]
    return [Found(what, f"plastic install {name}", NOTE)] if name == "claude" else []


def _is_used(folder: str) -> bool:
    """Whether a harness keeps something there; our `uninstall` leaves an empty folder."""
    try:
        return bool(names(folder))
    except OSError:
        return True


def _switches(where: Target) -> list[Found]:
    """Switches of the harness's own settings that turn every hook off."""
    from plastic.disk.files import read_text

    if not where.settings.endswith(".json"):
        return []
    try:
        root = read_json(read_text(where.settings) or "")
    except (JsonError, OSError):
        return []
    value = root.value if root is not None else None
    off: list[str] = []
    if isinstance(value, dict):
        own = value.get("hooksConfig")
        off += ["disableAllHooks"] if value.get("disableAllHooks") is True else []
        off += ["hooksConfig"] if isinstance(own, dict) and own.get("enabled") is False else []
    return [
        Found(f"`{key}` in {where.settings} turns all hooks off", edit_command(where.settings, 1))
        for key in off
    ]


def _trust(seen: dict[str, Any]) -> list[Found]:
    """Codex passes over what it does not trust, without a word."""
    trust = seen.get("trust", TRUSTED)
    if trust == TRUSTED:
        return []
    about = [one for one in seen["notes"] if one.startswith("Codex")]
    what = about[0] if about else f"the hooks of Codex are {trust}"
    if trust == UNKNOWN:
        return [Found(what, "codex", NOTE)]
    return [Found(what, "codex")]


def _seen(name: str, patient: Patient, there: list[Target]) -> list[Found]:
    """Installed, but not seen although it ran: then nothing is enforced, and nobody notices."""
    if not there:
        return []
    title, run = PLACES[name].title, f"{TRIALS[name]} && plastic doctor"
    seen = last(patient.home, name)
    since = seen[0] if seen is not None else 0.0
    for where in there:
        top = None if where.scope == "user" else where.folder.rpartition("/")[0]
        ran = last_run(
            name, where.folder if top is None else _user(name, patient), patient.env, top
        )
        made = stat(where.settings)
        known = max(since, made.st_mtime if made is not None else 0.0)
        if ran is not None and ran > known + SLACK:
            when = f"since {both(since)}" if since else "at all"
            what = (
                f"{title} ran at {both(ran)} and called no hook of ours {when}: "
                f"NOTHING IS ENFORCED THERE, though {where.settings} is in order"
            )
            return [Found(what, run)]
    if seen is None:
        return [Found(f"{title} has not called the hooks yet", run, NOTE)]
    version = seen[1].get("version") or "unknown version"
    return [Found(f"last seen {both(seen[0])} ({version})", "", NOTE)]


def _user(name: str, patient: Patient) -> str:
    return target(name, "user", patient.env, patient.cwd).folder


def gates(patient: Patient) -> list[Found]:
    """Rows of broken gates: known from now on, when everything else is in order."""
    found = []
    kinds: dict[str, list[dict[str, Any]]] = {}
    for row in broken(patient.home):
        kinds.setdefault(f"{row.get('gate')}: {row.get('error')}", []).append(row)
    for what, rows in kinds.items():
        times = "once" if len(rows) == 1 else f"{len(rows)} times"
        last_time = f"the last time {rows[-1].get('at')}"
        found.append(Found(f"{what} ({times}, {last_time})", "plastic log", NOTE))
    return found
