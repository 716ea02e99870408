"""Seven harnesses installed in one repository: one edit, one journal row, one advice.

Copilot CLI and Cursor call the entry in `.claude/settings.json` beside their own, each with its own
payload; the others call one.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.harness.table import HARNESSES
from plastic.work.gate.judge import LATE
from tests.harness.played import NAMES, answered, event

if TYPE_CHECKING:
    from tests.gates.scene import Scene
    from tests.harness.emulator import Hook
    from tests.world import World

ME, F = "owner-1", "foreign-2"
# Harness -> the calls behind one edit, before and after: (announced as, the recorded event).
CALLS: dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]] = {
    "claude": ([("claude", "PreToolUse.Write")], [("claude", "PostToolUse.Write")]),
    "codex": ([("codex", "PreToolUse.apply_patch")], [("codex", "PostToolUse.apply_patch")]),
    "gemini": ([("gemini", "BeforeTool.write_file")], [("gemini", "AfterTool.write_file")]),
    "cursor": (
        [("claude", "preToolUse.Write"), ("cursor", "preToolUse.Write")],
        [("claude", "postToolUse.Write"), ("cursor", "postToolUse.Write")],
    ),
    "opencode": (
        [("opencode", "tool.execute.before.write")],
        [("opencode", "tool.execute.after.write")],
    ),
    "pi": ([("pi", "tool_call.write")], [("pi", "tool_result")]),
    "copilot": (
        [("copilot", "camel.preToolUse.create"), ("claude", "PreToolUse.Write")],
        [("copilot", "camel.postToolUse.create"), ("claude", "PostToolUse.Write")],
    ),
}


def said(hook: Hook) -> str:
    """What reaches the agent of an answer that refuses nothing."""
    data: dict[str, Any] = hook.json or {}
    own = data.get("hookSpecificOutput", {})
    texts = [data.get("additionalContext"), data.get("additional_context")]
    return "\n".join(one for one in [*texts, own.get("additionalContext")] if one)


def play(scene: Scene, harness: str, session: str, place: str, turned: bool) -> list[list[Hook]]:
    """The answers of one edit, before and after the tool, in either order of the hooks."""
    found = []
    for calls in CALLS[harness]:
        order = list(reversed(calls)) if turned else calls
        found.append(
            [
                answered(scene.home, announced, event(harness, name, session, place))
                for announced, name in order
            ]
        )
    return found


@pytest.mark.parametrize("turned", [False, True], ids=["own first", "own last"])
@pytest.mark.parametrize("harness", NAMES)
def test_one_refused_edit_is_one_row(scene: Scene, harness: str, turned: bool) -> None:
    made = scene.planned()
    scene.lock(made, ME, tree=True)
    play(scene, harness, F, f"{scene.repo}/.claude/worktrees/{made.name}", turned)
    rows = scene.journal("deny")
    assert [row["hook"] for row in rows] == [harness]


@pytest.mark.parametrize("turned", [False, True], ids=["own first", "own last"])
@pytest.mark.parametrize("harness", NAMES)
def test_one_advised_edit_is_one_row_and_one_advice(
    scene: Scene, harness: str, turned: bool
) -> None:
    """Said before the tool, or behind it where the harness has no other way."""
    scene.lock(scene.planned(), ME, tree=True)
    before, after = play(scene, harness, ME, str(scene.repo), turned)
    rows = scene.journal("would-deny")
    assert [row["gate"] for row in rows] == ["worktree"], rows
    told = [said(hook) for hook in before], [said(hook) for hook in after]
    early, late = (sum("worktree" in one for one in part) for part in told)
    assert (early, late) == ((0, 1) if harness in LATE else (1, 0)), told


def test_who_hears_late() -> None:
    late = {name for name, one in HARNESSES.items() if one.advise == "after"}
    assert late == LATE


def test_all_in_one_repository(shop: World) -> None:
    """Each finds its own entry, takes it away again and leaves those of the others."""
    for name in NAMES:
        done = shop.plastic("install", name, "--scope", "project", "--json", cwd=shop.repo)
        assert done.rc == 0, done.err
    everything = tree(shop.repo)
    for name in NAMES:
        done = shop.plastic("install", name, "--scope", "project", "--json", cwd=shop.repo)
        assert done.json["changed"] is False
    assert tree(shop.repo) == everything
    for name in reversed(NAMES):
        done = shop.plastic("uninstall", name, "--scope", "project", "--json", cwd=shop.repo)
        assert done.rc == 0, done.err
    assert sorted(tree(shop.repo)) == [".gitignore", "app.py"]


def tree(path: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(path)): one.read_bytes()
        for one in path.rglob("*")
        if one.is_file() and ".git" not in one.relative_to(path).parts
    }


def test_the_table_has_the_events_that_are_installed() -> None:
    from plastic.work.house.target import SETTINGS

    for name, one in HARNESSES.items():
        installed = getattr(SETTINGS[name], "EVENTS", None)
        if installed is not None:
            assert {theirs for theirs, _ in one.events} == set(installed), name
