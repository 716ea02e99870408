"""A member's branch beside its grouping's: where to work, and whether what there is fits."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from plastic.disk.git import Git
from plastic.rules.backlog.grouping import branch, conflict, member_branch
from plastic.rules.intent.names import BRANCH_PREFIX
from plastic.words import Refused

if TYPE_CHECKING:
    from plastic.rules.backlog.items import Item
    from plastic.work.backlog.place import Backlog


def proposed(item: Item) -> str:
    """The name for a branch of this member; "" for what is in no grouping."""
    return member_branch(item.base, item.id) if item.part_of and item.base else ""


def judged(backlog: Backlog, item: Item) -> dict[str, str] | None:
    """What is wrong with the branch that a member's resume block names; None: nothing, or none.

    An intent's branch has a name of its own: that is no nit.
    """
    name = item.location
    if not item.part_of or not item.base or not name:
        return None
    git = Git(backlog.project.path)
    tip = next(iter(backlog.tips(name)), None)
    if tip is None:
        return None
    base = next(iter(backlog.tips(item.base)), item.base)
    ancestor = git.run("merge-base", "--is-ancestor", base, tip, ok=None).rc
    found = branch(item.base, name, None, ancestor)
    if found.verdict == "ok" or (found.verdict == "nit" and name.startswith(BRANCH_PREFIX)):
        return None
    return found._asdict()


def require_room(backlog: Backlog, base: str | None) -> None:
    """Refuse the branch of a grouping that git cannot hold beside one that is there."""
    words = ("--format=%(refname:lstrip=2)", "refs/heads/")
    names = Git(backlog.project.path).read("for-each-ref", *words).splitlines()
    other = conflict(names, base) if base else None
    if other is not None:
        text = f"git cannot hold the branch {base} beside {other}: a name is a file or a folder"
        run = shlex.join(("git", "-C", backlog.project.path, "branch", "--list"))
        raise Refused("branch-nested", text, run=run)
