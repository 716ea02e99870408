"""What is asked of the backlog's store, by whom, and what it answers: data, never exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from plastic.rules.backlog.items import Item


class Draft(NamedTuple):
    """What an author asks for. Without `id` the store gives the next local number."""

    title: str
    id: str = ""
    body: str = ""
    kind: str = "item"
    subkind: str = ""
    provenance: str = ""
    priority: str | None = None
    phase: str | None = None
    region: str | None = None
    base: str | None = None
    part_of: str | None = None
    integrates: str | None = None
    blocked_by: tuple[str, ...] = ()
    informs: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    anchors: tuple[tuple[str, str], ...] = ()
    threshold: int | None = None
    reserved_by: str = ""


class Actor(NamedTuple):
    """Who acts: `human` is the person test of the caller, `role` (pm, worker) is only recorded."""

    name: str
    human: bool = False
    role: str = ""


class Fence(NamedTuple):
    """What a holder presents: its token, and where it has them, secret and region."""

    token: int
    secret: str | None = None
    region: str | None = None


class Granted(NamedTuple):
    """The answer to a claim: facts when granted, else a reason and one sentence."""

    id: str
    granted: bool
    reason: str = ""
    error: str = ""
    token: int | None = None
    secret: str | None = None
    owner: str | None = None
    region: str | None = None
    lease: float | None = None
    expires: float | None = None
    kind: str = ""
    near_miss: bool = False  # the own lease had run out, and nobody had come between
    eligible: float | None = None  # when a takeover may be asked for, seconds
    holder: str | None = None
    holder_token: int | None = None


class Renewed(NamedTuple):
    """The answer to a renewal; `shortened` None means that nobody can say."""

    id: str
    granted: bool
    reason: str = ""
    error: str = ""
    token: int | None = None
    owner: str | None = None
    region: str | None = None
    lease: float | None = None
    expires: float | None = None
    previous: float | None = None
    shortened: bool | None = None


class Released(NamedTuple):
    """The answer to a release; `token` is the one that was presented."""

    id: str
    token: int
    released: bool
    reason: str = ""


class Status(NamedTuple):
    """What one look at a claim shows. It is never authoritative: only a fenced write decides."""

    id: str
    exists: bool
    state: str = "never"  # never, held, lapsed, released
    held: bool = False
    token: int | None = None
    released: int | None = None
    owner: str | None = None
    region: str | None = None
    expires: float | None = None
    eligible: float | None = None
    attempts: int | None = 0

    @property
    def authoritative(self) -> bool:
        """False, always: between this look and a write anything may happen."""
        return False


class Grant(NamedTuple):
    """One row of the ledger: a token that was given out."""

    token: int
    owner: str
    kind: str
    at: float
    ended_by: str = ""  # released, complete, parked, lapsed, takeover, reclaim ...
    ended_at: float | None = None


class Takeover(NamedTuple):
    """The record without which nobody takes over: from whom, at which token, and the branch."""

    owner: str
    token: int
    branch: str = ""
    pushed: bool | None = None  # is that branch on the remote? None: nobody looked


class Change(NamedTuple):
    """The answer to a write: the item as it is now, what became ready, and what is said besides."""

    item: Item
    ready: tuple[str, ...] = ()
    late: bool = False  # written under a lease that had run out
    changed: bool = True


class Outgoing(NamedTuple):
    """One row of the outbox: what a mirror must show, with the key that makes twice once."""

    seq: int
    item: str
    kind: str  # create, claim, outcome, takeover, label, note ...
    payload: dict[str, Any]
    key: str
    at: float
