"""Paths as text, and what they are behind links: nothing here changes or reads a file."""

from __future__ import annotations

import posix

NO_LINK = 22  # EINVAL of every Unix: `errno` costs more than the whole answer


def join(base: str, path: str) -> str:
    """`path` seen from `base`, with `.` and `..` of names taken out where no link can hide."""
    return path if path.startswith("/") else f"{base.rstrip('/')}/{path}"


def real(path: str) -> str:
    """What an absolute path IS: links resolved up to the deepest existing parent, then the rest.

    `..` is applied after links, as the kernel does. A loop of links stays as it is written.
    """
    done: list[str] = []
    todo = [part for part in path.split("/") if part not in ("", ".")]
    todo.reverse()
    hops = 0
    while todo:
        part = todo.pop()
        if part == "..":
            del done[-1:]
            continue
        done.append(part)
        try:
            target = posix.readlink("/" + "/".join(done))
        except OSError as error:
            if error.errno != NO_LINK and _is_nowhere(error):
                _append_rest(done, todo)
                break
            continue
        hops += 1
        if hops > 40:
            continue
        done.pop()
        if target.startswith("/"):
            done.clear()
        todo.extend(piece for piece in reversed(target.split("/")) if piece not in ("", "."))
    return "/" + "/".join(done)


def _is_nowhere(error: OSError) -> bool:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return True
    from errno import ENAMETOOLONG

    return error.errno == ENAMETOOLONG


def _append_rest(done: list[str], todo: list[str]) -> None:
    for part in reversed(todo):
        if part == "..":
            del done[-1:]
        else:
            done.append(part)


def is_below(path: str, parent: str) -> bool:
    """Whether `path` is `parent` or inside it, by whole components."""
    return path == parent or path.startswith(parent if parent == "/" else parent + "/")


def link(path: str) -> str:
    """What a symbolic link says, "" when none is there."""
    try:
        return posix.readlink(path)
    except (OSError, ValueError):
        return ""


def parent_of(path: str) -> str:
    """The directory part of an absolute path."""
    return path.rpartition("/")[0] or "/"
