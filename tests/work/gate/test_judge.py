"""The decision as a whole: order, our own bugs, repeated calls, and that each gate is needed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

import plastic.work.gate.judge as gate_module
from plastic.rules.gates.table import DOORS, ORDER
from plastic.work.gate.judge import GATES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.gates.scene import Scene

ME, F, D = "owner-1", "foreign-2", "delegate-3"


def breaking(*_: object) -> NoReturn:
    raise RuntimeError("out of order")


# Gate -> a scene in which it, and no gate before or behind it, refuses.
def by_protected(scene: Scene) -> str | None:
    scene.lock(scene.planned(), ME)
    return scene.does(ME, f"{scene.home.store('shop')}/96--demo/savepoint.md").denied


def by_lock(scene: Scene) -> str | None:
    made = scene.planned()
    scene.lock(made, ME)
    return scene.does(F, f"{made.dir}/notes.md").denied


def by_claim(scene: Scene) -> str | None:
    made = scene.planned()
    scene.lock(made, ME, delegates=[D])
    scene.claim(made, "spec.md", ME)
    return scene.does(D, f"{made.dir}/spec.md").denied


def by_stage(scene: Scene) -> str | None:
    made = scene.intent()
    scene.lock(made, ME, tree=True)
    return scene.does(ME, f"{scene.repo}/.claude/worktrees/96--demo/app.py").denied


def by_worktree(scene: Scene) -> str | None:
    scene.lock(scene.planned(), ME, tree=True)
    scene.lock(scene.planned("97", "other"), ME, tree=True)
    return scene.does(ME, scene.repo / "app.py").denied


def by_pen(scene: Scene) -> str | None:
    scene.pen("WORKING_BO")
    scene.bind("s-ana", "ana")
    return scene.does("s-ana", scene.repo / "app.py").denied


def by_links(scene: Scene) -> str | None:
    made = scene.planned()
    scene.lock(made, ME)
    text = Path(made.file).read_text()
    return scene.does(ME, made.file, content=text.replace("_(none)_", "- [[12]]")).denied


def by_create(scene: Scene) -> str | None:
    made = scene.planned()
    scene.lock(made, ME)
    text = Path(made.file).read_text()
    return scene.does(ME, made.file, content=text.replace("chain: []\n", "")).denied


def by_shell(scene: Scene) -> str | None:
    made = scene.planned()
    scene.lock(made, ME)
    return scene.judge(scene.event(F, "Bash", command=f"python3 x.py {made.dir}")).denied


REFUSED_BY: dict[str, Callable[[Scene], str | None]] = {
    "protected": by_protected,
    "lock": by_lock,
    "claim": by_claim,
    "stage": by_stage,
    "worktree": by_worktree,
    "pen": by_pen,
    "links": by_links,
    "create": by_create,
    "shell": by_shell,
}


@pytest.mark.parametrize("name", ORDER)
def test_each_gate_refuses_and_nothing_else_does(
    scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert REFUSED_BY[name](scene) is not None
    assert scene.journal("deny")[0]["gate"] == name


@pytest.mark.parametrize("name", ORDER)
def test_without_a_gate_its_refusal_is_gone(
    scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Non-vacuity: the refusals above come from the gates that they are named for."""
    monkeypatch.setitem(GATES, name, lambda *_: None)
    assert REFUSED_BY[name](scene) is None


