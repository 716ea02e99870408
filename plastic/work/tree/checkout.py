"""Which checkout a path belongs to, as `init` registers it: the main one of its repository."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import is_dir
from plastic.disk.git import Git, common_dir, current_branch, default_branch, oid, toplevel
from plastic.disk.gitdir import common_of
from plastic.disk.paths import parent_of, real
from plastic.words import Missing, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADS = "refs/heads/"


class Checkout(NamedTuple):
    """A repository's main checkout and its common directory, both real and absolute."""

    top: str
    common: str


def main_checkout(path: str) -> Checkout:
    """The main checkout of the repository around `path`, a linked worktree or any folder of it."""
    here = real(os.path.abspath(path))
    quoted = shlex.quote(here)
    if not is_dir(here):
        if os.path.exists(here):
            here = parent_of(here)
        else:
            raise Missing(
                "no-path", f"there is no {here}", run=f"ls -d {shlex.quote(parent_of(here))}"
            )
    common = common_dir(here)
    if common is None:
        raise Refused(
            "no-repository",
            f"{here} is not in a git repository",
            run=f"git init {quoted} && plastic init {quoted}",
        )
    for top in candidates(here, common):
        if common_of(top) == common:
            return Checkout(top, common)
    if Git(common).says("rev-parse", "--is-bare-repository") == "true":
        beside = shlex.quote(_beside(common))
        raise Refused(
            "bare",
            f"{common} is a bare repository: it has no checkout to work in",
            run=f"git clone {shlex.quote(common)} {beside} && plastic init {beside}",
        )
    raise Refused(
        "no-main-checkout",
        f"the main checkout of {common} is not to be found from {here}; name it",
        run=f"git -C {shlex.quote(here)} worktree list",
    )


def candidates(here: str, common: str) -> Iterator[str]:
    """Where the main checkout of a repository can be, seen from `here`; each is to be asked."""
    own = Git(here).says("rev-parse", "--path-format=absolute", "--git-dir")
    if own is not None and real(own) == common:
        top = toplevel(here)
        if top is not None:
            yield top
    if common.endswith("/.git"):
        yield parent_of(common)
    # A submodule's repository lies elsewhere and says where its work tree is.
    named = Git(common).says("config", "--file", f"{common}/config", "core.worktree")
    if named:
        yield real(os.path.join(common, named))


def _beside(common: str) -> str:
    name = common.removesuffix(".git").rstrip("/.")
    return name if name != common else f"{common}-checkout"


def base_branch(checkout: Checkout, asked: str | None, remote: str = "origin") -> str:
    """The short name of the branch that items and intents start from.

    What was asked for, else the remote's default branch, else the main checkout's branch.
    """
    git = Git(checkout.top)
    if asked is not None:
        return _known(git, checkout, asked.removeprefix(HEADS), remote)
    found = default_branch(git, remote)
    if found is not None:
        return found.removeprefix(f"refs/remotes/{remote}/")
    current = current_branch(git)
    if current is not None:
        return current.removeprefix(HEADS)
    top = shlex.quote(checkout.top)
    heads = git.read("for-each-ref", "--count=1", "--format=%(refname:short)", HEADS)
    way = f"--base {shlex.quote(heads)}" if heads else ""
    make = "" if heads else f"git -C {top} switch -c main && "
    raise Refused(
        "no-base",
        f"HEAD of {checkout.top} is detached and `{remote}` has no default branch: "
        "name the base branch",
        run=f"{make}plastic init {top} {way}".rstrip(),
    )


def _known(git: Git, checkout: Checkout, branch: str, remote: str) -> str:
    refs = (f"{HEADS}{branch}", f"refs/remotes/{remote}/{branch}")
    unborn = current_branch(git) == refs[0]
    if branch and (unborn or any(oid(git, ref) is not None for ref in refs)):
        return branch
    raise Refused(
        "no-branch",
        f"{checkout.top} has no branch `{branch}`, here or on `{remote}`",
        run=f"git -C {shlex.quote(checkout.top)} branch --all",
    )
