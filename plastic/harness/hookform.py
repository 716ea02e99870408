"""Our entries in a harness's JSON settings, in its own form: put in and taken out as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.harness.entry import ABSENT, INSTALLED, OTHER, command, is_ours
from plastic.harness.jsontext import JsonError, Node, Style, add, is_spread, read, remove, replace

if TYPE_CHECKING:
    from collections.abc import Callable

GONE = "\0"  # no JSON text holds this character
# How a `version` that we had to add is written: everybody else writes one blank.
STAMP = '"version":  1'


class Found(NamedTuple):
    """One entry of ours: the containers around it, and its place in each."""

    root: Node
    events: Node
    event: str
    groups: Node
    number: int
    hooks: Node | None  # None: the form has no groups, the entry stands in the event's list
    place: int

    @property
    def group(self) -> Node:
        """What stands in the event's list."""
        return self.groups.children[self.number][1]

    @property
    def is_alone(self) -> bool:
        """Whether nobody else's hook stands in the same group."""
        return self.hooks is None or len(self.hooks.children) == 1


class Form(NamedTuple):
    """How one harness writes hooks: `hooks: {event: [entry]}`, each entry a group or a handler."""

    harness: str
    events: dict[str, int]  # event -> how long the harness waits, in its own unit
    handler: Callable[[str, str, bool], dict[str, Any]]  # event, line, strict
    key: str = "command"  # of a handler, for its line
    is_grouped: bool = True
    matcher: str | None = "*"
    is_versioned: bool = False

    def command(self, python: str, gate: str) -> str:
        """The command of our hook; `gate` is the absolute path of hooks/gate."""
        return command(python, gate, self.harness)

    def entry(self, event: str, line: str, *, strict: bool) -> dict[str, Any]:
        """The entry of one event; strict = a hook that cannot judge stops the tool."""
        handler = self.handler(event, line, strict)
        if not self.is_grouped:
            return handler
        group: dict[str, Any] = {} if self.matcher is None else {"matcher": self.matcher}
        return {**group, "hooks": [handler]}

    def state(self, text: str | None, line: str, *, strict: bool) -> str:
        """What stands in the settings: exactly our entries, others of ours, or none."""
        text = text or ""
        found = self._find(text)
        if not found:
            return ABSENT
        wanted = {event: self.entry(event, line, strict=strict) for event in self.events}
        right = sorted(one.event for one in found) == sorted(self.events) and all(
            one.group.value == wanted[one.event] for one in found
        )
        return INSTALLED if right else OTHER

    def installed(self, text: str | None, line: str, *, strict: bool) -> str:
        """The settings with our entries, each once; `text` is None when there is no file."""
        new = text or ""
        for event in self.events:
            new = self._put(new, event, self.entry(event, line, strict=strict), text is not None)
        new = self._without(new, lambda one: one.event not in self.events)
        return self._stamped(new) if self.is_versioned else new

    def removed(self, text: str) -> str | None:
        """The settings as they were without us; None when the file was made by `installed`."""
        new = self._without(text, lambda _one: True)
        if self.is_versioned and new not in (text, GONE):
            new = self._unstamped(new)
        return None if new == GONE else new

    # -- looking --------------------------------------------------------------------------------

    def _events(self, text: str, root: Node | None) -> Node | None:
        """The object below `hooks`; JsonError when something else stands there."""
        if root is None:
            return None
        if root.kind != "object":
            raise JsonError(text, root.start, "the settings must be an object")
        events = root.member("hooks")
        if events is not None and events.kind != "object":
            raise JsonError(text, events.start, "`hooks` must be an object")
        return events

    def _find(self, text: str) -> list[Found]:
        root = read(text)
        events = self._events(text, root)
        found: list[Found] = []
        if root is None or events is None:
            return found
        for event, (_, groups) in zip(events.keys, events.children, strict=True):
            for number in range(len(groups.children) if groups.kind == "array" else 0):
                for hooks, place, value in self._handlers(groups.children[number][1]):
                    if isinstance(value, dict) and is_ours(value.get(self.key), self.harness):
                        found.append(Found(root, events, event, groups, number, hooks, place))
        return found

    def _handlers(self, group: Node) -> list[tuple[Node | None, int, Any]]:
        if not self.is_grouped:
            return [(None, 0, group.value)]
        hooks = group.member("hooks")
        if hooks is None or hooks.kind != "array":
            return []
        return [(hooks, place, one.value) for place, (_, one) in enumerate(hooks.children)]

    # -- putting in -----------------------------------------------------------------------------

    def _put(self, text: str, event: str, wanted: dict[str, Any], exists: bool) -> str:  # noqa: FBT001
        mine = [one for one in self._find(text) if one.event == event]
        if len(mine) == 1:
            if mine[0].group.value == wanted:
                return text
            if mine[0].is_alone:
                return replace(text, mine[0].group, wanted)
        if mine:
            text = self._without(text, lambda one: one.event == event)
        root = read(text)
        if root is None:
            return _whole(text, self._first({event: [wanted]}), exists=exists)
        events = self._events(text, root)
        if events is None:
            return add(text, root, {event: [wanted]}, "hooks")
        groups = events.member(event)
        if groups is None:
            return add(text, events, [wanted], event)
        if groups.kind != "array":
            raise JsonError(text, groups.start, f"`hooks.{event}` must be an array")
        return add(text, groups, wanted)

    def _first(self, hooks: dict[str, Any]) -> dict[str, Any]:
        return {"version": 1, "hooks": hooks} if self.is_versioned else {"hooks": hooks}

    def _stamped(self, text: str) -> str:
        """With a version, marked as ours when we had to add it."""
        root = read(text)
        if root is None or root.member("version") is not None:
            return text
        new = add(text, root, 1, "version")
        root = read(new)
        assert root is not None
        start, node = root.children[-1]
        return new[:start] + STAMP + new[node.end :]

    # -- taking out -----------------------------------------------------------------------------

    def _without(self, text: str, matches: Callable[[Found], bool]) -> str:
        while text != GONE:
            found = [one for one in self._find(text) if matches(one)]
            if not found:
                break
            text = _drop(text, found[0])
        return text

    def _unstamped(self, text: str) -> str:
        """Without the version that we added, unless somebody's hooks need it by now."""
        root = read(text)
        hooks = None if root is None else root.member("hooks")
        if root is None or (hooks is not None and hooks.value):
            return text
        for index, (start, node) in enumerate(root.children):
            if text[start : node.end] == STAMP:
                return _taken(text, root, index)
        return text


