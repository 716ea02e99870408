"""What authors do: items with what they inherit, anchors at the base, what only persons do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plastic.disk.git import Git
from plastic.disk.journal import note
from plastic.disk.paths import is_below, real
from plastic.disk.person import require_person
from plastic.rules.backlog import divergence
from plastic.words import Refused
from plastic.work.backlog.branches import require_room

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from plastic.rules.backlog.answers import Actor, Change, Draft
    from plastic.rules.backlog.items import Item
    from plastic.work.backlog.place import Backlog

Anchors = tuple[tuple[str, str], ...]


def add(backlog: Backlog, draft: Draft, anchors: Iterable[str], cwd: str) -> Item:
    """A new item; an agent's waits behind the gate, one from a plain shell is admitted."""
    base = draft.base or _inherited(backlog, draft) or backlog.key("base_branch")
    if draft.kind == "grouping":
        require_room(backlog, draft.base)
    full = draft._replace(
        region=draft.region or backlog.key("region"),
        base=base,
        anchors=anchored(backlog, base, anchors, cwd),
    )
    is_shell = not backlog.caller.session
    made = backlog.store.add(full, backlog.actor, admitted=is_shell)
    source = "shell" if is_shell else backlog.caller.source
    note(
        backlog.home,
        "item-add",
        project=backlog.project.slug,
        item=made.id,
        session=backlog.caller.session,
        source=source,
    )
    return made


def _inherited(backlog: Backlog, draft: Draft) -> str | None:
    """Inside a grouping the base is the grouping's."""
    over = draft.part_of or draft.integrates
    found = backlog.store.item(over) if over else None
    return found.base if found is not None else None


def anchored(backlog: Backlog, base: str | None, paths: Iterable[str], cwd: str) -> Anchors:
    """Each path with its blob at the tip of the base; "" where the base has no such file."""
    names = dict.fromkeys(_inside(backlog, path, cwd) for path in paths)
    return tuple((name, blob_of(backlog, base, name)) for name in names)


def blob_of(backlog: Backlog, base: str | None, name: str) -> str:
    """The blob of a path at the tip of a base, "" when there is none."""
    git = Git(backlog.project.path)
    for tip in backlog.tips(base):
        found = git.run("rev-parse", "--verify", "-q", f"{tip}:{name}", ok=None)
        if found.rc == 0:
            return found.out.strip()
    return ""


def drifted(backlog: Backlog, item: Item) -> list[dict[str, str]]:
    """The anchors whose blob is not the one of the base's tip any more (D12)."""
    tips = {path: blob_of(backlog, item.base, path) for path, _ in item.anchors}
    return [{"path": path, "how": how} for path, how in divergence.drifted(item, tips)]


def _inside(backlog: Backlog, path: str, cwd: str) -> str:
    """The path as git names it: relative to the repository's top."""
    top = real(backlog.project.path)
    full = real(os.path.join(cwd, path))
    if is_below(full, top) and full != top:
        return full[len(top) + 1 :]
    return os.path.normpath(path)


def as_person(
    backlog: Backlog,
    env: Mapping[str, str],
    id: str,
    action: str,
    act: Callable[[str, Actor], Change],
) -> Change:
    """What only a person may do; the try of anything else is kept by the store as a violation."""
    item = backlog.need(id)
    try:
        require_person(env, item.id, f"{action} {item.id}")
    except Refused as refused:
        try:
            act(item.id, backlog.actor)
        except Refused:
            pass  # recorded; what the caller needs to hear is why it counts as no person
        else:
            raise AssertionError(f"{action} was open to an agent") from None
        raise refused from None
    return act(item.id, backlog.actor._replace(human=True))
