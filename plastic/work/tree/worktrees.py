"""`plastic worktree remove` and `prune`: only what is proven to be needed by nobody, one by one."""

from __future__ import annotations

import os
import shlex
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plastic.disk.command import again
from plastic.disk.failpoints import point
from plastic.disk.files import exists
from plastic.disk.git import oid
from plastic.disk.journal import note as journal
from plastic.disk.locks import intent_guard, repo_guard
from plastic.disk.paths import is_below, real
from plastic.disk.projects import settings
from plastic.disk.token import counter
from plastic.disk.worktrees import entry_at, listed, noted_for
from plastic.words import Broken, Missing, Refusal, Refused
from plastic.work.fence import ref as fence
from plastic.work.fence.ref import delete
from plastic.work.intent.intents import find
from plastic.work.lock.refuse import command, refusal
from plastic.work.lock.verb import caller_for, relation, seen
from plastic.work.tree.base import HEADS
from plastic.work.tree.orphans import found_in, is_over, of_branch, of_entry, yards
from plastic.work.tree.reflogs import keep_reflogs
from plastic.work.tree.salvage import keep_tip
from plastic.work.tree.site import path_of
from plastic.work.tree.trash import bury

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent
    from plastic.work.tree.orphans import Found, Yard


def everything(home: Home, project: str | None) -> list[Found]:
    """What `list` shows, of one project or of all."""
    known = yards(home, project)
    if project is not None and not known:
        raise Missing("no-project", f"there is no repository of {project!r}", run="plastic list")
    return [one for yard in known for one in found_in(yard, home)]


# -- remove ----------------------------------------------------------------------------------------


def remove(home: Home, text: str, caller: Caller) -> dict[str, Any]:
    """Move one worktree into the trash; refused while anything in it is only there."""
    yard, path = _target(home, text, caller)
    entry = entry_at(yard.git, path)
    if entry is None:
        raise _unregistered(path)
    intent = of_entry(yard, entry).intent
    with _guarded(home, yard, intent, caller):
        entry = entry_at(yard.git, path)
        if entry is None:
            raise _unregistered(path)
        found = of_entry(yard, entry)
        _require_removable(found)
        return _bury(home, found)


def _target(home: Home, text: str, caller: Caller) -> tuple[Yard, str]:
    """The repository and the real path that a PATH or an INTENT names."""
    known = yards(home)
    path = real(os.path.abspath(os.path.expanduser(text)))
    for yard in known if text else ():
        if path != yard.site.root and (
            entry_at(yard.git, path) is not None
            or (exists(path) and is_below(path, f"{yard.site.root}/.claude/worktrees"))
        ):
            return yard, path
    intent = find(home, text or None, caller)
    for yard in known:
        if intent.name in yard.intents and intent.project == yard.project.slug:
            noted = noted_for(yard.site.common, intent.name)
            return yard, noted or path_of(yard.site, intent)
    raise Missing(
        "no-worktree", f"{intent.name} has no repository, so no worktree", run="plastic list"
    )


def _unregistered(path: str) -> Refusal:
    quoted = shlex.quote(path)
    if not exists(path):
        return Missing("no-worktree", f"there is no worktree {path}", run="plastic worktree list")
    return Refused(
        "not-registered",
        f"git does not know {path}, so nothing is proven about what lies in it; "
        "move it aside yourself",
        run=f"mv {quoted} {quoted}.aside",
    )


@contextmanager
def _guarded(
    home: Home, yard: Yard, intent: Intent | None, caller: Caller | None
) -> Iterator[None]:
    """Both guards, with the proof that nobody holds the intent."""
    if intent is None:
        with repo_guard(yard.site.common):
            yield
        return
    with intent_guard(intent.dir):
        _require_free(home, intent, caller)
        with repo_guard(yard.site.common):
            yield


def _require_free(home: Home, intent: Intent, caller: Caller | None) -> None:
    view = seen(intent)
    session = caller_for(home, intent, caller).session if caller is not None else ""
    kind = relation(view, session)
    if kind == "none":
        return
    if kind in ("owner", "delegate") and view.lock is not None:
        raise Refused(
            "worktree-held",
            f"{intent.name} is held, so its worktree is in use; end the intent, or release it",
            run=command("status", intent),
            who=view.lock.owner,
        )
    raise refusal(intent, view)


def _require_removable(found: Found) -> None:
    row, path = found.row, found.seen.path or ""
    if row.kind in ("foreign", "elsewhere"):
        raise Refused("worktree-foreign", f"{path}: {row.why}", run=row.run)
    if row.kind == "broken":
        raise Refused("worktree-broken", f"{path}: {row.why}", run=row.run)
    if found.holds:
        reasons = "; ".join(hold.reason for hold in found.holds)
        raise Refused("worktree-holds", f"{path} stays: {reasons}", run=found.holds[0].run)
    if found.proven is None and found.seen.section != "Abandoned" and found.seen.exists:
        tip = found.seen.branch or found.tip or "HEAD"
        raise Refused(
            "not-merged",
            f"{path} stays: {tip} is not known to be merged",
            run=found.seen.look,
        )


