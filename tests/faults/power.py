"""What a power loss leaves: names and bytes that no fsync has reached may be there or not.

The changes that a command makes are recorded. From each prefix of them states are built: of the
names that no fsync of their directory has reached the first few came to the disk, or all but one;
of the bytes that no fsync of their file has reached all, or none.
"""

from __future__ import annotations

import os
import posix
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pytest


class Step(NamedTuple):
    """One change: of a name (in a directory), of bytes, or an fsync of either."""

    kind: str  # make, link, move, remove, write, sync
    path: str
    other: str = ""  # where a link or a move leads to, what a symlink says
    data: bytes = b""


NAMES = ("make", "mkdir", "symlink", "link", "move", "remove")


class Recorder:
    """Steps of this process below `root`, taken down by the calls that disk/files.py makes."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = str(root)
        self.steps: list[Step] = []
        self.open: dict[int, str] = {}
        for name in ("open", "write", "fsync", "rename", "link", "unlink", "symlink", "mkdir"):
            monkeypatch.setattr(posix, name, getattr(self, f"_{name}")(getattr(posix, name)))

    def take(self, kind: str, path: str, other: str = "", data: bytes = b"") -> None:
        if path.startswith(self.root):
            self.steps.append(Step(kind, path, other, data))

    def _open(self, real: Callable[..., int]) -> Callable[..., int]:
        def call(path: str, flags: int, mode: int = 0o777, **more: int) -> int:
            is_new = flags & posix.O_CREAT and not os.path.lexists(path)
            fd = real(path, flags, mode, **more)
            self.open[fd] = path
            if is_new:
                self.take("make", path)
            assert not (flags & posix.O_TRUNC and not is_new and path.startswith(self.root)), path
            return fd

        return call

    def _write(self, real: Callable[..., int]) -> Callable[..., int]:
        def call(fd: int, data: bytes) -> int:
            done = real(fd, data)
            self.take("write", self.open.get(fd, ""), data=data[:done])
            return done

        return call

    def _fsync(self, real: Callable[..., None]) -> Callable[..., None]:
        def call(fd: int) -> None:
            real(fd)
            self.take("sync", self.open.get(fd, ""))

        return call

    def _rename(self, real: Callable[..., None]) -> Callable[..., None]:
        return self._two(real, "move")

    def _link(self, real: Callable[..., None]) -> Callable[..., None]:
        return self._two(real, "link")

    def _two(self, real: Callable[..., None], kind: str) -> Callable[..., None]:
        def call(path: str, other: str) -> None:
            real(path, other)
            self.take(kind, path, other)

        return call

    def _unlink(self, real: Callable[..., None]) -> Callable[..., None]:
        def call(path: str) -> None:
            real(path)
            self.take("remove", path)

        return call

    def _symlink(self, real: Callable[..., None]) -> Callable[..., None]:
        def call(target: str, path: str) -> None:
            real(target, path)
            self.take("symlink", path, target)

        return call

    def _mkdir(self, real: Callable[..., None]) -> Callable[..., None]:
        def call(path: str, mode: int = 0o777) -> None:
            real(path, mode)
            self.take("mkdir", path)

        return call


class Node:
    """A file: its bytes, and how many of them an fsync has reached."""

    def __init__(self, data: bytes, safe: int, target: str | None = None) -> None:
        self.data, self.safe, self.target = data, safe, target

    def left(self, whole: bool) -> bytes:
        return self.data if whole else self.data[: self.safe]


Tree = dict[str, "Node | None"]  # None is a directory


def picture(root: Path) -> Tree:
    """Everything below a directory, all of it safe."""
    found: Tree = {}
    for path in sorted(root.rglob("*")):
        if path.is_symlink():
            found[str(path)] = Node(b"", 0, os.readlink(path))
        elif path.is_dir():
            found[str(path)] = None
        else:
            data = path.read_bytes()
            found[str(path)] = Node(data, len(data))
    return found


def change(tree: Tree, step: Step, node: Node | None) -> None:
    """A change of a name comes to the disk; `node` is the file that it is about."""
    if step.kind in ("make", "symlink", "mkdir"):
        tree[step.path] = node
    elif step.kind == "link":
        tree[step.other] = node
    elif step.kind == "move":
        tree.pop(step.path, None)
        tree[step.other] = node
    else:
        tree.pop(step.path, None)


def directory(step: Step) -> str:
    return os.path.dirname(step.other if step.kind in ("link", "move") else step.path)


def losses(before: Tree, steps: list[Step]) -> Iterator[tuple[int, str, dict[str, bytes | None]]]:
    """For each moment, what may be left of files: (steps done, which loss, path -> bytes)."""
    safe: Tree = {
        path: node and Node(node.data, node.safe, node.target) for path, node in before.items()
    }
    now: Tree = dict(safe)
    pending: list[tuple[Step, Node | None]] = []
    for number, step in enumerate(steps, 1):
        if step.kind == "write":
            node = now[step.path]
            assert node is not None
            node.data += step.data
        elif step.kind == "sync":
            for one, node in [one for one in pending if directory(one[0]) == step.path]:
                change(safe, one, node)
            pending = [one for one in pending if directory(one[0]) != step.path]
            found = now.get(step.path)
            if found is not None:
                found.safe = len(found.data)
        else:
            made = None if step.kind == "mkdir" else Node(b"", 0, step.other)
            node = made if step.kind in ("make", "symlink", "mkdir") else now[step.path]
            if node is not None and step.kind == "make":
                node.target = None
            change(now, step, node)
            pending.append((step, node))
        for which, some in _some(pending):
            for whole in (True, False):
                tree = dict(safe)
                for one, node in some:
                    change(tree, one, node)
                yield number, f"{which}, bytes {whole}", _plain(tree, whole)


def _some(
    pending: list[tuple[Step, Node | None]],
) -> Iterator[tuple[str, list[tuple[Step, Node | None]]]]:
    for number in range(len(pending) + 1):
        yield f"the first {number} names", pending[:number]
    for number in range(len(pending) - 1):
        yield f"all names but {number}", pending[:number] + pending[number + 1 :]


def _plain(tree: Tree, whole: bool) -> dict[str, bytes | None]:
    return {
        path: None
        if node is None
        else (b"->" + os.fsencode(node.target) if node.target is not None else node.left(whole))
        for path, node in tree.items()
    }


def build(root: Path, state: dict[str, bytes | None]) -> None:
    """Make the directory be what was left."""
    shutil.rmtree(root)
    root.mkdir()
    for path, data in sorted(state.items()):
        place = Path(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        if data is None:
            place.mkdir(exist_ok=True)
        elif data.startswith(b"->"):
            place.symlink_to(os.fsdecode(data[2:]))
        else:
            place.write_bytes(data)
