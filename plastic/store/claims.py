"""Claims in the database: take, renew, give back, look; each in one transaction with its check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.backlog import grants
from plastic.rules.backlog.answers import Grant, Granted, Released, Renewed
from plastic.rules.backlog.items import GRANTS
from plastic.rules.backlog.ready import cause, overlap, text
from plastic.store.book import Book
from plastic.store.candidates import candidates
from plastic.store.candidates import radius as files_of
from plastic.store.ending import end
from plastic.store.fences import known
from plastic.store.flight import Flight
from plastic.store.granting import grant
from plastic.store.rows import Row, find, need
from plastic.words import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.backlog.answers import Fence, Takeover
    from plastic.store.tx import Door


class Claims:
    """The part of a store that gives items out."""

    def claim(
        self: Door,
        id: str | None,
        owner: str,
        *,
        lease: float | None = None,
        region: str | None = None,
        kind: str = "work",
        takeover: Takeover | None = None,
        held: int | None = None,
        above: int = 0,
        radius: Iterable[str] = (),
    ) -> Granted:
        """Take an item, or with `id` None the next that is ready and disjoint from what runs."""
        if not owner.strip():
            raise Usage(
                "owner-blank",
                "a claim needs an owner: --owner NAME",
                run="plastic backlog claim --help",
            )
        if kind not in ("work", "admin"):
            raise Usage(
                "claim-kind",
                f"{kind!r} is no kind of claim: work or admin",
                run="plastic backlog claim --help",
            )
        length = grants.granted(lease, self.terms)
        place = region or self.region
        with self.writing() as tx:
            flight = Flight(tx, self)
            if id is None:
                row, refused = _next(flight, place, set(radius))
            else:
                row = find(tx, self.project, id)
                refused = Granted(
                    id, granted=False, reason="missing", error=f"there is no item {id}"
                )
            if row is None:
                return refused
            how = grants.custody(row.grip, tx.now, owner, held, takeover)
            # What `_next` offers has gone through the same chain a moment ago.
            judged = id is None and kind == "work" and how == "work"
            no = None if judged else _refusal(flight, row, how, kind, place)
            if no is not None:
                return no
            how = "admin" if kind == "admin" and how == "work" else how
            book = Book(tx, self.project)
            return grant(book, row, how, owner, place, length, above, takeover)

    def follow(self: Door, id: str, token: int, owner: str, kind: str) -> Granted:
        """An intent bound to this item has another owner: the item follows, under that token."""
        if kind not in GRANTS:
            raise Usage(
                "claim-kind",
                f"{kind!r} is no kind of grant: {', '.join(GRANTS)}",
                run=f"plastic backlog status {id}",
            )
        with self.writing() as tx:
            row = need(tx, self.project, id)
            if token <= row.token or row.state != "live":
                same = token == row.token and owner == row.owner and row.claimed
                reason = "" if same else "superseded" if row.state == "live" else row.state
                return Granted(row.id, granted=bool(same), reason=reason, token=row.token)
            book = Book(tx, self.project)
            length = row.lease or self.terms.default
            return grant(book, row, kind, owner, self.region, length, token - 1, None)

    def renew(
        self: Door, id: str, fence: Fence, lease: float | None = None, heard: float | None = None
    ) -> Renewed:
        """Move the expiry of a lease that still runs, or that the holder's heartbeat has kept."""
        length = grants.granted(lease, self.terms)
        with self.writing() as tx:
            row = find(tx, self.project, id)
            grip = row.grip if row else None
            at = tx.now if heard is None else min(heard, tx.now)
            reason = grants.renewal(grip, fence.token, tx.now if heard is None else None)
            if row is None or reason or not known(self, row, fence):
                reason = reason or "wrong_secret"
                return Renewed(
                    id, granted=False, reason=reason, error=RENEWALS[reason].format(id=id)
                )
            expires = at + length
            if heard is not None:
                expires = max(at + (lease or row.lease or length), row.expires)
                length = row.lease or length
            Book(tx, self.project).change(row, expires=expires, lease=length)
            return Renewed(
                row.id,
                granted=True,
                token=row.token,
                owner=row.owner,
                region=row.claim_region,
                lease=length,
                expires=expires,
                previous=row.expires,
                shortened=grants.shortened(row.expires, expires),
            )

    def release(self: Door, id: str, fence: Fence, note: str = "", location: str = "") -> Released:
        """Give the item back, with a resume block for who comes next."""
        with self.writing() as tx:
            row = find(tx, self.project, id)
            reason = grants.release(row.grip if row else None, fence.token)
            if row is None or reason not in ("", "again"):
                return Released(id, fence.token, released=False, reason=reason)
            if reason == "again":
                return Released(row.id, fence.token, released=True)
            if not known(self, row, fence):
                return Released(row.id, fence.token, released=False, reason="wrong_secret")
            book = Book(tx, self.project)
            end(book, row, "released", note=note or row.note, location=location or row.location)
            return Released(row.id, fence.token, released=True)

    def grants(self: Door, id: str) -> list[Grant]:
        """The ledger of one item, oldest first."""
        with self.reading() as tx:
            row = need(tx, self.project, id)
            return [
                Grant(*found)
                for found in tx.all(
                    "SELECT token, owner, kind, at, ended_by, ended_at FROM grants "
                    "WHERE item = ? ORDER BY token",
                    row.n,
                )
            ]


