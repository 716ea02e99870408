"""`plastic backlog`: items, what is ready and why, claims that fence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from plastic.cli.backlog.add import add, edit
from plastic.cli.backlog.author import admit, note, record
from plastic.cli.backlog.claim import claim, release, renew
from plastic.cli.backlog.edges import forget, link, unlink
from plastic.cli.backlog.exchange import export, import_
from plastic.cli.backlog.finish import complete, park, reconcile, sweep, unpark
from plastic.cli.backlog.look import audit, graph, list_, ready, show, status, why
from plastic.cli.backlog.mirror import mirror

if TYPE_CHECKING:
    from collections.abc import Callable

VERBS: dict[str, Callable[..., None]] = {
    "add": add,
    "edit": edit,
    "show": show,
    "list": list_,
    "ready": ready,
    "why": why,
    "claim": claim,
    "renew": renew,
    "release": release,
    "status": status,
    "park": park,
    "unpark": unpark,
    "admit": admit,
    "complete": complete,
    "record": record,
    "reconcile": reconcile,
    "forget": forget,
    "note": note,
    "link": link,
    "unlink": unlink,
    "graph": graph,
    "audit": audit,
    "sweep": sweep,
    "import": import_,
    "export": export,
    "mirror": mirror,
}


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(
        help="Items with their dependencies: what is ready, why not, and claims that fence.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for name, verb in VERBS.items():
        group.command(name)(verb)
    app.add_typer(group, name="backlog")
