"""Which repository a path lies in, from the files of the path alone: hooks cannot wait for git."""

from __future__ import annotations

from plastic.disk.files import MODE_TYPE, REGULAR, exists, is_dir, read, stat
from plastic.disk.paths import join, parent_of, real
from plastic.rules.gates.table import is_code

_LIMIT = 64 * 1024  # bytes of a `.git` file
_LONGEST = 4096  # characters; nothing below a longer path exists


def find(path: str) -> tuple[str, str] | None:
    """(root of the work tree, real common directory) of a real absolute path; None outside any.

    The deepest `.git` wins, as for git. A linked worktree's and a submodule's `.git` is a file
    that names the git directory; that one's `commondir` leads to the shared one.
    """
    if len(path) > _LONGEST:
        path = parent_of(path[:_LONGEST])
    while True:
        common = common_of(path)
        if common is not None:
            return path, common
        if path == "/":
            return None
        path = parent_of(path)


def common_of(root: str) -> str | None:
    """The real common directory behind `<root>/.git`; None when that is no git directory."""
    try:
        own = git_dir(root)
        if not own:
            return None
        shared = _line(f"{own}/commondir")
        common = real(join(own, shared)) if shared else own
        # As git judges a git directory: these three, or it is an empty folder of that name.
        known = is_dir(f"{common}/objects") and is_dir(f"{common}/refs")
        return common if known and stat(f"{own}/HEAD") is not None else None
    except (OSError, ValueError):
        return None


def linked_branch(root: str) -> str:
    """The branch, as a full ref, of a linked worktree; "" for any other tree or a detached one."""
    try:
        own = git_dir(root)
        if not own or not _line(f"{own}/commondir"):
            return ""
        head = _line(f"{own}/HEAD")
    except (OSError, ValueError):
        return ""
    return head[len("ref: ") :] if head.startswith("ref: ") else ""


def pen_root(path: str, repo: tuple[str, str] | None, name: str) -> tuple[str, str] | None:
    """The tree with a file `name` at its top that a path lies in; in git, the main checkout.

    A linked worktree has no pen: who works there shares no files. Git's own files and what an
    agent keeps for itself are nobody's turn. Outside of git (`repo` is None) the nearest one is it.
    """
    if repo is not None:
        root, shared = repo
        if not exists(f"{root.rstrip('/')}/{name}") or linked_branch(root):
            return None
        return repo if is_code(path, root, shared) else None
    folder = path[:_LONGEST]
    while folder != "/":
        folder = parent_of(folder)
        if exists(f"{folder.rstrip('/')}/{name}"):
            return folder, ""
    return None


def git_dir(root: str) -> str:
    """The real git directory that `<root>/.git` is or names; "" when there is none."""
    dot = f"{root.rstrip('/')}/.git"
    seen = stat(dot)
    if seen is None:
        return ""
    if seen.st_mode & MODE_TYPE != REGULAR:
        return real(dot)
    named = _line(real(dot))
    return real(join(root, named[len("gitdir: ") :])) if named.startswith("gitdir: ") else ""


def _line(path: str) -> str:
    data = read(path, _LIMIT)
    return "" if data is None else data.decode("utf-8", "surrogateescape").rstrip("\r\n")
