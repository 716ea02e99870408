"""Judges what the fence's hooks could not prove: whose lock it is, and whether anything changes.

A hook of git starts this in a Python without site-packages. Only 9 is a refusal.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from plastic.disk.files import put, read_text
from plastic.disk.home import Home
from plastic.disk.journal import note
from plastic.disk.lockfile import look
from plastic.disk.session import harness_sessions
from plastic.rules.fence.moves import HEAD, Known, is_change, lines
from plastic.rules.fence.refusals import WHAT, advised, said
from plastic.rules.fence.standing import presented, standing
from plastic.work.fence import facts
from plastic.work.gate.admit import holder

if TYPE_CHECKING:
    from plastic.rules.fence.moves import Line
    from plastic.words import LockView
    from plastic.work.fence.facts import Facts

REFUSED = 9
PACKED_LIMIT = 256 << 20  # bytes of packed-refs


def main(admin: str, hook: str, parent: str, dropped: str = "", remote: str = "") -> int:
    """Judge one call of `hook` in the worktree whose git directory is `admin`.

    `dropped`: the holder itself pushes, and this commit of an earlier one would be gone from
    `remote`. A fault of ours lets git go on, and says so.
    """
    try:
        return _dropping(admin, dropped, remote) if dropped else _judge(admin, hook, parent)
    except Exception as error:
        what = f"plastic: nothing has judged this {hook} ({error!r}): run plastic doctor\n"
        sys.stderr.write(what)
        return 0


def _judge(admin: str, hook: str, parent: str) -> int:
    known = facts.read(admin)
    if known is None:
        sys.stderr.write(f"plastic: the fence of {admin} is not whole: run plastic doctor\n")
        return 0
    view = look(known.lock)
    sessions = list(harness_sessions(os.environ).values())
    token = presented(os.environ.get("PLASTIC_TOKEN", ""), known.id)
    found = standing(view, sessions, token)
    if found.answer == "pass":
        _follow(admin, known, view)
        return 0
    ref = ""
    if hook == "reference-transaction":
        ref = changed(admin, sys.stdin.read())
        if not ref:
            return 0
    fields: dict[str, object] = {
        "id": known.id,
        "name": known.intent,
        "token": view.lock.token if view.lock is not None else known.token,
        "presented": token,
        "what": WHAT[hook].format(ref=ref),
    }
    who, since = holder(view)
    mine = sessions[0] if sessions else None
    row = {"intent": known.id, "hook": hook, "ref": ref, "code": found.code, "session": mine}
    if found.answer == "refuse":
        sys.stderr.write(said(found.code, fields, who, since))
        note(Home(known.home), "fence-refused", **row)
        return REFUSED
    sys.stderr.write(advised(fields, who, since))
    note(Home(known.home), "fence-advised", **row)
    # git calls several hooks for one command: the others need not ask again.
    put(f"{admin}/{facts.TOLD}", f"{parent}\n".encode())
    return 0


def _dropping(admin: str, commit: str, remote: str) -> int:
    """Nobody rewrites what an earlier holder has pushed: it may be the only record of that work."""
    known = facts.read(admin)
    if known is None:
        return 0
    fields: dict[str, object] = {
        "what": WHAT["pre-push"],
        "name": known.intent,
        "commit": commit[:12],
        "remote": remote,
        "token": known.token,
    }
    sys.stderr.write(said("prior-work", fields, "", ""))
    note(Home(known.home), "fence-refused", intent=known.id, hook="pre-push", code="prior-work")
    return REFUSED


def _follow(admin: str, known: Facts, view: LockView) -> None:
    """The lock was handed on, and whoever did it was killed before the hooks could know."""
    if view.lock is not None and view.lock.token != known.token:
        facts.write(admin, known._replace(token=view.lock.token))


def changed(admin: str, text: str) -> str:
    """The first ref of a transaction that it changes; "" when it only tidies up."""
    judged = lines(text)
    if not judged:
        return ""
    shared = (read_text(f"{admin}/commondir") or "").strip()
    common = os.path.realpath(os.path.join(admin, shared)) if shared else admin
    packed = _packed(common)
    for line in judged:
        if is_change(line, _known(admin, common, packed, line)):
            return line.ref
    return ""


def _packed(common: str) -> dict[str, str]:
    text = read_text(f"{common}/packed-refs", PACKED_LIMIT) or ""
    found = {}
    for one in text.splitlines():
        id, _, ref = one.partition(" ")
        if ref and id[:1] not in ("#", "^"):
            found[ref] = id
    return found


def _known(admin: str, common: str, packed: dict[str, str], line: Line) -> Known:
    ref, folder = line.ref, common
    if ref == HEAD:
        told = (read_text(f"{admin}/{HEAD}") or "").strip()
        if not told.startswith("ref: "):
            return Known(told, "")
        ref = told.removeprefix("ref: ")
    try:
        loose = (read_text(f"{folder}/{ref}") or "").strip()
    except OSError:
        loose = ""
    return Known(loose, packed.get(ref, ""))
