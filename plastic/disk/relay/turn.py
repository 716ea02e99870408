"""One child of a relay: a folder with its prompt and output, which outlives whoever started it.

A small shell stands between: it says which process it is, begins the program, and keeps its exit
code. Beginning is giving the name `begun` to a folder, giving up is giving it to a link: only one
of the two can happen, whoever is killed when. So a prompt begins once or certainly never.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.failpoints import point
from plastic.disk.files import (
    append,
    is_dir,
    make_dirs,
    names,
    open_regular,
    publish,
    read,
    remove,
    replace,
    symlink,
    sync_dir,
)
from plastic.disk.paths import link
from plastic.disk.process import detached
from plastic.disk.relay.place import SCHEMA, record, write
from plastic.disk.relay.processes import boot, identity, parsed
from plastic.disk.tree import remove_tree
from plastic.quickjson import loads

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from plastic.disk.process import Child
    from plastic.disk.relay.place import Place

_SHELL = """keeps=$1; d=$2; shift 2
trap : TERM INT HUP
{ read -r line </proc/$$/stat && echo "$line" || ps -o lstart= -p $$; } >"$d/stat" 2>/dev/null
echo $$ >"$d/pid.new" && mv "$d/pid.new" "$d/pid"
command -v "$1" >/dev/null || { echo "$1: not found" >&2; exit 127; }
mkdir "$d/begun" || exit 125
end() { echo $? >"$d/code.new" && mv "$d/code.new" "$d/code"; : >"$d/close"; }
if [ -n "$keeps" ]; then
  { cat; while [ ! -e "$d/close" ]; do sleep 0.2; done; } | { "$@"; end; }
else
  "$@"
  end
