"""`who` and `status` in their plain form, without the parser: it costs three times the view.

Every other command line, a wrong one included, is Typer's to judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.cli.door import caller, emit, home

if TYPE_CHECKING:
    from collections.abc import Callable

VERBS = ("who", "status")


def plain(words: list[str]) -> Callable[[], int] | None:
    """The view that these words ask for; None when they are not plain."""
    if not words or words[0] not in VERBS:
        return None
    which, session, as_json = None, None, False
    rest = words[1:]
    while rest:
        word = rest.pop(0)
        if word == "--json":
            as_json = True
        elif word == "--session" and rest and not rest[0].startswith("-"):
            session = rest.pop(0)
        elif which is None and word and not word.startswith("-"):
            which = word
        else:
            return None
    return lambda: show(words[0], which, session, as_json=as_json)


def show(verb: str, which: str | None, session: str | None, *, as_json: bool) -> int:
    """Look and print."""
    from plastic.work.intent.intents import find

    where, me = home(), caller(session)
    intent = find(where, which, me)
    if verb == "who":
        from plastic.work.lock.who import lines, who

        seen = who(intent)
        emit(seen, lines(seen), as_json=as_json)
        return 0
    from plastic.work.lock.status import status, text

    found = status(where, intent, me)
    emit(found, text(found), as_json=as_json)
    return 0
