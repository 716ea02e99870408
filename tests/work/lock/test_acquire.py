"""Acquire, rearm, heal: what `arm` does from every state (cases 9.1/1 to 9.1/8, 9.1/33, 9.1/34)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plastic.disk import files
from plastic.disk.session import Caller
from plastic.words import Broken, Held, Lost, Refusal, Refused, Stale, Usage
from plastic.work.house.make_home import IGNORED, rescan
from plastic.work.lock.acquire import arm, set_item, set_worktree, undo
from plastic.work.lock.release import release
from plastic.work.lock.status import status
from tests.work.scene import Scene, me

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_acquire_makes_lock_counter_link_and_row(scene: Scene) -> None:
    """Case 9.1/1."""
    armed = scene.arm("O", mode="auto")
    assert (armed.how, armed.new, armed.token, armed.lock.owner) == ("acquired", True, 1, "O")
    assert scene.raw()["run_mode"] == "auto"
    assert scene.counter() == 1
    assert scene.held() == ["14--tax"]
    assert [row["token"] for row in scene.journal("acquire")] == [1]
    assert not [name for name in os.listdir(scene.dir) if name.endswith(".tmp")]


def test_the_fence_carries_token_and_acquisition(scene: Scene) -> None:
    scene.make_repo()
    armed = scene.arm("O")
    assert scene.fence() == {"token": 1, "acq": armed.lock.acq}


def test_rearm_keeps_identity(scene: Scene) -> None:
    """Case 9.1/3."""
    first = scene.arm("O", mode="auto", agent="lead")
    scene.write(**{**scene.raw(), "delegates": ["D"], "acquired_at": "2020-01-01T00:00:00Z"})
    again = scene.arm("O", agent=" ", model="m")
    assert (again.how, again.new, again.lock.acq) == ("rearmed", False, first.lock.acq)
    raw = scene.raw()
    assert (raw["acquired_at"], raw["delegates"]) == ("2020-01-01T00:00:00Z", ["D"])
    assert (raw["owner_agent"], raw["owner_model"], raw["run_mode"]) == ("lead", "m", "auto")


def test_my_stale_lock_is_mine(scene: Scene) -> None:
    """Case 9.1/28: nobody took it meanwhile."""
    scene.arm("O")
    scene.silent()
    assert scene.arm("O").view.state == "fresh"
    assert scene.counter() == 1
    assert scene.journal("lapsed")


def test_a_delegate_boards_on_its_owners_lock(scene: Scene) -> None:
    scene.arm("O")
    scene.write(**{**scene.raw(), "delegates": ["D"]})
    joined = scene.arm("D")
    assert (joined.how, joined.new, joined.lock.owner) == ("rearmed", False, "O")
    assert not undo(scene.home, scene.intent, joined)


REFUSED: list[tuple[str, float, type[Refusal], int, str]] = [
    ("held", 10, Held, 3, "plastic start 14 --wait"),
    ("stale", 1801, Stale, 4, "plastic-lock reclaim 14 --token 1"),
]


@pytest.mark.parametrize(("code", "age", "kind", "exit", "run"), REFUSED)
def test_a_foreign_lock_is_refused_untouched(
    scene: Scene, code: str, age: float, kind: type[Refusal], exit: int, run: str
) -> None:
    """Cases 9.1/6, 9.1/8."""
    scene.arm("O")
    scene.age(age)
    before = scene.snapshot()
    with pytest.raises(kind) as refused:
        scene.arm("F")
    error = refused.value
    assert (error.code, error.exit, error.run, error.who) == (code, exit, run, "O")
    assert error.since == scene.raw()["acquired_at"]
    assert scene.snapshot() == before


def test_a_heartbeat_in_the_future_is_neither_fresh_nor_stale(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.arm("O")
    real = files.stat
    now = real(str(scene.path))
    assert now is not None
    monkeypatch.setattr("plastic.disk.lockfile.time.time", lambda: now.st_ctime - 3600)
    with pytest.raises(Stale) as refused:
        scene.arm("F")
    assert (refused.value.code, refused.value.run) == ("future", "plastic-lock fix 14 --observe")


def test_mtime_set_forward_is_judged_by_ctime(scene: Scene) -> None:
    """Somebody's `touch -d` does not make a lock immortal, nor break it."""
    scene.arm("O")
    scene.age(-86400)
    with pytest.raises(Held):
        scene.arm("F")


