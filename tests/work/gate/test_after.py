"""The ledger lines of gate-check and savepoint-pre: spec/delivery.md 9.8/156-164."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.gates.scene import PLAN

if TYPE_CHECKING:
    from tests.gates.scene import Scene

ME, F = "owner-1", "foreign-2"
BORN = "What  96--demo.md"


def test_a_whole_delivery_is_recorded(scene: Scene) -> None:
    made = scene.intent()
    scene.lock(made, ME)
    for name in ("spec.md", "plan.md", "actions/ACTION_1.md", "checklist.md"):
        path = f"{made.dir}/{name}"
        assert scene.does(ME, path, content=PLAN[name]).denied is None
        assert scene.wrote(ME, path, PLAN[name]).out == b""
    scene.write(made, "checklist.md", "- [x] all\n")
    path = f"{made.dir}/outcome.md"
    assert scene.does(ME, path).denied is None
    assert scene.wrote(ME, path, "# Outcome\n\nThere.\n").out == b""
    assert scene.ledger(made) == [
        BORN,
        "Why  started",
        "Why  spec.md created",
        "How  started",
        "How  plan.md created",
        "How  checklist.md created",
        "Exec  started",
        "Exec  outcome.md created",
    ]


def test_saving_again_adds_nothing(scene: Scene) -> None:
    """cases 9.8/158 and 9.8/159"""
    made = scene.planned()
    scene.lock(made, ME)
    for _ in range(3):
        for name in ("spec.md", "plan.md"):
            assert scene.does(ME, f"{made.dir}/{name}").denied is None
            assert scene.wrote(ME, f"{made.dir}/{name}").out == b""
    assert scene.ledger(made) == [BORN, "Why  spec.md created", "How  plan.md created"]


def test_a_session_that_the_lock_gate_refuses_starts_nothing(scene: Scene) -> None:
    made = scene.intent()
    scene.lock(made, ME)
    assert scene.does(F, f"{made.dir}/spec.md").denied
    assert scene.judge(scene.event(F, "Write", file_path=f"{made.dir}/spec.md"), "savepoint-pre")
    assert scene.ledger(made) == [BORN]
    event = scene.event(ME, "Write", file_path=f"{made.dir}/spec.md", content="x")
    assert scene.judge(event, "savepoint-pre").out == b""
    assert scene.ledger(made) == [BORN, "Why  started"]


def test_a_call_that_comes_too_early_starts_nothing(scene: Scene) -> None:
    """`How started` without a spec would be a line that nothing proves."""
    made = scene.intent()
    scene.lock(made, ME)
    assert scene.does(ME, f"{made.dir}/plan.md").denied
    assert scene.ledger(made) == [BORN]


def test_user_code_that_looks_like_a_store_gets_no_ledger(scene: Scene) -> None:
    """case 9.8/163"""
    folder = scene.repo / "src" / "store" / "1--auth"
    folder.mkdir(parents=True)
    scene.does(ME, folder / "spec.md")
    scene.wrote(ME, folder / "spec.md", "A.\n")
    assert not (folder / "savepoint.md").exists()


@pytest.mark.parametrize(
    ("artifact", "files", "named"),
    [
        ("spec.md", {"96--demo.md": "# x\n"}, "## Intent"),
        ("plan.md", {}, "a real spec.md"),
        ("checklist.md", {"spec.md": "A.\n"}, "a real plan.md"),
        ("outcome.md", {"checklist.md": "- [ ] a\n- [ ] b\n"}, "2 open boxes"),
    ],
)
def test_what_landed_too_early_is_said_and_kept(
    scene: Scene, artifact: str, files: dict[str, str], named: str
) -> None:
    """cases 9.8/156 and 9.8/157, after the write"""
    made = scene.intent()
    scene.lock(made, ME)
    for name, text in files.items():
        scene.write(made, name, text)
    said = scene.wrote(ME, f"{made.dir}/{artifact}", "- [ ] A.\n")
    assert said.json["decision"] == "block"
    assert named in said.json["reason"]
    assert said.rc == 0
    assert Path(made.dir, artifact).read_text() == "- [ ] A.\n"


def test_what_an_opaque_tool_made_of_the_intent_file(scene: Scene) -> None:
    made = scene.intent()
    scene.lock(made, ME)
    text = Path(made.file).read_text()
    event = scene.event(ME, "mcp__any__frobnicate", "PostToolUse", path=made.file)
    assert scene.judge(event).out == b""
    Path(made.file).write_text(text.replace("_(none)_", "- typed"))
    assert "`## Links`" in scene.judge(event).json["reason"]
    Path(made.file).write_text(text.replace("chain: []\n", ""))
    assert "`chain`" in scene.judge(event).json["reason"]


def test_reads_and_failures_are_not_checked(scene: Scene) -> None:
    made = scene.intent()
    scene.lock(made, ME)
    scene.write(made, "plan.md", "A.\n")
    for tool, kind in (("Read", "PostToolUse"), ("Write", "PostToolUseFailure")):
        event = scene.event(ME, tool, kind, file_path=f"{made.dir}/plan.md", content="A.")
        assert scene.judge(event).out == b""
    assert scene.ledger(made) == [BORN]