def _whole(text: str, value: Any, *, exists: bool) -> str:
    """A file without a value gets one. Only a file that we made ends in one line end alone."""
    body = Style(text).render(value, "").replace('"version": 1', STAMP, 1)
    if not exists:
        return body + "\n"
    if text.lstrip("\ufeff") == "\n" or text.startswith("\ufeff"):
        return text + body
    return body + text


def _drop(text: str, one: Found) -> str:
    """Take one entry out, and each container around it that would be left empty and is ours."""
    if one.hooks is not None and not one.is_alone:
        return remove(text, one.hooks, one.place)
    if len(one.groups.children) > 1 or not is_spread(text, one.groups):
        return remove(text, one.groups, one.number)
    index = next(n for n, (_, node) in enumerate(one.events.children) if node is one.groups)
    if len(one.events.children) > 1 or not is_spread(text, one.events):
        return remove(text, one.events, index)
    index = next(n for n, (_, node) in enumerate(one.root.children) if node is one.events)
    return _taken(text, one.root, index)


def _taken(text: str, root: Node, index: int) -> str:
    """Take a member of the root out, and the root with it when it was ours and is empty then."""
    if len(root.children) > 1 or not is_spread(text, root):
        return remove(text, root, index)
    rest = text[: root.start] + text[root.end :]
    return GONE if rest == "\n" and root.start == 0 else rest
