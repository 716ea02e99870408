"""Keep the uncommitted work of a worktree as a commit before its lock changes hands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk import files
from plastic.disk.command import again
from plastic.disk.git import ZERO, Git, common_dir, identity, is_root, oid
from plastic.rules.names import WORKTREES, branch
from plastic.words import Broken
from plastic.work.fence import NO_HOOKS

if TYPE_CHECKING:
    from plastic.words import Intent, LockView

# States of a half-done git operation whose commits nothing else may hold.
SPECIAL = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD")
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


def ref_of(intent: Intent, token: int) -> str:
    """The ref of what the holder of this token had in the worktree."""
    return f"refs/plastic/salvage/{intent.id}/{token}"


def tree_of(intent: Intent, view: LockView, repo: str) -> str:
    """The worktree's path: as the lock says, else where plastic makes it."""
    tree = view.lock.raw.get("worktree") if view.lock is not None else None
    path = tree.get("path") if isinstance(tree, dict) else None
    if isinstance(path, str) and path.startswith("/"):
        return path
    return f"{repo.rstrip('/')}/{WORKTREES}/{intent.name}"


def keep(repo: str | None, intent: Intent, view: LockView, token: int) -> Salvage | None:
    """Keep the state of the intent's worktree under its old token; None when there is nothing.

    Tracked and untracked files, not ignored ones: they stay where they are, as everything does.
    """
    if repo is None:
        return None
    path = tree_of(intent, view, repo)
    ref = ref_of(intent, token)
    tip = oid(Git(repo), f"refs/heads/{branch(intent.name)}")
    where = _worktree(repo, path)
    if where is None:
        return _point(Git(repo), ref, tip, dirty=False) if tip is not None else None
    message = f"plastic: what {intent.name} held under token {token}"
    _keep_submodules(where, path, ref, message)
    return snapshot(where, ref, message, [tip] if tip is not None else [])


def _keep_submodules(where: Where, path: str, ref: str, message: str) -> None:
    """The same ref in every submodule that is checked out: a commit of ours names its HEAD only."""
    entries = where.git.run("ls-files", "--stage", "-z", env=where.env).out.split("\0")
    for entry in entries if where.folder else ():
        inner = f"{path}/{entry.partition(chr(9))[2]}"
        if entry.startswith("160000 ") and is_root(inner):
            git = Git(inner)
            folder = git.read("rev-parse", "--path-format=absolute", "--git-dir")
            below = Where(git, {}, folder)
            _keep_submodules(below, inner, ref, message)
            if oid(git, "HEAD") is not None:
                snapshot(below, ref, message, [])


class Where(NamedTuple):
    """How git is asked about a worktree: `env` names its parts when its `.git` file is gone."""

    git: Git
    env: dict[str, str]
    folder: str  # of its private files: index, MERGE_HEAD


def _worktree(repo: str, path: str) -> Where | None:
    if not os.path.isdir(path):
        return None
    if is_root(path):
        git = Git(path)
        return Where(git, {}, git.read("rev-parse", "--path-format=absolute", "--git-dir"))
    if not os.listdir(path):
        return None
    common = common_dir(repo)
    if common is None:
        return None
    # The files are there but their `.git` is not: read them as a work tree of the repository.
    env = {"GIT_DIR": common, "GIT_WORK_TREE": path}
    return Where(Git(path), env, "")


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
        tree = _tree(git, private, where.folder, index, head)
    finally:
        for name in (index, f"{index}.lock"):
            if files.exists(name):
                files.remove(name)
    old = git.run("rev-parse", "--verify", "--quiet", ref, ok=None, env=env).out.strip() or None
    parents = _unique([head, *also, *_special(where)])
    bare = head is not None and parents == [head]
    clean = bare and tree == git.run("rev-parse", f"{head}^{{tree}}", env=env).out.strip()
    if clean and old is None:
        return _point(git, ref, head or "", dirty=False, env=env)
    if old is not None and git.run("rev-parse", f"{old}^{{tree}}", env=env).out.strip() == tree:
        return Salvage(ref, old, dirty=not clean)
    parents = _unique([*parents, old])
    flags = [word for parent in parents for word in ("-p", parent)]
    named = identity(git)
    made = git.run(
        *named,
        *NO_HOOKS,
        "-c",
        "commit.gpgSign=false",
        "commit-tree",
        tree,
        *flags,
        env=env,
        stdin=message + "\n",
    )
    return _point(git, ref, made.out.strip(), dirty=not clean, old=old, env=env)


def _tree(git: Git, env: dict[str, str], folder: str, index: str, head: str | None) -> str:
    """The tree of everything that git would track here, staged in the private index."""
    real = f"{folder}/index" if folder else ""
    data = files.read(real, 1 << 30) if real and files.exists(real) else None
    if data is not None:
        # The copy keeps what git knows of unchanged files, so that only changed ones are read.
        files.replace(index, data, 0o600)
    elif head is not None:
        git.run("read-tree", head, env=env)
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
    return git.run("write-tree", env=env).out.strip()


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


def _point(
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
        raise Broken("salvage", f"{ref} cannot be written: {done.err.strip()}", run=again())
    return Salvage(ref, commit, dirty)