@pytest.mark.parametrize("session", ["a\nb", "a\x00b", "x" * 201, "\t"])
def test_no_session_id(scene: Scene, session: str) -> None:
    """Case 9.1/7: before any file is touched; blanks are a derived key."""
    if not session.strip():
        assert scene.arm(session).lock.owner.startswith("auto-")
        return
    with pytest.raises(Usage):
        scene.arm(session)
    assert scene.snapshot() == {}


def test_without_a_session_the_key_is_derived(scene: Scene) -> None:
    """Case 9.4/63."""
    first = arm(scene.home, scene.intent, Caller("", "none"))
    again = arm(scene.home, scene.intent, Caller("", "none"))
    assert first.lock.owner == again.lock.owner
    assert first.lock.owner.startswith("auto-")


# -- bad locks ---------------------------------------------------------------------------------


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _directory(path: Path) -> None:
    path.mkdir()
    (path / "kept").write_text("x")


BAD: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "half": lambda path: path.write_bytes(b'{"type": "delivery", "owner_'),
    "array": lambda path: path.write_bytes(b"[1]"),
    "string": lambda path: path.write_bytes(b'"O"'),
    "no owner": lambda path: path.write_bytes(b'{"type": "delivery"}'),
    "other type": lambda path: path.write_bytes(b'{"type": "maintenance", "owner_session": "O"}'),
    "binary": lambda path: path.write_bytes(bytes(range(256)) * 40),
    "huge": lambda path: path.write_bytes(b" " * (300 * 1024)),
    "deep": lambda path: path.write_bytes(b"[" * 100_000),
    "fifo": _fifo,
    "directory": _directory,
    "dangling": lambda path: path.symlink_to("nowhere"),
    "link to a lock": lambda path: path.symlink_to("other"),
}


@pytest.mark.parametrize("kind", BAD)
def test_an_unreadable_lock_is_left_alone_while_it_is_young(scene: Scene, kind: str) -> None:
    """Cases 9.1/11, 9.1/33, 9.1/34: held by unknown; its writer may still be at it."""
    BAD[kind](scene.path)
    before = scene.snapshot()
    with pytest.raises(Stale) as refused:
        scene.arm("F")
    error = refused.value
    assert (error.code, error.exit) == ("corrupt", 4)
    assert error.run.endswith("plastic-lock fix 14")
    assert "\n" not in error.reason
    assert scene.snapshot() == before


@pytest.mark.parametrize("kind", BAD)
def test_an_unreadable_lock_is_healed_once_it_is_settled(scene: Scene, kind: str) -> None:
    """Case 9.1/11: its bytes are kept."""
    BAD[kind](scene.path)
    was = (
        scene.path.read_bytes()
        if kind not in ("fifo", "directory") and scene.path.exists()
        else b""
    )
    os.utime(scene.path, (1, 1), follow_symlinks=False)
    healed = scene.arm("F")
    assert (healed.how, healed.new, healed.lock.owner) == ("healed", True, "F")
    kept = [one for one in scene.dir.iterdir() if one.name.startswith(".delivery.lock.corrupt.")]
    assert len(kept) == 1
    if was:
        assert kept[0].read_bytes() == was
    if kind == "directory":
        assert (kept[0] / "kept").read_text() == "x"


def test_truncated_at_every_byte(scene: Scene) -> None:
    """Never free, never somebody's who is not the owner, never a traceback."""
    scene.arm("O")
    whole = scene.path.read_bytes()
    for length in range(len(whole.rstrip())):
        scene.path.write_bytes(whole[:length])
        with pytest.raises(Refusal):
            scene.arm("F")


