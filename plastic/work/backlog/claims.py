"""Claims as commands give them: a refusal of the store becomes one line, a code and a way on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk.clock import both
from plastic.disk.command import again
from plastic.disk.git import Git, oid
from plastic.disk.journal import note
from plastic.disk.session import derived
from plastic.rules.backlog.answers import Fence, Takeover
from plastic.words import Held, Missing, Refused, Usage
from plastic.work.backlog import claimshown, signs
from plastic.work.backlog.heartbeats import lock_of
from plastic.work.lock.refuse import refusal, start_command

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Granted, Released, Renewed
    from plastic.words import Refusal
    from plastic.work.backlog.heartbeats import Tied
    from plastic.work.backlog.place import Backlog

# Reasons behind which somebody who holds stands.
HOLDERS = ("contended", "held", "siblings_active", "integration_held", "resource_busy")


def fence(token: int | None, secret: str | None) -> Fence | None:
    """What a holder presents, None when it presents no token."""
    return None if token is None else Fence(token, secret or None)


def claim(
    backlog: Backlog,
    id: str | None,
    owner: str,
    *,
    lease: float | None = None,
    kind: str = "work",
    takeover: Takeover | None = None,
    held: int | None = None,
    wait: float | None = None,
    above: int | None = None,
) -> Granted:
    """Take an item, or the next, with `wait` asking again so long; refused with the one way on.

    `above` is a token that the new one must exceed, given where an intent is bound to the item.
    """
    if above is None and id is not None:
        _require_untied(backlog, id, owner)
    region = str(backlog.project.backlog.get("region") or "local")
    options: dict[str, Any] = {"lease": lease, "region": region, "kind": kind}
    options |= {"takeover": takeover, "held": held, "above": above or 0}
    if id is not None and takeover is not None:
        signs.look_at(backlog, id, takeover.branch)
    if wait is None:
        found = backlog.store.claim(id, owner, **options)
    else:
        from plastic.store.waiting import claim_within

        found = claim_within(backlog.store, wait, id, owner, **options)
    if not found.granted:
        raise _not_granted(backlog, found, owner, anew=above is not None)
    note(
        backlog.home,
        "item-claim",
        project=backlog.project.slug,
        item=found.id,
        owner=owner,
        token=found.token,
        kind=found.kind,
    )
    return found


def taking_over(backlog: Backlog, owner: str, token: int | None, branch: str) -> Takeover:
    """The record of a takeover; whether the branch got to the remote is looked up, not asked."""
    if not owner or token is None:
        raise Usage(
            "takeover-record",
            "a takeover names the owner and the token that it follows: --from O --token N",
            run=backlog.line("list"),
        )
    project = backlog.project
    ref = f"refs/remotes/{project.remote}/{branch}"
    pushed = oid(Git(project.path), ref) is not None if branch else None
    return Takeover(owner, token, branch, pushed)


def require_lock(backlog: Backlog, id: str, owner: str) -> Tied | None:
    """The lock of the intent that delivers an item; refused where it is somebody else's."""
    found = lock_of(backlog.home, backlog.store, id)
    if found is None:
        return None
    if found.lock.owner != (owner or derived(backlog.home.root, found.intent.id).session):
        raise refusal(found.intent, found.view)
    return found


def _require_untied(backlog: Backlog, id: str, owner: str) -> None:
    """Refuse what an intent delivers: there the lock is the claim."""
    found = require_lock(backlog, id, owner)
    if found is not None:
        says = f"{found.item} is delivered by {found.intent.name}: its lock, which is yours, is "
        raise Refused("bound", says + "the claim", run=start_command(found.intent))


def _not_granted(backlog: Backlog, found: Granted, owner: str, *, anew: bool) -> Refusal:
    """`anew`: the command that was typed has no takeover of its own."""
    reason = found.reason.partition(":")[0]
    facts = claimshown.granted(found)
    says, run = found.error, backlog.line("why", found.id)
    if reason == "missing":
        return Missing("item-missing", says, run=backlog.line("list"), facts=facts)
    if not found.id:
        run = backlog.line("ready")
    elif reason == "contended":
        run = backlog.line("status", found.id)
        if found.holder == owner:
            says += ": it is yours, renew it"
            run = backlog.line("renew", found.id, "--token", str(found.holder_token))
    elif reason in ("quarantined", "live_evidence"):
        run = backlog.line("status", found.id)
        if found.eligible is not None:
            says += f"; a takeover may be asked for at {both(found.eligible)}"
    elif reason == "takeover_record":
        record = ("--takeover", "--from", found.holder or "", "--token", str(found.holder_token))
        run = backlog.line("claim", found.id, *record) if anew else again(*record)
    code = reason.replace("_", "-")
    if reason in HOLDERS or (reason == "timeout" and found.holder):
        until = f" (until {both(found.expires)})" if found.expires else ""
        return Held(code, says + until, run=run, who=found.holder, facts=facts)
    return Refused(code, says, run=run, facts=facts)


def renew(backlog: Backlog, id: str, mine: Fence, lease: float | None) -> Renewed:
    """Move the end of the lease; a lapsed or superseded one is told apart."""
    found = backlog.store.renew(id, mine, lease)
    if found.granted:
        return found
    facts = claimshown.renewed(found)
    if found.reason == "missing":
        raise Missing("item-missing", found.error, run=backlog.line("list"), facts=facts)
    run = backlog.line("status", id)
    if found.reason == "lapsed":
        run = backlog.line("claim", id, "--held", str(mine.token))
    raise _by_holder(backlog, id, found.reason, found.error, run, facts)


def release(
    backlog: Backlog, id: str, mine: Fence, *, text: str = "", location: str = ""
) -> Released:
    """Give the item back; the same release twice is one."""
    require_lock(backlog, id, backlog.caller.session)
    found = backlog.store.release(id, mine, text, location)
    if found.released:
        return found
    facts = {**claimshown.released(found), "reason": found.reason}
    if found.reason == "missing":
        says = f"there is no item {id}"
        raise Missing("item-missing", says, run=backlog.line("list"), facts=facts)
    says = RELEASES[found.reason].format(id=found.id, token=found.token)
    raise _by_holder(backlog, id, found.reason, says, backlog.line("status", id), facts)


RELEASES = {
    "stale": "{id} is not held under token {token}: nothing was given back",
    "unclaimed": "{id} was never claimed",
    "wrong_secret": "the secret does not belong to this claim of {id}",
}


def _by_holder(
    backlog: Backlog, id: str, reason: str, says: str, run: str, facts: dict[str, Any]
) -> Refusal:
    """3 while somebody holds the item, else 1."""
    code = reason.replace("_", "-")
    now = backlog.store.status(id)
    if now.held and reason != "wrong_secret":
        return Held(code, says, run=run, who=now.owner, facts=facts)
    return Refused(code, says, run=run, facts=facts)
