"""Reads projects.yml and config.yml with the line of every error: the only importer of PyYAML.

Nothing in the files is trusted: anchors, tags, a second document and deep nesting are refused
before anything is built from them.
"""

from __future__ import annotations

import os
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.configvalues import kept
from plastic.disk.files import read, reason
from plastic.disk.paths import parent_of, real
from plastic.rules.config.check import check
from plastic.rules.config.values import OBSERVE_DAYS, Days
from plastic.words import Refused

if TYPE_CHECKING:
    import yaml

    from plastic.disk.home import Home
    from plastic.rules.config.values import Tree

LIMIT = 128 * 1024  # bytes; a thousand projects, read in less than a second
DEPTH = 8


class Fault(NamedTuple):
    """One error of one file: `file:line: what`."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


class Project(NamedTuple):
    """One registered repository: `path` is real and absolute, the rest as projects.yml says."""

    slug: str
    path: str
    base: str | None
    remote: str
    merge: str
    verify: list[str]
    setup: list[str]
    copy: list[str]
    on_done: list[str]
    require_intent: bool
    gates: dict[str, str]
    backlog: dict[str, Any]


class Loaded(NamedTuple):
    """One file: its text, its values with defaults filled in, what is wrong with it.

    `lines` has the line of every key; `values` mean nothing while there are faults.
    """

    text: str
    values: dict[str, Any]
    faults: list[Fault]
    lines: dict[tuple[str, ...], int]


class NotRead(Exception):
    """A file that is no YAML, or uses something of YAML that is not read here."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line} {what}")
        self.line = line
        self.what = what


def load(path: str, today: date | None = None) -> Loaded:
    """Read and check projects.yml or config.yml; an absent file is all defaults."""
    name = path.rpartition("/")[2]
    lines: dict[tuple[str, ...], int] = {}
    try:
        text = text_of(path)
        tree = parse(text, lines)
    except OSError as error:
        return Loaded("", {}, [Fault(path, 1, reason(error))], lines)
    except NotRead as wrong:
        return Loaded("", {}, [Fault(path, wrong.line, wrong.what)], lines)
    values, problems = check(name, tree, _days(today or date.today()))  # noqa: DTZ011 - user's day
    faults = [
        Fault(path, _line(lines, key), f"`{'.'.join(key)}` {what}" if key else f"the file {what}")
        for key, what in problems
    ]
    return Loaded(text, values, sorted(faults, key=lambda fault: fault.line), lines)


def _days(today: date) -> Days:
    return Days(today.isoformat(), (today + timedelta(days=OBSERVE_DAYS)).isoformat())


def _line(lines: dict[tuple[str, ...], int], key: tuple[str, ...]) -> int:
    while key and key not in lines:
        key = key[:-1]
    return lines.get(key, 1)


def text_of(path: str) -> str:
    """The text of one file, "" when it is absent; bytes that are no UTF-8 are an error."""
    data = read(path, LIMIT) or b""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotRead(line, "is not UTF-8 text") from None


def parse(text: str, lines: dict[tuple[str, ...], int] | None = None) -> Tree:
    """The tree of a YAML text: dicts, lists, and every scalar as it is written (null: None)."""
    node = compose(text)
    return None if node is None else _tree(node, (), {} if lines is None else lines)


def compose(text: str) -> yaml.Node | None:
    """The node tree of one YAML document, after everything dangerous has been refused."""
    import yaml

    try:
        _refuse_tricks(text)
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise NotRead(line, f"has the character #x{ord(text[error.position]):02x}") from None
    except yaml.MarkedYAMLError as error:
        mark: Any = error.problem_mark or error.context_mark
        line = 1 if mark is None else mark.line + 1
        raise NotRead(line, f"is not YAML: {error.problem or error.context}") from None


def _refuse_tricks(text: str) -> None:
    import yaml

    depth = documents = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        mark: Any = event.start_mark
        line = mark.line + 1
        if getattr(event, "anchor", None) is not None:
            raise NotRead(line, "uses anchors or aliases (`&`, `*`), which are not read here")
        if getattr(event, "tag", None) is not None:
            raise NotRead(line, "uses tags (`!`), which are not read here")
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise NotRead(line, "has a second document (`---`)")
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEPTH:
                raise NotRead(line, "is nested too deeply")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _tree(node: yaml.Node, at: tuple[str, ...], lines: dict[tuple[str, ...], int]) -> Tree:
    import yaml

    if isinstance(node, yaml.MappingNode):
        out: dict[str, Tree] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise NotRead(line, "has a key that is no word")
            if key.value in out:
                raise NotRead(
                    line, f"`{key.value}` stands twice (first in line {lines[(*at, key.value)]})"
                )
            lines[(*at, key.value)] = line
            out[key.value] = _tree(value, (*at, key.value), lines)
        return out
    if isinstance(node, yaml.SequenceNode):
        return [_tree(one, at, lines) for one in node.value]
    assert isinstance(node, yaml.ScalarNode)
    null = node.tag == "tag:yaml.org,2002:null" and node.style is None
    return None if null else node.value


# -- what commands ask -----------------------------------------------------------------------------


def expand(path: str) -> str:
    """A path of projects.yml as the real absolute path."""
    if path.startswith("~/"):
        path = os.path.expanduser("~") + path[1:]
    return real(path)


def projects(home: Home) -> dict[str, Project]:
    """The registered projects by slug; Refused with file and line when projects.yml is wrong."""
    values = kept(home, "projects")
    return projects_in(require(load(home.projects_yml)) if values is None else values)


def projects_in(values: dict[str, Any]) -> dict[str, Project]:
    """The projects of a checked projects.yml."""
    return {
        slug: Project(slug, expand(own["path"]), **{k: v for k, v in own.items() if k != "path"})
        for slug, own in values.get("projects", {}).items()
    }


def settings(home: Home) -> dict[str, Any]:
    """The values of config.yml, defaults filled in; Refused when it is wrong."""
    values = kept(home, "config")
    return require(load(home.config_yml)) if values is None else values


def require(loaded: Loaded) -> dict[str, Any]:
    """The values of a file without faults; Refused with the first fault otherwise."""
    if not loaded.faults:
        return loaded.values
    first = loaded.faults[0]
    more = f" (and {len(loaded.faults) - 1} more)" if len(loaded.faults) > 1 else ""
    raise Refused("config", f"{first}{more}", run=edit_command(first.path, first.line))


def edit_command(path: str, line: int) -> str:
    """The command that opens a file at a line, for a person to mend it."""
    import shlex

    return f"${{EDITOR:-vi}} +{line} {shlex.quote(path)}"


def mend_command(home: Home, slug: str, key: str) -> str:
    """The command that opens projects.yml where a project says `key`."""
    lines = load(home.projects_yml).lines
    return edit_command(home.projects_yml, _line(lines, ("projects", slug, key)))


def owning(home: Home, path: str) -> Project | None:
    """The registered project whose checkout (not: whose repository) contains a real path."""
    found = projects(home)
    while True:
        for project in found.values():
            if project.path == path:
                return project
        if path == "/":
            return None
        path = parent_of(path)