RENEWALS = {
    "missing": "there is no item {id}",
    "superseded": "{id} is held under another token: stop and report",
    "released": "{id} was given back under this token",
    "lapsed": "the lease of {id} has run out: claim it again before anything else is done",
    "wrong_secret": "the secret does not belong to this claim of {id}",
}
CLAIMS = {
    "contended": "{id} is held by {owner} under token {token}",
    "superseded": "{id} has token {token}, not the one that you held: somebody came between",
    "quarantined": "the lease of {id} ran out under {owner}, who may yet come back",
    "live_evidence": "{owner} has shown work on {id} within the hour: {signs}",
    "takeover_record": "{id} may be taken over from {owner} at token {token}: name both",
}


def _refusal(flight: Flight, row: Row, how: str, kind: str, region: str) -> Granted | None:
    """Why this owner does not get the item; None: it does."""
    now = flight.tx.now
    if how in CLAIMS and how not in ("work", "reclaim", "takeover"):
        if row.state != "live" and how != "contended":
            how = row.state
        signs = grants.signs(row.grip, now)
        reason = f"{how}:{','.join(signs)}" if how == "live_evidence" else how
        says = CLAIMS.get(how, "{id} is " + row.state)
        late = grants.state_of(row.grip, now) == "lapsed"
        return Granted(
            row.id,
            granted=False,
            reason=reason,
            error=says.format(id=row.id, owner=row.owner, token=row.token, signs=", ".join(signs)),
            eligible=grants.eligible_at(row.grip) if late else None,
            expires=row.expires,
            holder=row.owner,
            holder_token=row.token,
        )
    if kind == "admin" or (how == "reclaim" and row.state == "live"):
        return None
    facts = flight.facts(row, region, own_lapse=True)
    why = cause(facts)
    return (
        None
        if why is None
        else Granted(row.id, granted=False, reason=why.code, error=f"{row.id} {text(why, facts)}")
    )


def _next(flight: Flight, region: str, mine: set[str]) -> tuple[Row | None, Granted]:
    """The first candidate that nothing dynamic keeps out, and that touches no file in flight."""
    reason, says = "drained", "nothing is ready"
    for row in candidates(flight, region):
        facts = flight.facts(row, region)
        why = cause(facts)
        touched = overlap(files_of(row), flight.files) if row.anchors != "[]" else ()
        if why is None and not touched and not (mine and overlap(files_of(row), _paths(mine))):
            return row, Granted(row.id, granted=True)
        if why is not None:
            reason, says = why.code, f"{row.id} {text(why, facts)}"
        else:
            others = ", ".join(touched) or "the radius to stay away from"
            reason, says = "overlapping", f"{row.id} touches the files of {others}"
    return None, Granted("", granted=False, reason=reason, error=says)


def _paths(mine: set[str]) -> dict[str, str]:
    return dict.fromkeys(mine, "")
