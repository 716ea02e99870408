"""Takeover: compared under the guard, old work kept, one audit line (cases 9.1/21 to 27)."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from plastic.disk import files
from plastic.words import Broken, Held, Lost, Missing, Refused, Stale, Usage
from plastic.work.lock.acquire import arm
from plastic.work.lock.takeover import reclaim
from tests.work.scene import Scene, me


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def take(scene: Scene, session: str = "F", **more: object) -> object:
    return reclaim(scene.home, scene.intent, me(session), {"agent": "new"}, **more)  # type: ignore[arg-type]


def test_a_stale_lock_changes_hands(scene: Scene) -> None:
    """Case 9.1/21: owner, provenance, acquisition new; delegates and claims gone; one line."""
    first = scene.board("O")
    scene.write(**{**scene.raw(), "delegates": ["D"], "owner_model": "m", "mine": 1})
    (scene.dir / ".claims").mkdir()
    (scene.dir / ".claims/spec.md.claim").write_text(
        '{"artifact": "spec.md", "owner_session": "O"}'
    )
    scene.silent()
    taken = reclaim(scene.home, scene.intent, me("F"), {"agent": "new"}, expected=1)
    raw = scene.raw()
    assert (taken.how, taken.previous, raw["owner_session"]) == ("takeover", "O", "F")
    assert (raw["token"], scene.counter()) == (2, 2)
    assert raw["acq"] != first.lock.acq
    assert (raw["delegates"], raw["delegate_activity"]) == ([], [])
    assert (raw["owner_agent"], raw["owner_model"], raw["mine"]) == ("new", None, 1)
    assert raw["worktree"]["path"] == str(scene.tree)
    assert scene.fence() == {"token": 2, "acq": raw["acq"]}
    assert not (scene.dir / ".claims/spec.md.claim").exists(), "case 9.3/61"
    assert scene.audit("Lock  takeover: F reclaimed delivery lock from O") == scene.audit("Lock")
    assert len(scene.audit("Lock")) == 1
    assert taken.salvage == "refs/plastic/salvage/14/1"
    assert taken.salvage in scene.audit("Lock")[0]
    assert scene.journal("takeover")[0]["previous"] == "O"


def test_a_ref_in_the_place_of_the_salvages(scene: Scene) -> None:
    scene.board("O")
    scene.silent()
    scene.git("update-ref", "refs/plastic/salvage/14", "HEAD")
    with pytest.raises(Broken) as refused:
        take(scene)
    assert refused.value.code == "salvage-ref"
    assert "refs/plastic/salvage/14 is a ref" in refused.value.reason
    assert scene.raw()["owner_session"] == "O"
    assert os.system(refused.value.run or "false") == 0
    take(scene)
    assert scene.raw()["owner_session"] == "F"


def test_no_lock_is_missing(scene: Scene) -> None:
    with pytest.raises(Missing) as refused:
        take(scene)
    assert (refused.value.exit, refused.value.run) == (6, "plastic start 14")


def test_my_own_lock_is_a_rearm(scene: Scene) -> None:
    """The owner's fresh lock keeps its delegates."""
    scene.arm("O")
    scene.write(**{**scene.raw(), "delegates": ["D"]})
    assert reclaim(scene.home, scene.intent, me("O")).how == "rearmed"
    assert (scene.raw()["delegates"], scene.raw()["token"]) == (["D"], 1)
    assert scene.audit("Lock") == []


def test_fresh_is_refused_untouched(scene: Scene) -> None:
    """Case 9.1/23."""
    scene.arm("O")
    before = scene.snapshot()
    with pytest.raises(Held) as refused:
        take(scene, despite=True)
    assert refused.value.run == "plastic start 14 --wait"
    assert scene.snapshot() == before


def test_a_delegate_does_not_take_a_fresh_lock(scene: Scene) -> None:
    """Case 9.1/24."""
    scene.arm("O")
    scene.write(**{**scene.raw(), "delegates": ["D"]})
    before = scene.snapshot()
    with pytest.raises(Refused) as refused:
        take(scene, "D")
    assert refused.value.exit == 1
    assert scene.snapshot() == before


