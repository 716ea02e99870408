"""Write a work tree as a commit through an index of our own; the user's index is not touched."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk import files
from plastic.disk.command import again
from plastic.disk.git import ZERO, identity, oid
from plastic.disk.lockedits import date
from plastic.words import Broken
from plastic.work.fence.ref import NO_HOOKS

if TYPE_CHECKING:
    from plastic.disk.git import Git

# States of a half-done git operation whose commits nothing else may hold.
SPECIAL = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD")
EARLIER = 2.0  # seconds
ADD_TIMEOUT = 600.0  # seconds; a large untracked file is hashed once
# What makes a read of the tree depend on daemons or refuse odd line ends.
PLAIN = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.safecrlf=false",
    "-c",
    "advice.addEmbeddedRepo=false",
)


class Salvage(NamedTuple):
    """Where the work is kept, and whether it holds more than what was committed."""

    ref: str
    commit: str
    dirty: bool


class Where(NamedTuple):
    """How git is asked about a worktree: `env` names its parts when its `.git` file is gone."""

    git: Git
    env: dict[str, str]
    folder: str  # of its private files: index, MERGE_HEAD


def snapshot(where: Where, ref: str, message: str, also: list[str]) -> Salvage:
    """Write the work tree as a commit, through an index of our own, and point `ref` at it.

    A salvage that stands there already (a takeover that was tried before) becomes a parent.
    """
    git, env = where.git, where.env
    index = f"{where.folder or env['GIT_DIR']}/plastic.salvage.{os.getpid()}"
    private = {**env, "GIT_INDEX_FILE": index}
    # With a lost `.git` file HEAD would be the main checkout's: the branch stands for it.
    base = git.says("rev-parse", "--verify", "--quiet", "HEAD^{commit}") if not env else None
    head = base or (also[0] if also else None)
    try:
        tree, staged = _tree(git, private, where.folder, index, head)
    finally:
        for name in (index, f"{index}.lock"):
            if files.exists(name):
                files.remove(name)
    only = _staged(where, staged, tree, head)
    return keep_tree(where, ref, message, tree, head, [*also, *only])


def _staged(where: Where, staged: str, tree: str, head: str | None) -> list[str]:
    """A commit of what is staged, where neither HEAD nor the files are the same.

    A file that was staged and then changed or removed is nowhere else. The date is that of HEAD:
    tried again it is the same commit.
    """
    git, env = where.git, where.env
    if staged in ("", tree):
        return []
    date = "1970-01-02T00:00:00Z"
    if head is not None:
        words = ("log", "-1", "--format=%T %ct", head)
        own, _, seconds = git.run(*words, env=env).out.strip().partition(" ")
        if own == staged:
            return []
        date = f"@{seconds} +0000"
    env = {**env, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    return [commit_of(git, staged, _unique([head]), "what was staged\n", env)]


def keep_tree(
    where: Where, ref: str, message: str, tree: str, head: str | None, also: list[str]
) -> Salvage:
    """Point `ref` at a commit of this tree whose parents are HEAD, `also` and what is under way."""
    git, env = where.git, where.env
    old = git.run("rev-parse", "--verify", "--quiet", ref, ok=None, env=env).out.strip() or None
    parents = _unique([head, *also, *_special(where)])
    bare = head is not None and parents == [head]
    clean = bare and tree == git.run("rev-parse", f"{head}^{{tree}}", env=env).out.strip()
    if clean and old is None:
        return point_at(git, ref, head or "", dirty=False, env=env)
    if old is not None and _holds(where, old, tree, parents):
        return Salvage(ref, old, dirty=not clean)
    parents = _unique([*parents, old])
    made = commit_of(git, tree, parents, message + "\n", env)
    return point_at(git, ref, made, dirty=not clean, old=old, env=env)


def commit_of(
    git: Git, tree: str, parents: list[str], message: str, env: dict[str, str] | None = None
) -> str:
    """A commit that keeps something: nobody's hook is asked, and nobody signs it."""
    flags = [word for parent in parents for word in ("-p", parent)]
    words = ("-c", "commit.gpgSign=false", "commit-tree", tree, *flags)
    return git.run(*identity(git), *NO_HOOKS, *words, env=env, stdin=message).out.strip()


