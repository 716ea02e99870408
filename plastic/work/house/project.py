"""Which store a new intent belongs to: the one named, else the one of the repository around us."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from plastic.disk import gitdir
from plastic.disk.command import again
from plastic.disk.paths import real
from plastic.disk.projects import projects
from plastic.words import Missing, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plastic.disk.home import Home
    from plastic.disk.projects import Project


def chosen(home: Home, name: str | None, cwd: str, *, is_global: bool) -> str | None:
    """The project's slug, None for the global store; Usage when nothing decides."""
    if is_global and name:
        raise Usage("project", "--project and --global exclude each other", run=_first_of(again()))
    if is_global:
        return None
    known = projects(home)
    if name:
        if name not in known:
            listed = ", ".join(known) or "none"
            raise Missing(
                "no-project",
                f"no project {name!r} (there is: {listed})",
                run=init_command(known, cwd, name),
            )
        return name
    here = gitdir.find(real(cwd))
    found = [
        slug
        for slug, project in known.items()
        if here is not None and gitdir.common_of(project.path) == here[1]
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise Usage(
            "project",
            f"this repository is registered as {' and '.join(found)}; name one with --project",
            run=again("--project", found[0]),
        )
    raise Usage(
        "project",
        f"{cwd} lies in no registered repository; say --project NAME, or --global for none",
        run=again("--global"),
    )


def init_command(known: Mapping[str, Project], cwd: str, name: str | None = None) -> str:
    """How the repository around us becomes a project; what `init` does where there is none."""
    here = gitdir.find(real(cwd))
    if here is None or any(gitdir.common_of(one.path) == here[1] for one in known.values()):
        return "plastic init --help"
    return "plastic init" if name is None else shlex.join(("plastic", "init", "--project", name))


def _first_of(line: str) -> str:
    return line.replace(" --global", "", 1)
