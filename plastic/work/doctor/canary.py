"""The canary: the installed line, started as the harness starts it, in a home of its own.

One write that nobody minds must pass in silence; one into an intent that another session delivers
must be refused in the form that this harness obeys.
"""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

from plastic.disk.files import make_dirs, publish, symlink
from plastic.disk.process import run
from plastic.disk.scratch import directory
from plastic.disk.tree import remove_tree
from plastic.harness.obedience import Ended, runs
from plastic.harness.sample import write
from plastic.work.doctor.found import Found
from plastic.work.house.install import CANARY_SECONDS

if TYPE_CHECKING:
    from plastic.disk.process import Out
    from plastic.work.house.target import Target

INTENT = "1--canary"
LOCK = {"type": "delivery", "owner_session": "somebody-else", "token": 1, "ttl": 86400}


def canary(where: Target, *, strict: bool) -> list[Found]:
    """What is wrong with the line; nothing when it lets pass and refuses as it should."""
    line = installed_line(where, strict=strict)
    folder = directory("plastic-canary-")
    try:
        intent = _plant(f"{folder}/home")
        free = _sent(where, line, folder, f"{folder}/elsewhere/a.txt")
        held = _sent(where, line, folder, f"{intent}/notes.md")
    finally:
        remove_tree(folder)
    again = f"plastic install {where.harness} --scope {where.scope}"
    # Copilot is asked in its own spelling: an answer for the other one would not stop it.
    if runs(where.harness, Ended(held.rc, held.out, held.err), closed=strict, camel=True):
        how = f"exit {held.rc}: {held.tail(1) or 'nothing was said'}"
        return [Found(f"the installed hook let a write into a foreign intent pass ({how})", again)]
    if held.rc not in (0, 2):
        return [Found(f"the installed hook breaks (exit {held.rc}: {held.tail(1)})", again)]
    if free.rc != 0 or free.out.strip():
        what = f"the installed hook minds a harmless write (exit {free.rc}: {free.tail(1)})"
        return [Found(what, again)]
    return []


def installed_line(where: Target, *, strict: bool) -> str:
    """The command as it stands in the settings; what a plugin file starts is the plain one."""
    entry = getattr(where.form, "entry", None)
    if entry is None:
        return where.line
    event = next(one for one in where.form.EVENTS if one.lower() in ("pretooluse", "beforetool"))
    found = _commands(entry(event, where.line, strict=strict), where.line)
    return found[0] if found else where.line


def _commands(value: Any, line: str) -> list[str]:
    """The texts of an entry that start our line."""
    if isinstance(value, str):
        return [value] if line in value else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [one for part in inner for one in _commands(part, line)]


def _plant(home: str) -> str:
    """A home with one intent that somebody else holds; its directory."""
    intent = f"{home}/store/{INTENT}"
    make_dirs(intent)
    make_dirs(f"{home}/held")
    publish(f"{intent}/{INTENT}.md", b"# canary\n")
    publish(f"{intent}/delivery.lock", json.dumps(LOCK).encode())
    symlink(f"{intent}/delivery.lock", f"{home}/held/{INTENT}")
    return intent


def _sent(where: Target, line: str, folder: str, path: str) -> Out:
    text = json.dumps(write(where.harness, path, folder)).encode()
    line = f"export PLASTIC_HOME={shlex.quote(f'{folder}/home')}; {line}"
    return run(["/bin/sh", "-c", line], folder, timeout=CANARY_SECONDS, stdin=text)
