"""`plastic new`, `list`, `show`, `log`: make intents and look at them."""

from __future__ import annotations

import json
import os
from calendar import timegm
from time import strptime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plastic.cli.door import caller, emit, home, printable, say
from plastic.disk.clock import both

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plastic.disk.home import Home

AS_JSON = typer.Option("--json", help="One JSON object.")
OPEN = ("Active", "Future")
WIDEST = 60  # characters of a title in the list; `show` has all of it
SESSION = 16


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command()(new)
    app.command("list")(list_)
    app.command()(show)
    app.command()(log)


def new(
    title: Annotated[str, typer.Argument(help="What is to be achieved, in one line.")],
    slug: Annotated[
        str, typer.Option(help="Directory and branch name; default: the title's.")
    ] = "",
    id: Annotated[str, typer.Option(help="Use this id; default: the next free number.")] = "",
    project: Annotated[
        str, typer.Option(help="Registered project; default: this repository's.")
    ] = "",
    global_: Annotated[
        bool, typer.Option("--global", help="No repository: research, decisions.")
    ] = False,
    future: Annotated[bool, typer.Option(help="List it under Future, not Active.")] = False,
    sources: Annotated[list[str] | None, typer.Option(help="Ids it comes from.")] = None,
    chain: Annotated[list[str] | None, typer.Option(help="Ids that follow from it.")] = None,
    as_json: Annotated[bool, AS_JSON] = False,
) -> None:
    """Make an intent with all its documents. Safe to run again after a crash."""
    from plastic.work.intent.intents import describe
    from plastic.work.intent.intents import new as make

    place = home()
    intent = make(
        place,
        title,
        cwd=os.getcwd(),
        slug=slug or None,
        id=id or None,
        project=project or None,
        is_global=global_,
        future=future,
        sources=sources or (),
        chain=chain or (),
    )
    found = describe(place, intent)
    text = f"{intent.id}  {found['title']}\n{intent.file}\nnext: plastic start {intent.id}"
    emit(found, text, as_json=as_json)


def list_(
    project: Annotated[
        str, typer.Option(help="Only this project; `global` for the global store.")
    ] = "",
    section: Annotated[str, typer.Option(help="Only this section of INDEX.")] = "",
    all_: Annotated[
        bool, typer.Option("--all", help="Also what is completed or abandoned.")
    ] = False,
    as_json: Annotated[bool, AS_JSON] = False,
) -> None:
    """List intents, by default all that are not over."""
    from plastic.work.intent.listing import listed

    place = home()
    # JSON is for programs, which cannot guess that something was left out.
    found, over = listed(place, project or None, section or None, with_terminal=all_ or as_json)
    _tell_trouble(place, [one["project"] for one in found] or [project or None])
    emit({"intents": found}, _table(found, over), as_json=as_json)


def show(
    intent: Annotated[str, typer.Argument(help="Id, prefix, path or project:id.")] = "",
    session: Annotated[str, typer.Option(help="Session id; default: the harness's variable.")] = "",
    as_json: Annotated[bool, AS_JSON] = False,
) -> None:
    """Show one intent: where it stands, what is missing next, and where its code belongs."""
    from plastic.rules.intent.stages import next_step
    from plastic.work.end.tainted import taints
    from plastic.work.intent.intents import describe, facts, find

    place = home()
    wanted = find(place, intent or None, caller(session or None))
    found = describe(place, wanted)
    found["next"] = next_step(facts(wanted))
    found["taints"] = taints(place, wanted)
    _tell_trouble(place, [wanted.project])
    emit(found, _page(found), as_json=as_json)


def log(
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on as events come.")] = False,
    would_deny: Annotated[bool, typer.Option(help="Only what gates would have refused.")] = False,
    number: Annotated[int, typer.Option("-n", "--lines", min=0, help="The newest so many.")] = 50,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON; with --follow a line each.")
    ] = False,
) -> None:
    """Show the journal: who did what, and what was refused."""
    from plastic.work import events

    place = home()
    kind = "would-deny" if would_deny else None
    if follow:
        for row in events.follow(place, number, kind):
            print(json.dumps(row) if as_json else printable(_event(row)), flush=True)
    rows = events.recent(place, number, kind)
    if rows or as_json:
        emit({"events": rows}, "\n".join(_event(row) for row in rows), as_json=as_json)
    else:
        say("nothing has been recorded" + (" that would be denied" if would_deny else ""))


# -- text for people -------------------------------------------------------------------------------


def _tell_trouble(place: Home, projects: Sequence[str | None]) -> None:
    from plastic.work.intent.intents import trouble

    for project in dict.fromkeys(projects):
        why = trouble(place, None if project == "global" else project)
        if why is not None:
            say(f"plastic: {why}; sections are not known")


def _holder(one: dict[str, Any]) -> str:
    if one["lock_state"] == "none":
        return "-"
    if one["lock"] is None:
        return "corrupt lock"
    state = "" if one["lock_state"] == "fresh" else f" ({one['lock_state']})"
    return f"{one['lock']['owner_session']}{state}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "\u2026"


def _table(found: list[dict[str, Any]], over: int) -> str:
    hidden = f"{over} more that are over: plastic list --all" if over else ""
    if not found:
        return hidden or "no intents; make one with: plastic new TITLE"
    rows = [("ID", "PROJECT", "SECTION", "STAGE", "HELD BY", "TITLE")]
    for one in found:
        rows.append(
            (
                one["id"],
                one["project"] or "global",
                one["section"] or "-",
                one["stage"],
                _cut(_holder(one), SESSION),
                _cut(one["title"], WIDEST),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[5]])
        for row in rows
    ]
    return "\n".join([*lines, *([hidden] if hidden else [])])


def _page(one: dict[str, Any]) -> str:
    tree = one["worktree"] if isinstance(one["worktree"], dict) else {}
    from plastic.work.end.tainted import line

    rows = [
        ("intent", f"{one['id']}--{one['slug']}"),
        ("title", one["title"]),
        ("project", one["project"] or "global"),
        ("section", one["section"] or "in no section of INDEX.md"),
        ("stage", one["stage"]),
        ("next", one["next"]),
        ("documents", one["dir"]),
        ("held by", _holder(one)),
    ]
    if one["heartbeat_at"]:
        heard = timegm(strptime(one["heartbeat_at"], "%Y-%m-%dT%H:%M:%SZ"))
        rows.append(("heard", both(heard)))
    if tree.get("path"):
        rows.append(("worktree", str(tree["path"])))
        rows.append(("branch", f"{tree.get('branch')} from {tree.get('base')}"))
    elif tree:
        rows.append(("worktree", f"none: {tree.get('reason')}"))
    else:
        rows.append(("worktree", f"none yet; board with: plastic start {one['id']}"))
    rows += [("taint", line(taint)) for taint in one["taints"]]
    return "\n".join(f"{name:<10} {value}" for name, value in rows)


def _event(row: dict[str, Any]) -> str:
    rest = "  ".join(f"{key}={row[key]}" for key in row if key not in ("at", "event"))
    return f"{row.get('at', '-')}  {row.get('event', '?'):<14} {rest}".rstrip()
