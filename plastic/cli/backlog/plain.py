"""`plastic backlog ready` in its plain form, without the parser: it costs three times the look.

Agents ask for it before every piece of work. Every other command line, a wrong one included, is
Typer's to judge.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plastic.cli.door import caller, emit, home

if TYPE_CHECKING:
    from collections.abc import Callable

MOST, ROWS = 20, 50  # as `ready --help` says


def plain(words: list[str]) -> Callable[[], int] | None:
    """The look that these words ask for; None when they are not plain."""
    if words[:1] != ["ready"]:
        return None
    given = {"--project": "", "--session": ""}
    as_json = False
    rest = words[1:]
    while rest:
        word = rest.pop(0)
        if word == "--json":
            as_json = True
        elif word in given and rest and not rest[0].startswith("-"):
            given[word] = rest.pop(0)
        else:
            return None
    return lambda: ready(given["--project"], given["--session"], "", MOST, ROWS, as_json=as_json)


def ready(project: str, session: str, region: str, most: int, rows: int, *, as_json: bool) -> int:
    """Look and print."""
    from plastic.work.backlog import shown
    from plastic.work.backlog.place import opened

    where, me = home(), caller(session or None)
    with opened(where, me, project or None, os.getcwd(), looks=True) as found:
        here = region or str(found.project.backlog.get("region") or "local")
        one = shown.ready(found.store.ready(here, most, rows))
    said = ""
    if not as_json:
        from plastic.cli.backlog import text
        from plastic.rules.backlog.ready import VERDICTS

        said = text.ready(one, VERDICTS[one["verdict"]])
    emit(one, said, as_json=as_json)
    return 0