fi"""
KEPT = 40  # turns; older ones are removed with their output
MOST_CALLS = 1 << 20  # bytes
PIECE = 1 << 18
LONGEST_LINE = 1 << 20  # bytes; the rest of a longer line is not read


class Turn(NamedTuple):
    """What a turn was started for. `code` is that of the effect: first, pending, reply, ..."""

    path: str
    number: int
    session: str
    delivery: str
    code: str
    token: str  # hashed
    boot: str
    at: float
    spent: float  # USD of this session before it
    model: str = ""

    def file(self, name: str) -> str:
        return f"{self.path}/{name}"


class Words(NamedTuple):
    """The words of a program; `keeps_stdin`: its stdin ends with `close`, not with the prompt."""

    argv: tuple[str, ...]
    keeps_stdin: bool


def make(
    place: Place,
    session: str,
    delivery: str,
    code: str,
    token: str,
    spent: float,
    prompt: bytes,
    model: str = "",
) -> Turn:
    """The folder of a new turn, durable before anything is started; `prompt` is its stdin."""
    old = [name for name in names(place.turns) if name.isdigit()]
    number = int(old[-1]) + 1 if old else 1
    path = f"{place.turns}/{number:06}"
    make_dirs(path, 0o700)
    publish(f"{path}/prompt", prompt, 0o600)
    turn = Turn(path, number, session, delivery, code, token, boot(), time.time(), spent, model)
    value = turn._asdict()
    del value["path"]
    write(f"{path}/turn.json", {"schema": SCHEMA, **value})
    for name in old[:-KEPT]:
        remove_tree(f"{place.turns}/{name}")
    return turn


def last(place: Place) -> Turn | None:
    """The latest turn; None before the first."""
    return next(_kept(place), None)


def has_session(place: Place, session: str) -> bool:
    """Whether a turn of this session was begun: then the program knows it."""
    return any(turn.session == session and has_begun(turn) for turn in _kept(place))


def _kept(place: Place) -> Iterator[Turn]:
    """The turns, the latest first. A folder that a kill left half made is none."""
    for name in reversed(names(place.turns)):
        path = f"{place.turns}/{name}"
        raw = record(f"{path}/turn.json") if name.isdigit() else None
        if raw is not None and set(Turn._fields) - {"path"} <= set(raw):
            yield Turn(path, *(raw[key] for key in Turn._fields[1:]))


def spawn(turn: Turn, launch: Words, cwd: str, env: Mapping[str, str]) -> Child:
    """Start it; OSError when that is impossible."""
    point("relay.spawning")
    keeps = "1" if launch.keeps_stdin else ""
    words = ["/bin/sh", "-c", _SHELL, "sh", keeps, turn.path, *launch.argv]
    child = detached(words, cwd, env, turn.file("prompt"), turn.file("out"), turn.file("err"))
    point("relay.spawned")
    return child


def has_begun(turn: Turn) -> bool:
    """Whether the program was begun."""
    return not is_given_up(turn) and is_dir(turn.file("begun"))


def give_up(turn: Turn) -> bool:
    """Let a turn never begin; False when it has begun already."""
    return symlink("never", turn.file("begun")) or is_given_up(turn)


def is_given_up(turn: Turn) -> bool:
    """Whether it will never begin."""
    return link(turn.file("begun")) != ""


def close(turn: Turn) -> None:
    """End its stdin, where that was kept open."""
    publish(turn.file("close"), b"", 0o600)


def code(turn: Turn) -> int | None:
    """The exit code of the program; None while there is none."""
    text = (read(turn.file("code")) or b"").strip()
    return int(text) if text.isdigit() else None


def process(turn: Turn) -> int:
    """The process of a turn that lives, 0 for none."""
    text = (read(turn.file("pid")) or b"").strip()
    if not text.isdigit() or turn.boot != boot():
        return 0
    line = (read(turn.file("stat")) or b"").decode("utf-8", "replace")
    pid = int(text)
    return pid if identity(pid) == parsed(line) != "" else 0


def call(turn: Turn, kind: str, text: str, *, instead: bool) -> None:
    """Keep a signal that the agent gave in this turn; `instead` of all that it gave before."""
    line = json.dumps([kind, text]) + "\n"
    if instead:
        replace(turn.file("calls"), line.encode(), 0o600)
    else:
        append(turn.file("calls"), line)
        sync_dir(turn.file("calls"))


def calls(turn: Turn) -> list[tuple[str, str]]:
    """The signals of this turn, in order."""
    found = []
    for line in (read(turn.file("calls"), MOST_CALLS) or b"").split(b"\n")[:-1]:
        try:
            one: Any = loads(line)
        except ValueError:
            continue
        if isinstance(one, list) and len(one) == 2 and all(isinstance(part, str) for part in one):
            found.append((one[0], one[1]))
    return found


def drop_calls(turn: Turn) -> None:
    """Forget the signals so far: they were heard, and counted for nothing."""
    remove(turn.file("calls"))


def tail(turn: Turn, name: str, most: int = 600) -> str:
    """The end of what it said, as text."""
    opened = open_regular(turn.file(name))
    if opened is None:
        return ""
    fd, seen = opened
    try:
        data = os.pread(fd, most, max(0, seen.st_size - most))
    finally:
        os.close(fd)
    return data.decode("utf-8", "replace").strip()


class Lines:
    """Reads what a child says, line by line, however much and however long the lines are."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._at = 0
        self._rest = b""
        self._skips = False

    def rest(self) -> list[bytes]:
        """All lines that are left, one without an end too, once nobody writes any more."""
        lines: list[bytes] = []
        before = -1
        while self._at != before:
            before = self._at
            lines += self.new()
        rest, self._rest = self._rest, b""
        return [*lines, rest] if rest else lines

    def new(self) -> list[bytes]:
        """The next whole lines; one that is too long is left out."""
        opened = open_regular(self._path)
        if opened is None:
            return []
        try:
            piece = os.pread(opened[0], PIECE, self._at)
        finally:
            os.close(opened[0])
        self._at += len(piece)
        *lines, rest = piece.split(b"\n")
        if not lines:
            self._keep(rest)
            return []
        first = b"" if self._skips else self._rest + lines[0]
        # By length alone: whoever reads it again from the start must count the same lines.
        whole = [one for one in (first, *lines[1:]) if 0 < len(one) <= LONGEST_LINE]
        self._rest, self._skips = b"", False
        self._keep(rest)
        return whole

    def _keep(self, piece: bytes) -> None:
        if not self._skips:
            self._rest += piece
            if len(self._rest) > LONGEST_LINE:
                self._rest, self._skips = b"", True
