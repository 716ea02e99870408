"""Inserts a project into the text of projects.yml and leaves every other byte as it was."""

from __future__ import annotations

import json
import re
from typing import Any

from plastic.disk.projects import NotRead, compose, parse

Entry = dict[str, str | dict[str, str]]

_KEYS = "version: 1\nprojects:\n"
SKELETON = f"""\
# The repositories that plastic knows. Every key: projects.example.yml and references/config.md.
{_KEYS}"""
_PLAIN = re.compile(r"[A-Za-z~/][A-Za-z0-9_./~+-]*\Z")
# What YAML 1.1 or a hasty reader takes for something else than text.
_WORDS = ("true", "false", "yes", "no", "on", "off", "null", "none", "y", "n", "~")
_STEP = "  "


def insert(text: str, slug: str, entry: Entry) -> str:
    """`text` with one more project; ValueError when it cannot be placed without touching the rest.

    The result is read again: it must be what was there plus this project, nothing else.
    """
    before = parse(text) or {}
    known = before.get("projects") or {} if isinstance(before, dict) else None
    if not isinstance(known, dict):
        raise ValueError("`projects` is no mapping")
    if not before:
        bare = text.removeprefix("\ufeff")
        text += SKELETON if not bare.strip() else _KEYS if text.endswith("\n") else "\n" + _KEYS
    new = _placed(text, slug, entry)
    try:
        after = parse(new)
    except NotRead as wrong:
        raise ValueError(str(wrong)) from None
    wanted = dict(before or {"version": "1"})
    wanted["projects"] = {**known, slug: _plain(entry)}
    if after != wanted:
        raise ValueError("the project cannot be placed in this file")
    return new


def _plain(entry: Entry) -> dict[str, Any]:
    return {k: v if isinstance(v, str) else dict(v) for k, v in entry.items()}


def _placed(text: str, slug: str, entry: Entry) -> str:
    end = "\r\n" if "\r\n" in text else "\n"
    root: Any = compose(text)
    if root is None or root.id != "mapping":
        return _after_line(text, len(text), ["projects:", *block(slug, entry, _STEP)], end)
    pairs = {key.value: (key, value) for key, value in root.value}
    if "projects" not in pairs:
        return _after_line(text, len(text), ["projects:", *block(slug, entry, _STEP)], end)
    key, value = pairs["projects"]
    if value.id == "mapping" and value.value and value.flow_style:
        at = value.value[-1][1].end_mark.index
        return text[:at] + f", {_flow(slug, entry)}" + text[at:]
    if value.id == "mapping" and value.value:
        column = value.value[0][0].start_mark.column
        at = _end_of_comments(text, _last_index(text, value), column)
        return _after_line(text, at, block(slug, entry, " " * column), end)
    # Empty: `projects:`, `projects: null` or `projects: {}`.
    start, stop = value.start_mark.index, value.end_mark.index
    if root.flow_style:
        return f"{text[:start]}{{{_flow(slug, entry)}}}{text[stop:]}"
    if stop > start:
        while text[start - 1] in " \t":
            start -= 1
        text = text[:start] + text[stop:]
    indent = " " * key.start_mark.column + _STEP
    return _after_line(text, key.end_mark.index, block(slug, entry, indent), end)


def _last_index(text: str, node: Any) -> int:
    """Where the last content below a block collection ends; its own mark is past the comments."""
    while node.id != "scalar" and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if node.id == "mapping" else last
    end: int = node.end_mark.index
    if node.id == "scalar" and node.start_mark.index == end:
        # `key:` without a value has its mark behind the key.
        return end
    while end and text[end - 1] in "\r\n":
        end -= 1
    return end


def _end_of_comments(text: str, at: int, column: int) -> int:
    """The end of the comment lines that follow and are indented like the project's own keys."""
    at = _line_end(text, at)
    while at < len(text):
        stop = _line_end(text, at + 1)
        line = text[at:stop].strip("\r\n")
        if not line.strip().startswith("#") or len(line) - len(line.lstrip(" ")) <= column:
            break
        at = stop
    return at


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _after_line(text: str, at: int, lines: list[str], end: str) -> str:
    """`text` with lines below the line that holds index `at`."""
    at = _line_end(text, at)
    added = end.join(lines)
    if at < len(text):
        return f"{text[: at + 1]}{added}{end}{text[at + 1 :]}"
    gap = "" if not text or text.endswith(("\n", "\ufeff")) else end
    return f"{text}{gap}{added}{end}"


def block(slug: str, entry: Entry, indent: str) -> list[str]:
    """The lines of a project in block style."""
    lines = [f"{indent}{_scalar(slug)}:"]
    for key, value in entry.items():
        shown = _scalar(value) if isinstance(value, str) else _mapping(value)
        lines.append(f"{indent}{_STEP}{key}: {shown}")
    return lines


def _flow(slug: str, entry: Entry) -> str:
    parts = [
        f"{key}: {_scalar(value) if isinstance(value, str) else _mapping(value)}"
        for key, value in entry.items()
    ]
    return f"{_scalar(slug)}: {{{', '.join(parts)}}}"


def _mapping(values: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {_scalar(value)}" for key, value in values.items()) + "}"


def _scalar(text: str) -> str:
    """A text as YAML reads it back as text; JSON's quotes are YAML's."""
    if _PLAIN.match(text) and text.lower() not in _WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)
