"""Publishes a merge: moves the base, and lets the checkout of the base follow.

The caller holds the repository's guard. The order makes every kill harmless: the checkout's index
is locked, everything is checked, the branch moves by compare-and-swap, files and index follow. A
user's git is refused from the lock to the end, so no half state can be committed.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from plastic.disk import indexlock
from plastic.disk.failpoints import point
from plastic.disk.git import Git, oid
from plastic.disk.paths import real
from plastic.words import Broken, Refusal
from plastic.work.merge.follow import finish, read_trees, some, undo, wrote_nothing
from plastic.work.merge.mend import heal, settle
from plastic.work.merge.ready import checked, require_at, take
from plastic.work.merge.reftransaction import Moved, Step, move
from plastic.work.merge.room import in_the_way
from plastic.work.merge.seats import require_free, seat_at, seats

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.work.merge.seats import Seat

__all__ = ["Moved", "heal", "publish"]

HOOK_TIMEOUT = 600.0


def _silent(line: str) -> None:
    """Nobody listens."""


def publish(
    common: str,
    base_ref: str,
    old: str,
    new: str,
    tip: str,
    fence: tuple[str, str] | None,
    checkout: str | None,
    marker: str,
    say: Callable[[str], None] = _silent,
) -> None:
    """Move `base_ref` from `old` to `new`, and its checkout with it.

    `checkout` is where the base is checked out (None: nowhere), `fence` the ref and the blob it
    must still name, `marker` the intent's id. Raises Moved when base or checkout are no longer
    what was planned with, Lost when the fence was raised, Refused when anything uncommitted is in
    the way or git is at work there: each with nothing changed.
    """
    git = Git(common)
    id = marker.removeprefix("plastic ").partition(" ")[0]
    if oid(git, f"{new}^1") != old:
        raise Broken("no-step", f"{new} does not follow {old}", run=_git(common, "show", new))
    require_free(common, base_ref)
    here = seats(common, base_ref)
    step = Step(base_ref, old, new, f"plastic: end of {id} at {tip[:12]}", fence)
    if here != ([real(checkout)] if checkout is not None else []):
        where = some(here) if here else "nowhere"
        why = f"{base_ref} is checked out {where}, not as planned"
        raise Moved("base-elsewhere", why, run=_git(common, "worktree", "list"))
    if checkout is None:
        require_at(step, oid(git, base_ref))
        move(git, step)
        point("publish.moved")
        for late in seats(common, base_ref):
            _catch_up(common, step, late, say)
        return
    seat = seat_at(checkout)
    with indexlock.writing(seat.folder) as held:
        settle(seat, base_ref, held)
        _follow(seat, step, id, held)
    _tell_hook(seat, say)


def _catch_up(common: str, step: Step, path: str, say: Callable[[str], None]) -> None:
    """Let a checkout follow that somebody switched to the base at the moment of its move.

    Its files and index are those of before: a commit there would take the merge back.
    """
    try:
        heal(common, step.ref, path, step.old, step.new)
    except Refusal as refused:
        say(f"{path} was switched to the base meanwhile and is behind: {refused.reason}")
        say(f"run: {refused.run}")


def _git(common: str, *words: str) -> str:
    return shlex.join(("git", "-C", common, *words))


def _follow(seat: Seat, step: Step, id: str, held: int) -> None:
    take(seat, indexlock.Marker(id, step.old, step.new))
    try:
        point("publish.locked")
        touched, absent, patience = checked(seat, step)
        point("publish.checked")
    except BaseException:
        indexlock.clear(seat.folder)
        raise
    try:
        move(seat.git, step)
    except BaseException:
        # Interrupted after git has moved it: then files are behind, and the lock says so.
        if oid(seat.git, step.ref) != step.new:
            indexlock.clear(seat.folder)
        raise
    point("publish.moved")
    # Looked at once more: since the check somebody may have made a file that git would overwrite.
    late = in_the_way(seat.path, touched)
    if late:
        raise undo(seat, step, None, absent, f"in the way: {some(late)}")
    done = read_trees(seat, step.old, step.new, keep=(held,))
    if done.rc != 0:
        written = None if wrote_nothing(done) else touched
        raise undo(seat, step, written, absent, done.tail(3))
    point("publish.written")
    finish(seat, patience)
    point("publish.unlocked")


def _tell_hook(seat: Seat, say: Callable[[str], None]) -> None:
    """Run post-merge as `git merge` does; its exit code undoes nothing, as with git."""
    words = ("hook", "run", "--ignore-missing", "post-merge", "--", "0")
    done = seat.git.run(*words, ok=None, timeout=HOOK_TIMEOUT)
    if done.rc != 0:
        say(f"the post-merge hook ended with {done.rc}: {done.tail(1)}")
