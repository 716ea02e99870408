"""Moves intents between the sections of INDEX.md; concurrent writers and editors lose nothing."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from plastic.disk.atomic import swap
from plastic.disk.command import again
from plastic.disk.files import open_regular, read_fd, read_text, reason
from plastic.rules.intent.index import where
from plastic.rules.intent.index_edit import insert, move, skeleton
from plastic.words import Broken
from plastic.work.gate.facts import document, title_of

if TYPE_CHECKING:
    import os

    from plastic.disk.home import Home
    from plastic.words import Intent

LIMIT = 16 << 20  # bytes; some hundred thousand entries
ATTEMPTS = 100  # against an editor that saves all the time


def text_of(home: Home, project: str | None) -> str:
    """A store's INDEX.md, "" when it is absent; Broken when it cannot be read as text."""
    path = home.index(project)
    try:
        text = read_text(path, LIMIT) or ""
    except OSError as error:
        raise _unreadable(path, reason(error)) from None
    return _checked(path, text)


def section_of(home: Home, intent: Intent) -> str | None:
    """The section that names this intent, None when none does."""
    return where(text_of(home, intent.project), intent.id)


def set_section(home: Home, intent: Intent, section: str, tail: str = "") -> None:
    """Make `section` the one that names this intent, with `tail` behind the entry."""
    from plastic.disk.locks import index_guard  # loads filelock, which views do without

    path = home.index(intent.project)
    with index_guard(path):
        for _ in range(ATTEMPTS):
            text, seen = _look(path)
            if not text.strip():
                text += skeleton(f"Intents of {intent.project or 'no project'}")
            changed = _changed(text, intent, section, tail)
            if seen is not None and changed == text:
                return
            if swap(path, changed.encode("utf-8", "surrogateescape"), seen):
                return
    raise Broken(
        "index-busy", f"{path} is being rewritten all the time; nothing was changed", run=again()
    )


def _changed(text: str, intent: Intent, section: str, tail: str) -> str:
    text = move(text, intent.id, section, tail)
    title = title_of(document(intent.file), intent.name)
    return insert(text, section, intent.id, title, f"store/{intent.name}/{intent.name}.md", tail)


def _look(path: str) -> tuple[str, os.stat_result | None]:
    """The text and the stat of the very file it was read from."""
    import posix

    try:
        opened = open_regular(path)
        if opened is None:
            return "", None
        try:
            data = read_fd(opened[0], LIMIT)
        finally:
            posix.close(opened[0])
    except OSError as error:
        raise _unreadable(path, reason(error)) from None
    return _checked(path, data.decode("utf-8", "surrogateescape")), opened[1]


def _checked(path: str, text: str) -> str:
    if "\0" in text:
        raise _unreadable(path, "it is no text")
    return text


def _unreadable(path: str, why: str) -> Broken:
    return Broken("index", f"{path} cannot be used: {why}", run=f"ls -ld {shlex.quote(path)}")
