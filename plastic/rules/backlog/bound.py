"""An item and the intent that delivers it: how their two records are brought to one number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.intent.stages import next_step

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Status
    from plastic.rules.intent.stages import Facts

# answer -> meaning. What a claim is to the lock of the intent that is bound to its item.
TIES = {
    "behind": "the lock has a higher token: the item follows it",
    "even": "one number, one owner: the item's lease is as alive as the lock",
    "back": "the item was given back under this very token: that release was cut short",
    "ahead": "the item was given out again past this lock: whoever holds the lock is late",
    "apart": "the same number and two owners: never the same acquisition",
}


def tie(now: Status, owner: str, token: int) -> str:
    """A key of TIES: what the claim of an item is to a lock of `owner` under `token`."""
    known = now.token or 0
    if known != token:
        return "behind" if known < token else "ahead"
    if (now.released or 0) >= token:
        return "back"
    return "even" if now.owner == owner else "apart"


def kind_of(audit: str) -> str:
    """The kind of grant that the newest `Lock` line of the ledger tells of: for who follows it."""
    return "takeover" if audit.startswith("takeover") else "transfer"


def resume(facts: Facts) -> str:
    """The resume note of an intent that is given back."""
    return f"left: {next_step(facts)}"
