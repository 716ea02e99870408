"""Texts of which no parser or walk sees the end: opaque, in bounded time, and never broken."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk import shfmt
from plastic.work.gate import shell as shellgate

if TYPE_CHECKING:
    from pathlib import Path

    from plastic.words import Intent
    from tests.gates.scene import Said, Scene

ME, F = "owner-1", "foreign-2"


@pytest.fixture
def made(scene: Scene) -> Intent:
    found = scene.planned()
    scene.lock(found, ME)
    return found


def runs(scene: Scene, command: str) -> Said:
    return scene.judge(scene.event(F, "Bash", command=command, cwd="/x"))


def is_opaque(scene: Scene, made: Intent, text: str) -> bool:
    """Whether nobody knows what `text` writes: refused where it names what is another's, only."""
    free, named = runs(scene, text), runs(scene, f"{text}\n# {made.dir}/spec.md")
    assert free.denied is None
    return named.denied is not None


def says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tree: str) -> None:
    """Let the parser say this."""
    (tmp_path / "said.json").write_text(tree)
    (tmp_path / "shfmt").write_text(f"#!/bin/sh\ncat >/dev/null\ncat '{tmp_path}/said.json'\n")
    (tmp_path / "shfmt").chmod(0o755)
    monkeypatch.setattr(shfmt, "path", lambda: str(tmp_path / "shfmt"))


DEEP = 20_000
TREES = {
    "lists": '{"Type": "File", "Stmts": ' + "[" * DEEP + "]" * DEEP + "}",
    "objects": '{"Type": "File", "Stmts": [' + '{"Cmd": ' * DEEP + "1" + "}" * DEEP + "]}",
    "cut": '{"Type": "File", "Stmts": ' + "[" * DEEP,
}


@pytest.mark.parametrize("kind", TREES)
def test_a_tree_too_deep_for_json(
    scene: Scene, made: Intent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    says(tmp_path, monkeypatch, TREES[kind])
    assert is_opaque(scene, made, "echo x > y")
    assert scene.journal("broken") == []


def test_a_tree_too_deep_for_the_walk(
    scene: Scene, made: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    stmt: Any = {"Cmd": None}
    for _ in range(3000):
        stmt = {"Cmd": {"Type": "Block", "Stmts": [stmt]}}
    monkeypatch.setattr(shfmt, "loads", lambda _: {"Type": "File", "Stmts": [stmt]})
    assert is_opaque(scene, made, "echo x > y")
    assert scene.journal("broken") == []


ENDLESS = ["f() { f; f; }; f", "for a in {1..99}; do for b in {1..99}; do : $a; ls; done; done"]


@pytest.mark.parametrize("text", ENDLESS)
def test_what_stands_behind_a_text_that_unrolls(scene: Scene, made: Intent, text: str) -> None:
    assert runs(scene, text).denied is None
    assert runs(scene, f"{text}\ntouch {made.dir}/a.md").denied
    assert runs(scene, f"D={made.dir}; {text}\ntouch $D/a.md").denied


NESTED = ["( " * 700 + "a" + " )" * 700, '"$(' * 300 + "a" + ')"' * 300, "a && " * 900 + "a > b"]


@pytest.mark.parametrize("text", NESTED, ids=range(len(NESTED)))
def test_texts_of_many_levels(scene: Scene, made: Intent, text: str) -> None:
    begun = time.monotonic()
    assert is_opaque(scene, made, text)
    assert time.monotonic() - begun < 60
    assert scene.journal("broken") == []


@pytest.mark.parametrize("error", [MemoryError(), RecursionError()])
def test_a_walk_without_room_makes_it_opaque(
    scene: Scene, made: Intent, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(shellgate, "analyse", full)
    assert is_opaque(scene, made, "echo x > y")
    assert scene.journal("broken") == []


def test_rounds_end_when_their_time_is_over(
    scene: Scene, made: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"bash -c 'touch {made.dir}/a.md'"
    assert "delivered by another session" in str(runs(scene, text).denied)
    monkeypatch.setattr(shellgate, "PATIENCE", -1.0)
    assert "nobody can tell" in str(runs(scene, text).denied)
    assert runs(scene, "bash -c 'touch a.md'").denied is None
