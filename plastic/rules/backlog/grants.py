"""The lease of a backlog claim: held or lapsed, who may take it, which token may still write."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.words import Usage

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Takeover
    from plastic.rules.backlog.items import Grip

HOUR = 3600.0  # seconds: how long a sign of work protects a lapsed holder
FLOOR, TOP = 30.0, 604800.0  # bounds of a ceiling
STATES = {
    "never": "no token was ever given out",
    "held": "the lease runs",
    "lapsed": "the lease has run out and the claim was not given back",
    "released": "given back; the token is kept",
}


class Terms(NamedTuple):
    """The lease when none is named, and the longest: seconds."""

    default: float = 1800.0
    ceiling: float = 7200.0


def terms(default: object = 1800, ceiling: object = 7200) -> Terms:
    """Checked terms; a ceiling that is no sensible number stops the program instead of guessing."""
    for name, value in (("lease.default", default), ("lease.ceiling", ceiling)):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not FLOOR <= float(str(value)) <= TOP:
            bounds = f"{FLOOR:.0f} to {TOP:.0f} seconds"
            raise Usage(
                "lease-unusable", f"{name} is {value!r}: it must be {bounds}", run="plastic doctor"
            )
    most = float(str(ceiling))
    return Terms(min(float(str(default)), most), most)


def granted(asked: float | None, limits: Terms) -> float:
    """The length that is really given: omitted is the default, too long is the ceiling."""
    if asked is None:
        return limits.default
    if not asked > 0:
        raise Usage(
            "lease-unusable",
            f"a lease of {asked} seconds is none",
            run="plastic backlog claim --help",
        )
    return min(float(asked), limits.ceiling)


def shortened(previous: float | None, expires: float) -> bool | None:
    """Whether a renewal moved the end of the lease earlier; None: the old end is not known."""
    return None if previous is None else expires < previous


def state_of(grip: Grip, now: float) -> str:
    """One of STATES; the moment of expiry itself is lapsed."""
    if grip.token == 0:
        return "never"
    if not grip.claimed:
        return "released"
    return "held" if now < grip.expires else "lapsed"


def signs(grip: Grip, now: float) -> list[str]:
    """The signs of work within the last hour, whatever the lease says."""
    seen = (("push", grip.pushed), ("comment", grip.commented), ("token", grip.moved))
    return [name for name, at in seen if at is not None and now < at + HOUR]


def eligible_at(grip: Grip) -> float:
    """From when another may ask for a takeover: one more lease, and an hour without any sign."""
    signs = [at + HOUR for at in (grip.pushed, grip.commented, grip.moved) if at is not None]
    return max([grip.expires + grip.lease, *signs])


# answer -> meaning. Empty refusal = granted, with the kind of the grant.
CUSTODY = {
    "work": "nobody holds it",
    "reclaim": "the same owner, after its own lapse; nobody came between",
    "takeover": "another owner, after the quarantine, with a record of whom it follows",
    "contended": "the lease of somebody runs, also one's own: renew it",
    "superseded": "somebody came between: stop and report",
    "quarantined": "the lease has run out too recently",
    "live_evidence": "the claimant has pushed, commented or got a token within the hour",
    "takeover_record": "a takeover names the owner and the token that it follows, exactly",
}


def custody(
    grip: Grip, now: float, owner: str, held: int | None = None, takeover: Takeover | None = None
) -> str:
    """A key of CUSTODY: how this owner may get the item, or why not."""
    state = state_of(grip, now)
    if held is not None and held != grip.token:
        return "superseded"
    if state == "held":
        return "contended"
    if state != "lapsed":
        return "work"
    if owner == grip.owner:
        return "reclaim"
    if now < eligible_at(grip):
        late = now >= grip.expires + grip.lease
        return "live_evidence" if late else "quarantined"
    if takeover is None or (takeover.owner, takeover.token) != (grip.owner, grip.token):
        return "takeover_record"
    return "takeover"


# Evaluation order of a write: (the record, the token presented, verdict); "" accepts.
WRITES = (
    ("absent (create)", "any", ""),
    ("never claimed", "any or none", ""),
    ("live claim, lapsed or not", "none", "claim_required"),
    ("released", "none", ""),
    ("live or released", "below the highest", "stale_token"),
    ("live or released", "above the highest", "unissued_token"),
    ("released", "equal", "claim_released"),
    ("live", "equal, another region", "foreign_region"),
    ("live", "equal, same region", ""),
)


def write(grip: Grip | None, token: int | None, region: str | None = None) -> str:
    """ "" when a write is admitted, else why not. Expiry is not read: the token is the law."""
    if grip is None or grip.token == 0:
        return ""
    if token is None:
        return "claim_required" if grip.claimed else ""
    if token != grip.token:
        return "stale_token" if token < grip.token else "unissued_token"
    if not grip.claimed:
        return "claim_released"
    return "foreign_region" if region is not None and region != grip.region else ""


def renewal(grip: Grip | None, token: int, now: float | None) -> str:
    """ "" when a lease may be renewed; `lapsed` may be reclaimed once, `superseded` is the end.

    Without `now` the holder has been heard elsewhere: its own lapse is none.
    """
    if grip is None:
        return "missing"
    if token != grip.token:
        return "superseded"
    if not grip.claimed:
        return "released"
    return "" if now is None or now < grip.expires else "lapsed"


def release(grip: Grip | None, token: int) -> str:
    """ "" = give it back, `again` = it is back already, else why not: exactly the current token."""
    if grip is None:
        return "missing"
    if grip.token == 0:
        return "unclaimed"
    if token != grip.token:
        return "stale"
    return "" if grip.claimed else "again"
