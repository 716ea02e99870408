"""Claims: one writer for one document (cases 9.3/46 to 9.3/61)."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from plastic.disk.lockfile import beat_claim, look_claims
from plastic.words import Held, Refusal, Refused, Stale, Usage
from plastic.work.lock.claims import claim, release_claim
from plastic.work.lock.delegates import delegate
from tests.work.scene import Scene, me


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene(tmp_path)
    made.arm("O")
    delegate(made.home, made.intent, me("O"), "D")
    return made


def take(
    scene: Scene, by: str = "O", artifact: str = "spec.md", agent: str | None = None
) -> object:
    return claim(scene.home, scene.intent, me(by), artifact, agent)["was"]


def file(scene: Scene, artifact: str = "spec.md") -> Path:
    return scene.dir / f".claims/{artifact}.claim"


@pytest.mark.parametrize("artifact", ["spec.md", "plan.md", "checklist.md", "14--tax.md"])
def test_a_free_document_is_claimed(scene: Scene, artifact: str) -> None:
    assert take(scene, artifact=artifact, agent="main") is None
    value = json.loads(file(scene, artifact).read_text())
    assert list(value) == ["artifact", "owner_session", "delegate", "acquired_at"]
    assert (value["artifact"], value["owner_session"], value["delegate"]) == (artifact, "O", "main")


BAD = [
    "../../x",
    "/etc/passwd",
    "",
    "a/b",
    "outcome.md",
    "actions/plan.md",
    "spec.md ",
    "savepoint.md",
]


@pytest.mark.parametrize("artifact", BAD)
def test_only_the_four_kinds(scene: Scene, artifact: str) -> None:
    """Cases 9.3/56, 9.3/58."""
    before = scene.snapshot()
    with pytest.raises(Usage) as refused:
        take(scene, artifact=artifact)
    assert refused.value.exit == 2
    with pytest.raises(Usage):
        release_claim(scene.home, scene.intent, me("O"), artifact)
    assert scene.snapshot() == before


@pytest.mark.parametrize("by", ["O", "D"])
def test_a_fresh_claim_is_refused_to_everybody(scene: Scene, by: str) -> None:
    """Case 9.3/49: also to the same session, whose agents share its id."""
    take(scene)
    before = scene.snapshot()
    with pytest.raises(Held) as refused:
        take(scene, by)
    error = refused.value
    assert (error.exit, error.who, error.run) == (3, "O", "plastic-lock status 14")
    assert error.since
    assert scene.snapshot() == before


def test_a_stale_claim_yields(scene: Scene) -> None:
    """Case 9.3/54."""
    take(scene, "D")
    scene.age(1801, file(scene))
    made = claim(scene.home, scene.intent, me("O"), "spec.md")
    assert (made["was"], made["from"]) == ("stale", "D")
    assert json.loads(file(scene).read_text())["owner_session"] == "O"


@pytest.mark.parametrize("kind", ["garbage", "directory", "link"])
def test_a_corrupt_claim_is_repaired(scene: Scene, kind: str) -> None:
    """Cases 9.3/52, 9.3/54."""
    file(scene).parent.mkdir(exist_ok=True)
    if kind == "garbage":
        file(scene).write_text("{")
    elif kind == "directory":
        file(scene).mkdir()
    else:
        file(scene).symlink_to("/nowhere")
    assert take(scene) == "corrupt"
    assert json.loads(file(scene).read_text())["owner_session"] == "O"


ROWS: list[tuple[str, float, type[Refusal], int]] = [("F", 0, Held, 3), ("F", 7200, Stale, 4)]


@pytest.mark.parametrize(("by", "age", "kind", "exit"), ROWS)
def test_a_claim_is_no_authority(
    scene: Scene, by: str, age: float, kind: type[Refusal], exit: int
) -> None:
    """Case 9.3/53."""
    scene.age(age)
    with pytest.raises(kind) as refused:
        take(scene, by)
    assert refused.value.exit == exit


def test_without_a_lock_nothing_is_claimed(scene: Scene) -> None:
    scene.path.unlink()
    with pytest.raises(Refused):
        take(scene)


def test_release_by_the_holder(scene: Scene) -> None:
    take(scene)
    assert release_claim(scene.home, scene.intent, me("O"), "spec.md") == "released"
    assert release_claim(scene.home, scene.intent, me("O"), "spec.md") == "none"


def test_release_by_the_named_delegate(scene: Scene) -> None:
    take(scene, agent="D")
    assert release_claim(scene.home, scene.intent, me("D"), "spec.md") == "released"


def test_release_of_anothers_claim(scene: Scene) -> None:
    take(scene)
    with pytest.raises(Held):
        release_claim(scene.home, scene.intent, me("D"), "spec.md")
    scene.age(1801, file(scene))
    with pytest.raises(Held):
        release_claim(scene.home, scene.intent, me("F"), "spec.md")
    assert release_claim(scene.home, scene.intent, me("D"), "spec.md") == "released"


def test_states_as_a_reader_sees_them(scene: Scene) -> None:
    """Case 9.3/51."""
    take(scene)
    take(scene, artifact="plan.md")
    scene.age(1801, file(scene, "plan.md"))
    file(scene, "checklist.md").write_text("")
    found = {one.artifact: one.state for one in look_claims(scene.intent.dir, 1800, time.time())}
    assert found == {"spec.md": "fresh", "plan.md": "stale", "checklist.md": "corrupt"}


def test_a_claims_heartbeat_never_makes_one(scene: Scene) -> None:
    """Case 9.3/48."""
    take(scene)
    scene.age(100, file(scene))
    data = file(scene).read_bytes()
    assert beat_claim(str(file(scene)), 30, time.time())
    assert not beat_claim(str(file(scene)), 30, time.time()), "at most once in 30 seconds"
    assert file(scene).read_bytes() == data
    os.unlink(file(scene))
    assert not beat_claim(str(file(scene)), 30, time.time())
    assert not file(scene).exists()