def test_a_lock_without_rights_is_never_healed(scene: Scene, permissions: None) -> None:
    """It may be a valid one: exit 5, and the printed command makes it readable."""
    scene.arm("O")
    scene.path.chmod(0)
    scene.silent()
    with pytest.raises(Broken) as refused:
        scene.arm("F")
    assert (refused.value.code, refused.value.exit) == ("lock-unreadable", 5)
    assert "EACCES" in refused.value.reason
    os.system(refused.value.run.partition(" && ")[0])
    with pytest.raises(Stale):
        scene.arm("F")


def test_odd_numbers_read_as_their_defaults(scene: Scene) -> None:
    scene.path.write_text('{"type": "delivery", "owner_session": "O", "ttl": NaN, "token": -3}')
    with pytest.raises(Held):
        scene.arm("F")
    assert scene.arm("O").token == 0


def test_a_legacy_lock_rearms(scene: Scene) -> None:
    """Case 9.1/4."""
    scene.write(acquired_at="2020-01-01T00:00:00Z")
    armed = scene.arm("O")
    assert armed.lock.acq
    assert scene.raw()["acquired_at"] == "2020-01-01T00:00:00Z"
    assert scene.raw()["owner_agent"] is None


# -- tokens ------------------------------------------------------------------------------------


def test_tokens_grow_over_releases(scene: Scene) -> None:
    for expected in (1, 2, 3):
        assert scene.arm("O").token == expected
        release(scene.home, scene.intent, me("O"))


LOST = ["journal", "fence"]


@pytest.mark.parametrize("source", LOST)
@pytest.mark.parametrize("damage", ["gone", "garbage"])
def test_a_lost_counter_is_found_again(scene: Scene, source: str, damage: str) -> None:
    """The maximum over lock, journal and fence, plus one; text is not consulted."""
    scene.make_repo()
    for _ in range(3):
        scene.arm("O")
        release(scene.home, scene.intent, me("O"))
    if damage == "gone":
        (scene.dir / "delivery.token").unlink()
    else:
        (scene.dir / "delivery.token").write_text("many")
    if source == "fence":
        os.unlink(scene.home.log)
    else:
        scene.git("update-ref", "-d", "refs/plastic/fence/14")
    (scene.dir / "savepoint.md").write_text("2026-01-01T00:00:00Z  Lock  token 99\n")
    assert scene.arm("O").token == 4


def test_another_home_on_the_same_repository_only_makes_tokens_grow(
    scene: Scene, tmp_path: Path
) -> None:
    scene.make_repo()
    first = scene.arm("O")
    other = Scene(tmp_path / "second")
    theirs = arm(other.home, other.intent, me("P"), {}, 1800, str(scene.repo))
    assert theirs.token == first.token + 1
    again = scene.arm("O")
    assert again.token == theirs.token + 1, "the overtaken owner must pass the fence again"
    assert scene.fence() == {"token": 3, "acq": again.lock.acq}


def test_floor(scene: Scene) -> None:
    """A backlog item's token is exceeded."""
    assert arm(scene.home, scene.intent, me("O"), floor=41).token == 42


def test_rearm_repairs_a_lost_fence_and_counter(scene: Scene) -> None:
    scene.make_repo()
    armed = scene.arm("O")
    scene.git("update-ref", "-d", "refs/plastic/fence/14")
    (scene.dir / "delivery.token").unlink()
    os.unlink(f"{scene.home.held}/14--tax")
    again = scene.arm("O")
    assert again.token == armed.token == scene.counter()
    assert scene.fence() == {"token": 1, "acq": armed.lock.acq}
    assert scene.held() == ["14--tax"]


# -- what hangs on an acquisition --------------------------------------------------------------


def test_set_worktree_only_for_the_current_acquisition(scene: Scene) -> None:
    armed = scene.arm("O")
    set_worktree(scene.home, scene.intent, armed, {"path": "/w"})
    set_item(scene.home, scene.intent, armed, "7")
    assert (scene.raw()["worktree"], scene.raw()["item"]) == ({"path": "/w"}, "7")
    release(scene.home, scene.intent, me("O"))
    scene.arm("O")
    with pytest.raises(Lost) as refused:
        set_worktree(scene.home, scene.intent, armed, {"path": "/late"})
    assert refused.value.exit == 4
    assert scene.raw()["worktree"] is None


