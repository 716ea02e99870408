"""Recorded events of the other harnesses: what is read of them, and what each harness then does.

The events lie in golden/<harness>, one a file; `read.json` and `answers.json` hold what we make of
them. When that changes on purpose: `python -m tests.golden.write`, and read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.harness.emulator import EMULATORS, Hook, copilot
from tests.harness.played import NAMES, answered, event, events, read, recorded, shown

if TYPE_CHECKING:
    from tests.gates.scene import Scene

ME, F = "owner-1", "foreign-2"
OTHERS = [name for name in NAMES if name != "claude"]
CASES = [(harness, name) for harness in OTHERS for name in events(harness)]


def place(scene: Scene) -> str:
    """The worktree of an intent that ME is delivering."""
    made = scene.planned()
    scene.lock(made, ME, tree=True, age=600)
    return f"{scene.repo}/.claude/worktrees/{made.name}"


def settled(scene: Scene, hook: Hook) -> Any:
    """An answer with the names of this machine taken out."""
    text = hook.out.decode().replace(scene.home.root, "{{HOME}}")
    return json.loads(text.replace(str(scene.repo), "{{REPO}}")) if text else None


def writes(harness: str, name: str) -> bool:
    """Whether the event comes before a tool that writes."""
    use = recorded(harness, "read")[name]
    return use["event"] == "pre" and ("changes" in use or "command" in use)


def outcome(harness: str, name: str, hook: Hook) -> bool | None:
    """Whether the tool runs behind this answer."""
    if harness == "copilot":
        return copilot(hook, pascal=not name.startswith("camel.")).runs
    return EMULATORS[harness](hook).runs


@pytest.mark.parametrize(("harness", "name"), CASES)
def test_events_are_read(harness: str, name: str) -> None:
    use = read(harness, event(harness, name, "{{SESSION}}", "/w"))
    assert use.fits
    assert use.harness == harness
    assert json.loads(json.dumps(shown(use))) == recorded(harness, "read")[name]


@pytest.mark.parametrize("harness", OTHERS)
def test_every_event_finds_its_root_session(harness: str) -> None:
    """A sub-agent's events carry the session of their root, and its own name beside it."""
    for name, use in recorded(harness, "read").items():
        assert use["session"] == "{{SESSION}}", name
        if ".sub" in name:
            assert use["agent"], name


@pytest.mark.parametrize("harness", OTHERS)
def test_a_foreign_session_is_stopped_before_it_writes(scene: Scene, harness: str) -> None:
    tree = place(scene)
    said = {}
    for name in events(harness):
        hook = answered(scene.home, harness, event(harness, name, F, tree))
        assert (hook.err, hook.code) == (b"", 0)
        if writes(harness, name):
            assert outcome(harness, name, hook) is False, name
        else:
            assert outcome(harness, name, hook) is True, name
        if hook.out:
            said[name] = settled(scene, hook)
    assert said == recorded(harness, "answers")


@pytest.mark.parametrize("harness", OTHERS)
def test_the_owner_works_in_its_worktree(scene: Scene, harness: str) -> None:
    tree = place(scene)
    for name in events(harness):
        hook = answered(scene.home, harness, event(harness, name, ME, tree))
        assert outcome(harness, name, hook) is True, name
        if recorded(harness, "read")[name]["event"] in ("pre", "post", "failed", "other"):
            assert hook.out == b"", name


@pytest.mark.parametrize("harness", OTHERS)
def test_where_nobody_delivers_tools_run_in_silence(scene: Scene, harness: str) -> None:
    for name in events(harness):
        if recorded(harness, "read")[name]["event"] in ("pre", "post", "failed", "other"):
            assert answered(scene.home, harness, event(harness, name, ME, "/elsewhere")).out == b""


WRITING = {
    "codex": "PreToolUse.apply_patch",
    "gemini": "BeforeTool.write_file",
    "cursor": "preToolUse.Write",
    "opencode": "tool.execute.before.write",
    "pi": "tool_call.write",
    "copilot": "PreToolUse.Write",
}


@pytest.mark.parametrize("harness", OTHERS)
def test_the_process_says_the_same(scene: Scene, harness: str) -> None:
    name = WRITING[harness]
    said = scene.run(event(harness, name, F, place(scene)), "hooks/gate", harness)
    assert (said.err, said.rc) == (b"", 0)
    assert settled(scene, Hook(said.out)) == recorded(harness, "answers")[name]


@pytest.mark.parametrize("announced", NAMES)
def test_a_payload_under_a_wrong_name_is_stopped_as_well(scene: Scene, announced: str) -> None:
    """A harness may read the settings of another one: what it sends decides, not the name."""
    tree = place(scene)
    for harness in NAMES:
        for name in events(harness) if harness != announced else []:
            payload = event(harness, name, F, tree)
            use = read(harness, payload)
            if use.event != "pre" or (harness == "claude" and use.command is not None):
                continue  # the commands of Claude's recordings write nothing
            runs = outcome(harness, name, answered(scene.home, announced, payload))
            assert runs is not bool(use.changes or use.command), f"{harness} {name}"


def test_two_spellings_of_one_edit_are_one_row(scene: Scene) -> None:
    """Copilot runs its own hooks and those of `.claude/settings.json`."""
    tree = place(scene)
    for announced, name in (("copilot", "camel.preToolUse.create"), ("claude", "PreToolUse.Write")):
        answered(scene.home, announced, event("copilot", name, F, tree))
    rows = scene.journal("deny")
    assert len(rows) == 1
    assert rows[0]["hook"] == "copilot"


def test_nothing_of_a_machine_is_recorded() -> None:
    for path in Path(__file__).parent.joinpath("golden").rglob("*.json"):
        text = path.read_text()
        assert "/root" not in text, path
