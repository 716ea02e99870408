"""Keeps leases alive: every event of an owner or of a delegate at work is a heartbeat."""

from __future__ import annotations

from plastic.disk.held import mend
from plastic.disk.lockfile import beat, beat_claim
from plastic.rules.lock.lease import BEAT_EVERY, FUTURE, call_ttl, gives_heartbeat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.words import Lock
    from plastic.work.gate.sight import Grip, Sight

KEPT = "ttl_before_call"  # disk/callttl.py, which only a long call loads


def pulse(sight: Sight) -> None:
    """Renew what this session holds, at most once in 30 seconds each."""
    for grip in sight.known():
        lock = grip.view.lock
        if lock is not None and grip.mine and gives_heartbeat(lock, sight.key(lock, grip.intent)):
            _keep(sight, grip, lock, grip.view.age or 0.0)
    for path in sight.claims:
        beat_claim(path, BEAT_EVERY, sight.now)


def _keep(sight: Sight, grip: Grip, lock: Lock, age: float) -> None:
    timeout = sight.use.timeout if sight.use.event == "pre" else None
    if call_ttl(timeout, lock.ttl) != lock.ttl or KEPT in lock.raw:
        from plastic.disk.callttl import set_ttl

        done = set_ttl(grip.view, timeout)
    elif age >= BEAT_EVERY or age < -FUTURE:
        done = beat(grip.view, sight.key(lock, grip.intent))
    else:
        return
    if done:
        mend(sight.home, grip.view.path)
    # My own stale lock is revived by this; a beat that was skipped is a sign of life all the same.
    if not done or grip.view.state == "stale":
        from plastic.disk.journal import note

        note(
            sight.home,
            "lapsed" if done else "missed-beat",
            hook=sight.use.harness,
            intent=grip.intent.name,
            session=lock.owner if not sight.session else sight.session,
            agent=sight.use.agent,
            age=int(age),
            acq=lock.acq,
        )