def test_no_session_no_takeover(scene: Scene) -> None:
    """Case 9.1/22: refused first, the old file intact."""
    scene.arm("O")
    scene.silent()
    before = scene.snapshot()
    with pytest.raises(Usage):
        take(scene, "a\nb")
    assert scene.snapshot() == before


@pytest.mark.parametrize(("age", "kind"), [(1799, Held), (1798, Held)])
def test_equal_to_the_ttl_is_fresh(scene: Scene, age: float, kind: type[Exception]) -> None:
    """Case 9.1/8."""
    scene.arm("O")
    scene.age(age)
    with pytest.raises(kind):
        take(scene)


def test_the_token_that_was_seen_must_still_be_there(scene: Scene) -> None:
    scene.arm("O")
    scene.silent()
    with pytest.raises(Lost) as refused:
        take(scene, expected=7)
    assert (refused.value.code, refused.value.exit) == ("lost", 4)
    assert scene.raw()["owner_session"] == "O"


def test_a_heartbeat_that_comes_first_wins(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Staleness is looked at again under the guard, with the file system's clock."""
    scene.arm("O")
    scene.silent()
    real = files.fs_now

    def late(directory: str) -> float:
        os.utime(scene.path)
        return real(directory)

    monkeypatch.setattr(files, "fs_now", late)
    with pytest.raises(Held):
        take(scene)


# -- evidence ----------------------------------------------------------------------------------


def test_work_after_the_last_heartbeat_is_a_quarantine(scene: Scene) -> None:
    scene.board("O")
    scene.silent()
    (scene.tree / "app.py").write_text("TAX = 2\n")
    before = scene.snapshot()
    with pytest.raises(Stale) as refused:
        take(scene)
    error = refused.value
    assert (error.code, error.exit, error.who) == ("quarantine", 4, "O")
    words = shlex.split(error.run)
    assert words[0] == "sleep"
    assert 290 < int(words[1]) <= 302
    assert words[2:] == ["&&", "plastic-lock", "reclaim", "14", "--token", "1"]
    assert "app.py" in error.reason
    assert error.facts["until"] in error.reason
    assert scene.snapshot() == before


SIGNS = ["changed", "untracked", "commit"]


@pytest.mark.parametrize("sign", SIGNS)
def test_signs_of_work(scene: Scene, sign: str) -> None:
    scene.board("O")
    scene.silent()
    if sign == "changed":
        (scene.tree / "app.py").write_text("TAX = 2\n")
    if sign in ("untracked", "commit"):
        (scene.tree / "new.py").write_text("x")
    if sign == "commit":
        scene.git("add", "-A", cwd=scene.tree)
        scene.git("commit", "-qm", "work", cwd=scene.tree)
    with pytest.raises(Stale, match=r"commit|file"):
        take(scene)
    assert take(scene, despite=True).how == "takeover"  # type: ignore[attr-defined]
    assert scene.journal("takeover")[0]["despite"] == ("commit" if sign == "commit" else "file")


NO_SIGNS = ["ignored", "index", "checkout", "before"]


@pytest.mark.parametrize("sign", NO_SIGNS)
def test_no_signs_of_work(scene: Scene, sign: str) -> None:
    """Git's index, ignored files, a fresh checkout and what is older are no evidence."""
    if sign == "checkout":
        scene.make_repo()
        armed = scene.arm("O")
        scene.silent()
        scene.write(**{**scene.raw(), "worktree": scene.make_tree()})
        del armed
    else:
        scene.board("O")
    if sign == "before":
        (scene.tree / "app.py").write_text("TAX = 2\n")
        scene.age(9000, scene.tree / "app.py")
        scene.path.touch()
    scene.silent()
    if sign == "ignored":
        (scene.tree / ".env").write_text("SECRET")
    if sign == "index":
        scene.git("status", cwd=scene.tree)
        scene.git("update-index", "--refresh", cwd=scene.tree)
    if sign == "before":
        os.utime(scene.tree / "app.py", (1, 1))
        # ctime cannot be set back: the change itself lies after the heartbeat, its mtime before.
    assert take(scene).how == "takeover"  # type: ignore[attr-defined]


def test_a_hook_event_of_the_owner_is_evidence(scene: Scene) -> None:
    from plastic.disk.journal import note

    scene.arm("O")
    scene.silent()
    note(scene.home, "deny", hook="claude", session="O", intent="14--tax")
    with pytest.raises(Stale, match="event"):
        take(scene)


def test_rows_that_commands_wrote_are_no_evidence(scene: Scene) -> None:
    from plastic.disk.journal import note

    scene.arm("O")
    scene.silent()
    note(scene.home, "rearm", session="O", intent="14")
    note(scene.home, "deny", hook="claude", session="X", intent="14--tax")
    assert take(scene).how == "takeover"  # type: ignore[attr-defined]


# -- both or neither ---------------------------------------------------------------------------


def test_a_ledger_that_cannot_be_written_stops_the_takeover(
    scene: Scene, permissions: None
) -> None:
    """Case 9.1/27: both or neither."""
    scene.board("O")
    ledger = scene.dir / "savepoint.md"
    ledger.write_text("2026-01-01T00:00:00Z  What  14--tax.md\n")
    ledger.chmod(0o444)
    scene.silent()
    lock, fence = scene.path.read_bytes(), scene.fence()
    with pytest.raises(OSError, match="denied"):
        take(scene)
    assert scene.path.read_bytes() == lock
    assert scene.fence() == fence
    assert scene.audit("Lock") == []
    ledger.chmod(0o644)
    take(scene)
    assert len(scene.audit("Lock")) == 1


def test_a_rename_that_fails_takes_the_line_back(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.board("O")
    scene.silent()
    monkeypatch.setenv("PLASTIC_TEST", "1")
    monkeypatch.setenv("PLASTIC_FAILPOINT", "reclaim.audited:errno=EIO")
    monkeypatch.setattr("plastic.disk.failpoints._passed", {})
    lock, fence = scene.path.read_bytes(), scene.fence()
    with pytest.raises(OSError, match="error"):
        take(scene)
    assert (scene.path.read_bytes(), scene.fence(), scene.audit("Lock")) == (lock, fence, [])
    assert not [name for name in os.listdir(scene.dir) if name.endswith(".tmp")]


def test_a_second_takeover_by_the_same_session_is_a_second_line(scene: Scene) -> None:
    scene.arm("O")
    for owner, rival in (("O", "F"), ("F", "O"), ("O", "F")):
        assert scene.raw()["owner_session"] == owner
        scene.silent()
        take(scene, rival)
    assert len(scene.audit("takeover: F reclaimed delivery lock from O")) == 2
    assert len(scene.audit("takeover:")) == 3


def test_an_unreadable_lock_is_taken_with_an_honest_line(scene: Scene) -> None:
    """Case 9.1/26."""
    scene.arm("O")
    scene.path.write_bytes(b"{")
    scene.silent()
    taken = reclaim(scene.home, scene.intent, me("F"))
    assert (taken.how, taken.previous) == ("healed", "corrupt-or-missing")
    assert scene.raw()["token"] == 2
    assert len(scene.audit("takeover: F reclaimed delivery lock from corrupt-or-missing")) == 1


def test_a_young_unreadable_lock_is_left_alone(scene: Scene) -> None:
    scene.path.write_bytes(b"")
    with pytest.raises(Stale) as refused:
        take(scene)
    assert refused.value.code == "corrupt"


def test_without_rights_nothing_is_taken(scene: Scene, permissions: None) -> None:
    scene.arm("O")
    scene.path.chmod(0)
    scene.silent()
    with pytest.raises(Broken):
        take(scene)


def test_the_paused_owner_is_refused_by_its_old_token(scene: Scene) -> None:
    """The fence: an owner that wakes up after a takeover finds another acquisition everywhere."""
    mine = scene.board("O")
    scene.silent()
    take(scene)
    fence = scene.fence()
    assert fence is not None
    assert fence["acq"] != mine.lock.acq
    with pytest.raises(Held):
        arm(scene.home, scene.intent, me("O"))
