"""`plastic maintain`: change structure and metadata of an intent that nobody works on, on record.

Work is changed through intents, by their owners; maintenance waits while a lock is fresh. It takes
no lock: the intent's guard is held, a worktree of the home's own repository carries the change
and its entry in revisions.md as one commit, and the merge lands both or neither.
"""

from __future__ import annotations

import hashlib
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk import upkeep
from plastic.disk.clock import iso
from plastic.disk.command import again
from plastic.disk.commit import scoped_commit
from plastic.disk.git import Git, oid
from plastic.disk.journal import note
from plastic.disk.locks import home_guard, index_guard, intent_guard
from plastic.disk.upkeep import Change
from plastic.rules.intent.revisions import FILE, Revision, added
from plastic.words import Broken, Held
from plastic.work.intent.changes import Wish, plan
from plastic.work.lock.refuse import command, refusal, start_command
from plastic.work.lock.verb import acquired_at, caller_for, relation, seen

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent
    from plastic.work.intent.changes import Planned

ATTEMPTS = 5


class Landed(NamedTuple):
    """What came of one maintenance."""

    number: int
    merge: str
    files: list[str]


def maintain(home: Home, intent: Intent, caller: Caller, wish: Wish) -> dict[str, Any]:
    """Make one change; run again after a kill it is made once. 3 while the lock is fresh."""
    _require_quiet(home, intent, caller)
    mark = _mark(intent, wish)
    with ExitStack() as guards:
        guards.enter_context(intent_guard(intent.dir))
        _require_quiet(home, intent, caller)
        guards.enter_context(index_guard(home.index(intent.project)))
        finished = _finish(home, intent)
        if finished is not None and finished == mark:
            return _report(home, intent, wish, _landed(home, mark))
        for _ in range(ATTEMPTS):
            landed = _attempt(home, intent, wish, mark)
            if landed is not None:
                return _report(home, intent, wish, landed)
    raise Broken(
        "maintain-moving",
        f"somebody keeps changing the documents of {intent.name}; the maintenance was not made",
        run=again(),
    )


def finish(home: Home, intent: Intent) -> bool:
    """Bring a maintenance that was killed to its end; False when somebody is at the intent."""
    with ExitStack() as guards:
        guards.enter_context(intent_guard(intent.dir))
        if seen(intent).state not in ("none", "stale"):
            return False
        guards.enter_context(index_guard(home.index(intent.project)))
        _finish(home, intent)
    return True


def _require_quiet(home: Home, intent: Intent, caller: Caller) -> None:
    """Only freshness decides, never the section: End unlocks after it has moved the entry."""
    view = seen(intent)
    if view.state in ("none", "stale"):
        return
    if view.state != "fresh" or view.lock is None:
        raise refusal(intent, view)
    session = caller_for(home, intent, caller).session
    mine = relation(view, session) == "owner"
    wait = "" if mine else f"{start_command(intent, '--wait')} && "
    raise Held(
        "maintain-held",
        f"{intent.name} is being worked on: maintenance waits until its lock is given back",
        run=f"{wait}{command('release', intent)} && {again()}",
        who=view.lock.owner,
        since=acquired_at(view),
    )


def _mark(intent: Intent, wish: Wish) -> str:
    return hashlib.sha256(repr((intent.id, tuple(wish))).encode()).hexdigest()[:16]


def _finish(home: Home, intent: Intent) -> str | None:
    """Finish what a killed run has begun to show, throw away what nobody has seen; its mark.

    The files tell: as soon as the first of them is changed the rest must follow.
    """
    found = upkeep.pending(home, intent.name)
    if found is None:
        return None
    tip, mark = found
    changes = _ordered(upkeep.changes_of(home, tip)) if mark else []
    with home_guard(home):
        begun = bool(changes) and upkeep.is_there(home, changes[0])
        if begun and upkeep.write(home, changes) is None:
            upkeep.merge(home, intent.name, tip, changes)
            upkeep.discard(home, intent.name)
            return mark
        upkeep.discard(home, intent.name)
    return None


