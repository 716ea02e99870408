"""`plastic end`: the ordered way from outcome to unlocked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plastic.cli.door import caller, emit, home, say
from plastic.words import Usage

if TYPE_CHECKING:
    from plastic.words import Intent


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(end)


def end(
    intent: Annotated[
        str, typer.Argument(help="Id, prefix, path or project:id; default: the one you hold.")
    ] = "",
    delivered: Annotated[bool, typer.Option("--delivered", help="Merge it; it is done.")] = False,
    abandoned: Annotated[bool, typer.Option("--abandoned", help="Do not merge it.")] = False,
    note: Annotated[str, typer.Option(help="One line for INDEX and the outcome.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show plan and obstacles; change nothing.")
    ] = False,
    discard_worktree_changes: Annotated[
        bool,
        typer.Option(
            "--discard-worktree-changes", help="Uncommitted files go to salvage and trash."
        ),
    ] = False,
    proven_by: Annotated[
        str, typer.Option(help="A person: this commit of the base contains the work.")
    ] = "",
    accept_tainted: Annotated[
        bool, typer.Option("--accept-tainted", help="A person: I have seen what is tainted.")
    ] = False,
    session: Annotated[str, typer.Option(help="Session id; default: the harness's variable.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Merge, record, clean up, unlock. Killed anywhere, running it again finishes it."""
    from plastic.rules.end.facts import ABANDONED, DELIVERED, Flags
    from plastic.rules.end.text import one_line
    from plastic.work.end.run import Wish
    from plastic.work.end.run import end as finish
    from plastic.work.intent.intents import find

    if delivered == abandoned:
        raise Usage(
            "disposition", "say --delivered or --abandoned, one of them", run="plastic end --help"
        )
    who = caller(session or None)
    place = home()
    wanted = find(place, intent or None, who)
    flags = Flags(
        DELIVERED if delivered else ABANDONED,
        discard=discard_worktree_changes,
        proven_by=proven_by.strip(),
        accept_tainted=accept_tainted,
    )
    if not dry_run:
        _ask_person(wanted, flags.proven_by, accept_tainted=accept_tainted)
    found = finish(place, wanted, who, Wish(flags, one_line(note), dry_run), say)
    emit(found, _text(found), as_json=as_json)


def _ask_person(intent: Intent, proven_by: str, *, accept_tainted: bool) -> None:
    """Two options answer for what nothing of ours can prove."""
    from plastic.disk.person import require_person

    if proven_by:
        require_person(os.environ, intent.id, f"--proven-by {proven_by} of {intent.name}")
    if accept_tainted:
        require_person(os.environ, intent.id, f"--accept-tainted of {intent.name}")


def _text(found: dict[str, Any]) -> str:
    head = f"{found['id']}--{found['slug']}  {found['title']}"
    if found["dry_run"]:
        return _plan(found, head)
    rows = [("intent", head), ("ended", f"{found['disposition']}, {found['section']}")]
    if found.get("merge_commit"):
        rows.append(("merged", f"{found['merge_commit'][:12]} into {found['base']}"))
    elif found.get("contained"):
        rows.append(("merged", f"it was in {found['base']} already ({found['contained']})"))
    for name in ("salvage", "trash", "branch"):
        if found.get(name):
            rows.append((name, found[name]))
    item = found.get("item")
    if item:
        rows.append(("item", f"{item['id']}  {item['state']}"))
        rows += [("ready now", one) for one in item["ready"]]
    rows += [("on_done", f"{one['run']} (exit {one['exit']})") for one in found["on_done"]]
    return "\n".join(f"{name:<10} {value}" for name, value in rows)


def _plan(found: dict[str, Any], head: str) -> str:
    lines = [f"{head}: would end {found['disposition']}"]
    lines += [f"  {one['number']}  {one['text']}" for one in found.get("steps", [])]
    if found["ready"]:
        return "\n".join([*lines, "nothing is in the way"])
    lines.append("in the way:")
    for one in found["obstacles"]:
        lines.append(f"  {one['name']}: {one['reason']}")
        lines.append(f"    run: {one['run']}")
        if one["flag"]:
            lines.append(f"    or:  {one['flag']}")
    return "\n".join(lines)
