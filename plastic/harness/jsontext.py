"""Reads JSON with comments as spans, so that one element can come or go and no other byte change.

Adding and removing are each other's inverse. What was an empty container gets its element without
any space around it, what we make ourselves is spread over lines: so a removal knows afterwards
which containers were ours, without a record beside the file.
"""

from __future__ import annotations

import json
from typing import Any

DEPTH = 64
_SPACE = " \t\r\n"


class JsonError(ValueError):
    """Where a text stops being JSON."""

    def __init__(self, text: str, at: int, what: str) -> None:
        self.line = text.count("\n", 0, at) + 1
        super().__init__(what)


class Node:
    """One value: `kind` is object, array, string or plain; `value` is its content, read.

    `children` are (start, node): start is the key's where there is one. `keys` go with them.
    """

    __slots__ = ("children", "end", "keys", "kind", "start", "value")

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = start
        self.end = start
        self.keys: list[str] = []
        self.children: list[tuple[int, Node]] = []
        self.value: Any = None

    def member(self, key: str) -> Node | None:
        """The value of a key; the last one counts, as for every reader of JSON."""
        for name, (_, node) in zip(reversed(self.keys), reversed(self.children), strict=False):
            if name == key:
                return node
        return None


def read(text: str) -> Node | None:
    """The value of a text; None when it holds nothing but space and comments."""
    at = _trivia(text, 1 if text.startswith("\ufeff") else 0)
    if at == len(text):
        return None
    node = _value(text, at, 0)
    at = _trivia(text, node.end)
    if at != len(text):
        raise JsonError(text, at, f"unexpected {text[at]!r} after the end")
    return node


def _trivia(text: str, at: int) -> int:
    """The index of the next thing that is neither space nor comment."""
    while True:
        while at < len(text) and text[at] in _SPACE:
            at += 1
        after = _comment(text, at)
        if after == at:
            return at
        at = after


def _comment(text: str, at: int) -> int:
    """The end of the comment that starts here, without its line end; `at` when there is none."""
    if text.startswith("//", at):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        return end - 1 if text[end - 1] == "\r" else end
    if text.startswith("/*", at):
        end = text.find("*/", at + 2)
        if end < 0:
            raise JsonError(text, at, "a comment that never ends")
        return end + 2
    return at


def _value(text: str, at: int, depth: int) -> Node:
    if at >= len(text):
        raise JsonError(text, at, "the file ends too early")
    if depth > DEPTH:
        raise JsonError(text, at, "nested too deeply")
    if text[at] == "{":
        return _container(text, at, depth, "object", "}")
    if text[at] == "[":
        return _container(text, at, depth, "array", "]")
    node = Node("string" if text[at] == '"' else "plain", at)
    try:
        node.value, node.end = json.JSONDecoder().raw_decode(text, at)
    except json.JSONDecodeError as error:
        if text[at] == '"':
            raise JsonError(text, error.pos, error.msg[:1].lower() + error.msg[1:]) from None
        raise JsonError(text, at, f"unexpected {text[at]!r}") from None
    return node


def _container(text: str, start: int, depth: int, kind: str, close: str) -> Node:
    node = Node(kind, start)
    at = _trivia(text, start + 1)
    while at < len(text) and text[at] != close:
        begin = at
        if kind == "object":
            at = _key(text, node, at)
        child = _value(text, at, depth + 1)
        node.children.append((begin, child))
        at = _trivia(text, child.end)
        if at < len(text) and text[at] == ",":
            at = _trivia(text, at + 1)
        elif at < len(text) and text[at] != close:
            raise JsonError(text, at, f"expected ',' or '{close}', not {text[at]!r}")
    if at >= len(text):
        raise JsonError(
            text, at, f"the file ends before the '{close}' of line {_line(text, start)}"
        )
    node.end = at + 1
    values = [child.value for _, child in node.children]
    node.value = dict(zip(node.keys, values, strict=True)) if kind == "object" else values
    return node


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _key(text: str, node: Node, at: int) -> int:
    if text[at] != '"':
        raise JsonError(text, at, f"expected a key in double quotes, not {text[at]!r}")
    key = _value(text, at, 0)
    node.keys.append(key.value)
    at = _trivia(text, key.end)
    if at >= len(text) or text[at] != ":":
        raise JsonError(text, at, "expected ':' after a key")
    return _trivia(text, at + 1)


