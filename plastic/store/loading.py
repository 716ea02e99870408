"""Import: items as they are given, raw tags and defects kept, in a few statements for all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from plastic.rules.backlog.items import natural
from plastic.store.progress import counted, silent
from plastic.store.rebuild import rebuild

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.backlog.answers import Actor
    from plastic.rules.backlog.items import Defect, Item
    from plastic.store.progress import Told
    from plastic.store.tx import Door, Tx


# An id that has a row, a tombstone maybe, keeps its token; who holds it goes on holding it.
_PUT = """
INSERT INTO items (
  project, id, sort, kind, subkind, title, body, author, provenance, created, priority, phase,
  region, base, state, admission, resources, anchors, route, threshold, pull, pull_state, direct,
  reserved_by, location, note, raw, tags, token, released, attempts)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (project, id) DO UPDATE SET
  kind = excluded.kind, subkind = excluded.subkind, title = excluded.title, body = excluded.body,
  author = excluded.author, provenance = excluded.provenance, created = excluded.created,
  priority = excluded.priority, phase = excluded.phase, region = excluded.region,
  base = excluded.base, state = excluded.state, admission = excluded.admission,
  part_of = NULL, integrates = NULL, resources = excluded.resources, anchors = excluded.anchors,
  route = excluded.route, threshold = excluded.threshold, pull = excluded.pull,
  pull_state = excluded.pull_state, direct = excluded.direct, reserved_by = excluded.reserved_by,
  location = excluded.location, note = excluded.note, raw = excluded.raw, tags = excluded.tags,
  revision = items.revision + 1,
  released = CASE WHEN items.claimed = 1 THEN items.released
    WHEN excluded.token > items.token THEN excluded.token ELSE items.token END,
  token = CASE WHEN excluded.token > items.token THEN excluded.token ELSE items.token END,
  attempts = excluded.attempts"""
_EDGE = "INSERT INTO edges (source, relation, target) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"


class Loading:
    """The part of a store that imports."""

    def load(self: Door, items: Iterable[Item], actor: Actor, told: Told = silent) -> list[Defect]:
        """Import: keeps what it is given, raw tags and all, and reports every defect."""
        given = list(items)
        with self.writing() as tx:
            rows = (
                _columns(self.project, one, actor, tx.now)
                for one in counted(given, "writing", told)
            )
            tx.many(_PUT, rows)
            _edges(tx, self.project, given, told)
            _announce(tx, self.project, given)
            return list(rebuild(tx, self.project, told).defects)


def _columns(project: str, item: Item, actor: Actor, now: float) -> tuple[Any, ...]:
    """The values of _PUT."""
    return (
        project,
        item.id,
        natural(item.id),
        item.kind,
        item.subkind,
        item.title,
        item.body,
        item.author or actor.name,
        item.provenance,
        item.created or now,
        item.priority,
        item.phase,
        item.region,
        item.base,
        item.state,
        item.admission,
        json.dumps(sorted(item.resources)),
        json.dumps(item.anchors),
        json.dumps(item.route) if item.route else None,
        item.threshold,
        item.pull,
        item.pull_state,
        int(item.direct),
        item.reserved_by,
        item.location,
        item.note,
        json.dumps(item.defects),
        json.dumps(item.tags),
        item.grip.token,
        item.grip.token,
        item.attempts,
    )


def _edges(tx: Tx, project: str, given: list[Item], told: Told) -> None:
    """The edges and groupings of these items; targets that nobody wrote yet become tombstones."""
    there = _numbers(tx, project)
    named = {id for one in given for id in _targets(one)} - there.keys()
    tx.many(
        "INSERT INTO items (project, id, sort, state) VALUES (?, ?, ?, 'missing')",
        [(project, id, natural(id)) for id in sorted(named)],
    )
    numbers = _numbers(tx, project) if named else there
    tx.many("DELETE FROM edges WHERE source = ?", [(numbers[one.id],) for one in given])
    tx.many(
        _EDGE,
        (
            (numbers[one.id], relation, numbers[id])
            for one in counted(given, "linking", told)
            for relation, ids in _relations(one)
            for id in ids
        ),
    )
    tx.many(
        "UPDATE items SET part_of = ?, integrates = ? WHERE n = ?",
        [
            (numbers.get(one.part_of or ""), numbers.get(one.integrates or ""), numbers[one.id])
            for one in given
            if one.part_of or one.integrates
        ],
    )


def _relations(item: Item) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        ("blockedBy", item.blocked_by),
        ("informs", item.informs),
        ("related", item.related),
    )


def _targets(item: Item) -> Iterable[str]:
    """Every other item that this one names."""
    yield from (id for id in (item.part_of, item.integrates) if id is not None)
    for _, ids in _relations(item):
        yield from ids


def _numbers(tx: Tx, project: str) -> dict[str, int]:
    return {id: n for n, id in tx.all("SELECT n, id FROM items WHERE project = ?", project)}


def _announce(tx: Tx, project: str, given: list[Item]) -> None:
    """One message for each item; its key has the revision, an import may come twice."""
    rows = tx.all("SELECT id, revision FROM items WHERE project = ?", project)
    revisions: dict[str, int] = dict(rows)
    text = "INSERT INTO outbox (project, item, kind, payload, key, at) VALUES (?, ?, ?, ?, ?, ?)"
    tx.many(
        text,
        (
            (
                project,
                one.id,
                "create",
                json.dumps({"gated": False, "title": one.title}, ensure_ascii=False),
                f"{project}/{one.id}/import/{revisions[one.id]}",
                tx.now,
            )
            for one in given
        ),
    )
