"""Assignments and declarations: what a variable holds afterwards."""

from __future__ import annotations

from plastic.rules.shell.envcode import environment
from plastic.rules.shell.marks import ANY
from plastic.rules.shell.words import Words, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Node
    from plastic.rules.shell.worlds import Value


def assign(words: Words, node: Node) -> None:
    """One `name=value`, `name+=value`, `name=(...)` or `name[i]=value`."""
    name = node["Name"]["Value"]
    if node.get("Index"):
        words.dig(node["Index"])
    array = node.get("Array")
    value: Value
    if array is not None:
        value = _elements(words, array)
    elif node.get("Naked"):
        return
    else:
        value = words.text(node.get("Value"))
    state = words.state
    if node.get("Index"):
        value = ANY
    elif node.get("Append"):
        value = _more(state.get(name), value)
    state.set(name, value)
    if name == "PWD":
        state.values.pop("PWD")
    elif isinstance(value, str) and (name in state.exported or name in state.base):
        environment(words.run, name, value, state)


def _elements(words: Words, array: Node) -> tuple[str, ...]:
    found: list[str] = []
    for one in array.get("Elems") or ():
        if one.get("Index"):
            words.dig(one["Index"])
        if one.get("Value"):
            found += words.fields(one["Value"])
    return tuple(found)


def _more(old: Value | None, new: Value) -> Value:
    if isinstance(new, str):
        if isinstance(old, tuple):
            return (*(old[:1] and (old[0] + new,)), *old[1:])
        return (ANY if old is None else old) + new
    if old is None:
        return new
    return ((old,) if isinstance(old, str) else old) + new


def declare(words: Words, node: Node) -> None:
    """`export`, `declare`, `local`, `readonly`, `typeset`."""
    exports = node["Variant"]["Value"] == "export"
    state = words.state
    points = node["Variant"]["Value"] == "nameref"
    for one in node.get("Args") or ():
        if "Name" not in one:
            option = literal(one.get("Value"))
            if option is None:
                words.fields(one.get("Value") or {})
            elif option[:1] == "-":
                exports = exports or "x" in option
                points = points or "n" in option
            continue
        name = one["Name"]["Value"]
        if exports:
            state.exported |= {name}
        assign(words, one)
        if points:
            state.set(name, ANY)  # it stands for another variable
        if exports and one.get("Naked"):
            environment(words.run, name, state.text(name), state)
