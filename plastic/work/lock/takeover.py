"""Take a stale lock over: decided and done under the guard, the old work kept first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.disk import files
from plastic.disk.clock import both, iso
from plastic.disk.compiled import load
from plastic.disk.failpoints import point
from plastic.disk.journal import note
from plastic.disk.locks import intent_guard
from plastic.rules.backlog.grants import HOUR
from plastic.rules.lock.events import UNREADABLE, milestone
from plastic.rules.lock.evidence import Decision, decide
from plastic.words import Missing, Refused, Stale
from plastic.work.backlog.bound import eligible, follow, item_held
from plastic.work.fence import ref as fence
from plastic.work.lock import claims
from plastic.work.lock.acquire import acquire, heal
from plastic.work.lock.handover import Audit, commit, hand_over
from plastic.work.lock.issue import grant_for, next_token
from plastic.work.lock.rearm import rearm
from plastic.work.lock.refuse import (
    command,
    corrupt,
    lost,
    reclaim_command,
    refusal,
    start_command,
    unreadable,
)
from plastic.work.lock.signs import signs
from plastic.work.lock.verb import acquired_at, caller_for, path_of, relation, row, seen
from plastic.work.tree import salvage

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.rules.lock.events import Grant
    from plastic.words import Intent, Lock, LockView
    from plastic.work.tree.snapshot import Salvage


class Taken(NamedTuple):
    """How a reclaim went: `how` is takeover, rearmed or healed; `previous` the old owner."""

    view: LockView
    how: str
    previous: str
    salvage: str | None


def reclaim(
    home: Home,
    intent: Intent,
    caller: Caller,
    provenance: dict[str, str | None] | None = None,
    *,
    expected: int | None = None,
    despite: bool = False,
) -> Taken:
    """Make this session the owner of a lock whose owner is silent, or refuse and change nothing.

    `expected` is the token that the caller saw: when it changed meanwhile, the caller is late.
    """
    session = caller_for(home, intent, caller).session
    repo = fence.repo_of(home, intent, seen(intent))
    taken = _reclaim(home, intent, session, provenance, repo, expected, despite=despite)
    if taken.how != "rearmed":
        commit(home, intent, f"Take over {intent.name}")
    return taken


def _reclaim(
    home: Home,
    intent: Intent,
    session: str,
    provenance: dict[str, str | None] | None,
    repo: str | None,
    expected: int | None,
    *,
    despite: bool,
) -> Taken:
    with intent_guard(intent.dir):
        now = files.fs_now(intent.dir)
        view = seen(intent, now)
        kind = relation(view, session)
        _refuse_at_once(intent, view, kind, expected)
        grant = grant_for(session, load(home).ttl, provenance)
        if kind == "owner":
            after = rearm(home, intent, view, grant, repo)
            follow(home, intent, after.lock)
            return Taken(after, "rearmed", session, None)
        decision = _judge(home, intent, view, repo, now, despite=despite)
        if decision.kind == "corrupt":
            return _from_unknown(home, intent, view, grant, repo)
        _refuse_unless_granted(intent, view, decision, now)
        if not despite:
            _refuse_while_item_waits(home, intent, view, session, now)
        assert view.lock is not None
        return _take(home, intent, view.lock, grant, repo, decision)


def _refuse_at_once(intent: Intent, view: LockView, kind: str, expected: int | None) -> None:
    """What needs no look at the worktree: nothing held, a token from before, a delegate."""
    if kind == "none":
        raise Missing("no-lock", f"nobody holds {intent.name}", run=start_command(intent))
    if view.lock is None:
        return
    if expected is not None and expected != view.lock.token:
        raise lost(intent, view, f"the lock no longer has token {expected}")
    if kind == "delegate" and view.state == "fresh":
        raise Refused(
            "not-owner",
            f"this session is a delegate of the owner of {intent.name}, who was heard just now",
            run=command("status", intent),
            who=view.lock.owner,
        )


def _judge(
    home: Home, intent: Intent, view: LockView, repo: str | None, now: float, *, despite: bool
) -> Decision:
    found = signs(home, intent, view, repo) if view.state == "stale" else []
    heard = now - view.age if view.age is not None else None
    # The signs of a bound intent protect its holder as long as the item's do.
    quarantine = HOUR if item_held(view.lock) else load(home).quarantine
    return decide(
        view.state, heard, view.age, found, now=now, quarantine=quarantine, despite=despite
    )


def _refuse_unless_granted(intent: Intent, view: LockView, decision: Decision, now: float) -> None:
    sign, until = decision.because, decision.until
    if decision.kind in ("granted", "despite"):
        return
    if decision.kind != "quarantine" or sign is None or until is None:
        raise refusal(intent, view)
    raise Stale(
        "quarantine",
        f"{intent.name} shows work after its last heartbeat ({sign.kind} {sign.what} at "
        f"{both(sign.at)}): it may be taken over from {both(until)}",
        run=reclaim_command(intent, view, until - now + 1),
        who=view.lock.owner if view.lock is not None else None,
        since=acquired_at(view),
        facts={"until": iso(until), "evidence": sign.kind},
    )


def _refuse_while_item_waits(
    home: Home, intent: Intent, view: LockView, session: str, now: float
) -> None:
    """An item is taken over after one more lease and an hour without a sign of its holder."""
    lock = view.lock
    until = eligible(home, intent, lock, session) if lock is not None else None
    if lock is None or until is None:
        return
    raise Stale(
        "item-quarantine",
        f"{intent.name} delivers {lock.raw.get('item')}, whose holder may still come back: "
        f"it may be taken over from {both(until)}",
        run=reclaim_command(intent, view, max(until - now, 0) + 1),
        who=lock.owner,
        since=acquired_at(view),
        facts={"until": iso(until), "evidence": "item"},
    )


def _take(
    home: Home, intent: Intent, lock: Lock, grant: Grant, repo: str | None, decision: Decision
) -> Taken:
    """Salvage, counter, fence, audit line, lock, claims: in this order, under the guard."""
    kept = salvage.keep(repo, intent, seen(intent), lock.token)
    point("reclaim.salvaged")
    text = milestone("takeover", grant.session, lock.owner, lock.token, _ref(kept))
    grant = hand_over(home, intent, lock, grant, repo, "takeover", text, STEPS)
    claims.clear(intent)
    point("reclaim.claims")
    sign = decision.because if decision.kind == "despite" else None
    note(
        home,
        "takeover",
        **row(intent, grant.session, grant.token, grant.acq, previous=lock.owner),
        salvage=_ref(kept),
        despite=sign.kind if sign is not None else None,
    )
    after = seen(intent)
    follow(home, intent, after.lock)
    return Taken(after, "takeover", lock.owner, _ref(kept) or None)


def _from_unknown(
    home: Home, intent: Intent, view: LockView, grant: Grant, repo: str | None
) -> Taken:
    """A lock that nobody can read: keep work and bytes, say so in the ledger, start anew."""
    if unreadable(path_of(intent)) is not None:
        raise corrupt(intent, view)
    old = next_token(home, intent, 0, fence.read(repo, intent)) - 1
    kept = salvage.keep(repo, intent, view, old)
    audit = Audit(intent, milestone("takeover", grant.session, UNREADABLE, old, _ref(kept)))
    audit.write()
    heal(home, intent, grant.session)
    after = acquire(home, intent, grant, repo)
    return Taken(after, "healed", UNREADABLE, _ref(kept) or None)


def _ref(kept: Salvage | None) -> str:
    return kept.ref if kept is not None else ""


STEPS = {
    "counted": lambda: point("reclaim.counted"),
    "fenced": lambda: point("reclaim.fenced"),
    "audited": lambda: point("reclaim.audited"),
    "replaced": lambda: point("reclaim.replaced"),
}
