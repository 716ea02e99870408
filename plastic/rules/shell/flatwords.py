"""The words of a flat text: what stands in quotes, plain variables, and what sets them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Node = dict[str, Any]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_NAME = frozenset(LETTERS + "_")
# Stands for a part in quotes.
QUOTED = "\x01"


class Odd(Exception):
    """The text is not flat."""


def unquoted(text: str) -> tuple[str, list[Node]]:
    """The text with a mark for each part in quotes, and these parts."""
    if QUOTED in text or not text.translate(_BLANKS).isprintable():
        raise Odd
    flat: list[str] = []
    quoted: list[Node] = []
    at = 0
    single, double = text.find("'"), text.find('"')
    while single >= 0 or double >= 0:
        start = single if 0 <= single < double or double < 0 else double
        end = text.find(text[start], start + 1)
        if end < 0:
            raise Odd
        flat.append(text[at:start])
        quoted.append(_part(text[start], text[start + 1 : end]))
        at = end + 1
        single = text.find("'", at) if single < at else single
        double = text.find('"', at) if double < at else double
    flat.append(text[at:])
    return QUOTED.join(flat), quoted


_BLANKS = {ord("\t"): " ", ord("\n"): " "}


def _part(mark: str, value: str) -> Node:
    if mark == "'":
        return {"Type": "SglQuoted", "Value": value} if value else {"Type": "SglQuoted"}
    if "`" in value or "\\" in value:
        raise Odd
    return {"Type": "DblQuoted", "Parts": parts_of(value)} if value else {"Type": "DblQuoted"}


def parts_of(text: str) -> list[Node]:
    """Text as it is, and plain variables (`$NAME`) in it."""
    first, *rest = text.split("$")
    parts: list[Node] = [{"Type": "Lit", "Value": first}] if first else []
    for one in rest:
        end = _name(one)
        if not end or one[end : end + 1] == "[":
            raise Odd
        parts.append({"Type": "ParamExp", "Short": True, "Param": {"Value": one[:end]}})
        if one[end:]:
            parts.append({"Type": "Lit", "Value": one[end:]})
    return parts


def _name(text: str) -> int:
    """How long the name is that a text begins with; 0 for none."""
    end = 0
    while end < len(text) and text[end] in _NAME:
        end += 1
    return 0 if text[:1].isdigit() else end


def assignment(word: Node) -> Node | None:
    """What a word in front of a command sets; None when it sets nothing."""
    first, *rest = word["Parts"]
    if first["Type"] != "Lit":
        return None
    value: str = first["Value"]
    end = _name(value)
    if not end or value[end : end + 1] != "=":
        return None
    name: Node = {"Name": {"Value": value[:end]}}
    if value[end + 1 :]:
        rest = [{"Type": "Lit", "Value": value[end + 1 :]}, *rest]
    return {**name, "Value": {"Parts": rest}} if rest else name
