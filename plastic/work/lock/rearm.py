"""Renew one's own lock, and repair what belongs to it: link, counter, fence, leftover claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk import held, token
from plastic.disk.journal import note
from plastic.rules.lock.events import Grant, next_lock
from plastic.work.fence import ref as fence
from plastic.work.fence.install import follow
from plastic.work.lock import claims
from plastic.work.lock.issue import next_token
from plastic.work.lock.verb import row, write

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.words import Intent, LockView


def _is_behind(old: fence.Fence | None, number: int, acq: str) -> bool:
    """Whether the fence is to be moved here; never back behind what another home has raised."""
    if old is None or not old.foreign:
        return old is None or (old.token, old.acq) != (number, acq)
    return old.token < number


def rearm(home: Home, intent: Intent, view: LockView, grant: Grant, repo: str | None) -> LockView:
    """Renew one's own lock (under the guard) and repair what belongs to it.

    The token stays, unless somebody raised past it: a takeover that was killed before the lock
    changed hands, or the same intent in another home. Then this session must pass the fence again.
    """
    lock = view.lock
    assert lock is not None
    held.add(home, intent)
    raw = next_lock("rearm", lock.raw, grant._replace(token=lock.token))
    acq = str(raw["acq"])
    old = fence.read(repo, intent)
    number = lock.token
    if fence.is_overtaken(old, number, acq):
        number = next_token(home, intent, number, old)
    if (token.counter(intent.dir) or 0) < number:
        token.count(intent.dir, number)
    if repo is not None and _is_behind(old, number, acq):
        fence.move(repo, intent, number, acq, old)
    raw["token"] = number
    after = write(intent, raw)
    claims.clear_strangers(intent, after)
    event = "rearm" if view.state != "stale" else "lapsed"
    follow(home, intent)
    note(home, event, **row(intent, grant.session, number, acq, age=round(view.age or 0)))
    return after