def _bury(home: Home, found: Found) -> dict[str, Any]:
    """Under both guards: into the trash, and into the journal."""
    intent, path = found.intent, found.seen.path
    assert intent is not None
    assert path is not None
    token = counter(intent.dir) or 0
    branches = [f"{HEADS}{found.seen.branch}"] if found.seen.branch else []
    logs = keep_reflogs(found.site.common, intent, token, path, branches)
    place = bury(found.site.common, path, intent.id, token)
    how = found.proven.how if found.proven is not None else None
    kept = logs.ref if logs is not None else None
    fields = {"path": path, "trash": place, "proof": how, "reflog": kept}
    journal(home, "worktree-removed", intent=intent.id, **fields)
    return {**found.shown(), "trash": place, "reflog": kept, "done": True}


# -- prune -----------------------------------------------------------------------------------------


def prune(
    home: Home, project: str | None, say: Callable[[str], None], *, dry_run: bool = False
) -> dict[str, Any]:
    """Take away what is proven to be safe, each on its own; the rest is named and kept."""
    gone: list[dict[str, Any]] = []
    kept: list[dict[str, Any]] = []
    for yard in yards(home, project):
        for found in found_in(yard, home):
            if not found.row.safe:
                kept.append(found.shown())
            elif dry_run:
                gone.append({**found.shown(), "done": False})
            else:
                _prune_one(home, yard, found, say, gone, kept)
    return {"dry_run": dry_run, "pruned": gone, "kept": kept}


def _prune_one(
    home: Home,
    yard: Yard,
    found: Found,
    say: Callable[[str], None],
    gone: list[dict[str, Any]],
    kept: list[dict[str, Any]],
) -> None:
    try:
        done = _pruned(home, yard, found, say)
    except Refusal as refused:
        kept.append({**found.shown(), "why": refused.reason, "run": refused.run, "safe": False})
        return
    (gone if done.get("done") else kept).append(done)


def _pruned(home: Home, yard: Yard, found: Found, say: Callable[[str], None]) -> dict[str, Any]:
    if found.row.kind == "trash":
        return _deleted(home, yard, found, say)
    with _guarded(home, yard, found.intent, None):
        if found.seen.path is None:
            return _branch_deleted(home, yard, found)
        entry = entry_at(yard.git, found.seen.path)
        afresh = of_entry(yard, entry) if entry is not None else None
        if afresh is None or not afresh.row.safe:
            raise Refused("changed", f"{found.seen.path} changed meanwhile", run=again())
        return _bury(home, afresh)


def _deleted(home: Home, yard: Yard, found: Found, say: Callable[[str], None]) -> dict[str, Any]:
    from plastic.work.tree.trash import empty

    with repo_guard(yard.site.common):
        days = float(settings(home)["trash_days"])
        gone = empty(yard.site.common, days, say, only=found.seen.path)
    for entry in gone:
        journal(home, "trash-emptied", intent=entry.intent, path=entry.path, trash=entry.place)
    return {**found.shown(), "done": bool(gone)}


def _branch_deleted(home: Home, yard: Yard, found: Found) -> dict[str, Any]:
    """Compare-and-delete; commits that only this branch has are kept under a salvage ref first."""
    ref = f"{HEADS}{found.seen.branch}"
    stands = fence.read(yard.site.root, found.intent) if found.intent is not None else None
    afresh = of_branch(yard, ref)
    intent, proven, tip = afresh.intent, afresh.proven, oid(yard.git, ref)
    taken = any(entry.branch == ref for entry in listed(yard.git))
    if intent is None or proven is None or tip is None or taken or not is_over(afresh.seen):
        raise Refused("changed", f"{found.seen.branch} changed meanwhile", run=again())
    # Whoever boards it in another home meanwhile raises the fence: then the branch stays.
    barrier = (fence.ref_of(intent), stands.oid) if stands is not None else None
    kept = None
    if proven.how != "ancestor":
        kept = keep_tip(yard.git, intent, counter(intent.dir) or 0, tip)
    logs = keep_reflogs(yard.site.common, intent, counter(intent.dir) or 0, None, [ref])
    point("prune.kept")
    done = delete(yard.git, ref, tip, barrier)
    if done.rc != 0:
        raise Broken("branch-busy", f"{ref} was not deleted: {done.tail(1)}", run=again())
    point("prune.branch")
    fields = {"branch": found.seen.branch, "commit": tip, "proof": proven.how, "salvage": kept}
    journal(home, "branch-deleted", intent=intent.id, **fields)
    return {
        **afresh.shown(),
        "salvage": kept,
        "reflog": logs.ref if logs is not None else None,
        "done": True,
    }
