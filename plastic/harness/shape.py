"""What every reader of payloads needs: texts, absolute paths, replacements, one line of JSON."""

from __future__ import annotations

from plastic.quickjson import dumps
from plastic.words import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.words import ToolUse, Verdict

LONGEST = 1e12  # seconds; a longer timeout is none


def names(listed: str) -> frozenset[str]:
    """Names of tools or events, written one after the other."""
    return frozenset(listed.split())


def text(payload: dict[str, Any], *keys: str) -> str:
    """The first of these keys that holds a text; "" when none does."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def flags(payload: dict[str, Any], *keys: str) -> bool:
    """Whether one of these keys is there and true."""
    return any(payload.get(key) is True for key in keys)


def absolute(cwd: str, path: str) -> str:
    """A path as the harness will open it."""
    return path if path.startswith(("/", "~/")) else f"{cwd.rstrip('/')}/{path}"


def seconds(value: object, unit: float = 1.0) -> float | None:
    """A stated timeout; None when it is none."""
    if (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and 0 < value / unit < LONGEST
    ):
        return value / unit
    return None


def replacements(items: object, old: str, new: str, every: str) -> list[tuple[str, str, bool]]:
    """Replacements in order; empty, which is "not known beforehand", when one of them is odd."""
    found = []
    for item in items if isinstance(items, list) else [items]:
        if not isinstance(item, dict):
            return []
        before, after = item.get(old), item.get(new)
        if not isinstance(before, str) or not isinstance(after, str):
            return []
        found.append((before, after, item.get(every) is True))
    return found


def content(values: dict[str, Any], key: str) -> str | None:
    """The whole new content of a file, None when the call does not tell it."""
    value = values.get(key)
    return value if isinstance(value, str) else None


def guess(use: ToolUse, values: dict[str, Any]) -> None:
    """A tool that nobody has described: its name says whether it reads, its keys what it writes."""
    from plastic.harness.paths import changes, is_reader

    use.reads = is_reader(use.tool)
    if not use.reads:
        use.changes += changes(use.tool, values, use.cwd)


def patch(use: ToolUse, patch_text: str) -> None:
    """The changes of an `apply_patch`."""
    from plastic.applypatch import changes

    for one in changes(patch_text):
        use.changes.append(Change(absolute(use.cwd, one.path), one.op, one.content, one.edits))


def told(verdict: Verdict) -> str:
    """What the agent should read, of a verdict that stops nothing any more."""
    said = [verdict.text()] if verdict.kind != "allow" else []
    return "\n".join(said + ([verdict.context] if verdict.context else []))


def line(out: dict[str, Any]) -> bytes:
    """One JSON object as a line; silence, which is "no opinion", when there is nothing in it."""
    return (dumps(out) + "\n").encode() if out else b""
