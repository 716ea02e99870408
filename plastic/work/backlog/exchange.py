"""Items into a backlog from the files of other trackers, and out of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from plastic.disk import notes
from plastic.disk.clock import seconds
from plastic.disk.files import names, read_text
from plastic.disk.journal import note
from plastic.rules.backlog import import_backlogmd, import_beads, import_github, import_own
from plastic.rules.backlog.importing import FORMS, HELP, Defaults, Skipped, form_of, records
from plastic.rules.backlog.items import ID, ID_MAX
from plastic.store.progress import counted
from plastic.words import Missing, Refused, Usage
from plastic.work.backlog import shown
from plastic.work.backlog.author import blob_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.backlog.items import Defect, Item
    from plastic.store.progress import Told
    from plastic.work.backlog.place import Backlog

LIMIT = 512 * 1024 * 1024  # bytes
TASKS = ("tasks", "completed", "drafts")  # folders of Backlog.md
EXPORTS: dict[str, Callable[[Item], dict[str, Any]]] = {
    "plastic": import_own.write,
    "tags": import_own.untagged,
}


def bring(
    backlog: Backlog, path: str, form: str, priority: str, phase: str, told: Told
) -> dict[str, Any]:
    """Import what is not there yet; items that are there stay as they are."""
    if form and form not in FORMS:
        raise Usage("form", f"{form!r} is no form: {', '.join(FORMS)}", run=HELP)
    given = Defaults(priority, phase, backlog.key("region"), backlog.key("base_branch"))
    items, skipped, form, found = _read(path, form, given)
    if form == "tags":
        items = [_anchored(backlog, one) for one in items]
    # An id becomes a file's name and a word of printed commands.
    odd = [one for one in items if len(one.id) > ID_MAX or ID.fullmatch(one.id) is None]
    items = [one for one in items if one not in odd]
    skipped += [Skipped(one.id, "its id is no name: letters, digits, `-_.`") for one in odd]
    there = backlog.store.items()
    known = {one.id for one in there}
    fresh = {one.id: one for one in items if one.id not in known}
    skipped += [Skipped(id, "it is there already") for id in sorted({o.id for o in items} & known)]
    defects = backlog.store.load(fresh.values(), backlog.actor, told) if fresh else []
    note(
        backlog.home,
        "item-import",
        project=backlog.project.slug,
        source=path,
        form=form,
        items=len(fresh),
    )
    return {
        "form": form,
        "imported": list(fresh),
        "skipped": [{"id": one.id, "why": one.why} for one in skipped],
        "defects": [shown.defect(one) for one in defects if one.item in fresh],
        "divergences": [shown.defect(one) for one in _differing(form, found, there, fresh)],
    }


def _differing(
    form: str, found: list[dict[str, Any]], there: list[Item], fresh: dict[str, Item]
) -> list[Defect]:
    """What GitHub says otherwise of items that were there before; nothing is changed by it."""
    differs = import_github.differs(found, [*there, *fresh.values()]) if form == "github" else []
    return [one for one in differs if one.item not in fresh]


def _anchored(backlog: Backlog, item: Item) -> Item:
    """Anchors as this repository has them: over there they are keys of files, with digests."""
    paths = [path.rpartition("/file/")[2] for path, _ in item.anchors]
    blobs = tuple((path, blob_of(backlog, item.base, path)) for path in paths)
    return item._replace(anchors=blobs)


def _read(
    path: str, form: str, given: Defaults
) -> tuple[list[Item], list[Skipped], str, list[dict[str, Any]]]:
    """Items, what was skipped, the form, and the objects as they stood in the file."""
    if os.path.isdir(path) or path.endswith(".md"):
        if form not in ("", "backlog-md"):
            raise Usage("form", f"{path} is no file of the form {form}", run=HELP)
        return *_tasks(path, given), "backlog-md", []
    text = read_text(path, LIMIT)
    if text is None:
        raise Missing("import-missing", f"there is no file {path}", run=HELP)
    found = records(text, path)
    form = form or form_of(found, path)
    if form == "plastic":
        return [import_own.read(one) for one in found], [], form, found
    if form == "tags":
        items = import_own.tagged(found)
        return _dated(items, found, "createdAt", "created_at"), [], form, found
    if form == "backlog-md":
        raise Usage("form", f"{path} is no task file of Backlog.md", run=HELP)
    reader = import_beads if form == "beads" else import_github
    items, skipped = reader.read(found, given)
    return _dated(items, found, "created_at", "createdAt"), skipped, form, found


def _dated(items: list[Item], found: list[dict[str, Any]], *keys: str) -> list[Item]:
    """The items with the age that they had over there: it decides their order."""
    ages: dict[str, float] = {}
    for one in found:
        id = f"issue-{one['number']}" if "number" in one else str(one.get("id") or one.get("key"))
        text = next((str(one[key]) for key in keys if one.get(key)), "")
        at = seconds(text[:19] + "Z")
        if at is not None:
            ages[id.rpartition("/")[2]] = at
    return [one._replace(created=ages.get(one.id, 0.0)) for one in items]


def _tasks(path: str, given: Defaults) -> tuple[list[Item], list[Skipped]]:
    """The task files of a folder of Backlog.md, of its root, or of the repository around it."""
    files = [path]
    if os.path.isdir(path):
        roots = [path, os.path.join(path, "backlog")]
        places = [os.path.join(root, folder) for root in roots for folder in TASKS]
        files = [
            os.path.join(place, name)
            for place in (path, *places)
            for name in names(place)
            if name.endswith(".md")
        ]
    items, skipped = [], []
    for file in files:
        front, body = notes.parse(read_text(file, LIMIT) or "", file)
        if not front.get("id"):
            skipped.append(Skipped(os.path.basename(file), "no task: it has no id"))
            continue
        item = import_backlogmd.read(front, body, given)
        at = seconds(str(front.get("created_date", ""))[:10] + "T00:00:00Z")
        items.append(item._replace(created=at or 0.0))
    if not items and not skipped:
        raise Refused("import-form", f"{path} has no task files of Backlog.md", run=HELP)
    return items, skipped


def export(backlog: Backlog, form: str, told: Told) -> dict[str, Any]:
    """Every item in a form that `import` reads."""
    if form not in EXPORTS:
        raise Usage(
            "form",
            f"{form!r} is no form: {', '.join(EXPORTS)}",
            run="plastic backlog export --help",
        )
    items = counted(backlog.store.items(), "writing", told)
    return {"form": form, "items": [EXPORTS[form](one) for one in items]}
