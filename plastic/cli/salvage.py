"""`plastic salvage list|show|restore`: work that was kept when a lock or a worktree changed."""

from __future__ import annotations

from typing import Annotated

import typer

from plastic.cli.door import emit, home, say

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]
Which = Annotated[str, typer.Argument(metavar="ID[/TOKEN]", help="As `list` prints it.")]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(
        help="Work that was kept when a lock was taken over or a worktree went away.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("list")(list_)
    group.command()(show)
    group.command()(restore)
    app.add_typer(group, name="salvage")


def list_(
    intent: Annotated[str, typer.Argument(metavar="[ID]", help="Only of this intent.")] = "",
    project: Annotated[str, typer.Option(help="Only this project; default: all.")] = "",
    as_json: AsJson = False,
) -> None:
    """Everything that is kept, with its date and its files, the newest first."""
    from plastic.work.tree.salvages import kept

    found = [one.shown() for one in kept(home(), project or None, intent or None)]
    lines = []
    for one in found:
        what = ", ".join(one["files"][:5]) or "commits only"
        more = f" and {len(one['files']) - 5} more" if len(one["files"]) > 5 else ""
        lines.append(f"{one['salvage']:<12} {one['at']}  {one['name'] or '-'}  {what}{more}")
    emit({"salvages": found}, "\n".join(lines) or "nothing is kept", as_json=as_json)


def show(which: Which, as_json: AsJson = False) -> None:
    """Its commits, its files and its changes."""
    from plastic.work.tree.salvages import show as look

    found = look(home(), which)
    text = [
        f"salvage  {found['ref']}",
        f"commit   {found['commit']}",
        f"at       {found['at']}",
        *(f"only it  {line}" for line in found["commits"]),
        found["stat"],
        "",
        found["diff"],
        f"restore: plastic salvage restore {found['salvage']}",
    ]
    emit(found, "\n".join(text), as_json=as_json)


def restore(
    which: Which,
    worktree: Annotated[bool, typer.Option(help="Also check it out in a new worktree.")] = False,
    as_json: AsJson = False,
) -> None:
    """Bring it back on a new branch; nothing that exists is changed."""
    from plastic.work.tree.salvages import restore as bring

    found = bring(home(), which, say, with_worktree=worktree)
    text = f"branch   {found['branch']}"
    if found["path"]:
        text += f"\nworktree {found['path']}"
    emit(found, text, as_json=as_json)
