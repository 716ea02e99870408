"""Recorded events of Claude Code, played in three worlds, and the answer to each as a file.

The events lie in golden/claude, one a file; `answers.json` holds what a foreign session is told.
When a text changes on purpose: `python -m tests.golden.write`, and read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.harness import claude

if TYPE_CHECKING:
    from tests.gates.scene import Said, Scene

FOLDER = Path(__file__).parent / "golden" / "claude"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json") if path.name != "answers.json")
ANSWERS: dict[str, Any] = json.loads((FOLDER / "answers.json").read_text())
ME, F = "owner-1", "foreign-2"
# The events at which a session that holds something is told so.
TOLD = ("SessionStart", "Stop", "SubagentStart")


def event(name: str, session: str, repo: Path | str) -> Any:
    text = (FOLDER / f"{name}.json").read_text()
    return json.loads(text.replace("{{SESSION}}", session).replace("{{REPO}}", str(repo)))


def settled(scene: Scene, said: Said) -> Any:
    """An answer with the names of this machine taken out."""
    text = said.out.decode()
    text = text.replace(scene.home.root, "{{HOME}}").replace(str(scene.repo), "{{REPO}}")
    return json.loads(text) if text else {}


def test_every_kind_of_event_is_here() -> None:
    kinds = {name.partition(".")[0] for name in NAMES}
    assert {"PreToolUse", "PostToolUse", "Stop", "SessionStart", "SubagentStop"} <= kinds
    assert len(NAMES) > 50


@pytest.mark.parametrize("name", NAMES)
def test_where_nobody_delivers_everything_is_silent(scene: Scene, name: str) -> None:
    assert scene.judge(event(name, ME, scene.repo)).out == b""
    assert scene.judge(event(name, ME, "/home/ana/elsewhere")).out == b""


@pytest.mark.parametrize("name", NAMES)
def test_the_owner_works_undisturbed(scene: Scene, name: str) -> None:
    """Sub-agents come with the session of their root, so they are the owner too."""
    made = scene.planned()
    scene.lock(made, ME, tree=True, age=600)
    tree = f"{scene.repo}/.claude/worktrees/{made.name}"
    said = scene.judge(event(name, ME, tree))
    assert (made.name in said.out.decode()) == (name.partition(".")[0] in TOLD)
    assert said.denied is None
    lock = f"{made.dir}/delivery.lock"
    assert scene.home.locate(lock) is not None
    assert Path(lock).stat().st_mtime > Path(made.file).stat().st_mtime - 60, "every event beats"


@pytest.mark.parametrize("name", NAMES)
def test_a_foreign_session_gets_the_recorded_answer(scene: Scene, name: str) -> None:
    made = scene.planned()
    scene.lock(made, ME, tree=True)
    tree = f"{scene.repo}/.claude/worktrees/{made.name}"
    assert settled(scene, scene.judge(event(name, F, tree))) == ANSWERS.get(name, {})


def test_the_answers_are_those_of_writing_tools() -> None:
    """Checked by hand: what is denied is what writes, and only before it writes."""
    writing = ["Edit", "NotebookEdit", "Write", "Write.sub", "mcp__demo__write_note"]
    assert sorted(ANSWERS) == [f"PreToolUse.{one}" for one in writing]


@pytest.mark.parametrize("name", ["PreToolUse.Write", "PreToolUse.Bash", "PostToolUse.Edit"])
def test_the_process_says_the_same(scene: Scene, name: str) -> None:
    made = scene.planned()
    scene.lock(made, ME, tree=True)
    said = scene.run(event(name, F, f"{scene.repo}/.claude/worktrees/{made.name}"))
    assert settled(scene, said) == ANSWERS.get(name, {})
    assert (said.err, said.rc) == (b"", 0)


@pytest.mark.parametrize("name", NAMES)
def test_recorded_events_fit_their_harness(name: str) -> None:
    assert claude.read(event(name, ME, "/w")).fits