# -- changes -------------------------------------------------------------------------------------


class Style:
    """How a text is laid out: its indentation step and its line end."""

    __slots__ = ("newline", "unit")

    def __init__(self, text: str) -> None:
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.unit = "  "
        for line in text.splitlines():
            inner = line.lstrip(" \t")
            if inner[:1] in ('"', "{", "[") and inner != line:
                self.unit = line[: len(line) - len(inner)]
                break

    def render(self, value: Any, indent: str) -> str:
        """A value over several lines, the first one without indentation."""
        text = json.dumps(value, indent=self.unit, ensure_ascii=False)
        return text.replace("\n", self.newline + indent)


def add(text: str, node: Node, value: Any, key: str | None = None) -> str:
    """`text` with one more element at the end of an array (or member, with `key`, of an object)."""
    style = Style(text)
    name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    if not node.children:
        body = name + style.render(value, _indent(text, node.start))
        return text[: node.start + 1] + body + text[node.start + 1 :]
    first, last = node.children[0][0], node.children[-1][1].end
    spread = "\n" in text[node.start : first]
    indent = _indent(text, first if spread else node.start)
    body = name + style.render(value, indent)
    comma = _trivia(text, last)
    trailing = text[comma] == ","
    at = _rest_of_line(text, comma + 1 if trailing else last) if spread else last
    if not spread and trailing:
        at = comma + 1
    lead = style.newline + indent if spread else " "
    if trailing:
        return f"{text[:at]}{lead}{body},{text[at:]}"
    return f"{text[:last]},{text[last:at]}{lead}{body}{text[at:]}"


def _rest_of_line(text: str, at: int) -> int:
    """Behind the comments that stand on the same line after `at`, else `at` itself."""
    here = at
    while True:
        while here < len(text) and text[here] in " \t":
            here += 1
        after = _comment(text, here)
        if after == here or "\n" in text[here:after]:
            return at
        at = here = after


def _indent(text: str, at: int) -> str:
    """The indentation of the line that holds an index."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def is_spread(text: str, node: Node) -> bool:
    """Whether a container's content starts on a line of its own."""
    return bool(node.children) and "\n" in text[node.start : node.children[0][0]]


def remove(text: str, node: Node, index: int) -> str:
    """`text` without one element (or member) of a container, its comma and its line."""
    start, child = node.children[index]
    end = child.end
    after = _trivia(text, end)
    floor = node.children[index - 1][1].end if index else node.start + 1
    begin = _lead(text, floor, start)
    if text[after] == ",":
        end = after + 1
        if index == 0 and begin == start:
            # It stood right behind the bracket; so does what follows now.
            while text[end] in " \t":
                end += 1
        return text[:begin] + text[end:]
    if index == 0:
        return text[:begin] + text[end:]
    comma = _trivia(text, floor)
    return text[:comma] + text[comma + 1 : begin] + text[end:]


def _lead(text: str, floor: int, start: int) -> int:
    """Where the space that belongs to an element begins: its own line, or what parts it."""
    begin = start
    while begin > floor and text[begin - 1] in _SPACE:
        begin -= 1
    line = text.rfind("\n", begin, start)
    if line < 0:
        return begin
    return line - 1 if line > begin and text[line - 1] == "\r" else line


def replace(text: str, node: Node, value: Any) -> str:
    """`text` with another value in the place of this one."""
    return (
        text[: node.start] + Style(text).render(value, _indent(text, node.start)) + text[node.end :]
    )
