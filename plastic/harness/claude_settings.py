"""Our hook entries in Claude Code's settings: what they are, put in and taken out as text."""

from __future__ import annotations

from typing import Any

from plastic.harness.jsontext import JsonError, Node, Style, add, is_spread, read, remove, replace

# Event -> seconds that Claude Code waits for the hook. The plugin (hooks/hooks.json) has the same.
EVENTS: dict[str, int] = {"PreToolUse": 10, "PostToolUse": 10, "PostToolUseFailure": 10}
MATCHER = "*"
# However the paths before it change, the end of the command is ours.
TAIL = "hooks/gate' claude"
INSTALLED = "installed"
OTHER = "other version"
ABSENT = "not installed"


def quoted(path: str) -> str:
    """A path in single quotes, always: the entry is recognised by its quotes too."""
    return "'" + path.replace("'", "'\"'\"'") + "'"


def command(python: str, gate: str) -> str:
    """The command of our hook; `gate` is the absolute path of hooks/gate."""
    return f"PLASTIC_PYTHON={quoted(python)} {quoted(gate)} claude"


def entry(event: str, line: str, *, strict: bool) -> dict[str, Any]:
    """The hook entry of one event; strict = a hook that cannot judge stops the tool."""
    hook: dict[str, Any] = {"type": "command", "command": line, "timeout": EVENTS[event]}
    if strict and event == "PreToolUse":
        hook["onFailure"] = "block"
    return {"matcher": MATCHER, "hooks": [hook]}


class _Found:
    """One entry of ours: its event, its group in the event's list, its place in the group."""

    __slots__ = ("event", "events", "group", "groups", "hooks", "number", "place", "root")

    def __init__(self, root: Node, events: Node, event: str, groups: Node, number: int) -> None:
        self.root = root
        self.events = events
        self.event = event
        self.groups = groups
        self.number = number
        self.group = groups.children[number][1]
        self.hooks = self.group
        self.place = 0

    @property
    def is_alone(self) -> bool:
        """Whether nobody else's hook stands in the same group."""
        return len(self.hooks.children) == 1


def _ours(value: Any) -> bool:
    line = value.get("command") if isinstance(value, dict) else None
    return isinstance(line, str) and line.strip().endswith(TAIL)


def _events(text: str, root: Node | None) -> Node | None:
    """The object below `hooks`; JsonError when something else stands there."""
    if root is None:
        return None
    if root.kind != "object":
        raise JsonError(text, root.start, "the settings must be an object")
    events = root.member("hooks")
    if events is not None and events.kind != "object":
        raise JsonError(text, events.start, "`hooks` must be an object")
    return events


def _find(text: str, root: Node | None) -> list[_Found]:
    events = _events(text, root)
    found: list[_Found] = []
    if root is None or events is None:
        return found
    for event, (_, groups) in zip(events.keys, events.children, strict=True):
        for number in range(len(groups.children) if groups.kind == "array" else 0):
            group = groups.children[number][1]
            hooks = group.member("hooks")
            if hooks is None or hooks.kind != "array":
                continue
            for place, (_, hook) in enumerate(hooks.children):
                if _ours(hook.value):
                    one = _Found(root, events, event, groups, number)
                    one.hooks, one.place = hooks, place
                    found.append(one)
    return found


def state(text: str | None, line: str, *, strict: bool) -> str:
    """What stands in the settings: exactly our entries, others of ours, or none."""
    text = text or ""
    found = _find(text, read(text))
    if not found:
        return ABSENT
    wanted = {event: entry(event, line, strict=strict) for event in EVENTS}
    events = [one.event for one in found]
    right = sorted(events) == sorted(EVENTS) and all(
        one.group.value == wanted[one.event] for one in found
    )
    return INSTALLED if right else OTHER


def installed(text: str | None, line: str, *, strict: bool) -> str:
    """The settings with our entries, each once; `text` is None when there is no file."""
    new = text or ""
    for event in EVENTS:
        new = _put(new, event, entry(event, line, strict=strict), exists=text is not None)
    return _without(new, lambda one: one.event not in EVENTS)


def _put(text: str, event: str, wanted: dict[str, Any], *, exists: bool) -> str:
    mine = [one for one in _find(text, read(text)) if one.event == event]
    if len(mine) == 1:
        if mine[0].group.value == wanted:
            return text
        if mine[0].is_alone:
            return replace(text, mine[0].group, wanted)
    if mine:
        text = _without(text, lambda one: one.event == event)
    root = read(text)
    if root is None:
        return _whole(text, {"hooks": {event: [wanted]}}, exists=exists)
    events = _events(text, root)
    if events is None:
        return add(text, root, {event: [wanted]}, "hooks")
    groups = events.member(event)
    if groups is None:
        return add(text, events, [wanted], event)
    if groups.kind != "array":
        raise JsonError(text, groups.start, f"`hooks.{event}` must be an array")
    return add(text, groups, wanted)


def _whole(text: str, value: Any, *, exists: bool) -> str:
    """A file without a value gets one. Only a file that we made ends in one line end alone."""
    body = Style(text).render(value, "")
    if not exists:
        return body + "\n"
    if text.lstrip("\ufeff") == "\n" or text.startswith("\ufeff"):
        return text + body
    return body + text


def removed(text: str) -> str | None:
    """The settings as they were without us; None when the file was made by `installed`."""
    new = _without(text, lambda _one: True)
    return None if new == _GONE else new


_GONE = "\0"  # no JSON text holds this character


def _without(text: str, matches: Any) -> str:
    while text != _GONE:
        found = [one for one in _find(text, read(text)) if matches(one)]
        if not found:
            break
        text = _drop(text, found[0])
    return text


def _drop(text: str, one: _Found) -> str:
    """Take one entry out, and each container around it that would be left empty and is ours."""
    if not one.is_alone:
        return remove(text, one.hooks, one.place)
    if len(one.groups.children) > 1 or not is_spread(text, one.groups):
        return remove(text, one.groups, one.number)
    index = next(n for n, (_, node) in enumerate(one.events.children) if node is one.groups)
    if len(one.events.children) > 1 or not is_spread(text, one.events):
        return remove(text, one.events, index)
    index = next(n for n, (_, node) in enumerate(one.root.children) if node is one.events)
    if len(one.root.children) > 1 or not is_spread(text, one.root):
        return remove(text, one.root, index)
    rest = text[: one.root.start] + text[one.root.end :]
    return _GONE if rest == "\n" and one.root.start == 0 else rest
