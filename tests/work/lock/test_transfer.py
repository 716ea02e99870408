"""Transfer: by the owner, or by a person for a session that is gone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plastic.disk.person import require_person, why_no_person
from plastic.words import Held, Lost, Refusal, Refused, Stale, Usage
from plastic.work.lock.claims import claim
from plastic.work.lock.delegates import delegate
from plastic.work.lock.transfer import transfer, transfer_from
from tests.work.scene import Scene, me


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_the_owner_gives_its_lock_away(scene: Scene) -> None:
    """Token +1, acquisition new; since, provenance, delegates kept; claims renamed; one line."""
    scene.make_repo()
    first = scene.arm("O", agent="lead")
    delegate(scene.home, scene.intent, me("O"), "D")
    claim(scene.home, scene.intent, me("O"), "spec.md", "main")
    claim(scene.home, scene.intent, me("D"), "plan.md")
    spec = scene.dir / ".claims/spec.md.claim"
    scene.age(100, spec)
    was = spec.stat().st_mtime_ns
    scene.write(**{**scene.raw(), "worktree": {"repo": str(scene.repo)}})
    moved = transfer(scene.home, scene.intent, me("O"), "N")
    raw = scene.raw()
    assert (moved.done, raw["owner_session"], raw["token"]) == (True, "N", 2)
    assert raw["acq"] != first.lock.acq
    assert (raw["owner_agent"], raw["delegates"]) == ("lead", ["D"])
    assert raw["acquired_at"] == first.lock.raw["acquired_at"]
    assert scene.fence() == {"token": 2, "acq": raw["acq"]}
    assert '"owner_session": "N"' in spec.read_text()
    assert spec.stat().st_mtime_ns == was, "a rewrite is no heartbeat"
    assert '"owner_session": "D"' in (scene.dir / ".claims/plan.md.claim").read_text()
    assert scene.audit("Lock") == scene.audit("Lock  transfer: N from O")
    assert len(scene.audit("Lock")) == 1


def test_once_more_is_no_second_transfer(scene: Scene) -> None:
    scene.arm("O")
    transfer(scene.home, scene.intent, me("O"), "N")
    again = transfer(scene.home, scene.intent, me("O"), "N")
    assert not again.done
    assert scene.raw()["token"] == 2
    assert len(scene.audit("transfer:")) == 1


def test_the_owner_may_give_a_stale_lock_away(scene: Scene) -> None:
    scene.arm("O")
    scene.silent()
    assert transfer(scene.home, scene.intent, me("O"), "N").view.state == "fresh"


ROWS: list[tuple[str, str, float, type[Refusal], int]] = [
    ("nobody's", "", 0, Refused, 1),
    ("delegate", "D", 0, Refused, 1),
    ("foreign fresh", "F", 0, Held, 3),
    ("foreign stale", "F", 7200, Stale, 4),
]


@pytest.mark.parametrize(("who", "session", "age", "kind", "exit"), ROWS)
def test_nobody_else_does(
    scene: Scene, who: str, session: str, age: float, kind: type[Refusal], exit: int
) -> None:
    if who != "nobody's":
        scene.arm("O")
        scene.write(**{**scene.raw(), "delegates": ["D"]})
        scene.age(age)
    before = scene.snapshot()
    with pytest.raises(kind) as refused:
        transfer(scene.home, scene.intent, me(session or "F"), "N")
    assert refused.value.exit == exit
    assert refused.value.run
    assert scene.snapshot() == before


@pytest.mark.parametrize("to", ["", "  ", "a\nb", "x" * 300])
def test_to_must_be_a_session(scene: Scene, to: str) -> None:
    scene.arm("O")
    with pytest.raises(Usage):
        transfer(scene.home, scene.intent, me("O"), to)


# -- on behalf of a session that is gone -------------------------------------------------------


def test_from_a_silent_session(scene: Scene) -> None:
    """Case 9.1/32: the documented way out after a resume under a new id."""
    scene.arm("O")
    scene.age(61)
    moved = transfer_from(scene.home, scene.intent, "O", "N", 1)
    assert (moved.done, scene.raw()["owner_session"], scene.raw()["token"]) == (True, "N", 2)


def test_not_while_it_was_heard(scene: Scene) -> None:
    scene.arm("O")
    scene.age(30)
    with pytest.raises(Held) as refused:
        transfer_from(scene.home, scene.intent, "O", "N", 1)
    assert refused.value.run.startswith("sleep 3")
    assert scene.raw()["owner_session"] == "O"


@pytest.mark.parametrize(("old", "token"), [("X", 1), ("O", 2)])
def test_only_what_was_seen(scene: Scene, old: str, token: int) -> None:
    scene.arm("O")
    scene.age(100)
    with pytest.raises(Lost):
        transfer_from(scene.home, scene.intent, old, "N", token)


def test_from_nothing_or_an_unreadable_lock(scene: Scene) -> None:
    with pytest.raises(Refused):
        transfer_from(scene.home, scene.intent, "O", "N", 1)
    scene.path.write_text("{")
    with pytest.raises(Stale):
        transfer_from(scene.home, scene.intent, "O", "N", 1)


PERSONS = [
    ({}, True, None),
    ({}, False, "terminal"),
    ({"CLAUDE_CODE_SESSION_ID": "s"}, True, "CLAUDE_CODE_SESSION_ID"),
    ({"CLAUDE_CODE_SESSION_ID": "  "}, True, None),
    ({"CLAUDECODE": "1"}, True, "CLAUDECODE"),
    ({"CODEX_THREAD_ID": "t"}, True, "CODEX_THREAD_ID"),
]


@pytest.mark.parametrize(("env", "terminal", "why"), PERSONS)
def test_who_is_a_person(env: dict[str, str], terminal: bool, why: str | None) -> None:
    found = why_no_person(env, terminal=terminal)
    assert found is None if why is None else why in (found or "")


@pytest.mark.parametrize(
    ("typed", "is_person"), [("14", True), (" 14 ", True), ("y", False), ("", False)]
)
def test_the_id_is_typed(monkeypatch: pytest.MonkeyPatch, typed: str, is_person: bool) -> None:
    monkeypatch.setattr("plastic.disk.person._at_terminal", lambda: True)
    env = {key: value for key, value in os.environ.items() if key == "HOME"}
    if is_person:
        require_person(env, "14", "transfer", lambda _: typed)
        return
    with pytest.raises(Refused) as refused:
        require_person(env, "14", "transfer", lambda _: typed)
    assert (refused.value.code, refused.value.exit) == ("person", 1)


def test_no_terminal_no_person() -> None:
    with pytest.raises(Refused, match="terminal"):
        require_person({}, "14", "transfer", lambda _: "14")
