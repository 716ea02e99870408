"""Starts the delivery of an item: the open intent that delivers it, else a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.command import again
from plastic.rules.intent.titles import clean
from plastic.words import Refused
from plastic.work.backlog.board import claimed_for
from plastic.work.backlog.bound import item_named
from plastic.work.backlog.place import opened
from plastic.work.intent.intents import index_sections, new
from plastic.work.intent.shelf import all_intents
from plastic.work.lock.verb import caller_for
from plastic.work.tree.homes import require_place

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent

OPEN = ("Active", "Future")


class Delivery(NamedTuple):
    """An intent and the item that it delivers; `claimed`: for a birth, by this very call."""

    intent: Intent
    item: str
    claimed: bool = False


def intent_for(
    home: Home, caller: Caller, id: str, title: str, project: str | None, cwd: str
) -> Delivery:
    """The intent that delivers this item, born if there is none.

    The claim comes before the birth: a refused one leaves no intent behind.
    """
    with opened(home, caller, project, cwd) as backlog:
        item = backlog.need(id)
        slug = backlog.project.slug
        found = delivering(home, slug, item.id)
        if len(found) > 1:
            names = ", ".join(one.name for one in found)
            raise Refused(
                "item-twice",
                f"{item.id} is delivered by {names}: name the one to start",
                run=f"plastic start {found[0].id} --item {item.id}",
            )
        if found:
            return Delivery(found[0], item.id)
        claims: list[bool] = []

        def prove(intent: Intent) -> None:
            require_place(home, intent, wanted)
            session = caller_for(home, intent, caller).session
            claims.append(claimed_for(backlog, item.id, 0, session)[1])

        wanted = clean(title or item.title, lambda better: again("--title", better))
        made = new(home, wanted, cwd=cwd, project=slug, item=item.id, prove=prove)
        return Delivery(made, item.id, any(claims))


def delivering(home: Home, project: str, item: str) -> list[Intent]:
    """The open intents of a project whose files name this item."""
    sections = index_sections(home, project)
    return [
        one
        for one in all_intents(home)
        if one.project == project and sections.get(one.id) in OPEN and item_named(one) == item
    ]
