"""Delegates: the owner registers them, and nobody else (cases 9.2/36 to 9.2/44)."""

from __future__ import annotations

from pathlib import Path

import pytest

from plastic.disk.lockfile import beat
from plastic.words import Held, Refusal, Refused, Stale, Usage
from plastic.work.lock.delegates import delegate
from plastic.work.lock.verb import seen
from tests.work.scene import Scene, me


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene(tmp_path)
    made.arm("O")
    return made


def add(scene: Scene, child: str, by: str = "O", status: str | None = None) -> None:
    delegate(scene.home, scene.intent, me(by), child, status, {"agent": "scout"})


def test_a_delegate_may_write_and_beats(scene: Scene) -> None:
    """Case 9.2/36."""
    add(scene, "D")
    view = seen(scene.intent)
    assert view.lock is not None
    assert view.lock.authorizes("D")
    scene.age(100)
    assert beat(seen(scene.intent), "D")
    assert (seen(scene.intent).age or 99) < 60
    assert scene.raw()["delegate_activity"][0]["agent"] == "scout"


@pytest.mark.parametrize("status", ["finished", "failed"])
def test_a_finished_one_stays_authorized_but_is_no_heartbeat(scene: Scene, status: str) -> None:
    """Case 9.2/39."""
    add(scene, "D")
    add(scene, "D", status=status)
    view = seen(scene.intent)
    assert view.lock is not None
    assert view.lock.authorizes("D")
    scene.age(100)
    assert not beat(seen(scene.intent), "D")
    add(scene, "D")
    scene.age(100)
    assert beat(seen(scene.intent), "D"), "registered again, it is at work again"


def test_twice_is_one_entry(scene: Scene) -> None:
    """Case 9.2/38."""
    for child in ("D", "E", "D"):
        add(scene, child)
    assert scene.raw()["delegates"] == ["D", "E"]
    assert [one["session"] for one in scene.raw()["delegate_activity"]] == ["E", "D"]


def test_the_owner_as_its_own_delegate_is_nothing(scene: Scene) -> None:
    """Case 9.2/43."""
    before = scene.snapshot()
    add(scene, "O")
    assert scene.snapshot() == before


def test_registering_keeps_the_heartbeat_honest(scene: Scene) -> None:
    """A rewrite by the owner is a sign of life; token and acquisition stay."""
    acq = scene.raw()["acq"]
    add(scene, "D")
    assert (scene.raw()["acq"], scene.raw()["token"], scene.counter()) == (acq, 1, 1)


ROWS: list[tuple[str, str | None, str, float, type[Refusal], int]] = [
    ("E", None, "D", 0, Refused, 1),  # case 9.2/37
    ("D", "finished", "D", 0, Refused, 1),
    ("E", None, "F", 0, Held, 3),
    ("E", None, "F", 7200, Stale, 4),
    ("E", "finished", "O", 0, Refused, 1),
    ("D", "active", "O", 0, Usage, 2),
    ("D", "junk", "O", 0, Usage, 2),
    ("  ", None, "O", 0, Usage, 2),  # case 9.2/43
    ("a\nb", None, "O", 0, Usage, 2),
]


@pytest.mark.parametrize(("child", "status", "by", "age", "kind", "exit"), ROWS)
def test_refused(
    scene: Scene,
    child: str,
    status: str | None,
    by: str,
    age: float,
    kind: type[Refusal],
    exit: int,
) -> None:
    add(scene, "D")
    scene.age(age)
    before = scene.snapshot()
    with pytest.raises(kind) as refused:
        add(scene, child, by, status)
    assert refused.value.exit == exit
    assert scene.snapshot() == before


def test_without_a_lock(scene: Scene) -> None:
    scene.path.unlink()
    with pytest.raises(Refused) as refused:
        add(scene, "D")
    assert refused.value.run == "plastic start 14"
