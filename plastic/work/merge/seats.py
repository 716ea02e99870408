"""Where a base branch is checked out, and whether some operation of git holds it there."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from plastic.disk.command import look_command
from plastic.disk.files import exists, is_dir, names, read_text
from plastic.disk.git import Git, is_root
from plastic.disk.paths import real
from plastic.disk.worktrees import listed
from plastic.words import Refused
from plastic.work.merge.underway import UNDER_WAY
from plastic.work.tree.base import HEADS

# Files of an operation that will move the branch when it ends, though HEAD is detached meanwhile.
HOLDERS = {
    "rebase-merge/head-name": "a rebase",
    "rebase-apply/head-name": "a rebase",
    "rebase-merge/update-refs": "a rebase",
    "BISECT_START": "a bisection",
}


class Seat(NamedTuple):
    """A checkout: `folder` is its own git directory, where index and HEAD are."""

    git: Git
    path: str
    folder: str

    def command(self, *words: str) -> str:
        """A git command there, ready to paste."""
        return shlex.join(("git", "-C", self.path, *words))

    def aside(self, name: str) -> str:
        """The command that gives one file another name."""
        path = shlex.quote(f"{self.path}/{name}")
        return f"mv {path} {path}.aside"


def seats(common: str, base_ref: str) -> list[str]:
    """The real paths of all checkouts of a branch, missing ones included."""
    return [real(one.path) for one in listed(Git(common)) if one.branch == base_ref]


def seat_at(path: str) -> Seat:
    """The checkout at a path; Refused when it is not there, since it would come back outdated.

    Of a directory that lost its `.git` file git speaks as of the repository around it.
    """
    if not is_root(path):
        gone = "nothing is there" if not is_dir(path) else "it has lost its .git file"
        raise Refused(
            "checkout-missing",
            f"the base is checked out at {path}, but {gone}",
            run=look_command(path),
        )
    git = Git(path)
    return Seat(git, path, git.read("rev-parse", "--absolute-git-dir"))


def operation(folder: str) -> str | None:
    """The half-done operation of git in one checkout, in words."""
    return next((what for name, what in UNDER_WAY.items() if exists(f"{folder}/{name}")), None)


def holder(common: str, base_ref: str) -> tuple[str, str] | None:
    """(what, git directory) of a rebase or bisection, in any checkout, that began on the base."""
    linked = [f"{common}/worktrees/{name}" for name in names(f"{common}/worktrees")]
    wanted = {base_ref, base_ref.removeprefix(HEADS)}
    for folder in (common, *linked):
        for name, what in HOLDERS.items():
            if wanted & set((read_text(f"{folder}/{name}") or "").split("\n")):
                return what, folder
    return None


def require_free(common: str, base_ref: str) -> None:
    """Refuse while a rebase or bisection will put the base back to where it thinks it is."""
    held = holder(common, base_ref)
    if held is None:
        return
    what, folder = held
    dot = read_text(f"{folder}/gitdir")
    path = dot.rstrip("\n").removesuffix("/.git") if dot else common.removesuffix("/.git")
    short = base_ref.removeprefix(HEADS)
    raise Refused(
        "base-under-way",
        f"{what} of {short} is under way in {path}; finish or abort it first",
        run=shlex.join(("git", "-C", path, "status")),
    )
