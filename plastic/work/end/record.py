"""End's step in the documents: outcome stamped, INDEX moved, `Done` recorded, one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.atomic import swap
from plastic.disk.clock import day
from plastic.disk.command import again
from plastic.disk.commit import scoped_commit
from plastic.disk.failpoints import point
from plastic.disk.files import lstat, read_text
from plastic.rules.end.facts import ABANDONED, SECTION_OF
from plastic.rules.end.text import follow_up, open_items, stamp, stamp_line, tail
from plastic.words import Broken
from plastic.work.gate.facts import LIMIT
from plastic.work.intent import ledger
from plastic.work.intent.index import set_section

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.endfile import Ending
    from plastic.disk.home import Home
    from plastic.words import Intent

DONE = "Done"
ATTEMPTS = 20  # against an editor that saves at this moment


def record(home: Home, intent: Intent, ending: Ending, where: str) -> None:
    """Write down how the intent ended; each line once, whatever an earlier try has written.

    `where` says in a few words what became of the branch.
    """
    date = day(float(ending.at))
    if ending.disposition == ABANDONED:
        boxes = open_items(read_text(f"{intent.dir}/checklist.md", LIMIT) or "")
        edit(f"{intent.dir}/outcome.md", lambda text: follow_up(text, boxes))
        point("end.followed_up")
    line = stamp_line(ending.disposition, date, ending.note, where)
    edit(intent.file, lambda text: stamp(text, line))
    point("end.stamped")
    set_section(home, intent, SECTION_OF[ending.disposition], tail(date, ending.note))
    point("end.indexed")
    ledger.record(intent, DONE, ending.disposition)
    point("end.recorded")
    paths = [intent.dir, home.index(intent.project)]
    scoped_commit(home, paths, f"End {intent.name}: {ending.disposition}")
    point("end.committed")


def edit(path: str, change: Callable[[str], str]) -> None:
    """Rewrite a document unless somebody saves it at the same moment; then from what they saved."""
    for _ in range(ATTEMPTS):
        seen = lstat(path)
        text = read_text(path, LIMIT) or ""
        wanted = change(text)
        if wanted == text or swap(path, wanted.encode("utf-8", "surrogateescape"), seen):
            return
    raise Broken("document-busy", f"{path} is being rewritten all the time", run=again())
