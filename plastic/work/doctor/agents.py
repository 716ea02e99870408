"""Checks of the harnesses: installed, current, and a canary that the installed hook must refuse."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from plastic.disk.files import exists
from plastic.disk.gitdir import find
from plastic.disk.process import run
from plastic.disk.scratch import directory
from plastic.disk.tree import remove_tree
from plastic.disk.troubles import broken
from plastic.harness import claude_settings as settings
from plastic.words import Refusal
from plastic.work.doctor.found import NOTE, Found
from plastic.work.events import recent
from plastic.work.install import CANARY_SECONDS, check, target

if TYPE_CHECKING:
    from plastic.work.doctor.found import Patient
    from plastic.work.install import Target


def claude(patient: Patient) -> list[Found]:
    """Both scopes; the user's is the one that is missed."""
    found: list[Found] = []
    installed = False
    scopes = ["user", "project"] if find(patient.cwd) is not None else ["user"]
    for scope in scopes:
        try:
            where = target("claude", scope, patient.env, patient.cwd)
            seen = check(where)
        except Refusal as refused:
            found.append(Found(refused.reason, refused.run or ""))
            continue
        again = f"plastic install claude --scope {scope}"
        if seen["state"] == settings.INSTALLED:
            installed = True
            found += _canary(where)
        elif seen["state"] == settings.OTHER:
            what = f"the hooks in {seen['settings']} are of another version or incomplete"
            found.append(Found(what, again))
    if not installed and not found:
        used = exists(target("claude", "user", patient.env, patient.cwd).folder)
        what = "the hooks of Claude Code are not installed"
        found.append(
            Found(f"{what}, and it is used here" if used else what, "plastic install claude", NOTE)
        )
    return [*found, *_last_seen(patient, installed=installed)]


def _last_seen(patient: Patient, *, installed: bool) -> list[Found]:
    rows = [row for row in recent(patient.home, 2000) if row.get("hook") == "claude"]
    if rows or not installed:
        return []
    what = "no refusal or advice of a Claude Code session is in the journal yet"
    return [Found(what, "plastic log", NOTE)]


def _canary(where: Target) -> list[Found]:
    """Start the installed line as the harness does, on a write that must be refused."""
    folder = directory("plastic-canary-")
    try:
        home = f"{folder}/home"
        payload = {
            "session_id": "doctor-canary",
            "cwd": folder,
            "hook_event_name": "PreToolUse",
            "tool_name": "Write",
            "tool_input": {"file_path": f"{home}/config.yml", "content": "version: 1\n"},
        }
        line = f"export PLASTIC_HOME={home}; {where.line}"
        text = json.dumps(payload).encode()
        done = run(["/bin/sh", "-c", line], folder, timeout=CANARY_SECONDS, stdin=text)
    finally:
        remove_tree(folder)
    if done.rc == 0 and _denies(done.out):
        return []
    said = done.tail(1) or "nothing was said"
    what = f"the installed hook let a write to config.yml pass (exit {done.rc}: {said})"
    return [Found(what, f"plastic install claude --scope {where.scope}")]


def _denies(out: str) -> bool:
    try:
        answer: Any = json.loads(out)
        own = answer["hookSpecificOutput"]
    except (KeyError, TypeError, ValueError):
        return False
    return isinstance(own, dict) and own.get("permissionDecision") == "deny"


def gates(patient: Patient) -> list[Found]:
    """Rows of broken gates: known from now on, when everything else is in order."""
    found = []
    kinds: dict[str, list[dict[str, Any]]] = {}
    for row in broken(patient.home):
        kinds.setdefault(f"{row.get('gate')}: {row.get('error')}", []).append(row)
    for what, rows in kinds.items():
        times = f"{len(rows)} times, the last time {rows[-1].get('at')}"
        found.append(Found(f"{what} ({times})", "plastic log", NOTE))
    return found
