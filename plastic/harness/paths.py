"""The paths in the input of a tool that nobody has described to us: MCP servers, newer tools."""

from __future__ import annotations

from plastic.words import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A tool is known to be read-only when its name has a word of READ and none of WRITE.
READ = _words(
    "read get list search find stat view show query fetch describe tree grep glob cat head tail "
    "info inspect count diff status log check browse lookup exists ls overview symbols"
)
WRITE = _words(
    "write create update edit insert replace append delete remove move rename copy put set save "
    "patch apply add modify change make mkdir rm rmdir mv cp unlink trash upload download export "
    "overwrite touch sync restore reset checkout commit push run exec execute"
)
REMOVE = _words("delete remove rm rmdir unlink trash")
MOVE = _words("move rename mv")
COPY = _words("copy cp duplicate")
WHOLE = _words("write create save put overwrite")
# Keys without `_` and `-`, in lower case. What only says where to run (`repo_path`, `cwd`,
# `project_root`) is no written path.
PLACES = _words(
    "path paths file files filepath filepaths filename filenames notebookpath relativepath "
    "absolutepath targetfile targetpath outputpath outputfile pathname uri fileuri"
)
SOURCES = _words("source sources src from sourcepath oldpath frompath origin")
TARGETS = _words("destination dest dst target to destinationpath newpath topath")
SIBLINGS = _words("newname newfilename")
DEPTH = 5  # levels of lists and objects that are searched
MOST = 500  # paths of one call that are judged


def words_of(tool: str) -> frozenset[str]:
    """The words of a tool's own name, without the server's: `mcp__fs__moveFile` is move, file."""
    spaced = []
    for letter in tool.rpartition("__")[2]:
        if letter.isupper():
            spaced.append(" ")
        spaced.append(letter.lower() if letter.isalnum() else " ")
    return frozenset("".join(spaced).split())


def is_reader(tool: str) -> bool:
    """Whether the name says that the tool only reads; a tool without a name is none."""
    words = words_of(tool)
    return not WRITE & words and bool(READ & words)


def changes(tool: str, values: dict[str, Any], cwd: str) -> list[Change]:
    """Every path that the call may write; a moved or deleted one with everything below it."""
    words = words_of(tool)
    if _any_of(values, "dryRun", "dry_run") is True or _is_remote(values):
        return []
    root = _any_of(values, "project_root", "projectRoot")
    base = root if isinstance(root, str) and root.startswith("/") else cwd
    found: list[tuple[str, str]] = []
    _collect(values, "", found, DEPTH)
    made: list[Change] = []
    for role, text in found[:MOST]:
        op = _op(role, words, text)
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


def _is_remote(values: dict[str, Any]) -> bool:
    """A file of a forge's repository (`owner`, `repo`, relative path) is not on this machine."""
    path = values.get("path")
    named = isinstance(values.get("owner"), str) and isinstance(values.get("repo"), str)
    return named and not (isinstance(path, str) and path.startswith("/"))


def _collect(value: object, role: str, found: list[tuple[str, str]], depth: int) -> None:
    """Texts below path-like keys as (role, text): place, source, target or sibling."""
    if isinstance(value, str):
        if role and value:
            found.append((role, value))
    elif depth and isinstance(value, list):
        for one in value:
            _collect(one, role, found, depth - 1)
    elif depth and isinstance(value, dict):
        for key, one in value.items():
            _collect(one, _role(key), found, depth - 1)


def _role(key: str) -> str:
    flat = key.replace("_", "").replace("-", "").lower()
    if flat in PLACES:
        return "place"
    if flat in SOURCES:
        return "source"
    if flat in TARGETS:
        return "target"
    return "sibling" if flat in SIBLINGS else ""


def _op(role: str, words: frozenset[str], text: str) -> str:
    """What happens to a path in this role; "" when it is only read, or no path at all."""
    moves, copies = MOVE & words, COPY & words
    if role == "sibling":
        return "write" if moves else ""
    if role in ("source", "target") and not moves and not copies:
        # `to` and `source` are often people, channels, languages: only a rooted path counts.
        return "write" if text.startswith(("/", "~/", "file:")) else ""
    if role == "source":
        return "remove" if moves else ""
    if REMOVE & words or (role == "place" and moves):
        return "remove"
    return "write"


def _beside(made: list[Change], base: str) -> str:
    """The folder of the path that was named first: a new name without a folder stays in it."""
    return made[0].path.rpartition("/")[0] if made else base


def path_of(text: str, base: str) -> str:
    """An absolute path from a path or `file:` URI; "" for other URIs and for prose."""
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
