"""Release: by the owner only, idempotent, the counter stays (case 9.1/31)."""

from __future__ import annotations

from pathlib import Path

import pytest

from plastic.disk.locks import intent_guard
from plastic.words import Held, Lost, Refusal, Refused, Stale
from plastic.work.lock.bridge import look, write_bridge
from plastic.work.lock.claims import claim
from plastic.work.lock.release import clear_lock, release, release_acquisition
from plastic.work.lock.verb import seen
from tests.work.scene import Scene, me


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_the_owner_releases(scene: Scene) -> None:
    scene.arm("O")
    claim(scene.home, scene.intent, me("O"), "spec.md")
    assert release(scene.home, scene.intent, me("O")) == "released"
    assert not scene.path.exists()
    assert not (scene.dir / ".claims/spec.md.claim").exists()
    assert (scene.dir / "delivery.write.lock").exists(), "a guard is never unlinked"
    assert (scene.held(), scene.counter()) == ([], 1)
    assert release(scene.home, scene.intent, me("O")) == "none"
    assert len(scene.journal("release")) == 1


def test_the_bridge_goes_after_the_lock(scene: Scene) -> None:
    scene.arm("O")
    write_bridge(scene.home, scene.intent, "O")
    release(scene.home, scene.intent, me("O"))
    assert look(scene.intent, "O", seen(scene.intent))["present"] is False


def test_a_stale_lock_is_still_its_owners_to_release(scene: Scene) -> None:
    scene.arm("O")
    scene.silent()
    assert release(scene.home, scene.intent, me("O")) == "released"


ROWS: list[tuple[str, float, type[Refusal], int]] = [
    ("D", 0, Refused, 1),
    ("D", 7200, Refused, 1),
    ("F", 0, Held, 3),
    ("F", 7200, Stale, 4),
]


@pytest.mark.parametrize(("session", "age", "kind", "exit"), ROWS)
def test_nobody_else_does(
    scene: Scene, session: str, age: float, kind: type[Refusal], exit: int
) -> None:
    """Cases 9.1/31, 9.2/37."""
    scene.arm("O")
    scene.write(**{**scene.raw(), "delegates": ["D"]})
    scene.age(age)
    before = scene.snapshot()
    with pytest.raises(kind) as refused:
        release(scene.home, scene.intent, me(session))
    assert refused.value.exit == exit
    assert scene.snapshot() == before


def test_an_unreadable_lock_is_not_released(scene: Scene) -> None:
    scene.path.write_text("[]")
    with pytest.raises(Stale) as refused:
        release(scene.home, scene.intent, me("O"))
    assert refused.value.code == "corrupt"
    assert scene.path.read_text() == "[]"


def test_release_by_acquisition(scene: Scene) -> None:
    first = scene.arm("O")
    assert not release_acquisition(scene.home, scene.intent, "")
    assert not release_acquisition(scene.home, scene.intent, "other")
    assert release_acquisition(scene.home, scene.intent, first.lock.acq)
    assert not release_acquisition(scene.home, scene.intent, first.lock.acq)


def test_end_clears_only_what_it_began_with(scene: Scene) -> None:
    first = scene.arm("O")
    with intent_guard(scene.intent.dir):
        with pytest.raises(Lost):
            clear_lock(scene.home, scene.intent, "other")
        clear_lock(scene.home, scene.intent, first.lock.acq)
        clear_lock(scene.home, scene.intent, first.lock.acq)
    assert (scene.path.exists(), scene.held()) == (False, [])
