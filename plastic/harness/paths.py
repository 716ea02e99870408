"""The paths in the input of a tool that nobody has described to us: MCP servers, newer tools."""

from __future__ import annotations

from plastic.harness.keys import (
    BASES,
    COPY,
    FOLDERS,
    FORGES,
    MOVE,
    READ,
    REMOVE,
    WHOLE,
    WRITE,
    flat,
    role_of,
    spoken,
)
from plastic.words import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


DEPTH = 5  # levels of lists and objects that are searched
MOST = 5000  # paths of one call that are judged


def words_of(tool: str) -> frozenset[str]:
    """The words of a tool's own name, without the server's: `mcp__fs__moveFile` is move, file."""
    return frozenset(spoken(tool.rpartition("__")[2]))


def is_reader(tool: str) -> bool:
    """Whether the name says that the tool only reads; a tool without a name is none."""
    words = words_of(tool)
    return not WRITE & words and bool(READ & words)


def changes(tool: str, values: dict[str, Any], cwd: str) -> list[Change]:
    """Every path that the call may write; a moved or deleted one with everything below it."""
    words = words_of(tool)
    if _any_of(values, "dryRun", "dry_run") is True:
        return []
    base = _base(values) or cwd
    remote = _is_remote(values)
    found: list[tuple[str, str]] = []
    _collect(values, "", found, DEPTH)
    made: list[Change] = []
    for role, text in found[:MOST]:
        op = "" if remote and not is_rooted(text) else _op(role, words, text)
        path = path_of(text, _beside(made, base) if role == "sibling" else base)
        if op and path:
            made.append(Change(path, op))
    if len(made) == 1 and made[0].op == "write":
        _result(made[0], values, words)
    return made


def _any_of(values: dict[str, Any], *keys: str) -> object:
    for key in keys:
        if key in values:
            return values[key]
    return None


def is_rooted(text: str) -> bool:
    """Whether a text names a place of this machine, wherever the tool runs."""
    return text.lstrip()[:5].lower().startswith(("/", "~/", "file:"))


def _base(values: dict[str, Any]) -> str:
    """The folder that the call itself names for its relative paths; "" when it names none."""
    for key, value in values.items():
        if isinstance(value, str) and value.startswith("/") and flat(key) in BASES:
            return value
    return ""


def _is_remote(values: dict[str, Any]) -> bool:
    """A relative path in a forge's repository (`owner` and `repo`) is not on this machine."""
    if isinstance(values.get("owner"), str) and isinstance(values.get("repo"), str):
        return True
    return any(flat(key) in FORGES for key in values)


def _collect(value: object, role: str, found: list[tuple[str, str]], depth: int) -> None:
    """Texts below path-like keys as (role, text); `key` = the key itself."""
    if isinstance(value, str):
        if role and value:
            found.append((role, value))
    elif depth and isinstance(value, list):
        for one in value:
            _collect(one, role, found, depth - 1)
    elif depth and isinstance(value, dict):
        for key, one in value.items():
            # `{"files": {"a.py": "content"}}`: the key itself is the path.
            if is_rooted(key) or (role == "place" and ("." in key or "/" in key)):
                found.append(("key", key))
            _collect(one, role_of(key), found, depth - 1)


def _op(role: str, words: frozenset[str], text: str) -> str:
    """What happens to a path in this role; "" when it is only read, or no path at all."""
    moves, copies = MOVE & words, COPY & words
    if role == "key":
        return "write"
    if role == "sibling":
        return "write" if moves else ""
    if role == "base":
        # Mostly where to run; a tool that makes or removes folders names nothing else.
        if not FOLDERS & words or not is_rooted(text):
            return ""
        return "remove" if REMOVE & words or moves else "write"
    if role in ("source", "target") and not moves and not copies:
        # `to` and `source` are often people, channels, languages: only a rooted path counts.
        return "write" if is_rooted(text) else ""
    if role in ("source", "old"):
        return "remove" if moves else ""
    if REMOVE & words or (role == "place" and moves):
        return "remove"
    return "write"


def _beside(made: list[Change], base: str) -> str:
    """The folder of the path that was named first: a new name without a folder stays in it."""
    return made[0].path.rpartition("/")[0] if made else base


def path_of(text: str, base: str) -> str:
    """An absolute path from a path or `file:` URI; "" for other URIs and for prose."""
    if is_rooted(text):
        text = text.lstrip()
    head, sep, rest = text.partition("://")
    if sep and head.isalnum():
        if head.lower() != "file":
            return ""
        text = _decoded("/" + rest.partition("/")[2])
    elif text[:6].lower() == "file:/":
        text = _decoded(text[5:])
    if text.startswith(("/", "~/")):
        return text
    return "" if not text or "\n" in text else f"{base.rstrip('/')}/{text}"


def _decoded(text: str) -> str:
    """Percent signs resolved; what is no code stays as it is."""
    if "%" not in text:
        return text
    pieces = text.encode("utf-8", "surrogatepass").split(b"%")
    data = bytearray(pieces[0])
    for piece in pieces[1:]:
        try:
            data += bytes((int(piece[:2], 16),)) + piece[2:]
        except ValueError:
            data += b"%" + piece
    return data.decode("utf-8", "surrogateescape")


def _result(change: Change, values: dict[str, Any], words: frozenset[str]) -> None:
    """The result of the call where the input tells it."""
    content = values.get("content")
    if isinstance(content, str) and WHOLE & words and "mode" not in values:
        change.content = content
        return
    edits = values.get("edits")
    for item in edits if isinstance(edits, list) else []:
        old = new = None
        if isinstance(item, dict):
            old = _any_of(item, "oldText", "old_string", "old_text")
            new = _any_of(item, "newText", "new_string", "new_text")
        if not isinstance(old, str) or not isinstance(new, str):
            change.edits = []
            return
        change.edits.append((old, new, item.get("replace_all") is True))
