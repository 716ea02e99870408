"""Makes a commit object in a user's repository as `git commit` would: identity, hook, signature."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from plastic.disk.files import read_text, replace
from plastic.disk.git import Git, failure
from plastic.disk.scratch import directory
from plastic.disk.tree import remove_tree
from plastic.disk.worktrees import listed
from plastic.words import Broken, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

HOOK_TIMEOUT = 600.0  # seconds
SIGN_TIMEOUT = 120.0  # a pinentry may wait for a person
LONGEST = 1 << 20  # bytes of a message


def seat(common: str) -> Git:
    """git in the main checkout: relative hook paths and per-directory config count from there."""
    git = Git(common)
    first = listed(git)[0]
    return git if first.bare or first.prunable else Git(first.path)


def require_identity(git: Git) -> None:
    """Refuse a commit in somebody's repository without somebody's name."""
    for name in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
        if git.run("var", name, ok=None, quiet=True).rc != 0:
            raise Refused(
                "no-identity",
                f"git does not know who you are in {git.cwd}, so it cannot make a merge commit",
                run=shlex.join(("git", "-C", git.cwd, "config", "user.email", "you@example.com")),
            )


def signs(git: Git) -> bool:
    """Whether commits of this repository are signed."""
    return git.says("config", "--type=bool", "commit.gpgSign") == "true"


def commit(
    common: str,
    tree: str,
    parents: Sequence[str],
    message: str,
    dates: str,
    sign: bool | None = None,  # noqa: FBT001 - the caller's plan knows it by this name
) -> str:
    """The id of a new commit; equal arguments make an equal id where nothing signs or edits.

    `dates` is author and committer date as git reads it (`@SECONDS +0000`), `sign` None = as the
    repository says. Raises Refused when there is no identity or the user's commit-msg hook says no.
    """
    git = seat(common)
    require_identity(git)
    text = _asked(git, message)
    flags = [word for parent in parents for word in ("-p", parent)]
    signed = ("-S",) if (signs(git) if sign is None else sign) else ()
    words = ("commit-tree", *signed, tree, *flags, "-F", "-")
    env = {"GIT_AUTHOR_DATE": dates, "GIT_COMMITTER_DATE": dates}
    done = git.run(*words, ok=None, env=env, stdin=text, timeout=SIGN_TIMEOUT)
    if done.rc == 0:
        return done.out.strip()
    if signed:
        raise Broken(
            "signing",
            f"the merge commit cannot be signed: {done.tail(1)}",
            run=shlex.join(("git", "-C", git.cwd, "config", "user.signingKey")),
        )
    raise failure(git.cwd, words, done)


def _asked(git: Git, message: str) -> str:
    """The message as the user's commit-msg hook leaves it."""
    folder = directory("plastic-message-")
    path = f"{folder}/COMMIT_EDITMSG"
    try:
        replace(path, message.encode("utf-8", "surrogateescape"))
        words = ("hook", "run", "--ignore-missing", "commit-msg", "--", path)
        done = git.run(*words, ok=None, timeout=HOOK_TIMEOUT)
        text = read_text(path, LONGEST) or ""
    finally:
        remove_tree(folder)
    if done.rc != 0:
        raise _refused(git, done.tail(3) or f"it ended with {done.rc}")
    text = git.run("stripspace", stdin=text).out
    if not text:  # as `git commit` refuses it
        raise _refused(git, "it leaves no message")
    return text


def _refused(git: Git, said: str) -> Refused:
    return Refused(
        "commit-msg",
        f"the commit-msg hook of {git.cwd} refuses the merge message: {said}",
        run=shlex.join(("git", "-C", git.cwd, "rev-parse", "--git-path", "hooks/commit-msg")),
    )
