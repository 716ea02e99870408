"""The `files` mirror: each item as a Markdown file in the home, told from the outbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk.atomic import swap
from plastic.disk.clock import iso
from plastic.disk.command import again
from plastic.disk.commit import scoped_commit
from plastic.disk.files import lstat, make_dirs, names, read_text
from plastic.disk.projects import mend_command
from plastic.rules.backlog.mirrortext import draw
from plastic.store.progress import counted, silent
from plastic.words import Broken, Refused

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Outgoing
    from plastic.rules.backlog.items import Item
    from plastic.store.progress import Told
    from plastic.work.backlog.place import Backlog

LIMIT = 4 * 1024 * 1024  # bytes of one file
ATTEMPTS = 20  # against an editor that saves at this moment
PAGE = 1000


def folder(backlog: Backlog) -> str:
    """Where the files are."""
    return f"{backlog.home.base(backlog.project.slug)}/backlog"


def mirror(backlog: Backlog, told: Told = silent, *, only_look: bool = False) -> dict[str, Any]:
    """Bring the files up to date; what a person changed in them is reported, never overwritten."""
    kind = str(backlog.project.backlog.get("mirror") or "files")
    if kind != "files":
        raise Refused(
            "mirror",
            f"the mirror {kind!r} is not there yet: `files` is",
            run=mend_command(backlog.home, backlog.project.slug, "backlog"),
        )
    place = folder(backlog)
    waiting = _waiting(backlog)
    by_item: dict[str, list[Outgoing]] = {}
    for row in waiting:
        by_item.setdefault(row.item, []).append(row)
    items = backlog.store.items()
    written, divergences = [], []
    if not only_look:
        make_dirs(place)
    for item in counted(items, "writing", told):
        rows = by_item.get(item.id, [])
        changed, edited = _show(f"{place}/{item.id}.md", item, rows, only_look=only_look)
        if changed:
            written.append(item.id)
        if edited:
            keys = ", ".join(edited)
            text = f"a person changed {keys} in {item.id}.md; the item is as it was"
            divergences.append({"code": "D25", "item": item.id, "text": text, "on": []})
    divergences += _strangers(place, {one.id for one in items})
    if not only_look:
        backlog.store.sent(row.seq for row in waiting)
        if written:
            message = f"Mirror the backlog of {backlog.project.slug}"
            scoped_commit(backlog.home, [place], message)
    return {
        "folder": place,
        "behind" if only_look else "written": written,
        "waiting": len(waiting) if only_look else 0,
        "divergences": divergences,
    }


def _waiting(backlog: Backlog) -> list[Outgoing]:
    """The whole outbox; what is told again after a kill is known by its marker."""
    most = PAGE
    while True:
        found = backlog.store.outbox(most)
        if len(found) < most:
            return found
        most *= 4


def _show(
    path: str, item: Item, rows: list[Outgoing], *, only_look: bool
) -> tuple[bool, tuple[str, ...]]:
    """Whether the file was (or would be) written, and which keys a person had changed."""
    for _ in range(ATTEMPTS):
        seen = lstat(path)
        text = read_text(path, LIMIT)
        drawn = draw(text, item, [(row, iso(row.at)) for row in rows])
        if drawn.text == text or only_look:
            return drawn.text != text, drawn.edited
        if swap(path, drawn.text.encode("utf-8", "surrogateescape"), seen):
            return True, drawn.edited
    raise Broken("document-busy", f"{path} is being rewritten all the time", run=again())


def _strangers(place: str, known: set[str]) -> list[dict[str, Any]]:
    """Files without an item: a person's, or those of an item that was forgotten."""
    files = [name.removesuffix(".md") for name in names(place) if name.endswith(".md")]
    return [
        {"code": "D25", "item": id, "text": f"{id}.md has no item", "on": []}
        for id in files
        if id not in known and not id.startswith(".")
    ]
