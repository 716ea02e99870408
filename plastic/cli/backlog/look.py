"""Verbs of the backlog that change nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from plastic.cli.backlog import text
from plastic.cli.backlog.bar import bar
from plastic.cli.backlog.options import AsJson, Project, Session, Which, backlog
from plastic.cli.backlog.plain import MOST, ROWS
from plastic.cli.backlog.plain import ready as look
from plastic.cli.door import emit


def show(
    which: Which, project: Project = "", session: Session = "", as_json: AsJson = False
) -> None:
    """Show everything about one item: claim, edges, what keeps it out, ledger and notes."""
    from plastic.work.backlog.views import page

    with backlog(project, session) as found:
        one = page(found, which)
    emit(one, text.page(one), as_json=as_json)


def list_(
    state: Annotated[
        list[str] | None, typer.Option(help="live, complete, parked or invalid; may come often.")
    ] = None,
    priority: Annotated[str, typer.Option(help="Only P0, P1, P2 or P3.")] = "",
    phase: Annotated[str, typer.Option(help="Only this phase.")] = "",
    part_of: Annotated[str, typer.Option(help="Only members of this grouping.")] = "",
    all_: Annotated[bool, typer.Option("--all", help="Also what is complete.")] = False,
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """List items, each with the first cause that keeps it out; by default what is not complete."""
    from plastic.work.backlog.views import listed

    # JSON is for programs, which cannot guess that something was left out.
    is_all = all_ or as_json
    states = tuple(state or ()) or (() if is_all else ("live", "parked", "invalid"))
    match = {"priority": priority or None, "phase": phase or None, "part_of": part_of or None}
    with backlog(project, session) as found:
        rows = listed(found, states, match)
    none = "no items; make one with: plastic backlog add TITLE"
    emit({"items": rows}, text.items(rows) if rows else none, as_json=as_json)


def ready(
    most: Annotated[int, typer.Option("-n", "--most", min=1, help="So many items.")] = MOST,
    rows: Annotated[int, typer.Option(min=0, help="So many rows of each report.")] = ROWS,
    region: Annotated[str, typer.Option(help="For workers there; default: the project's.")] = "",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """What can be begun now, in its order, and everything that is wrong with the rest."""
    look(project, session, region, most, rows, as_json=as_json)


def why(
    which: Which, project: Project = "", session: Session = "", as_json: AsJson = False
) -> None:
    """Why an item is not ready: the chain of reasons down to what has to change first."""
    from plastic.work.backlog import shown

    with backlog(project, session) as found:
        one = found.need(which)
        chain = shown.reasons(found.store.why(one.id))
    emit({"id": one.id, "why": chain}, text.chain(chain), as_json=as_json)


def status(
    which: Which, project: Project = "", session: Session = "", as_json: AsJson = False
) -> None:
    """One look at a claim: never, held, lapsed or released; only a fenced write decides."""
    from plastic.work.backlog import claimshown

    with backlog(project, session) as found:
        one = claimshown.status(found.store.status(which))
        if not one["exists"] and not as_json:
            found.need(which)
    emit(one, text.status(one), as_json=as_json)


def graph(
    form: Annotated[str, typer.Option("--format", help="mermaid or dot.")] = "mermaid",
    part_of: Annotated[str, typer.Option(help="Only this grouping.")] = "",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Draw the dependencies, cycles and stalled parts marked."""
    from plastic.work.backlog.views import drawing

    with backlog(project, session) as found:
        one = drawing(found, form, part_of or None)
    emit(one, one["text"], as_json=as_json)


def audit(project: Project = "", session: Session = "", as_json: AsJson = False) -> None:
    """Compare the counters with a full recomputation, and count every value in use."""
    from plastic.work.backlog.views import audit as examine

    with backlog(project, session) as found, bar() as told:
        one = examine(found, told)
    lines = [f"{one['items']} items: " + ("sound" if one["sound"] else "NOT sound")]
    lines += [f"  {line}" for line in one["differences"]]
    lines += [f"{guess['code']}  {guess['item']}: {guess['text']}" for guess in one["guesses"]]
    for name, values in one["values"].items():
        lines.append(f"{name:<10} " + ", ".join(f"{value} {n}" for value, n in values.items()))
    emit(one, "\n".join(lines), as_json=as_json)
    if not one["sound"]:
        raise typer.Exit(1)
