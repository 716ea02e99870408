"""A hundred ways to spoil a file: what disks, editors, other programs and people leave behind."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _cut(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _flipped(data: bytes, dice: random.Random) -> bytes:
    spoilt = bytearray(data)
    for _ in range(dice.randint(1, 4) if spoilt else 0):
        spoilt[dice.randrange(len(spoilt))] ^= 1 << dice.randrange(8)
    return bytes(spoilt)


def _holed(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data) + 1)
    return data[:at] + bytes(dice.randint(1, 4096)) + data[at + dice.randint(0, 9) :]


def _sprinkled(data: bytes, dice: random.Random) -> bytes:
    """A word in it is another one: of another type, without an end, twice."""
    at = dice.randrange(len(data) + 1)
    word = dice.choice(WORDS)
    return data[:at] + word + data[at + dice.choice((0, len(word))) :]


WORDS = (
    b"NaN", b"-1e999", b"null", b"[]", b"{}", b'"', b"\\", b"'", b"99999999999999999999", b"true",
    b"\xff\xfe", b"\xed\xa0\x80", b"\r", b"\x1b[2J", b"---\n", b"## Active\n", b": ", b"\t",
    b"<<<<<<<", b"../../../etc/passwd", b"&a [*a]", b"%s%n", b"\x00",
    b"!!python/object/apply:os.system [id]",
)  # fmt: skip
TEXTS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "empty": lambda *_: b"",
    "cut": _cut,
    "flipped": _flipped,
    "holed": _holed,
    "sprinkled": _sprinkled,
    "noise": lambda _, dice: dice.randbytes(dice.randint(1, 300)),
    "crlf": lambda data, _: data.replace(b"\n", b"\r\n"),
    "marked": lambda data, _: b"\xef\xbb\xbf" + data,
    "utf-16": lambda data, _: data.decode("utf-8", "replace").encode("utf-16"),
    "long line": lambda data, dice: data + b"x" * (1 << dice.randint(16, 21)),
    "deep": lambda _, dice: b'{"a":' * dice.choice((900, 40_000)),
    "twice": lambda data, _: data + data,
    "zeros": lambda data, _: bytes(len(data)),
}


def _gone(path: Path) -> None:
    path.unlink()


def _closed(path: Path) -> None:
    path.chmod(0)


def _linked(path: Path, target: str) -> None:
    path.unlink()
    path.symlink_to(target)


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "inside").write_text("something\n")


THINGS: dict[str, Callable[[Path], None]] = {
    "gone": _gone,
    "closed": _closed,
    "a loop": lambda path: _linked(path, path.name),
    "dangling": lambda path: _linked(path, "nowhere"),
    "endless": lambda path: _linked(path, "/dev/zero"),
    "a fifo": _fifo,
    "a folder": _folder,
}


def spoil(path: Path, dice: random.Random) -> tuple[str, bytes | None]:
    """Do something bad to a file; its name, and the bytes that are there now, None for no file."""
    how = dice.choice((*TEXTS, *TEXTS, *THINGS))
    if path.is_symlink():  # itself, not what it leads to
        text = path.read_bytes()
        path.unlink()
        path.write_bytes(text)
    if how in THINGS:
        THINGS[how](path)
        return how, None
    data = TEXTS[how](path.read_bytes(), dice)
    path.write_bytes(data)
    if dice.random() < 0.5:  # as if it had been so for hours: what is young may be under way
        os.utime(path, (path.stat().st_mtime - 7200,) * 2)
    return how, data


def restore(path: Path, kept: Path) -> None:
    """Put one file back as it is in an untouched copy."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    shutil.copy2(kept, path, follow_symlinks=False)