@pytest.mark.parametrize("name", ORDER)
def test_a_gate_that_breaks_is_skipped_alone_and_said(
    scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """case 9.7/138"""
    monkeypatch.setitem(GATES, name, breaking)
    assert REFUSED_BY[name](scene) is None
    (row,) = scene.journal("broken")
    assert row["gate"] == name
    assert "out of order" in row["error"]


def test_a_broken_gate_hides_no_later_refusal(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """case 9.7/138"""
    monkeypatch.setitem(GATES, "protected", breaking)
    made = scene.planned()
    scene.lock(made, ME)
    said = scene.does(F, f"{made.dir}/notes.md")
    assert f"held by: {ME}" in str(said.denied)
    assert "protected broke and was skipped (RuntimeError: out of order)" in said.message
    assert scene.does(ME, scene.root / "x").message != ""


@pytest.mark.parametrize("part", ["pulse", "lock"])
def test_whatever_breaks_the_tool_runs(
    scene: Scene, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_module, part, breaking)
    made = scene.planned()
    scene.lock(made, ME)
    said = scene.does(ME, f"{made.dir}/spec.md")
    assert said.denied is None
    assert said.rc == 0


def test_an_unwritable_journal_changes_no_decision(scene: Scene) -> None:
    """case 9.8/166"""
    made = scene.planned()
    scene.lock(made, ME)
    os.rmdir(scene.home.root + "/log")
    Path(scene.home.root, "log").write_text("a file")
    assert scene.does(F, f"{made.dir}/notes.md").denied
    assert scene.does(ME, f"{made.dir}/notes.md").out == b""


def test_a_deny_is_journalled_whole(scene: Scene) -> None:
    """case 9.8/166"""
    made = scene.planned()
    scene.lock(made, ME)
    path = f"{made.dir}/a\tb\nc.md"
    said = scene.does(F, path, agent_id="a17")
    (row,) = scene.journal("deny")
    assert row["path"] == path
    assert row["reason"] in str(said.denied)
    assert (row["gate"], row["code"], row["session"]) == ("lock", "held", F)
    assert (row["intent"], row["agent"], row["tool"]) == ("96--demo", "a17", "Write")


def test_a_call_seen_twice_is_judged_twice_and_told_once(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME)
    event = scene.event(F, "Write", file_path=f"{made.dir}/notes.md", content="x")
    assert scene.judge(event).denied
    assert scene.judge(event).denied
    assert len(scene.journal("deny")) == 1
    changed = {**event, "tool_input": {**event["tool_input"], "content": "y"}}
    assert scene.judge(changed).denied
    assert scene.judge({**event, "tool_use_id": "toolu_other"}).denied
    assert len(scene.journal("deny")) == 3
    scene.lock(made, F)
    assert scene.judge(event).denied is None


def test_advice_is_given_once_for_a_call(scene: Scene) -> None:
    scene.lock(scene.planned(), ME, tree=True)
    event = scene.event(ME, "Write", file_path=str(scene.repo / "app.py"), content="x")
    assert scene.judge(event).advice
    assert scene.judge(event).out == b""


def test_an_allowed_call_is_silent_and_leaves_no_trace(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME, tree=True)
    trail = Path(scene.home.run, "trail")
    trail.touch()  # one line of a session that may write: it explains changes to others
    before = sorted(str(path) for path in Path(scene.home.root).rglob("*"))
    for path in (f"{made.dir}/spec.md", f"{scene.repo}/.claude/worktrees/96--demo/app.py", "/x/y"):
        assert scene.does(ME, path).out == b""
    assert sorted(str(path) for path in Path(scene.home.root).rglob("*")) == before


@pytest.mark.parametrize(("door", "gates"), DOORS.items())
def test_each_door_asks_its_gates_only(
    scene: Scene, door: str, gates: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = scene.intent()
    scene.lock(made, ME)
    asked = []
    for name in ORDER:
        monkeypatch.setitem(GATES, name, lambda *_, name=name: asked.append(name))
    scene.judge(scene.event(ME, "Write", file_path=made.file, content="x"), door)
    assert asked == [name for name in ORDER if name in gates]


def test_several_paths_of_one_call_are_all_judged(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME)
    event = scene.event(F, "mcp__fs__write_files", paths=["/tmp/a", f"{made.dir}/a.md"])
    assert scene.judge(event).denied


def test_without_a_home_everything_is_free(scene: Scene) -> None:
    gone = scene.home
    os.rename(gone.root, gone.root + ".gone")
    assert scene.does(ME, scene.repo / "app.py").out == b""
    assert not os.path.exists(gone.root)


def test_a_session_starts_with_what_is_wrong_in_the_configuration(scene: Scene) -> None:
    event = scene.event(ME, "", "SessionStart")
    assert scene.judge(event).out == b""
    Path(scene.home.projects_yml).write_text("projects: [\n")
    assert "projects.yml" in scene.judge(event).message
    assert scene.judge(scene.event(ME, "", "Stop")).out == b""
