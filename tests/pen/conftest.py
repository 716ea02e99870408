"""A tree with a pen of three agents, and how tests speak to it."""

from __future__ import annotations

import itertools
import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.pen.other import fields, turns
from tests.world import Done, World


class Tree:
    """A folder with a pen; `do("claim", "ana")` is `plastic pen claim ana` in it."""

    def __init__(self, world: World, folder: Path) -> None:
        self.world = world
        self.folder = folder
        self.file = folder / "M8SHIFT.md"

    def do(self, *argv: str, session: str | None = None, **more: Any) -> Done:
        return self.world.plastic("pen", *argv, session=session, cwd=self.folder, **more)

    def ok(self, *argv: str, **more: Any) -> Any:
        """The printed object of a command that must do."""
        done = self.do(*argv, "--json", **more)
        assert done.rc == 0, done.out + done.err
        return json.loads(done.out)

    def no(self, *argv: str, **more: Any) -> Any:
        """The error of one that must be refused, byte for byte without a trace in the file."""
        before = self.files()
        done = self.do(*argv, "--json", **more)
        assert done.rc == 1, (done.rc, done.out, done.err)
        assert done.err == ""
        assert self.files() == before, "a refused command leaves every byte"
        found = json.loads(done.out)
        assert found["error"]["run"]
        assert "\n" not in found["error"]["reason"]
        return found["error"]

    def yet(self, *argv: str, **more: Any) -> Any:
        """The object of one that says not yet."""
        before = self.files()
        done = self.do(*argv, "--json", **more)
        assert done.rc == 3, (done.rc, done.out, done.err)
        assert self.files() == before
        return json.loads(done.out)

    def run(self, line: str) -> Done:
        """A printed command, as it is."""
        words = shlex.split(line)
        assert words[:2] == ["plastic", "pen"], line
        return self.do(*words[2:])

    def files(self) -> dict[str, bytes]:
        """Every file of the pen with its bytes."""
        found = [*self.folder.glob("M8SHIFT*"), *self.folder.glob(".m8shift/**/*")]
        return {str(one): one.read_bytes() for one in found if one.is_file()}

    @property
    def block(self) -> dict[str, str]:
        return fields(self.file.read_text())

    @property
    def turns(self) -> dict[int, dict[str, str]]:
        found = turns(self.file.read_text())
        found.pop(0, None)
        return found

    def rows(self) -> list[dict[str, Any]]:
        """The ledger of sessions."""
        path = self.folder / "M8SHIFT.sessions.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()]

    def relay(self, *names: str) -> None:
        """Turns: each name claims, writes and hands over to the next."""
        for one, other in itertools.pairwise(names):
            self.ok("claim", one)
            self.ok("append", one, "--to", other, "--done", f"{one} did it")


@pytest.fixture
def bare(world: World) -> Tree:
    """A folder outside of git, without a pen."""
    folder = world.root / "tree"
    folder.mkdir()
    return Tree(world, folder)


@pytest.fixture
def tree(bare: Tree) -> Tree:
    """The same with a pen for ana, bo and cy."""
    bare.ok("init", "--agents", "ana,bo,cy", "--name", "shop")
    return bare


@pytest.fixture(autouse=True)
def _no_relay(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("M8SHIFT"):
            monkeypatch.delenv(name)
