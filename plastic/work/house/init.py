"""`plastic init`: makes the home and registers a repository in it, once, whoever asks how often."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

from plastic.disk.failpoints import point
from plastic.disk.files import is_dir, names, replace
from plastic.disk.gitdir import common_of
from plastic.disk.journal import note
from plastic.disk.locks import home_guard
from plastic.disk.paths import is_below, parent_of
from plastic.disk.projects import Project, edit_command, load, projects_in, require
from plastic.disk.projects_text import insert
from plastic.rules.intent.names import split, valid_slug
from plastic.rules.intent.slugs import slug_of
from plastic.words import Refused, Usage
from plastic.work.house.compile import compile_config
from plastic.work.house.make_home import commit_home, make_base, make_home, refuse_foreign_folder
from plastic.work.tree.checkout import Checkout, base_branch, main_checkout

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.projects import Loaded
    from plastic.disk.projects_text import Entry


def init(home: Home, path: str, slug: str | None = None, base: str | None = None) -> dict[str, Any]:
    """Make the home and register the repository around `path`; idempotent."""
    if slug is not None and not valid_slug(slug):
        near = slug_of(slug) or "my-project"
        raise Usage(
            "slug",
            f"`{slug}` is no slug: a-z, 0-9 and single hyphens, at most 60 characters",
            run=f"plastic init {shlex.quote(path)} --project {near}",
        )
    checkout = main_checkout(path)
    _refuse_one_in_the_other(home, checkout)
    refuse_foreign_folder(home)
    branch = base_branch(checkout, base)
    with home_guard(home):
        is_new = make_home(home)
        project, registered = _register(home, checkout, slug, branch, base)
        compile_config(home)
    # Also when all was registered before: a killed init may have left out the commit.
    commit_home(home, project)
    point("init.committed")
    if registered:
        note(home, "init", project=project, path=checkout.top)
    return {
        "home": home.root,
        "home_created": is_new,
        "project": project,
        "path": checkout.top,
        "registered": registered,
        "base_branch": branch,
    }


def _refuse_one_in_the_other(home: Home, checkout: Checkout) -> None:
    top = checkout.top
    if is_below(top, home.root):
        raise Refused(
            "inside-home",
            f"{top} lies inside of the home {home.root}, which is no project",
            run="plastic init --help",
        )
    if is_below(home.root, top) or is_below(home.root, checkout.common):
        user = os.path.expanduser("~/.plastic")
        better = user if not is_below(user, top) else f"{parent_of(top).rstrip('/')}/.plastic"
        raise Refused(
            "home-inside",
            f"the home {home.root} lies inside of the repository {top}: its locks and notes "
            "would be part of the work they protect",
            run=f"PLASTIC_HOME={shlex.quote(better)} plastic init {shlex.quote(top)}",
        )


def _register(
    home: Home, checkout: Checkout, asked: str | None, branch: str, base: str | None
) -> tuple[str, bool]:
    """The slug of the repository, and whether it is new."""
    loaded = load(home.projects_yml)
    known = projects_in(require(loaded))
    for slug, project in known.items():
        if project.path == checkout.top or common_of(project.path) == checkout.common:
            if asked not in (None, slug):
                raise Refused(
                    "registered",
                    f"{checkout.top} is registered as `{slug}`, not `{asked}`",
                    run=f"plastic init {shlex.quote(checkout.top)}",
                )
            make_base(home, slug, f"Intents of {slug}")
            return slug, False
    slug = _free(home, checkout, asked, known, loaded)
    make_base(home, slug, f"Intents of {slug}")
    point("init.store")
    entry: Entry = {"path": _shortened(checkout.top)}
    if base is not None:
        entry["base"] = branch
    entry["backlog"] = {"mirror": "files", "region": "local", "base_branch": branch}
    try:
        text = insert(loaded.text, slug, entry)
        data = text.encode("utf-8")
    except ValueError as error:
        line = loaded.lines.get(("projects",), 1)
        raise Refused(
            "config",
            f"{home.projects_yml}:{line}: {error}; add `{slug}` with its `path` by hand",
            run=edit_command(home.projects_yml, line),
        ) from None
    replace(home.projects_yml, data)
    point("init.registered")
    return slug, True


def _free(
    home: Home, checkout: Checkout, asked: str | None, known: dict[str, Project], loaded: Loaded
) -> str:
    """The slug asked for, else one made from the folder's name, with a number when it is taken."""
    wanted = asked or slug_of(checkout.top.rpartition("/")[2]) or "project"
    taken = known.get(wanted)
    if taken is not None and not is_dir(taken.path):
        line = loaded.lines[("projects", wanted, "path")]
        raise Refused(
            "moved",
            f"`{wanted}` is registered at {taken.path}, which is gone; if it moved to "
            f"{checkout.top}, correct its `path`, else choose another name with --project",
            run=edit_command(home.projects_yml, line),
        )
    if asked is not None:
        if taken is None:
            return asked
        raise Refused(
            "slug-taken",
            f"the project `{asked}` is {taken.path}",
            run=f"plastic init {shlex.quote(checkout.top)}",
        )
    number, slug = 1, wanted
    while slug in known or _has_intents(home, slug):
        number += 1
        slug = f"{wanted[:56].rstrip('-')}-{number}"
    return slug


def _has_intents(home: Home, slug: str) -> bool:
    """Whether a store of this name holds work of a repository that is no longer registered."""
    return any(split(name) is not None for name in names(home.store(slug)))


def _shortened(path: str) -> str:
    """The path as people write it, with `~` where it means the same on every machine of theirs."""
    user = os.path.realpath(os.path.expanduser("~"))
    if user != "/" and is_below(path, user) and path != user:
        return "~" + path[len(user) :]
    return path