def _holds(where: Where, old: str, tree: str, commits: list[str]) -> bool:
    """Whether an earlier salvage has this very tree, and these commits behind it."""
    git, env = where.git, where.env
    if git.run("rev-parse", f"{old}^{{tree}}", env=env).out.strip() != tree:
        return False
    words = ("merge-base", "--is-ancestor")
    return all(git.run(*words, one, old, ok=None, env=env).rc == 0 for one in commits)


def _tree(
    git: Git, env: dict[str, str], folder: str, index: str, head: str | None
) -> tuple[str, str]:
    """The tree of everything that git would track here, and that of the index ("" = none)."""
    real = f"{folder}/index" if folder else ""
    seen = files.lstat(real) if real else None
    data = files.read(real, 1 << 30) if seen is not None else None
    if seen is not None and data is not None:
        # The copy keeps what git knows of unchanged files, so that only changed ones are read.
        # Never younger than the original: git would take an edit of its last moment as known.
        files.replace(index, data, 0o600)
        date(index, seen.st_mtime - EARLIER)
    elif head is not None:
        git.run("read-tree", head, env=env)
    staged = git.run("write-tree", ok=None, env=env).out.strip()  # none amid a conflict
    _see_hidden(git, env)
    git.run(
        *PLAIN,
        *NO_HOOKS,
        "add",
        "--all",
        "--ignore-errors",
        "--",
        ":/",
        ok=(0, 1),
        env=env,
        timeout=ADD_TIMEOUT,
    )
    return git.run("write-tree", env=env).out.strip(), staged


def _see_hidden(git: Git, env: dict[str, str]) -> None:
    """Edits under assume-unchanged are work as well; only our own index looks at them."""
    listed = git.run("ls-files", "-v", "-z", env=env).out.split("\0")
    hidden = [line[2:] for line in listed if line[:1].islower()]
    if hidden:
        names = "".join(f"{name}\0" for name in hidden)
        git.run("update-index", "--no-assume-unchanged", "-z", "--stdin", env=env, stdin=names)


def _special(where: Where) -> list[str]:
    """The commits of a merge, rebase or cherry-pick that is under way."""
    found = []
    for name in SPECIAL if where.folder else ():
        text = files.read_text(f"{where.folder}/{name}") or ""
        found += [word for word in text.split() if oid(where.git, word) is not None]
    return found


def _unique(commits: list[str | None]) -> list[str]:
    return list(dict.fromkeys(one for one in commits if one))


def point_at(
    git: Git,
    ref: str,
    commit: str,
    *,
    dirty: bool,
    old: str | None = None,
    env: dict[str, str] | None = None,
) -> Salvage:
    if old is None:
        found = git.run("rev-parse", "--verify", "--quiet", ref, ok=None, env=env).out.strip()
        if found:
            # What an earlier try has kept stays; its history is not ours to move.
            return Salvage(ref, found, dirty)
    expected = old if old is not None else "0" * len(commit)
    done = git.run(*NO_HOOKS, "update-ref", ref, commit, expected or ZERO, ok=None, env=env)
    if done.rc != 0:
        _require_folder(git, ref, env)
        raise Broken("salvage", f"{ref} cannot be written: {done.err.strip()}", run=again())
    return Salvage(ref, commit, dirty)


def _require_folder(git: Git, ref: str, env: dict[str, str] | None) -> None:
    """Refuse where a ref that somebody made by hand has the name of the folder of our refs."""
    above = ref.rpartition("/")[0]
    found = git.run("rev-parse", "--verify", "--quiet", above, ok=None, env=env).out.strip()
    if found:
        here = f"git -C {shlex.quote(git.cwd)}"
        kept = f"plastic-salvage-{above.rpartition('/')[2]}-{found}"
        raise Broken(
            "salvage-ref",
            f"{above} is a ref, so git can keep nothing below it",
            run=f"{here} branch -f {kept} {found} && {here} update-ref -d {above} {found}",
        )
