"""A change of the home in a worktree of its own: made beside everybody's files, merged back.

The branch of a change is deleted last. As long as it is there the change is not finished, and
whoever holds the intent's guard finishes it or throws it away.
"""

from __future__ import annotations

import errno
import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk import bridges
from plastic.disk.atomic import swap
from plastic.disk.command import again
from plastic.disk.commit import refresh
from plastic.disk.failpoints import point
from plastic.disk.files import is_regular, lstat, make_dirs, publish, read, remove, replace
from plastic.disk.git import Git, identity, oid
from plastic.disk.paths import parent_of
from plastic.disk.worktrees import ADD_TIMEOUT, listed
from plastic.words import Broken, Refused

if TYPE_CHECKING:
    from plastic.disk.home import Home

PREFIX = "maintain/"
TRAILER = "Plastic-Maintain"
LIMIT = 64 << 20  # bytes of one document
_PLAIN = (
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.autocrlf=false",
    "-c",
    "core.safecrlf=false",
    "-c",
    "commit.gpgSign=false",
)


class Change(NamedTuple):
    """One file of a change, relative to the home; None = it is not there.

    `runs` = a file that is added is a program; one that is changed keeps its mode.
    """

    path: str
    before: bytes | None
    after: bytes | None
    runs: bool = False

    @property
    def mode(self) -> int:
        """The mode of a new file."""
        return 0o777 if self.runs else 0o666


def ref_of(name: str) -> str:
    """The branch of the change of one intent."""
    return f"refs/heads/{PREFIX}{name}"


def content(git: Git, commit: str, path: str) -> bytes | None:
    """A file as a commit has it."""
    line = git.raw("ls-tree", "-z", "--full-tree", commit, "--", path)
    blob = line.split(b"\t")[0].split()[2:3] if line.startswith(b"100") else []
    return git.raw("cat-file", "blob", blob[0].decode()) if blob else None


def build(home: Home, name: str, base: str, changes: list[Change], message: str) -> str:
    """The change as one commit on a fresh branch, made in a worktree of its own."""
    git = Git(home.root)
    folder = bridges.directory(os.environ)
    if not bridges.make(folder):
        raise Broken(
            "tmp-unusable",
            f"{folder} is not a private directory of this user",
            run=f"ls -ld {shlex.quote(folder)}",
        )
    path = f"{folder}/maintain-{name}-{os.getpid()}"
    branch = f"{PREFIX}{name}"
    words = ("worktree", "add", "-q", "--no-checkout", "--no-track", "-b", branch, "--", path, base)
    git.run(*_PLAIN, *words, timeout=ADD_TIMEOUT)
    point("maintain.worktree")
    inner = Git(path)
    inner.run("read-tree", base)
    for one in changes:
        if one.after is not None:
            make_dirs(parent_of(f"{path}/{one.path}"))
            replace(f"{path}/{one.path}", one.after, _mode(home, one))
    names = b"".join(os.fsencode(one.path) + b"\0" for one in changes)
    stage = ("update-index", "--add", "--remove", "-z", "--stdin")
    inner.run(*_PLAIN, *stage, stdin=names)
    point("maintain.staged")
    who = identity(inner)
    inner.run(*_PLAIN, *who, "commit", "-q", "--no-verify", "-F", "-", stdin=message)
    point("maintain.committed")
    return inner.read("rev-parse", "HEAD")


def pending(home: Home, name: str) -> tuple[str, str] | None:
    """Tip and mark of a change that was killed on its way; None when there is none."""
    git = Git(home.root)
    tip = oid(git, ref_of(name))
    if tip is None:
        return None
    mark = git.read("log", "-1", f"--format=%(trailers:key={TRAILER},valueonly)", tip, "--")
    return tip, mark


def changes_of(home: Home, tip: str) -> list[Change]:
    """What the commit of a change does; nothing when it is none of ours."""
    git = Git(home.root)
    paths = git.paths("diff-tree", "-r", "-z", "--no-renames", "--name-only", f"{tip}^", tip)
    return [
        Change(path, content(git, f"{tip}^", path), content(git, tip, path), _runs(git, tip, path))
        for path in paths
    ]


