"""Claims: one writer at a time for one document, among those who may write the intent at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from plastic.disk import files
from plastic.disk.clock import iso
from plastic.disk.journal import note
from plastic.disk.lockedits import replace_dated
from plastic.disk.lockfile import look_claim, look_claims
from plastic.disk.locks import intent_guard
from plastic.disk.paths import parent_of
from plastic.rules.intent.names import claimable
from plastic.rules.lock.lease import TTL
from plastic.words import Held, Usage
from plastic.work.lock.refuse import command, not_held, refusal
from plastic.work.lock.verb import caller_for, local_now, relation, seen

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Claim, Intent, LockView


def path_of(intent: Intent, artifact: str) -> str:
    """The claim file of one document."""
    return f"{intent.dir}/.claims/{artifact}.claim"


def claims_of(intent: Intent, view: LockView) -> list[Claim]:
    """Every claim of an intent; they live as long as the lock's ttl says."""
    return look_claims(intent.dir, view.lock.ttl if view.lock is not None else TTL, local_now())


def _checked(intent: Intent, artifact: str) -> None:
    if not claimable(artifact, intent.name):
        raise Usage(
            "artifact",
            f"{artifact!r} cannot be claimed: spec.md, plan.md, checklist.md, {intent.name}.md can",
            run="plastic-lock claim --help",
        )


def _authorized(intent: Intent, view: LockView, session: str) -> None:
    """A claim is no authority by itself: only who may write the intent may claim in it."""
    if view.state == "none":
        raise not_held(intent)
    if relation(view, session) not in ("owner", "delegate"):
        raise refusal(intent, view)


def claim(
    home: Home, intent: Intent, caller: Caller, artifact: str, delegate: str | None = None
) -> dict[str, str | None]:
    """Claim a document for this session, or for one agent of it; `was` says what made room.

    Never idempotent: two agents that share a session must not both believe that they write.
    """
    _checked(intent, artifact)
    session = caller_for(home, intent, caller).session
    agent = (delegate or "").strip() or None
    with intent_guard(intent.dir):
        view = seen(intent)
        _authorized(intent, view, session)
        old = look_claim(
            intent.dir, artifact, view.lock.ttl if view.lock else TTL, files.fs_now(intent.dir)
        )
        if old is not None and old.state == "fresh":
            raise _held(intent, old)
        value = {
            "artifact": artifact,
            "owner_session": session,
            "delegate": agent,
            "acquired_at": iso(),
        }
        path = path_of(intent, artifact)
        files.make_dirs(parent_of(path))
        if old is not None and old.state == "corrupt":
            _discard(path)
        files.replace(path, _encoded(value))
    note(home, "claim", intent=intent.id, session=session, artifact=artifact, agent=agent)
    was = None if old is None else old.state
    return {**value, "was": was, "from": old.owner if old is not None and old.owner else None}


def _held(intent: Intent, old: Claim) -> Held:
    holder = old.delegate or old.owner
    return Held(
        "claimed",
        f"{old.artifact} of {intent.name} is claimed by {holder}",
        run=command("status", intent),
        who=holder,
        since=old.acquired_at or None,
    )


def _encoded(value: dict[str, str | None]) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


def _discard(path: str) -> None:
    """Make room where something that is no regular file has a claim's name."""
    from plastic.disk.lockedits import set_aside

    seen_now = files.lstat(path)
    if seen_now is not None and not files.is_regular(seen_now):
        set_aside(path)


def release_claim(home: Home, intent: Intent, caller: Caller, artifact: str) -> str:
    """Give a document free: `released`, or `none` when nobody had claimed it.

    The holder may at any time; whoever may write the intent may once the claim yields.
    """
    _checked(intent, artifact)
    session = caller_for(home, intent, caller).session
    with intent_guard(intent.dir):
        view = seen(intent)
        now = files.fs_now(intent.dir)
        old = look_claim(intent.dir, artifact, view.lock.ttl if view.lock else TTL, now)
        if old is None:
            return "none"
        if session not in (old.owner, old.delegate):
            if old.state == "fresh":
                raise _held(intent, old)
            _authorized(intent, view, session)
        _discard(path_of(intent, artifact))
        files.remove(path_of(intent, artifact))
    note(home, "release-claim", intent=intent.id, session=session, artifact=artifact)
    return "released"


def clear(intent: Intent) -> int:
    """Remove every claim (under the intent's guard): a new owner starts without them."""
    gone = 0
    for one in claims_of(intent, seen(intent)):
        _discard(path_of(intent, one.artifact))
        gone += files.remove(path_of(intent, one.artifact))
    return gone


def clear_strangers(intent: Intent, view: LockView) -> int:
    """Remove the claims of sessions without a right: what a killed takeover or transfer left."""
    gone = 0
    for one in claims_of(intent, view):
        known = view.lock is not None and view.lock.authorizes(one.owner)
        if one.owner and not known:
            gone += files.remove(path_of(intent, one.artifact))
    return gone


def rename(intent: Intent, view: LockView, old: str, new: str) -> None:
    """Hand the claims of one session to another; a rewrite is no heartbeat."""
    for one in claims_of(intent, view):
        if one.owner == old:
            value = {
                "artifact": one.artifact,
                "owner_session": new,
                "delegate": one.delegate,
                "acquired_at": one.acquired_at,
            }
            replace_dated(path_of(intent, one.artifact), _encoded(value))
