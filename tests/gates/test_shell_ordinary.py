"""2,000 ordinary commands: not one false refusal, for an owner and for who works elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.gates.ordinary import commands

if TYPE_CHECKING:
    from plastic.words import Intent
    from tests.gates.scene import Scene

ME, F = "owner-1", "foreign-2"
NUMBER = 2000


@pytest.fixture
def busy(scene: Scene) -> tuple[Intent, Intent]:
    """Two deliveries, so that nobody is solo; ours is planned."""
    made, other = scene.planned(), scene.planned("97", "other")
    scene.lock(made, ME, tree=True)
    scene.lock(other, F, tree=True)
    for name in ("src", "tests", "docs"):
        Path(scene.tree(made), name).mkdir()
    return made, other


def names(scene: Scene, own: str, tree: str, other: Intent) -> dict[str, str]:
    return {"d": own, "t": tree, "r": str(scene.repo), "o": other.dir}


def refused(scene: Scene, who: str, lines: list[str], cwd: str) -> list[tuple[str, str]]:
    found = []
    for line in lines:
        said = scene.judge(scene.event(who, "Bash", command=line, cwd=cwd))
        if said.out:
            found.append((line, said.out.decode()))
    return found


def test_an_owner_in_its_worktree(scene: Scene, busy: tuple[Intent, Intent]) -> None:
    made, other = busy
    tree = scene.tree(made)
    every = commands(1, NUMBER, names(scene, made.dir, tree, other), owner=True)
    assert refused(scene, ME, [line for line, _ in every], tree) == []
    assert scene.journal() == []


def test_a_session_in_a_repository_of_its_own(
    scene: Scene, busy: tuple[Intent, Intent], tmp_path: Path
) -> None:
    """It reads what others deliver, and works where nothing is registered."""
    _, other = busy
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    own = str(elsewhere / "notes")
    every = commands(2, NUMBER, names(scene, own, str(elsewhere), other), owner=False)
    assert refused(scene, "third-3", [line for line, _ in every], str(elsewhere)) == []


def test_a_session_in_the_shared_checkout(scene: Scene, busy: tuple[Intent, Intent]) -> None:
    """Who holds nothing may work there as ever; deliveries have their own trees."""
    _, other = busy
    every = commands(3, NUMBER // 4, names(scene, "/tmp/d", str(scene.repo), other), owner=False)
    assert refused(scene, "third-3", [line for line, _ in every], str(scene.repo)) == []


def test_looks_are_never_refused_anywhere(scene: Scene, busy: tuple[Intent, Intent]) -> None:
    made, other = busy
    every = commands(4, NUMBER // 2, names(scene, made.dir, "/x", other), owner=False)
    looks = [line for line, looks in every if looks]
    assert len(looks) > 300
    for cwd in (made.dir, scene.tree(made), scene.home.store("shop")):
        said = refused(scene, F, looks, cwd)
        assert said == []


def test_the_writes_among_them_are_seen(scene: Scene, busy: tuple[Intent, Intent]) -> None:
    """Non-vacuity: in the tree of another delivery hardly one of them is let through."""
    made, other = busy
    every = commands(5, NUMBER // 4, names(scene, made.dir, scene.tree(made), other), owner=False)
    writes = [line for line, looks in every if not looks]
    said = refused(scene, F, writes, scene.tree(made))
    assert len(said) > 0.8 * len(writes)
