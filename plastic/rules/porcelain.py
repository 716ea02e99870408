"""Reads `git status --porcelain=v2 -z`: which paths differ, and how."""

from __future__ import annotations

from typing import NamedTuple

ORDINARY = 8  # blanks before the path of a changed entry
RENAMED = 9
UNMERGED = 10


class Status(NamedTuple):
    """Tracked paths that differ, untracked ones, and submodules with changes of their own."""

    changed: tuple[str, ...]
    untracked: tuple[str, ...]
    modules: tuple[str, ...]
    unmerged: tuple[str, ...] = ()  # those of `changed` whose conflict is not resolved


def status(text: str) -> Status:
    """The paths of one status; the former name of a renamed file counts as changed."""
    changed: list[str] = []
    untracked: list[str] = []
    modules: list[str] = []
    unmerged: list[str] = []
    words = iter(text.split("\0"))
    for word in words:
        kind = word[:1]
        if kind == "?":
            untracked.append(word[2:])
        elif kind in ("1", "2", "u"):
            blanks = {"1": ORDINARY, "2": RENAMED, "u": UNMERGED}[kind]
            fields = word.split(" ", blanks)
            if _is_inside_only(fields):
                modules.append(fields[-1])
            else:
                changed.append(fields[-1])
            if kind == "2":
                changed.append(next(words, ""))
            elif kind == "u":
                unmerged.append(fields[-1])
    return Status(tuple(changed), tuple(untracked), tuple(modules), tuple(unmerged))


def _is_inside_only(fields: list[str]) -> bool:
    """A submodule that stands at the recorded commit, with uncommitted changes inside."""
    return fields[1] == ".M" and fields[2][:2] == "S."
