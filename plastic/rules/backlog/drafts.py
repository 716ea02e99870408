"""What an author may ask for, checked before anything is written; nothing is guessed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from plastic.rules.backlog.items import KINDS, PHASES, PRIORITIES, SUBKINDS, valid_id
from plastic.rules.backlog.reports import MANDATORY
from plastic.words import Refused, Usage

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Draft

# Fields of an item that `edit` sets. State, phase, kind, ids, tokens and times have verbs or none.
SETTABLE = (
    "title",
    "body",
    "author",
    "provenance",
    "priority",
    "base",
    "region",
    "threshold",
    "reserved_by",
    "location",
    "note",
    "resources",
    "anchors",
)
RELATED = {"informs": "informs", "related": "related"}  # relation -> field of a draft
_CLOSED: dict[str, tuple[str, ...]] = {"priority": PRIORITIES, "phase": PHASES}


def check_draft(draft: Draft) -> Draft:
    """The draft with what follows from it filled in; refuses what is missing or unknown."""
    if not draft.title.strip():
        raise Usage("title-blank", "an item needs a title", run="plastic backlog add --help")
    if draft.id and not valid_id(draft.id):
        text = f"{draft.id!r} is no id: letters and the number that its mirror gave, like issue-7"
        raise Usage("id-invalid", text, run="plastic backlog add --help")
    _known(draft)
    if draft.phase == "integration" and draft.part_of and not draft.integrates:
        draft = draft._replace(integrates=draft.part_of, part_of=None)
    if draft.integrates and not draft.subkind:
        draft = draft._replace(subkind="integration")
    need = [name for name in MANDATORY if name != "phase" or draft.kind == "item"]
    gone = [name for name in need if not getattr(draft, name)]
    if gone:
        text = f"{draft.title!r} has no {', '.join(gone)}: nothing is guessed"
        raise Refused("field-missing", text, run="plastic backlog add --help")
    return draft


def _known(draft: Draft) -> None:
    for name, values in (
        ("kind", KINDS),
        ("subkind", SUBKINDS),
        ("priority", (None, *PRIORITIES)),
        ("phase", (None, *PHASES)),
    ):
        value = getattr(draft, name)
        if value not in values:
            raise Usage(
                "value-unknown",
                f"{name} {value!r} is none of {_words(values)}",
                run="plastic backlog add --help",
            )
    if draft.threshold is not None and draft.threshold < 1:
        raise Usage("value-unknown", "a threshold is at least 1", run="plastic backlog add --help")


def _words(values: tuple[str | None, ...]) -> str:
    return ", ".join(value for value in values if value)


def check_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """The columns of an edit; one field that cannot be set refuses them all."""
    odd = [name for name in fields if name not in SETTABLE]
    if odd:
        text = f"{', '.join(odd)} cannot be set; {', '.join(SETTABLE)} can"
        raise Usage("field-unsettable", text, run="plastic backlog edit --help")
    out = dict(fields)
    for name, value in fields.items():
        if name in _CLOSED and value not in _CLOSED[name]:
            raise Usage(
                "value-unknown",
                f"{name} {value!r} is none of {_words(_CLOSED[name])}",
                run="plastic backlog edit --help",
            )
        if name in ("base", "region", "title") and not str(value).strip():
            raise Usage(
                "value-unknown", f"{name} cannot be empty", run="plastic backlog edit --help"
            )
        if name == "resources":
            out[name] = json.dumps(sorted(set(value)))
        elif name == "anchors":
            out[name] = json.dumps(value)
    return out
