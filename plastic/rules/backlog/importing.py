"""Items of other trackers: which form a text has, and what those forms have in common."""

from __future__ import annotations

from typing import Any, NamedTuple

from plastic.quickjson import loads
from plastic.words import Refused

FORMS = {
    "plastic": "what `plastic backlog export` prints",
    "tags": "items as tags and links, one JSON object each",
    "beads": "beads: issues.jsonl",
    "github": "GitHub issues as JSON, of `gh issue list --json` or of the API",
    "backlog-md": "Backlog.md: a folder of task files, or one of them",
}


class Defaults(NamedTuple):
    """What a tracker without such a field means by leaving it out; the importer says it."""

    priority: str | None
    phase: str | None
    region: str | None
    base: str | None


class Skipped(NamedTuple):
    """Something of the source that is no item, and why."""

    id: str
    why: str


def records(text: str, name: str) -> list[dict[str, Any]]:
    """The objects of a JSON text: a list, one object, or one object a line."""
    try:
        found = loads(text)
    except ValueError:
        found = [_line(line, number, name) for number, line in enumerate(text.splitlines(), 1)]
        found = [one for one in found if one is not None]
    if isinstance(found, dict):
        inner = found.get("items", found.get("issues"))
        found = inner if isinstance(inner, list) else [found]
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise Refused("import-form", f"{name} holds no list of objects", run=HELP)
    return found


HELP = "plastic backlog import --help"


def _line(line: str, number: int, name: str) -> Any:
    if not line.strip():
        return None
    try:
        return loads(line)
    except ValueError as error:
        text = f"{name}:{number}: no JSON: {error}"
        raise Refused("import-form", text, run=HELP) from None


def form_of(found: list[dict[str, Any]], name: str) -> str:
    """Which form these objects have; refused when nothing speaks for one."""
    first = found[0] if found else {}
    if "grip" in first and "blocked_by" in first:
        return "plastic"
    if "number" in first:
        return "github"
    if "tags" in first:
        return "tags"
    if "issue_type" in first or "status" in first:
        return "beads"
    raise Refused("import-form", f"the form of {name} is not known; name it with --from", run=HELP)


def texts(value: object) -> tuple[str, ...]:
    """The texts of a list, whatever else stands in it."""
    if not isinstance(value, (list, tuple)):
        return ()
    return tuple(str(one) for one in value if isinstance(one, (str, int)))
