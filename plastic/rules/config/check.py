"""The check of projects.yml and config.yml against the table of their keys.

A file arrives as text only (every scalar is a string or None), because YAML's own guesses read
`off` as false and `1:30` as 90. What a key means decides how its text is read.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.rules.config.keys import keys_of
from plastic.rules.config.values import READERS, shape
from plastic.rules.intent.names import SLUG_MAX, valid_slug

if TYPE_CHECKING:
    from plastic.rules.config.keys import Key
    from plastic.rules.config.values import Days, Tree


class Problem(NamedTuple):
    """What is wrong at a key of a file; the loader knows the key's line."""

    key: tuple[str, ...]
    what: str


def defaults(prefix: str = "projects.*.") -> dict[str, Any]:
    """The value of every key below `prefix` that nobody set, nested as in the file."""
    file = "projects.yml" if prefix else "config.yml"
    out: dict[str, Any] = {}
    for path, key in keys_of(file).items():
        if path.startswith(prefix) and key.kind != "map":
            _put(out, path[len(prefix) :].split("."), _copy(key.default))
    return out


def check(file: str, tree: Tree, days: Days) -> tuple[dict[str, Any], list[Problem]]:
    """The values of one file with defaults filled in, and everything that is wrong with it."""
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    if tree is not None and not isinstance(tree, dict):
        return {}, [Problem((), f"must be a mapping, not {shape(tree)}")]
    _walk(keys_of(file), (), tree or {}, values, problems, days)
    if file == "projects.yml":
        return _projects(values, problems), problems
    return _config(values, problems), problems


def _walk(
    keys: dict[str, Key],
    at: tuple[str, ...],
    tree: dict[str, Tree],
    out: dict[str, Any],
    problems: list[Problem],
    days: Days,
) -> None:
    for name, value in tree.items():
        here = (*at, name)
        path = _pattern(here)
        if path == "projects.*":
            _project(keys, here, value, out, problems, days)
            continue
        key = keys.get(path)
        if key is None:
            problems.append(Problem(here, _unknown(keys, here)))
        elif value is None:
            if key.kind in ("map", "commands", "files") or key.default is None:
                continue
            problems.append(Problem(here, "has no value"))
        elif key.kind == "map":
            if not isinstance(value, dict):
                problems.append(Problem(here, f"must be a mapping, not {shape(value)}"))
            else:
                inner = out.setdefault(name, {})
                _walk(keys, here, value, inner, problems, days)
        else:
            try:
                out[name] = READERS[key.kind](key, value, days)
            except ValueError as error:
                problems.append(Problem(here, str(error)))


def _project(
    keys: dict[str, Key],
    here: tuple[str, ...],
    value: Tree,
    out: dict[str, Any],
    problems: list[Problem],
    days: Days,
) -> None:
    slug = here[-1]
    if not valid_slug(slug):
        what = f"is no slug: a-z, 0-9 and single hyphens, at most {SLUG_MAX} characters"
        problems.append(Problem(here, what))
    elif not isinstance(value, dict):
        problems.append(Problem(here, f"must be a mapping with `path`, not {shape(value)}"))
    else:
        inner = out.setdefault(slug, {})
        _walk(keys, here, value, inner, problems, days)
        if "path" not in value:
            problems.append(Problem(here, "has no `path`"))


def _pattern(here: tuple[str, ...]) -> str:
    if here[0] == "projects" and len(here) > 1:
        here = ("projects", "*", *here[2:])
    return ".".join(here)


def _unknown(keys: dict[str, Key], here: tuple[str, ...]) -> str:
    parent = _pattern(here[:-1]) + "." if len(here) > 1 else ""
    siblings = [
        path[len(parent) :]
        for path in keys
        if path.startswith(parent) and "." not in path[len(parent) :]
    ]
    near = difflib.get_close_matches(here[-1], siblings, 1)
    return "is no key" + (f"; did you mean `{near[0]}`?" if near else f" of {', '.join(siblings)}")


def _projects(values: dict[str, Any], problems: list[Problem]) -> dict[str, Any]:
    whole: dict[str, Any] = {"version": 1, "projects": {}}
    for slug, own in values.get("projects", {}).items():
        project = defaults()
        _merge(project, own)
        whole["projects"][slug] = project
        backlog = project["backlog"]
        if backlog["mirror"] == "github":
            for name in ("repo", "account"):
                if backlog[name] is None:
                    at = ("projects", slug, "backlog")
                    problems.append(Problem(at, f"`mirror: github` needs `{name}`"))
    return whole


def _config(values: dict[str, Any], problems: list[Problem]) -> dict[str, Any]:
    whole = defaults("")
    _merge(whole, values)
    if whole["lease"]["default"] > whole["lease"]["ceiling"]:
        problems.append(Problem(("lease", "default"), "is longer than `lease.ceiling`"))
    return whole


def _merge(into: dict[str, Any], own: dict[str, Any]) -> None:
    for name, value in own.items():
        if isinstance(value, dict) and isinstance(into.get(name), dict):
            _merge(into[name], value)
        else:
            into[name] = value


def _put(out: dict[str, Any], path: list[str], value: Any) -> None:
    for name in path[:-1]:
        out = out.setdefault(name, {})
    out[path[-1]] = value


def _copy(value: Any) -> Any:
    return list(value) if isinstance(value, list) else value
