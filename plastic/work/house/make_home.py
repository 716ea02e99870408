"""Makes a home, or completes one that a killed `init` left half made; every step is repeatable."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from plastic.disk import held
from plastic.disk.commit import NEVER, scoped_commit
from plastic.disk.failpoints import point
from plastic.disk.files import exists, is_dir, make_dirs, names, publish, read_text, replace
from plastic.disk.git import Git, oid
from plastic.disk.gitdir import common_of
from plastic.disk.projects_text import SKELETON
from plastic.rules.intent.index_edit import skeleton
from plastic.rules.intent.names import split
from plastic.words import Intent, Refused

if TYPE_CHECKING:
    from plastic.disk.home import Home

IGNORED = (*NEVER, "/held/", "/run/", "/log/", "/relay/", "/backlog.db*")
CONFIG = """\
# Settings of this home. Every key and its default: references/config.md.
version: 1
"""
COMMITTED = (".gitignore", "INDEX.md", "config.yml", "projects.yml")
# What a home may hold while its projects.yml is not there yet.
_OWN = (
    *COMMITTED,
    ".git",
    ".home.guard",
    ".index.guard",
    "backlog.db",
    "held",
    "log",
    "projects",
    "relay",
    "run",
    "store",
)


def refuse_foreign_folder(home: Home) -> None:
    """PLASTIC_HOME names the home itself: a folder full of other things is a slip."""
    if exists(home.projects_yml) or not exists(home.root):
        return
    if not is_dir(home.root):
        raise Refused("home", f"{home.root} is not a directory", run=f"ls -ld {_quoted(home.root)}")
    own = (*_OWN, *(f".delivery.{name}" for name in COMMITTED))
    foreign = [name for name in names(home.root) if not name.startswith(own)]
    if foreign:
        inside = f"{home.root.rstrip('/')}/.plastic"
        raise Refused(
            "home-not-empty",
            f"{home.root} is no home and holds other things ({foreign[0]}); "
            "PLASTIC_HOME names the home itself, not its parent",
            run=f"PLASTIC_HOME={_quoted(inside)} plastic init",
        )


def _quoted(path: str) -> str:
    return shlex.quote(path)


def make_home(home: Home) -> bool:
    """Make everything that a home has; True when it was not there. Call under the home's guard."""
    is_new = not exists(home.projects_yml)
    make_dirs(home.root)
    if common_of(home.root) is None:
        Git(home.root).run("init", "-q", "-b", "main", "--template=", ".")
    point("init.repository")
    _ignore(f"{home.root}/.gitignore")
    make_base(home, None, "Intents of no project")
    publish(home.config_yml, CONFIG.encode())
    publish(home.projects_yml, SKELETON.encode())
    point("init.home")
    rescan(home)
    return is_new


def commit_home(home: Home, project: str) -> None:
    """Commit what `init` wrote. Not under the home's guard: the commit takes it itself.

    Files that people keep for themselves (config.yml …) are committed with the first one only.
    """
    paths = [home.projects_yml, home.index(project)]
    if oid(Git(home.root), "HEAD") is None:
        paths += [f"{home.root}/{name}" for name in COMMITTED]
    scoped_commit(home, paths, f"Register {project}")


def make_base(home: Home, project: str | None, title: str) -> None:
    """The store of a project (None: the global one) and its INDEX.md, which is never replaced."""
    make_dirs(home.store(project))
    if not exists(home.index(project)):
        publish(home.index(project), skeleton(title).encode())


def _ignore(path: str) -> None:
    text = read_text(path) or ""
    missing = [line for line in IGNORED if line not in text.splitlines()]
    if missing:
        gap = "" if not text or text.endswith("\n") else "\n"
        new = text + gap + "".join(f"{line}\n" for line in missing)
        replace(path, new.encode("utf-8", "surrogateescape"))


def rescan(home: Home) -> int:
    """Look at every intent of every store and link each lock into `held/`; how many there are.

    Whoever arms meanwhile makes the link itself, so only the end of a scan may leave the mark.
    """
    found = 0
    projects = [name for name in names(f"{home.root}/projects") if is_dir(home.store(name))]
    for project in (None, *projects):
        for name in names(home.store(project)):
            parts = split(name)
            directory = f"{home.store(project)}/{name}"
            if parts is not None and exists(f"{directory}/delivery.lock"):
                held.add(home, Intent(parts[0], parts[1], directory, project))
                found += 1
    held.mark_complete(home)
    return found
