"""`plastic backlog add` and `edit`: items and their fields."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plastic.cli.backlog import fields as field
from plastic.cli.backlog.options import (
    AsJson,
    Project,
    Secret,
    Session,
    Token,
    Which,
    backlog,
    changed,
)
from plastic.cli.door import emit
from plastic.words import Usage

if TYPE_CHECKING:
    from plastic.rules.backlog.items import Item
    from plastic.work.backlog.place import Backlog


def add(
    title: Annotated[str, typer.Argument(help="What is to be done, in one line.")],
    id: field.Id = "",
    body: field.Body = "",
    priority: field.Priority = "P2",
    phase: field.Phase = "implementation",
    blocked_by: field.BlockedBy = None,
    part_of: field.PartOf = "",
    integrates: field.Integrates = "",
    grouping: field.Grouping = False,
    subkind: field.Subkind = "",
    informs: field.Informs = None,
    related: field.Related = None,
    resource: field.Resource = None,
    anchor: field.Anchor = None,
    base: field.Base = "",
    region: field.Region = "",
    threshold: field.Threshold = None,
    reserved_by: field.ReservedBy = "",
    provenance: field.Provenance = "",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Add an item. An agent's waits for a person's `admit`; one from a plain shell is admitted."""
    from plastic.rules.backlog.answers import Draft
    from plastic.work.backlog import shown
    from plastic.work.backlog.author import add as make

    draft = Draft(
        title,
        id=id,
        body=body,
        kind="grouping" if grouping else "item",
        subkind=subkind,
        provenance=provenance,
        priority=priority,
        phase=phase,
        region=region or None,
        base=base or None,
        part_of=part_of or None,
        integrates=integrates or None,
        blocked_by=tuple(blocked_by or ()),
        informs=tuple(informs or ()),
        related=tuple(related or ()),
        resources=tuple(resource or ()),
        threshold=threshold,
        reserved_by=reserved_by,
    )
    with backlog(project, session) as found:
        made = make(found, draft, anchor or (), os.getcwd())
        emit(shown.item(made, found.store.now()), _added(found, made), as_json=as_json)


def _added(found: Backlog, made: Item) -> str:
    said = [f"{made.id}  {made.title}"]
    if made.admission != "admitted":
        said.append(f"not admitted yet; a person runs: {found.line('admit', made.id)}")
    chain = found.store.why(made.id)
    return "\n".join([*said, *(f"{o.item} {o.text}" for o in chain if o.code != "not_admitted")])


def edit(
    which: Which,
    title: field.Text = None,
    body: field.Text = None,
    priority: field.Text = None,
    base: field.Text = None,
    region: field.Text = None,
    resource: field.Resource = None,
    anchor: field.Anchor = None,
    threshold: field.Threshold = None,
    reserved_by: field.Text = None,
    provenance: field.Text = None,
    location: field.Location = None,
    note: field.Resume = None,
    if_revision: field.IfRevision = None,
    token: Token = None,
    secret: Secret = "",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Set fields. While somebody holds the item, only its holder may, under the token."""
    from plastic.work.backlog.author import anchored
    from plastic.work.backlog.claims import fence

    given: dict[str, Any] = {
        "title": title,
        "body": body,
        "priority": priority,
        "base": base,
        "region": region,
        "threshold": threshold,
        "reserved_by": reserved_by,
        "provenance": provenance,
        "location": location,
        "note": note,
        "resources": None if resource is None else tuple(one for one in resource if one),
    }
    fields = {name: value for name, value in given.items() if value is not None}
    if not fields and anchor is None:
        raise Usage("nothing", "no field is named", run="plastic backlog edit --help")
    with backlog(project, session) as found:
        item = found.need(which)
        if anchor is not None:
            paths = [one for one in anchor if one]
            fields["anchors"] = anchored(found, base or item.base, paths, os.getcwd())
        change = found.store.edit(
            item.id, found.actor, fields, fence=fence(token, secret), if_revision=if_revision
        )
        text = f"{item.id}  revision {change.item.revision}: {', '.join(fields)}"
        changed(found, change, text, as_json=as_json)
