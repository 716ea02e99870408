"""A directory to merge in: no checkout of a person decides over a merge, only what is committed.

Git reads attributes from the files of the directory it runs in. There they may be edited, or of
another branch; in the git directory itself there are none.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import make_dirs, replace
from plastic.disk.git import Git
from plastic.disk.paths import parent_of
from plastic.disk.scratch import directory
from plastic.disk.tree import remove_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

ATTRIBUTES = ".gitattributes"


class Place(NamedTuple):
    """Where git is to run, and the variables that it needs there."""

    git: Git
    env: dict[str, str]


@contextmanager
def attributes_of(common: str, commit: str) -> Iterator[Place]:
    """A work tree that holds the `.gitattributes` files of one commit, and nothing else."""
    folder = directory("plastic-merge-")
    try:
        _fill(common, commit, folder)
        yield Place(Git(folder), {"GIT_DIR": common, "GIT_WORK_TREE": folder})
    finally:
        remove_tree(folder)


def _fill(common: str, commit: str, folder: str) -> None:
    git = Git(common)
    for entry in git.raw("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
        head, _, name = entry.partition(b"\t")
        if name.rpartition(b"/")[2] != ATTRIBUTES.encode():
            continue
        mode, _, oid = head.decode().split(" ")
        if mode.startswith("100"):  # git follows no link to attributes
            path = f"{folder}/{name.decode('utf-8', 'surrogateescape')}"
            make_dirs(parent_of(path))
            replace(path, git.raw("cat-file", "blob", oid))


@contextmanager
def no_attributes(common: str) -> Iterator[Place]:
    """A git directory that borrows the objects: no driver, no config of the repository can lie.

    What is computed there leaves nothing behind in the repository.
    """
    folder = directory("plastic-proof-")
    try:
        git = Git(common)
        kind = git.read("rev-parse", "--show-object-format")
        store = git.read("rev-parse", "--path-format=absolute", "--git-path", "objects")
        own = f"{folder}/git"
        git.run("init", "-q", "--bare", "--template=", f"--object-format={kind}", own)
        make_dirs(f"{folder}/tree")
        env = {
            "GIT_DIR": own,
            "GIT_WORK_TREE": f"{folder}/tree",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quoted(store),
            "GIT_SHALLOW_FILE": f"{common}/shallow",
            "GIT_NO_REPLACE_OBJECTS": "1",
        }
        yield Place(Git(f"{folder}/tree"), env)
    finally:
        remove_tree(folder)


def _quoted(path: str) -> str:
    """The variable is a list with `:` between its entries; git reads C quotes in it."""
    if ":" not in path and '"' not in path:
        return path
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
