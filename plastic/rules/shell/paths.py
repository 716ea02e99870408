"""Paths as a shell text names them: joined to the directory they are relative to, made normal."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY


def normal(path: str, cwd: str | None = None) -> str:
    """An absolute path without `.`, `..` and doubled slashes.

    `..` behind an unknown part is unknown; `/proc/self/cwd` and `/proc/self/root` are what they
    link to.
    """
    if path.startswith("/proc/self/"):
        path = ours(path, cwd)
    if "//" not in path and "/." not in path:
        return path.rstrip("/") or "/"
    kept: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            kept.append(part)
        elif kept and ANY in kept[-1]:
            kept[-1] = ANY
        elif kept:
            kept.pop()
    return "/" + "/".join(kept)


def ours(path: str, cwd: str | None) -> str:
    """`/proc/self/cwd` and `/proc/self/root` belong to the shell, not to who judges it."""
    if path.startswith("/proc/self/root"):
        path = path[15:] or "/"
    if path.startswith("/proc/self/cwd") and cwd is not None:
        path = cwd + path[14:]
    return path


def absolute(path: str, cwd: str | None) -> str | None:
    """The path seen from `cwd`; None when that cannot be said."""
    if path.startswith("/"):
        return normal(path, cwd)
    if not path or path[0] == ANY or cwd is None:
        return None
    return normal(f"{cwd}/{path}", cwd)


def ignored(path: str) -> bool:
    """Whether writing there changes no file: devices and descriptors."""
    if path.startswith("/dev/"):
        return not path.startswith("/dev/shm/")  # noqa: S108 - a path that is judged, not used
    return path.startswith("/proc/self/fd/")


def base_name(path: str) -> str:
    """The last name of a path, trailing slashes aside."""
    return path.rstrip("/").rpartition("/")[2]


def parent(path: str) -> str:
    """The directory of a path as `dirname` says it."""
    head = path.rstrip("/").rpartition("/")
    return head[0] or head[1] or "."


def pathlike(word: str) -> bool:
    """Whether a word may be meant as a path."""
    return "/" in word or word in ("..", "~")


# What ends a path inside a longer word or a program.
_ENDS = {ord(letter): "\n" for letter in " \t'\"`()[]{}<>;,=:|&!$"}


def pieces(word: str) -> list[str]:
    """The parts of a word that may be paths: the word, and what its punctuation separates."""
    parts = word.translate(_ENDS).split("\n")
    # Words with blanks may be names; a longer text is no path itself.
    found = [word] if len(parts) <= 4 and "\n" not in word else []
    if len(parts) > 1:
        found += [part for part in dict.fromkeys(parts) if pathlike(part) and part[:2] != "//"]
    if word.startswith("-") and "/" in word:
        found.append(word[word.index("/") :])
    return found
