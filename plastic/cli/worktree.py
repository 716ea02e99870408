"""`plastic worktree list|remove|prune`: every worktree explained, and the safe ones taken away."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from plastic.cli.door import caller, emit, home, say

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]
Project = Annotated[str, typer.Option(help="Only this project; default: all.")]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(
        help="Worktrees and what is left of them, each with its proof and its one command.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("list")(list_)
    group.command()(remove)
    group.command()(prune)
    app.add_typer(group, name="worktree")


def list_(project: Project = "", as_json: AsJson = False) -> None:
    """Explain every worktree, branch of ours, leftover directory and entry of the trash."""
    from plastic.work.tree.worktrees import everything

    found = [one.shown() for one in everything(home(), project or None)]
    emit({"worktrees": found}, _table(found), as_json=as_json)


def remove(
    what: Annotated[str, typer.Argument(metavar="PATH|INTENT", help="Which worktree.")],
    session: Annotated[str, typer.Option(help="Session id; default: the harness's variable.")] = "",
    as_json: AsJson = False,
) -> None:
    """Move one worktree into the trash; refused while something is only there."""
    from plastic.disk.paths import is_below
    from plastic.work.tree.worktrees import remove as bury

    here = os.getcwd()
    done = bury(home(), what, caller(session or None))
    if is_below(here, done["path"]):
        say("your shell stands in what is in the trash now; leave it: cd")
    where = done["trash"] or "nowhere: its directory was gone already"
    text = f"removed  {done['path']}\ntrash    {where}"
    if done["branch"]:
        text += f"\nbranch   {done['branch']} stays"
    emit(done, text, as_json=as_json)


def prune(
    project: Project = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take away, one by one, what is proven to be needed by nobody."""
    from plastic.work.tree.worktrees import prune as take

    done = take(home(), project or None, say, dry_run=dry_run)
    word = "would go" if dry_run else "gone"
    lines = [f"{word:<9}{_name(one)}  ({_proof(one)})" for one in done["pruned"]]
    lines += [f"{'kept':<9}{_name(one)}: {one['why']}" for one in done["kept"]]
    emit(done, "\n".join(lines) or "there is nothing to prune", as_json=as_json)


def _name(one: dict[str, Any]) -> str:
    return str(one["path"] or f"branch {one['branch']}")


def _proof(one: dict[str, Any]) -> str:
    proof = one["proof"]
    if proof is None:
        return str(one["why"])
    return f"merged by {proof['how']}, in {proof['commit'][:12]}"


def _table(found: list[dict[str, Any]]) -> str:
    lines = []
    for one in found:
        lines.append(f"{one['kind']:<10} {_name(one)}")
        lines.append(f"{'':<10}   {one['why']}")
        if one["proof"] is not None:
            lines.append(f"{'':<10}   {_proof(one)}")
        lines.append(f"{'':<10}   run: {one['run']}")
    return "\n".join(lines) or "no worktrees"