def _runs(git: Git, commit: str, path: str) -> bool:
    line = git.raw("ls-tree", "-z", "--full-tree", commit, "--", path)
    return line.startswith(b"100755")


def _mode(home: Home, one: Change) -> int:
    """The mode of a file in the change: as it is, or as it is to become."""
    seen = lstat(f"{home.root}/{one.path}")
    return one.mode if seen is None else seen.st_mode & 0o777


def write(home: Home, changes: list[Change]) -> str | None:
    """Bring the user's files to the new state; the first that somebody changed, None when all are.

    Each is replaced only while it is what the change was made from. The entry in revisions.md goes
    first: an entry without its change says more than a change without its entry.
    """
    done: list[Change] = []
    for one in changes:
        if not _written(home, one):
            for back in reversed(done):
                _written(home, Change(back.path, back.after, back.before, back.runs))
            return one.path
        done.append(one)
        point("maintain.written")
    return None


def _written(home: Home, one: Change) -> bool:
    path = f"{home.root}/{one.path}"
    seen = lstat(path)
    there = now(home, one.path)
    if there == one.after:
        return True
    if there != one.before:
        return False
    if one.after is None:
        return remove(path)
    if seen is None:
        make_dirs(parent_of(path))
        return publish(path, one.after, one.mode)
    return swap(path, one.after, seen)


def merge(home: Home, name: str, tip: str, changes: list[Change]) -> str | None:
    """Merge a change into the home's branch, never as a fast-forward; None = not possible as is.

    The caller holds the home's guard. A `git commit` of a person meanwhile is no conflict.
    """
    git = Git(home.root)
    message = f"Merge maintenance of {name}"
    names = [os.fsencode(one.path) for one in changes]
    for _ in range(20):
        head = git.read("rev-parse", "HEAD")
        if git.run("merge-base", "--is-ancestor", tip, head, ok=None).rc == 0:
            refresh(git, names)
            return head
        words = ("merge-tree", "--write-tree", "--no-messages", head, tip)
        tree = git.run(*words, ok=(0, 1))
        if tree.rc != 0:
            return None
        who = identity(git)
        made = git.run(
            *who, *_PLAIN, "commit-tree", tree.out.strip(), "-p", head, "-p", tip, stdin=message
        ).out.strip()
        line = f"plastic: {message}"
        if git.run(*_PLAIN, *who, "update-ref", "-m", line, "HEAD", made, head, ok=None).rc == 0:
            point("maintain.merged")
            refresh(git, names)
            return made
    raise Broken("home-moving", f"HEAD of {home.root} kept moving", run=again())


def discard(home: Home, name: str) -> None:
    """Take worktree and branch away, the branch last; nothing in them is anybody's work."""
    git = Git(home.root)
    for entry in listed(git):
        if entry.branch == ref_of(name):
            git.run("worktree", "remove", "-f", "-f", "--", entry.path, timeout=ADD_TIMEOUT)
    point("maintain.removed")
    tip = oid(git, ref_of(name))
    if tip is not None:
        git.run(*_PLAIN, "update-ref", "-d", ref_of(name), tip)


def now(home: Home, path: str) -> bytes | None:
    """A file of the home as it is on disk; None when it is not there."""
    full = f"{home.root}/{path}"
    if not is_file(full):
        return None
    try:
        return read(full, LIMIT)
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        quoted, folder = shlex.quote(full), shlex.quote(f"{parent_of(full)}/resources")
        raise Refused(
            "too-large",
            f"{full} is larger than {LIMIT >> 20} MB, too large for a document under maintenance; "
            "move it by hand",
            run=f"mkdir -p {folder} && mv -n {quoted} {folder}",
        ) from None


def is_there(home: Home, one: Change) -> bool:
    """Whether a file of the home is as the change leaves it."""
    return now(home, one.path) == one.after


def is_file(path: str) -> bool:
    """Whether a regular file has this name."""
    seen = lstat(path)
    return seen is not None and is_regular(seen)
