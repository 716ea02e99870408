"""Finishes what a killed End left in the checkout of the base, or takes it back.

Every file of the merge is old, new, missing or torn; from each of them the way leads to new. The
person's own files, and the person's own index beyond these paths, stay as they are.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from plastic.disk import indexlock
from plastic.disk.files import remove
from plastic.disk.folders import prune
from plastic.disk.git import Git, common_dir, current_branch, is_root, oid
from plastic.disk.paths import real
from plastic.words import Refused
from plastic.work.merge.follow import finish, read_trees, some, undo, wrote_nothing
from plastic.work.merge.looks import MISSING, NEW, OWN, TORN, entries, looks, settle_attributes
from plastic.work.merge.reftransaction import Step
from plastic.work.merge.room import MODULE, NOTHING, OPTIONS, TIMEOUT, changes, refresh
from plastic.work.merge.seats import seat_at

if TYPE_CHECKING:
    from plastic.work.merge.room import Change
    from plastic.work.merge.seats import Seat


def heal(common: str, base_ref: str, checkout: str | None, old: str, new: str) -> str:
    """Finish or take back what a killed `publish` left; `done` = the base contains `new`.

    Raises Refused when a person edited a file meanwhile where the merge writes. Running it again
    is harmless.
    """
    git = Git(common)
    # A checkout that is gone, or another repository's by now, has nothing to mend.
    if checkout is not None and is_root(checkout) and common_dir(checkout) == real(common):
        seat = seat_at(checkout)
        with indexlock.writing(seat.folder) as held:
            settle(seat, base_ref, held)
            if _is_behind(seat, base_ref, old, new):
                settle(seat, base_ref, held, indexlock.Marker("end", old, new))
    return "done" if _contains(git, base_ref, new) else "undone"


def _contains(git: Git, base_ref: str, commit: str) -> bool:
    words = ("merge-base", "--is-ancestor", commit, base_ref)
    return oid(git, commit) is not None and git.run(*words, ok=None, quiet=True).rc == 0


def _is_behind(seat: Seat, base_ref: str, old: str, new: str) -> bool:
    """Whether somebody removed our lock, as git advises, though the index is still the old one.

    A commit of theirs would take the merge back.
    """
    if oid(seat.git, base_ref) != new or current_branch(seat.git) != base_ref:
        return False
    touched = changes(seat, old, new)
    known = entries(seat, f"{seat.folder}/index")
    return touched != [] and all(
        known.get(one.path) == (None if one.old_mode == NOTHING else (one.old_mode, one.old))
        for one in touched
    )


def settle(seat: Seat, base_ref: str, held: int, marker: indexlock.Marker | None = None) -> None:
    """Bring a checkout to the end of what its lock says was under way, whoever began it.

    With a `marker` the lock was lost: it is taken again first.
    """
    if marker is not None and not indexlock.take(seat.folder, marker, 0.0):
        return
    left = indexlock.found(seat.folder)
    if left is None or not _contains(seat.git, base_ref, left.new):
        # Files are written only while the branch is at the new commit.
        indexlock.clear(seat.folder)
        return
    if current_branch(seat.git) != base_ref:
        raise Refused(
            "base-elsewhere",
            f"a merge was interrupted in {seat.path}, which is no longer on {base_ref}",
            run=seat.command("symbolic-ref", "HEAD", base_ref),
        )
    touched = changes(seat, left.old, left.new)
    known = entries(seat, f"{seat.folder}/index")
    if all(known.get(one.path) == _wanted(one) for one in touched):
        indexlock.clear(seat.folder)
        return
    step = Step(base_ref, left.old, left.new, f"plastic: end of {left.id}", None)
    _complete(seat, step, touched, held)


def _wanted(change: Change) -> tuple[str, str] | None:
    return None if change.new_mode == NOTHING else (change.new_mode, change.new)


def _complete(seat: Seat, step: Step, touched: list[Change], held: int) -> None:
    """Finish a checkout that was killed anywhere between its branch's move and its index."""
    settle_attributes(seat, touched)
    indexlock.copy_index(seat.folder)
    index = indexlock.private_path(seat.folder)
    refresh(seat, index)
    state = looks(seat, index, touched)
    own = [path for path, now in state.items() if now == OWN]
    if own:
        raise Refused(
            "edited-meanwhile",
            f"an interrupted update of {seat.path} cannot be finished over edits of somebody: "
            f"{some(own)}",
            run=seat.aside(own[0]),
            facts={"paths": own},
        )
    _clear(seat, touched, state)
    done_already = "".join(
        f"{change.new_mode} {change.new}\t{change.path}\0"
        for change in touched
        if state[change.path] == NEW
    )
    env = {"GIT_INDEX_FILE": index}
    words = ("update-index", "-z", "--index-info")
    seat.git.run(*OPTIONS, *words, env=env, stdin=done_already, timeout=TIMEOUT)
    began = time.monotonic()
    refresh(seat, index)
    patience = time.monotonic() - began
    done = read_trees(seat, step.old, step.new, keep=(held,))
    if done.rc != 0:
        written = None if wrote_nothing(done) else touched
        raise undo(seat, step, written, set(), done.tail(3))
    finish(seat, patience)


def _clear(seat: Seat, touched: list[Change], state: dict[str, str]) -> None:
    """Remove torn files, and what stands where a file becomes a folder or a folder a file.

    git takes the step from old to new only where it finds such a place all old, or empty.
    """
    leaving = {one.path for one in touched if one.new_mode == NOTHING}
    folders = {above for path in leaving for above in _above(path)}
    for change in touched:
        path = f"{seat.path}/{change.path}"
        swaps = change.path in folders or not leaving.isdisjoint(_above(change.path))
        if state[change.path] == TORN or (swaps and state[change.path] == NEW):
            remove(path)
            state[change.path] = MISSING
    for change in touched:
        if change.old_mode not in (NOTHING, MODULE) and state[change.path] == MISSING:
            prune(f"{seat.path}/{change.path}")


def _above(path: str) -> list[str]:
    """The folders that a path lies in."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]
