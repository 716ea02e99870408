"""Our own export, there and back, and the tag form with what its store knows of claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.rules.backlog import tagform
from plastic.rules.backlog.attempts import cross_check
from plastic.rules.backlog.importing import HELP, texts
from plastic.rules.backlog.items import Defect, Grip, Item, Route
from plastic.words import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable


def write(item: Item) -> dict[str, Any]:
    """Every field of an item; the claim's secret is not among them."""
    plain = item._asdict()
    plain["grip"] = dict(item.grip._asdict())
    plain["route"] = dict(item.route._asdict()) if item.route else None
    plain["defects"] = [dict(one._asdict()) for one in item.defects]
    return plain


def read(one: dict[str, Any]) -> Item:
    """The item that `write` wrote; a claim does not travel, its token does."""
    try:
        known = {name: one[name] for name in Item._fields if name in one}
        lists = ("blocked_by", "informs", "related", "resources", "tags")
        known |= {name: tuple(known[name]) for name in lists if name in known}
        known["anchors"] = tuple((str(a), str(b)) for a, b in one.get("anchors", ()))
        known["grip"] = Grip(**one["grip"])
        known["route"] = Route(**one["route"]) if one.get("route") else None
        known["defects"] = tuple(
            Defect(row["code"], row["item"], row["text"], tuple(row["on"]))
            for row in one.get("defects", ())
        )
        return Item(**known)
    except (TypeError, ValueError, KeyError) as error:
        text = f"no item of an export: {one.get('id', one)!r}: {error}"
        raise Refused("import-form", text, run=HELP) from None


def tagged(found: Iterable[dict[str, Any]]) -> list[Item]:
    """Items of the tag form; nothing is filled in, every gap is a defect."""
    items = []
    for one in found:
        id = str(one.get("id") or one.get("key", "")).rpartition("/")[2]
        links = one.get("links") if isinstance(one.get("links"), dict) else {}
        item = tagform.read(
            id,
            texts(one.get("tags")),
            {relation: texts(keys) for relation, keys in (links or {}).items()},
            expires=str(one.get("expiresAt") or one.get("ttlSeconds") or ""),
        )
        token = int(one.get("fencingToken") or 0)
        count = cross_check(token, int(one.get("markers") or 0))
        items.append(
            item._replace(
                title=str(one.get("title", "")),
                body=str(one.get("body", "")),
                author=str(one.get("author", "")),
                provenance=str(one.get("provenance") or "tags"),
                grip=Grip(token=token, released=token),
                attempts=count.attempts,
            )
        )
    return items


def untagged(item: Item) -> dict[str, Any]:
    """One item in the tag form."""
    links = {
        "blockedBy": item.blocked_by,
        "informs": item.informs,
        "related": item.related,
        "anchoredTo": tuple(path for path, _ in item.anchors),
        "partOf": (item.part_of,) if item.part_of else (),
        "integrates": (item.integrates,) if item.integrates else (),
    }
    return {
        "id": item.id,
        "title": item.title,
        "body": item.body,
        "tags": tagform.write(item),
        "links": {relation: list(keys) for relation, keys in links.items() if keys},
        "fencingToken": item.grip.token or None,
    }
