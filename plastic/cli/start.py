"""`plastic start`: board an intent."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plastic.cli.door import caller, emit, home, say
from plastic.words import Usage

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent
    from plastic.work.backlog.delivery import Delivery

MODES = ("auto", "guided")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(start)


def start(
    intent: Annotated[
        str, typer.Argument(help="Id, prefix, path or project:id; default: the one you hold.")
    ] = "",
    title: Annotated[
        str, typer.Option(help="Board the open intent of this title, or make it.")
    ] = "",
    item: Annotated[
        str, typer.Option(metavar="ID", help="Deliver this item of the backlog: claim it as well.")
    ] = "",
    mode: Annotated[str, typer.Option(help="auto or guided: recorded in the lock.")] = "",
    base: Annotated[str, typer.Option(help="Branch to start from and to merge into.")] = "",
    adopt: Annotated[str, typer.Option(help="Use this existing worktree.")] = "",
    wait: Annotated[bool, typer.Option(help="Wait for a fresh foreign lock, then board.")] = False,
    project: Annotated[str, typer.Option(help="Project of a new intent (--title).")] = "",
    global_: Annotated[
        bool, typer.Option("--global", help="New intent without a repository.")
    ] = False,
    harness: Annotated[str, typer.Option(help="Recorded: the agent program.")] = "",
    agent: Annotated[str, typer.Option(help="Recorded: the agent's name.")] = "",
    model: Annotated[str, typer.Option(help="Recorded: the model.")] = "",
    thread: Annotated[str, typer.Option(help="Recorded: the thread.")] = "",
    session: Annotated[str, typer.Option(help="Session id; default: the harness's variable.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Board an intent: lock, worktree, next step. Running it again changes nothing."""
    from plastic.work.start import Options
    from plastic.work.start import start as board

    if mode and mode not in MODES:
        raise Usage("mode", f"--mode is auto or guided, not {mode!r}", run="plastic start --help")
    who = caller(session or None)
    place = home()
    claimed = False
    if item and not intent:
        wanted, item, claimed = _delivering(place, who, item, title, project, is_global=global_)
    else:
        wanted = _intent(place, who, intent, title, project, is_global=global_)
    given = {"mode": mode, "harness": harness, "agent": agent, "model": model, "thread": thread}
    options = Options(
        base=base or None,
        adopt=adopt or None,
        wait=wait,
        provenance={key: value for key, value in given.items() if value.strip()},
        item=item or None,
        claimed=claimed,
    )
    found = board(place, who, wanted, options, say)
    emit(found, _text(found), as_json=as_json)


def _delivering(
    place: Home, who: Caller, item: str, title: str, project: str, *, is_global: bool
) -> Delivery:
    from plastic.work.backlog.delivery import intent_for

    if is_global:
        raise Usage("what", "items belong to projects: no --global", run="plastic backlog list")
    return intent_for(place, who, item, title, project or None, os.getcwd())


def _intent(
    place: Home, who: Caller, text: str, title: str, project: str, *, is_global: bool
) -> Intent:
    from plastic.work.intent.intents import find, titled

    if text and title:
        raise Usage("what", "name an intent or give a --title, not both", run="plastic list")
    if not title:
        return find(place, text or None, who)
    return titled(place, title, project or None, is_global=is_global, cwd=os.getcwd())


def _text(found: dict[str, Any]) -> str:
    lock = found["lock"]
    if lock is None:
        return f"{found['id']}  {found['title']}: {found['section']}, nothing to board"
    tree = lock.get("worktree") or {}
    where = tree.get("path") or f"no worktree ({tree.get('reason')})"
    rows = [
        ("intent", f"{found['id']}--{found['slug']}  {found['title']}"),
        ("owner", f"{lock['owner_session']} (token {lock['token']})"),
        ("documents", found["dir"]),
        ("worktree", where),
    ]
    if tree.get("branch"):
        rows.append(("branch", f"{tree['branch']} from {tree['base']}"))
    rows += [("station", found["station"]), ("next", found["next"])]
    return "\n".join(f"{name:<10} {value}" for name, value in rows)
