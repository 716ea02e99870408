"""The fields of an item as options of `plastic backlog add` and `edit`."""

from __future__ import annotations

from typing import Annotated

import typer

Many = list[str] | None
Id = Annotated[str, typer.Option(help="The issue that it is: issue-7; default: local-N.")]
Body = Annotated[str, typer.Option(help="Where the specification is.")]
Priority = Annotated[str, typer.Option(help="P0, P1, P2 or P3.")]
Phase = Annotated[str, typer.Option(help="research, implementation or integration.")]
BlockedBy = Annotated[Many, typer.Option(metavar="ID", help="It waits for these.")]
PartOf = Annotated[str, typer.Option(metavar="EPIC", help="Its grouping.")]
Integrates = Annotated[
    str, typer.Option(metavar="EPIC", help="The grouping that it joins and closes.")
]
Grouping = Annotated[bool, typer.Option("--grouping", help="It is a grouping itself.")]
Subkind = Annotated[str, typer.Option(help="integration or design-integration.")]
Informs = Annotated[Many, typer.Option(metavar="ID", help="Groupings planned from it.")]
Related = Annotated[Many, typer.Option(metavar="ID", help="Decides nothing.")]
Resource = Annotated[Many, typer.Option(metavar="NAME", help="Used alone while held; all of them.")]
Anchor = Annotated[Many, typer.Option(metavar="PATH", help="Code that it is about; all of it.")]
Base = Annotated[str, typer.Option(metavar="BRANCH", help="Where it is merged.")]
Region = Annotated[str, typer.Option(help="Where it is worked on.")]
Threshold = Annotated[
    int | None, typer.Option(help="Of a grouping: attempts before a member is parked.")
]
ReservedBy = Annotated[str, typer.Option(metavar="NAME", help="Who alone merges it.")]
Provenance = Annotated[str, typer.Option(help="Where it comes from.")]
Location = Annotated[str | None, typer.Option(help="Branch, pull request, commit.")]
Resume = Annotated[str | None, typer.Option(help="Resume note: done, left.")]
# What `edit` leaves as it is where it is not named.
Text = Annotated[str | None, typer.Option(help="The new value.")]
IfRevision = Annotated[
    int | None, typer.Option(metavar="N", help="Only while it is at this revision.")
]
