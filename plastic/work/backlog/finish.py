"""The act behind a completion: commits proven in the base, files hashed, notes counted."""

from __future__ import annotations

import hashlib
import os
import shlex
from typing import TYPE_CHECKING

from plastic.disk.command import again, flagged
from plastic.disk.files import open_regular, read_fd
from plastic.disk.git import Git, common_dir, oid
from plastic.rules.backlog.completion import Evidence, kind_of
from plastic.words import Refused
from plastic.work.backlog.claims import require_lock
from plastic.work.end.contained import proof

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.backlog.answers import Change, Draft, Fence
    from plastic.rules.backlog.items import Item
    from plastic.work.backlog.place import Backlog

LARGEST = 64 * 1024 * 1024  # bytes of one artefact


def complete(
    backlog: Backlog,
    id: str,
    mine: Fence | None,
    given: Iterable[str],
    cwd: str,
    *,
    strength: str = "",
    instrument: str = "",
    checked: bool = False,
) -> Change:
    """Record the completion act under the token; answers what became ready.

    What an intent delivers is completed by its End.
    """
    item = backlog.need(id)
    lock = require_lock(backlog, item.id, backlog.caller.session)
    if lock is not None:
        raise Refused(
            "delivered-by-end",
            f"{item.id} is delivered by {lock.intent.name}: its End completes it",
            run=shlex.join(
                ("plastic", "end", lock.intent.id, "--delivered", "--dry-run", *flagged())
            ),
        )
    evidence = gather(backlog, item, given, cwd)._replace(
        strength=strength, instrument=instrument, checked=checked
    )
    return backlog.store.complete(item.id, mine, backlog.actor, evidence)


def gather(backlog: Backlog, item: Item, given: Iterable[str], cwd: str) -> Evidence:
    """What each word of `--evidence` proves: a file by its hash, a commit by where it is."""
    artefacts: list[tuple[str, str]] = []
    commits: list[str] = []
    for word in given:
        path = os.path.join(cwd, word)
        if os.path.isfile(path):
            artefacts.append((os.path.relpath(path, cwd), _sha256(path)))
            continue
        found = oid(Git(backlog.project.path), f"{word}^{{commit}}") if word else None
        if found is None:
            raise Refused(
                "evidence-unknown",
                f"{word!r} is neither a file here nor a commit of {backlog.project.path}",
                run=_commits(backlog),
            )
        commits.append(found)
    proven = [contained(backlog, item.base, commit) for commit in commits]
    bad = [commit for commit, there in zip(commits, proven, strict=True) if not there]
    return Evidence(
        commit=(bad or commits)[0] if commits else "",
        contained=not bad if commits else None,
        artefacts=tuple(artefacts),
        findings=sum(1 for row in backlog.store.trail(item.id) if row.get("what") == "note"),
        unplanned=unplanned(backlog, item) if kind_of(item) == "design-integration" else (),
    )


def _commits(backlog: Backlog) -> str:
    """The command that shows which commits there are."""
    return shlex.join(("git", "-C", backlog.project.path, "log", "--oneline", "-5"))


def contained(backlog: Backlog, base: str | None, commit: str) -> bool:
    """Whether a commit is proven to be in the base, here or at its remote."""
    common = common_dir(backlog.project.path)
    return common is not None and any(
        proof(common, tip, commit, "") is not None for tip in backlog.tips(base)
    )


def unplanned(backlog: Backlog, item: Item) -> tuple[str, ...]:
    """The groupings that this one emitted, also indirectly, and that cannot be worked off yet."""
    items = {one.id: one for one in backlog.store.items()}
    source = items.get(item.integrates or item.part_of or "")
    waiting = [*item.informs, *(source.informs if source else ())]
    seen: set[str] = set()
    found = []
    while waiting:
        id = waiting.pop(0)
        if id in seen:
            continue
        seen.add(id)
        over = items.get(id)
        members = [one for one in items.values() if one.part_of == id and one.integrates != id]
        closers = [one for one in items.values() if one.integrates == id]
        joined = set(closers[0].blocked_by) if len(closers) == 1 else set()
        whole = members and all(one.id in joined for one in members)
        inherits = over is not None and all(one.base == over.base for one in [*members, *closers])
        if not whole or not inherits:
            found.append(id)
        waiting += over.informs if over else ()
    return tuple(found)


def record(backlog: Backlog, draft: Draft, pull: int, commit: str, role: str) -> Change:
    """The row of a direct deployment: its commit must be proven in the base already."""
    base = draft.base or backlog.key("base_branch")
    found = oid(Git(backlog.project.path), f"{commit}^{{commit}}")
    if found is None:
        raise Refused(
            "evidence-unknown",
            f"{commit!r} is no commit of {backlog.project.path}",
            run=_commits(backlog),
        )
    full = draft._replace(base=base, region=draft.region or backlog.key("region"))
    merged = contained(backlog, base, found)
    return backlog.store.record(full, backlog.actor._replace(role=role), pull, merged=merged)


def _sha256(path: str) -> str:
    opened = open_regular(path)
    if opened is None:
        raise Refused("evidence-gone", f"{path} is gone", run=again())
    fd, seen = opened
    try:
        if seen.st_size > LARGEST:
            raise Refused(
                "evidence-large",
                f"{path} has {seen.st_size} bytes; a hash of it, or a summary, is evidence enough",
                run=shlex.join(("sha256sum", path)),
            )
        return hashlib.sha256(read_fd(fd, LARGEST, path)).hexdigest()
    finally:
        os.close(fd)