def _ordered(changes: list[Change]) -> list[Change]:
    """The entry first, then what is added, then what goes away."""
    return sorted(
        changes, key=lambda one: (not one.path.endswith(f"/{FILE}"), one.after is None, one.path)
    )


def _attempt(home: Home, intent: Intent, wish: Wish, mark: str) -> Landed | None:
    """One change upon the documents of now; None when they changed while it was made."""
    # What cannot be done is refused before anything is committed.
    plan(home, intent, wish, lambda path: upkeep.now(home, path))
    _commit_documents(home, intent)
    git = Git(home.root)
    base = git.read("rev-parse", "HEAD")
    planned = plan(home, intent, wish, lambda path: upkeep.content(git, base, path))
    changes, number = _with_entry(home, intent, wish, planned, git, base)
    message = _message(intent, wish, number, mark)
    try:
        tip = upkeep.build(home, intent.name, base, changes, message)
    except BaseException:
        upkeep.discard(home, intent.name)
        raise
    with home_guard(home):
        in_the_way = upkeep.write(home, changes)
        merge = None if in_the_way else upkeep.merge(home, intent.name, tip, changes)
        upkeep.discard(home, intent.name)
    return Landed(number, merge, [one.path for one in changes]) if merge is not None else None


def _commit_documents(home: Home, intent: Intent) -> None:
    """What is there counts: the change is made upon it, and it can be gone back to."""
    paths = [intent.dir, home.index(intent.project)]
    scoped_commit(home, paths, f"Documents of {intent.name} before maintenance")


def _with_entry(
    home: Home, intent: Intent, wish: Wish, planned: Planned, git: Git, base: str
) -> tuple[list[Change], int]:
    path = f"{intent.dir}/{FILE}"[len(home.root) + 1 :]
    before = upkeep.content(git, base, path)
    revision = Revision(
        iso()[:16].replace("T", "-"),
        wish.why,
        wish.rule,
        planned.prior,
        planned.before,
        planned.after,
        planned.held,
    )
    text, number = added((before or b"").decode("utf-8", "surrogateescape"), revision)
    entry = Change(path, before, text.encode("utf-8", "surrogateescape"))
    return _ordered([entry, *planned.changes]), number


def _message(intent: Intent, wish: Wish, number: int, mark: str) -> str:
    why = " ".join(wish.why.split())
    return (
        f"Maintain {intent.name}: revision v{number}\n\n{why} [rule: {wish.rule}]\n\n"
        f"Plastic-Intent: {intent.name}\n{upkeep.TRAILER}: {mark}\n"
    )


def _landed(home: Home, mark: str) -> Landed:
    """What a run that was killed after its merge, or finished just now, has brought."""
    git = Git(home.root)
    words = ("rev-list", "--max-count=1", "--fixed-strings", f"--grep={upkeep.TRAILER}: {mark}")
    tip = git.read(*words, "HEAD")
    subject = git.read("log", "-1", "--format=%s", tip or "HEAD")
    number = subject.rpartition(" v")[2]
    merge = git.read("rev-list", "--first-parent", "--merges", "--max-count=1", "HEAD")
    files = [one.path for one in upkeep.changes_of(home, tip)] if tip else []
    return Landed(int(number) if number.isdigit() else 0, merge or (oid(git, "HEAD") or ""), files)


def _report(home: Home, intent: Intent, wish: Wish, landed: Landed) -> dict[str, Any]:
    shown = f"v{landed.number}"
    fields = {"kind": wish.kind, "rule": wish.rule, "revision": shown, "commit": landed.merge}
    note(home, "maintain", intent=intent.id, **fields)
    return {
        "id": intent.id,
        "name": intent.name,
        "revision": shown,
        "commit": landed.merge,
        "files": [f"{home.root}/{one}" for one in landed.files],
        "revisions": f"{intent.dir}/{FILE}",
    }
