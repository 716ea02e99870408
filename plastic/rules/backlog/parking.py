"""May an item be parked: a park is a question to a person, so it says whom, what and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.words import Refused

if TYPE_CHECKING:
    from plastic.rules.backlog.items import Route


class Row(NamedTuple):
    """One row of the route table."""

    owner: bool
    question: bool
    missing: tuple[str, ...]


TABLE = (
    Row(owner=False, question=False, missing=("owner", "question")),
    Row(owner=False, question=True, missing=("owner",)),
    Row(owner=True, question=False, missing=("question",)),
    Row(owner=True, question=True, missing=()),
)
# Part of a route -> what it says. An owner is one name; a question has a topic and a place.
PARTS = {
    "owner": "one role or person who rules",
    "topic": "a key of the decision",
    "question": "what exactly they are to rule on",
    "where": "the issue or page where they can answer",
    "reason": "what was found",
}


def missing(route: Route) -> list[str]:
    """The parts of a route that are not named, in the order of PARTS."""
    gone = [part for part in PARTS if not str(getattr(route, part)).strip()]
    if "owner" not in gone and len([one for one in route.owner.split(",") if one.strip()]) != 1:
        gone.insert(0, "owner")
    return gone


def check(id: str, route: Route) -> None:
    """Refuses an incomplete route, naming each gap; nothing is written then."""
    gone = missing(route)
    if gone:
        named = ", ".join(f"{part} ({PARTS[part]})" for part in gone)
        raise Refused(
            "route-incomplete",
            f"{id} cannot be parked: the way out has no {named}",
            run=f"plastic backlog show {id}",
            facts={"missing": gone},
        )