def test_undo_takes_away_exactly_this_lock(scene: Scene) -> None:
    first = scene.arm("O")
    assert undo(scene.home, scene.intent, first)
    assert (scene.path.exists(), scene.held(), scene.counter()) == (False, [], 1)
    second = scene.arm("O")
    assert not undo(scene.home, scene.intent, first)
    assert second.token == 2
    assert scene.path.exists()


def test_a_lock_that_appears_beside_the_guard_stands(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program without our guard may create one between our look and our link."""
    real = files.publish

    def rival(path: str, data: bytes, mode: int = 0o666) -> bool:
        if path.endswith("delivery.lock"):
            scene.write(owner_session="rival")
        return real(path, data, mode)

    monkeypatch.setattr(files, "publish", rival)
    with pytest.raises(Held):
        scene.arm("O")
    assert scene.raw()["owner_session"] == "rival"
    assert scene.held() == ["14--tax"], "a lock keeps its link"


@pytest.mark.parametrize("where", ["lock.linked", "lock.counted", "lock.fenced", "lock.published"])
def test_a_failed_acquire_leaves_no_lock(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Nothing half done: no lock, no link, the fence as before; at most a number is wasted."""
    scene.make_repo()
    monkeypatch.setenv("PLASTIC_TEST", "1")
    monkeypatch.setenv("PLASTIC_FAILPOINT", f"{where}:errno=ENOSPC")
    monkeypatch.setattr("plastic.disk.failpoints._passed", {})
    with pytest.raises(OSError, match="No space"):
        scene.arm("O")
    assert (scene.path.exists(), scene.held(), scene.fence()) == (False, [], None)
    monkeypatch.delenv("PLASTIC_FAILPOINT")
    assert scene.arm("O").token in (1, 2)
    assert scene.fence() is not None


def test_a_read_only_directory_changes_nothing(scene: Scene, permissions: None) -> None:
    """Case 9.1/18."""
    scene.dir.chmod(0o555)
    with pytest.raises(Broken) as refused:
        scene.arm("O")
    scene.dir.chmod(0o755)
    assert refused.value.exit == 5
    assert "delivery.write.lock" in refused.value.reason
    assert scene.snapshot() == {}


def test_a_half_written_temporary_file_is_no_lock(scene: Scene) -> None:
    """Case 9.1/19: what a kill leaves is in the same directory, ignored by git, counted nowhere."""
    scene.arm("O")
    wreck = scene.dir / ".delivery.delivery.lock.77.1.1.tmp"
    wreck.write_text('{"owner_session": "F"')
    assert files._temp(str(scene.path)).startswith(f"{scene.dir}/.delivery.delivery.lock.")
    assert ".delivery.*" in IGNORED
    assert scene.held() == ["14--tax"]
    assert rescan(scene.home) == 1
    assert scene.arm("O").how == "rearmed"
    assert status(scene.home, scene.intent, me("O"))["solo"]["value"] is True


ENDED = [("Active", False), ("Future", False), ("Completed", True), ("Abandoned", True)]


@pytest.mark.parametrize(("section", "refused"), ENDED)
def test_what_has_ended_is_not_armed(scene: Scene, section: str, refused: bool) -> None:
    """Case 9.11/218; its own lock, left by an End that was killed, is still rearmed."""
    index = f"# INDEX\n\n## {section}\n\n- [14 \u2014 Tax](store/14--tax/14--tax.md)\n"
    Path(scene.home.index("shop")).write_text(index)
    if not refused:
        assert scene.arm("O").new
        return
    with pytest.raises(Refused) as error:
        scene.arm("O")
    assert (error.value.code, error.value.exit) == ("terminal", 1)
    assert scene.snapshot() == {}
    scene.write(acq="a", token=1)
    assert scene.arm("O").how == "rearmed"
