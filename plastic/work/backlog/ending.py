"""End's step for the item of an intent: judged in the plan, ended under the token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.failpoints import point
from plastic.disk.journal import note
from plastic.disk.token import counter
from plastic.rules.backlog.answers import Fence
from plastic.rules.backlog.bound import tie
from plastic.rules.backlog.completion import Evidence, lacking
from plastic.rules.end.facts import DELIVERED, Bound
from plastic.rules.end.proof import short
from plastic.words import Refusal
from plastic.work.backlog.bound import backlog_of, give_back, item_held, item_named, settle
from plastic.work.backlog.finish import gather

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.rules.backlog.items import Item
    from plastic.words import Intent, Lock
    from plastic.work.backlog.place import Backlog


class Ended(NamedTuple):
    """What became of the item: complete or released, and what is ready because of it."""

    id: str
    state: str
    ready: tuple[str, ...] = ()

    def shown(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return {"id": self.id, "state": self.state, "ready": list(self.ready)}


def ended(home: Home, intent: Intent) -> Ended | None:
    """What this intent's End has completed, asked after its lock is gone.

    None where its item went on under another token.
    """
    item, session = item_named(intent), "end"
    if item is None:
        return None
    with backlog_of(home, intent, session) as backlog:
        known = backlog.store.item(item)
        if known is None or known.state != "complete" or known.grip.token != counter(intent.dir):
            return None
        rows = [row for row in backlog.store.trail(item) if row["what"] == "complete"]
        return Ended(item, "complete", tuple(rows[-1].get("ready", ())) if rows else ())


def judge(
    home: Home, intent: Intent, lock: Lock | None, disposition: str, base: str, *, tried: bool
) -> Bound:
    """The item of a lock, and why it could not be completed; reads only.

    `base` is the full ref that a commit will be in, "" where there is no code; `tried`: `verify:`
    runs on the merged whole.
    """
    item = item_held(lock)
    if item is None or lock is None:
        return Bound()
    project = intent.project or ""
    with backlog_of(home, intent, lock.owner) as backlog:
        known = backlog.store.item(item)
        if known is None or known.state == "complete" or disposition != DELIVERED:
            return Bound(item, project)
        try:
            # One that is behind its lock is brought up before it is completed.
            if tie(backlog.store.status(item), lock.owner, lock.token) != "behind":
                backlog.store.check(item, Fence(lock.token))
        except Refusal as refused:
            return Bound(item, project, refused.reason)
        if known.state != "live":
            return Bound(item, project, f"it is {known.state}")
        evidence = gather(backlog, known, _papers(intent), intent.dir)._replace(checked=tried)
        if base:
            merge = f"the merge into {short(base)}"
            there = base in backlog.refs(known.base)
            evidence = evidence._replace(commit=merge, contained=there)
        return Bound(item, project, _why(backlog, known, evidence))


def _why(backlog: Backlog, item: Item, evidence: Evidence) -> str:
    code, _, text = lacking(item, backlog.actor, evidence).partition(": ")
    return f"{text}: `verify:` of the project runs them" if code == "not-checked" else text


def _papers(intent: Intent, commit: str = "") -> list[str]:
    """What proves the work: its outcome, and what has been merged."""
    return [f"{intent.dir}/outcome.md", *([commit] if commit else [])]


def finish(
    home: Home, intent: Intent, lock: Lock | None, disposition: str, commit: str, *, tried: bool
) -> Ended | None:
    """Complete the item with the merged commit, or give it back; done already is done."""
    item = item_held(lock)
    if item is None or lock is None:
        return None
    if disposition != DELIVERED:
        give_back(home, intent, lock, f"abandoned as {intent.name}: see its outcome.md")
        point("item.ended")
        return Ended(item, "released")
    with backlog_of(home, intent, lock.owner) as backlog:
        known = backlog.store.item(item)
        if known is None:
            return None
        if known.state != "complete":
            settle(backlog, intent, item, lock)
        evidence = gather(backlog, known, _papers(intent, commit), intent.dir)
        evidence = evidence._replace(checked=tried)
        done = backlog.store.complete(item, Fence(lock.token), backlog.actor, evidence)
    point("item.ended")
    note(home, "item-complete", intent=intent.id, item=item, token=lock.token, commit=commit)
    return Ended(item, "complete", tuple(done.ready))
