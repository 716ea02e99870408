"""The gates that decide who may write: protected, lock and claim."""

from __future__ import annotations

from plastic.disk.held import is_complete
from plastic.disk.lockfile import look_claim
from plastic.disk.paths import is_below
from plastic.rules.gates.protected import inside_home, inside_intent
from plastic.rules.gates.table import claims_for_me, lock_refusal
from plastic.rules.intent.names import claimable
from plastic.rules.lock.lease import SETTLE
from plastic.words import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.words import Intent, LockView
    from plastic.work.gate.sight import Sight, Written


def refuse(
    gate: str, code: str, fields: dict[str, object], *, who: str = "", since: str = ""
) -> Verdict:
    """A refusal in its words, which most events need not load."""
    from plastic.rules.gates import refusals

    return refusals.refuse(gate, code, fields, who=who, since=since)


def _iso(seconds: float) -> str:
    from plastic.disk.clock import iso

    return iso(seconds)


def fields_of(intent: Intent, path: str) -> dict[str, object]:
    """What every refusal about an intent names."""
    return {"id": intent.id, "name": intent.name, "dir": intent.dir, "path": path}


def holder(view: LockView) -> tuple[str, str]:
    """Who holds a lock and since when (UTC), as a refusal says it."""
    lock = view.lock
    if lock is None:
        if view.heartbeat is None:
            return "none" if view.state == "none" else "unknown (corrupt lock)", ""
        return "unknown (corrupt lock)", _iso(view.heartbeat)
    since = lock.raw.get("acquired_at")
    who = f"{lock.owner} (stale)" if view.state == "stale" else lock.owner
    if isinstance(since, str) and since.strip():
        return who, since
    return who, "" if view.heartbeat is None else _iso(view.heartbeat)


def protected(sight: Sight, written: Written) -> Verdict | None:
    """Files that only plastic's own verbs write; nothing relaxes it."""
    place, op = written.place, written.change.op
    if place is None:
        if op == "remove" and is_below(sight.home.root, written.path):
            return refuse("protected", "home-file", {"path": written.path})
        return None
    if place.kind != "intent":
        code = inside_home(place.kind, place.project, place.rest, op)
        return refuse("protected", code, {"path": written.path}) if code else None
    code = inside_intent(place.rest, op)
    if code is None or written.intent is None:
        return None
    grip = sight.grip(written.intent)
    who, since = holder(grip.view)
    fields = {**fields_of(written.intent, written.path), "file": place.rest}
    return refuse("protected", code, fields, who=who, since=since)


def lock(sight: Sight, written: Written) -> Verdict | None:
    """Every intent that the path is in, or takes along, must admit the session."""
    advice = None
    for intent in ([written.intent] if written.intent else []) + written.inside:
        verdict = _lock(sight, written, intent)
        if verdict is not None and verdict.kind == "deny":
            return verdict
        advice = advice or verdict
    return advice


def _lock(sight: Sight, written: Written, intent: Intent) -> Verdict | None:
    grip = sight.grip(intent)
    view = grip.view
    if grip.mine:
        return None
    active = None if view.state in ("fresh", "future") else sight.is_active(intent)
    code = lock_refusal(view.state, active=active, mine=False)
    if code is None:
        return None
    fields = fields_of(intent, written.path)
    fields["token"] = view.lock.token if view.lock is not None else 0
    fields["heard"] = _iso(view.heartbeat) if view.heartbeat is not None else "never"
    who, since = holder(grip.view)
    verdict = refuse("lock", code, fields, who=who, since=since)
    if code == "corrupt" and view.age is not None and view.age <= SETTLE:
        verdict.run = f"sleep {int(SETTLE - max(view.age, 0.0)) + 1} && {verdict.run}"
    # Any lock file that is not mine keeps the gate closed; only "nobody has boarded" is relaxed.
    return relaxed(sight, verdict) if code == "no-lock" else verdict


def relaxed(sight: Sight, verdict: Verdict) -> Verdict:
    """The verdict as advice when this session provably works alone."""
    return soften(verdict, "solo") if is_solo(sight, verdict.path) else verdict


def is_solo(sight: Sight, path: str) -> bool:
    """Whether held/ proves that this session is the only one at work in all stores."""
    from plastic.rules.lock.solo import why_not

    grips = sight.grips()
    session = sight.session
    if not session and len(grips) == 1 and grips[0].view.lock is not None:
        session = sight.key(grips[0].view.lock, grips[0].intent)
    views = [grip.view for grip in grips]
    if why_not(views, session, complete=is_complete(sight.home)) is not None:
        return False
    return not any(_is_anothers_turn(sight, one) for one in (path, sight.use.cwd))


def _is_anothers_turn(sight: Sight, path: str) -> bool:
    """Whether somebody else has a live pen of the tree that a path lies in."""
    found = sight.pen_root(path) if path[:1] == "/" else None
    if found is None:
        return False
    from plastic.work.pen.foreign import foreign

    env = {name: sight.variable(name) for name in ("PLASTIC_PEN", "PLASTIC_PEN_MARK")}
    other = foreign(found[0], sight.session, env, now=sight.now)
    return other is not None and other.is_fresh


def soften(verdict: Verdict, why: str) -> Verdict:
    """A denial as advice: allowed, with what would have been said."""
    return Verdict(
        "advise",
        verdict.gate,
        verdict.code,
        f"allowed ({why}), although {verdict.reason}",
        run=verdict.run,
        who=verdict.who,
        since=verdict.since,
        intent=verdict.intent,
        path=verdict.path,
    )


def claim(sight: Sight, written: Written) -> Verdict | None:
    """One writer at a time for an artifact that somebody claimed; nothing relaxes it."""
    intent, rest = written.intent, written.rest
    if intent is None or not rest or not claimable(rest, intent.name):
        return None
    grip = sight.grip(intent)
    ttl = grip.view.lock.ttl if grip.view.lock is not None else sight.config().ttl
    found = look_claim(intent.dir, rest, ttl, sight.now)
    if found is None:
        return None
    fields = {**fields_of(intent, written.path), "artifact": rest}
    who = found.delegate or found.owner or "unknown (corrupt claim)"
    verdict = refuse("claim", "claimed", fields, who=who, since=found.acquired_at)
    if found.state != "fresh":
        return soften(verdict, f"the claim is {found.state}")
    session = sight.session
    if not session and grip.view.lock is not None:
        session = sight.key(grip.view.lock, intent)
    if claims_for_me(found, session, sight.use.agent):
        sight.claims.append(f"{intent.dir}/.claims/{rest}.claim")
        return None
    return verdict
