"""`plastic init`, `install` and `uninstall`: what a person runs once a machine and repository."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from plastic.cli.door import emit, home

if TYPE_CHECKING:
    from typing import Any

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Harness = Annotated[
    str,
    typer.Argument(
        help="Which agent program: claude, codex, gemini, cursor, opencode, pi or copilot."
    ),
]
Scope = Annotated[str, typer.Option(help="user: all your work; project: this repository.")]
Strict = Annotated[
    bool, typer.Option(help="A hook that cannot judge stops the tool instead of letting it pass.")
]


def register(app: typer.Typer) -> None:
    """Add the verbs of this file."""
    app.command("init")(init)
    app.command("install")(install)
    app.command("uninstall")(uninstall)


def init(
    path: Annotated[str, typer.Argument(help="A path in the repository.")] = ".",
    project: Annotated[
        str | None, typer.Option(help="The project's slug; else made from the folder's name.")
    ] = None,
    base: Annotated[
        str | None, typer.Option(help="Base branch; else the remote's default, else this one.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make the home and register a repository in it; running it again changes nothing.

    A person edits the home's projects.yml and config.yml; no agent's tool does.
    """
    from plastic.work.house.init import init as run

    made = run(home(), path, project, base)
    emit(made, _init_text(made), as_json=as_json)


def _init_text(made: dict[str, Any]) -> str:
    home_is = "created" if made["home_created"] else "there"
    project_is = "registered" if made["registered"] else "already registered"
    return (
        f"home     {made['home']} ({home_is})\n"
        f"project  {made['project']}: {made['path']} ({project_is}), base {made['base_branch']}\n"
        f'next     plastic new "TITLE" --project {made["project"]}'
    )


def install(
    harness: Harness,
    scope: Scope = "user",
    check: Annotated[bool, typer.Option(help="Only say what is installed; exit 1 if not.")] = False,
    strict: Strict = False,
    as_json: AsJson = False,
) -> None:
    """Write our hook entries into an agent program's settings; everybody else's stay."""
    from plastic.work.house.install import check as look
    from plastic.work.house.install import install as run
    from plastic.work.house.install import target

    where = target(harness, scope, os.environ, os.getcwd(), strict=strict)
    done = look(where) if check else run(where)
    emit(done, _install_text(done), as_json=as_json)
    is_off = done.get("trust", "trusted") not in ("trusted", "unknown")
    if check and (done["state"] != "installed" or is_off):
        raise typer.Exit(1)


def uninstall(
    harness: Harness,
    scope: Scope = "user",
    check: Annotated[bool, typer.Option(help="Only say what is installed; exit 1 if any.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take our hook entries out of an agent program's settings; everybody else's stay."""
    from plastic.work.house.install import check as look
    from plastic.work.house.install import target
    from plastic.work.house.install import uninstall as run

    where = target(harness, scope, os.environ, os.getcwd())
    done = look(where) if check else run(where)
    emit(done, _install_text(done), as_json=as_json)
    if check and done["state"] != "not installed":
        raise typer.Exit(1)


def _install_text(done: dict[str, Any]) -> str:
    rows = [
        f"hooks  {done['state']}: {done['settings']}" + (" (changed)" if done["changed"] else ""),
        *(f"skill  {state}: {done['typed']}{name}" for name, state in done["skills"].items()),
        *(f"trust  {done['trust']}" for _ in [0] if "trust" in done),
        *(f"note   {note}" for note in done["notes"]),
    ]
    if done["state"] == "other version":
        rows.append(f"next   plastic install {done['harness']} --scope {done['scope']}")
    elif done["state"] == "installed" and not done["on_path"]:
        rows.append("note   agents will not find `plastic`: it is not on PATH")
        rows.append(f"next   export PATH={shlex.quote(done['bin'])}:$PATH")
    return "\n".join(rows)
