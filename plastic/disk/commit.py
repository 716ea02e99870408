"""Scoped commit: puts named paths of the home, and nothing else, into its git history.

A commit is built beside the user's index, from HEAD's tree, so that whatever other people have
staged or left half written is neither committed nor unstaged. Only afterwards are exactly these
paths refreshed in the real index.
"""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING

from plastic.disk.command import again
from plastic.disk.files import remove
from plastic.disk.git import ZERO, Git, failure, identity, oid
from plastic.disk.locks import home_guard
from plastic.disk.paths import is_below, real
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plastic.disk.home import Home

ATTEMPTS = 20  # somebody's own `git commit` may move HEAD between our look and our write
INDEX_ATTEMPTS = 20  # 50 ms apart: a git command holds index.lock about that long
# Files of ours that no commit may carry, whatever the home's .gitignore has become.
NEVER = (
    "delivery.lock",
    "delivery.token",
    "delivery.write.lock",
    ".claims/",
    ".end.json",
    ".delivery.*",
    ".index.guard",
    ".home.guard",
)
# The home's own rules only: a person's global ignore file must not hide documents.
_IGNORED = ("--exclude-per-directory=.gitignore", *(f"--exclude={name}" for name in NEVER))
# No hooks, no rewriting of line ends: the home is ours, and its bytes are its users'.
_PLAIN = (
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.autocrlf=false",
    "-c",
    "core.safecrlf=false",
)
_LITERAL = {"GIT_LITERAL_PATHSPECS": "1"}


def scoped_commit(home: Home, paths: Sequence[str], message: str) -> str | None:
    """Commit the state of these paths (files or directories of the home).

    The new commit's id, or None when HEAD has that state already. Ignored files stay out.
    """
    scope = [_relative(home, path) for path in paths]
    git = Git(home.root)
    index = require_repository(home) + "/plastic.index"
    with home_guard(home):
        try:
            for _ in range(ATTEMPTS):
                done, commit = _attempt(git, index, scope, message)
                if done:
                    return commit
        finally:
            _discard(index)
    raise Broken(
        "home-moving", f"HEAD of {home.root} kept moving; nothing was committed", run=again()
    )


def require_repository(home: Home) -> str:
    """The home's git directory; Broken for a home that nothing can be committed into."""
    words = ("rev-parse", "--path-format=absolute", "--git-dir", "--show-toplevel")
    done = Git(home.root).run(*words, ok=None, quiet=True)
    folder, _, top = done.out.rstrip("\n").partition("\n")
    if done.rc == 0 and real(top) == home.root:
        return folder
    if "dubious ownership" in done.err:  # it is one, of another user
        raise failure(home.root, words, done)
    raise Broken(
        "home-git",
        f"the home {home.root} is no git repository of its own",
        run=shlex.join(("git", "init", "-q", "-b", "main", home.root)),
    )


def _relative(home: Home, path: str) -> str:
    found = real(path)
    if not is_below(found, home.root) or found == home.root:
        raise Broken("not-in-home", f"{path} does not lie in the home {home.root}")
    return found[len(home.root) + 1 :]


def _attempt(git: Git, index: str, scope: list[str], message: str) -> tuple[bool, str | None]:
    """One commit upon the HEAD of now; (False, None) when HEAD moved meanwhile."""
    parent, before = _head(git)
    private = {"GIT_INDEX_FILE": index, **_LITERAL}
    _discard(index)
    git.run("read-tree", parent or "--empty", env=private)
    names = _names(git, private, scope)
    _update(git, names, private, ok=(0,))
    tree = git.run("write-tree", env=private).out.strip()
    if tree == before or (parent is None and not names):
        refresh(git, names)
        return True, None
    parents = ("-p", parent) if parent else ()
    words = ("commit-tree", tree, *parents, "-F", "-")
    made = git.run(*words, stdin=message + "\n", ok=None)
    who: tuple[str, ...] = ()
    if made.rc != 0:  # the user may have no name: asking first would be two more processes
        who = identity(git)
        made = git.run(*who, *words, stdin=message + "\n")
    commit = made.out.strip()
    line = "plastic: " + message.partition("\n")[0]
    moved = git.run(
        *_PLAIN, *who, "update-ref", "-m", line, "HEAD", commit, parent or ZERO, ok=None
    )
    if moved.rc != 0:
        if oid(git, "HEAD") == parent:
            raise failure(git.cwd, ("update-ref", "HEAD", commit), moved)
        return False, None
    refresh(git, names)
    return True, commit


def _head(git: Git) -> tuple[str | None, str | None]:
    """The commit and the tree of HEAD; None twice before the first commit.

    HEAD may move between the two: then the tree is that of the newer commit, so it still says
    truly that nothing is to be done, and whatever is committed upon the older one is refused.
    """
    seen = (git.says("rev-parse", "--quiet", "HEAD^{commit}", "HEAD^{tree}") or "").split()
    return (seen[0], seen[1]) if len(seen) == 2 else (None, None)


def _names(git: Git, private: dict[str, str], scope: list[str]) -> list[bytes]:
    """Every path of the scope that is in HEAD or on disk, without what is ignored."""
    listed = git.raw("ls-files", "-z", "--cached", "--others", *_IGNORED, "--", *scope, env=private)
    ignored = git.raw(
        "ls-files", "-z", "--cached", "--ignored", *_IGNORED, "--", *scope, env=private
    )
    never = set(ignored.split(b"\0"))
    # A trailing slash is a repository in a repository: somebody's clone, not a document.
    return [
        name
        for name in dict.fromkeys(listed.split(b"\0"))
        if name and name not in never and not name.endswith(b"/")
    ]


def _update(git: Git, names: list[bytes], env: dict[str, str], ok: tuple[int, ...] | None) -> bool:
    if not names:
        return True
    done = git.run(
        *_PLAIN,
        "update-index",
        "--add",
        "--remove",
        "--replace",
        "-z",
        "--stdin",
        env=env,
        stdin=b"".join(name + b"\0" for name in names),
        ok=ok,
    )
    return done.rc == 0


def refresh(git: Git, names: list[bytes]) -> None:
    """Tell the real index what was committed; it is only waited for as long as git takes.

    When that fails, the next scoped commit of the same paths does it: nothing is lost meanwhile,
    `git status` merely shows a difference.
    """
    for _ in range(INDEX_ATTEMPTS):
        if _update(git, names, {}, ok=None):
            return
        time.sleep(0.05)


def _discard(index: str) -> None:
    remove(index)
    remove(index + ".lock")
