"""`plastic salvage`: what takeovers, removals and End have kept, and the way back to it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.checkout import checkout, filling
from plastic.disk.clock import iso
from plastic.disk.command import again
from plastic.disk.failpoints import point
from plastic.disk.files import exists
from plastic.disk.git import oid
from plastic.disk.journal import note as journal
from plastic.disk.locks import repo_guard
from plastic.disk.worktrees import ADD_TIMEOUT, admin_dir, exclude, has_index, listed
from plastic.rules.intent.names import WORKTREES
from plastic.words import Broken, Missing, Usage
from plastic.work.fence.ref import NO_HOOKS
from plastic.work.intent.shelf import require_home
from plastic.work.tree.base import HEADS
from plastic.work.tree.orphans import yards
from plastic.work.tree.reflogs import SUFFIX

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.git import Git
    from plastic.disk.home import Home
    from plastic.work.tree.orphans import Yard

REFS = "refs/plastic/salvage/"
FORMAT = "%(refname)%00%(objectname)%00%(committerdate:unix)%00%(parent)%00%(contents:subject)"
PREFIX = "salvage/"


class Kept(NamedTuple):
    """One salvage: `files` are those that differ from the commit it was taken on."""

    yard: Yard
    ref: str
    commit: str
    at: int
    parents: tuple[str, ...]
    subject: str
    files: tuple[str, ...]

    @property
    def name(self) -> str:
        """`<id>/<token>`: how the verbs call it."""
        return self.ref.removeprefix(REFS)

    @property
    def is_snapshot(self) -> bool:
        """Whether it holds uncommitted work; else it only keeps a branch's tip."""
        return self.subject.startswith("plastic: ")

    def shown(self) -> dict[str, Any]:
        """As `--json` prints it."""
        id = self.name.partition("/")[0]
        names = [name for name in self.yard.intents if name.partition("--")[0] == id]
        return {
            "project": self.yard.project.slug,
            "salvage": self.name,
            "ref": self.ref,
            "intent": id,
            "name": names[0] if names else None,
            "commit": self.commit,
            "at": iso(self.at),
            "uncommitted": self.is_snapshot,
            "files": list(self.files),
        }


def kept(home: Home, project: str | None = None, id: str | None = None) -> list[Kept]:
    """Every salvage of the registered repositories, the newest first; of one intent, if named."""
    require_home(home)
    found = []
    for yard in yards(home, project):
        pattern = f"{REFS}{id}/" if id is not None else REFS
        text = yard.git.read("for-each-ref", f"--format={FORMAT}", pattern)
        for line in text.splitlines():
            ref, commit, at, parents, subject = line.split("\0", 4)
            made = Kept(yard, ref, commit, int(at), tuple(parents.split()), subject, ())
            found.append(made._replace(files=tuple(_files(yard.git, made))))
    return sorted(found, key=lambda one: (-one.at, one.ref))


def _files(git: Git, one: Kept) -> list[str]:
    if not one.is_snapshot or not one.parents:
        return []
    words = ("diff-tree", "-r", "-z", "--no-renames", "--name-only", one.parents[0], one.commit)
    return [name for name in git.raw(*words).decode("utf-8", "surrogateescape").split("\0") if name]


def one_named(home: Home, text: str) -> Kept:
    """The salvage that `<id>/<token>`, an id or a full ref names."""
    wanted = text.removeprefix(REFS).strip("/")
    id = wanted.partition("/")[0]
    found = kept(home, id=id) if id and "*" not in id and "[" not in id else []
    if "/" in wanted:
        found = [one for one in found if one.name == wanted]
    if len(found) == 1:
        return found[0]
    if not found:
        raise Missing("no-salvage", f"nothing is kept as {text!r}", run="plastic salvage list")
    names = ", ".join(one.name for one in found)
    raise Usage("ambiguous", f"{text!r} names {len(found)}: {names}", run="plastic salvage list")


def show(home: Home, text: str) -> dict[str, Any]:
    """One salvage with the commits that only it has, its file statistics and its diff."""
    one = one_named(home, text)
    git = one.yard.git
    before = one.parents[0] if one.is_snapshot and one.parents else one.commit
    tips = one.parents if one.name.endswith(SUFFIX) else (before,)
    words = ("--oneline", *tips, "--not", "--branches", "--remotes", "--tags", "--")
    span = (before, one.commit, "--")
    plain = ("diff", "--no-ext-diff", "--no-color", "--no-renames")
    return {
        **one.shown(),
        "commits": git.read("log", "--no-decorate", *words).splitlines(),
        "stat": git.read(*plain, "--stat=80", *span),
        "diff": git.raw(*plain, "--binary", *span, timeout=120.0).decode("utf-8", "replace"),
    }


def restore(
    home: Home, text: str, say: Callable[[str], None], *, with_worktree: bool = False
) -> dict[str, Any]:
    """Bring a salvage back on a new branch; nothing that exists is changed, the salvage stays.

    Run again it answers with the same branch and completes the worktree.
    """
    one = one_named(home, text)
    with repo_guard(one.yard.site.common):
        branch = _branch(one)
        path = _registered(one, branch) if with_worktree else None
    if path is not None:
        _fill(one, path, say)
    fields = {"intent": one.name.partition("/")[0], "salvage": one.ref, "branch": branch}
    journal(home, "salvage-restored", **fields, path=path)
    return {**one.shown(), "branch": branch, "path": path}


def _branch(one: Kept) -> str:
    """A branch at the salvage: a name that is free, or has this very commit already."""
    git, turn = one.yard.git, 1
    id, _, token = one.name.partition("/")
    while True:
        short = f"{PREFIX}{id}-{token}" + (f"-{turn}" if turn > 1 else "")
        there = oid(git, f"{HEADS}{short}")
        if there == one.commit:
            return short
        if there is None:
            line = f"create {HEADS}{short} {one.commit}\n"
            done = git.run(*NO_HOOKS, "update-ref", "--stdin", stdin=line, ok=None)
            if done.rc == 0:
                point("salvage.branch")
                return short
            if oid(git, f"{HEADS}{short}") is None:
                raise _blocked(git, short, done.tail(1))
        turn += 1


def _blocked(git: Git, short: str, why: str) -> Broken:
    """A branch that is called like our folder: git cannot have both."""
    folder = PREFIX.rstrip("/")
    if oid(git, f"{HEADS}{folder}") is not None:
        run = f"git -C {shlex.quote(git.cwd)} branch -m {folder} {folder}-old"
        return Broken("branch-conflict", f"a branch named `{folder}` is in the way", run=run)
    return Broken("branch-refused", f"{short} cannot be made: {why}", run=again())


def _registered(one: Kept, branch: str) -> str:
    """A worktree of this branch: the one it has, else a new one in a free place."""
    git, site = one.yard.git, one.yard.site
    for entry in listed(git):
        if entry.branch == f"{HEADS}{branch}":
            return entry.path
    exclude(site.common)
    base = f"{site.root}/{WORKTREES}/{branch.replace('/', '-')}"
    path, turn = base, 1
    while exists(path):
        turn += 1
        path = f"{base}-{turn}"
    words = ("worktree", "add", "--no-checkout", "--", path, branch)
    git.run(*words, timeout=ADD_TIMEOUT)
    point("salvage.added")
    return path


def _fill(one: Kept, path: str, say: Callable[[str], None]) -> None:
    admin = admin_dir(one.yard.site.common, path)
    if admin is None or has_index(admin):
        return
    with filling(admin, say) as held:
        if not has_index(admin):
            checkout(path, admin, held, say)
