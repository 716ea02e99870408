"""The gates stage and worktree: spec/delivery.md 9.8, 9.5."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.gates.scene import Scene

ME, F = "owner-1", "foreign-2"
PLACEHOLDER = "<!-- plastic:placeholder -->\n"


def test_code_waits_for_the_plan(scene: Scene) -> None:
    """case 9.8/141"""
    made = scene.planned(plan_md=PLACEHOLDER)
    scene.write(made, "plan.md", PLACEHOLDER)
    scene.lock(made, ME, tree=True)
    said = str(scene.does(ME, f"{scene.repo}/.claude/worktrees/96--demo/app.py").denied)
    assert "a real plan.md" in said
    assert "run: plastic show 96" in said


def test_the_path_decides_not_the_working_directory(scene: Scene) -> None:
    """Case 9.4/71: in the worktree of 97 the documents of 97 count, wherever the session stands."""
    planned, bare = scene.planned(), scene.intent("97", "other")
    scene.lock(planned, ME, tree=True)
    scene.lock(bare, ME, tree=True)
    here, there = scene.tree(planned), scene.tree(bare)
    assert scene.judge(write_in(scene, here, f"{here}/app.py")).denied is None
    said = str(scene.judge(write_in(scene, here, f"{there}/app.py")).denied)
    assert "run: plastic show 97" in said
    assert scene.judge(write_in(scene, there, f"{here}/app.py")).denied is None


def write_in(scene: Scene, cwd: str, path: str) -> Any:
    return scene.event(ME, "Write", cwd=cwd, file_path=path, content="x\n")


@pytest.mark.parametrize("action", ["gone", "", PLACEHOLDER, "# Title only\n"])
def test_code_waits_for_a_real_action(scene: Scene, action: str) -> None:
    """case 9.8/142"""
    made = scene.planned()
    path = Path(made.dir, "actions", "ACTION_1.md")
    if action == "gone":
        path.unlink()
    else:
        path.write_text(action)
    scene.lock(made, ME, tree=True)
    said = str(scene.does(ME, f"{scene.repo}/.claude/worktrees/96--demo/app.py").denied)
    assert "a real action" in said


def test_a_checklist_needs_a_box(scene: Scene) -> None:
    made = scene.planned()
    scene.write(made, "checklist.md", "# Checklist\n\nsoon\n")
    scene.lock(made, ME, tree=True)
    said = scene.does(ME, f"{scene.repo}/.claude/worktrees/96--demo/app.py")
    assert "checklist" in str(said.denied)


@pytest.mark.parametrize("mode", ["auto", "guided", None])
def test_code_is_open_with_all_three_in_every_mode(scene: Scene, mode: str | None) -> None:
    """cases 9.8/143 and 9.8/144"""
    made = scene.planned()
    scene.lock(made, ME, tree=True, run_mode=mode)
    tree = f"{scene.repo}/.claude/worktrees/96--demo"
    for path in ("app.py", "new/deep/file.py", ".github/x.yml"):
        assert scene.does(ME, f"{tree}/{path}").out == b""
    scene.write(made, "plan.md", PLACEHOLDER)
    assert scene.does(ME, f"{tree}/app.py").denied


def parallel(scene: Scene) -> None:
    """Somebody else is at work, so nobody is solo."""
    scene.lock(scene.planned("50", "elsewhere"), F)


def test_the_shared_checkout_is_closed_to_who_has_a_worktree(scene: Scene) -> None:
    """case 9.8/146"""
    scene.lock(scene.planned(), ME, tree=True)
    parallel(scene)
    said = str(scene.does(ME, scene.repo / "src" / "app.py").denied)
    assert f"write {scene.repo}/.claude/worktrees/96--demo/src/app.py instead of" in said
    assert "run: plastic show 96" in said
    assert scene.does("nobody-9", scene.repo / "app.py").denied is None


def test_a_harness_worktree_belongs_to_the_repository(scene: Scene) -> None:
    scene.lock(scene.planned(), ME, tree=True)
    parallel(scene)
    for path in (f"{scene.repo}/.claude/worktrees/agent-a1", str(scene.root / "codex" / "w1")):
        scene.git("worktree", "add", "-q", "--detach", path)
        said = str(scene.does(ME, f"{path}/app.py").denied)
        assert "/.claude/worktrees/96--demo/app.py instead of" in said


def test_a_submodule_belongs_to_the_repository(scene: Scene) -> None:
    scene.lock(scene.planned(), ME, tree=True)
    parallel(scene)
    inner = scene.root / "inner"
    scene.git("init", "-q", str(inner), cwd=scene.root)
    (inner / "a").touch()
    scene.git("add", "-A", cwd=inner)
    scene.git("commit", "-q", "-m", "x", cwd=inner)
    scene.git("submodule", "add", "-q", str(inner), "vendor")
    assert scene.does(ME, scene.repo / "vendor" / "a").denied


def test_elsewhere_is_free(scene: Scene) -> None:
    """case 9.8/147"""
    scene.lock(scene.planned(), ME, tree=True)
    parallel(scene)
    other = scene.root / "other"
    scene.git("init", "-q", str(other), cwd=scene.root)
    nested = scene.repo / "nested"
    scene.git("init", "-q", str(nested), cwd=scene.root)
    for path in (scene.root / "memory" / "a.md", other / "a.py", nested / "a.py"):
        assert scene.does(ME, path).denied is None, path
    assert scene.does(ME, f"{scene.repo}-other/app.py").denied is None


def test_lock_only_has_no_worktree_rule(scene: Scene) -> None:
    """case 9.8/148"""
    made = scene.planned()
    tree = {"repo": str(scene.repo), "path": None, "provisioned": False, "reason": "no git"}
    scene.lock(made, ME, worktree=tree)
    parallel(scene)
    assert scene.does(ME, scene.repo / "app.py").denied is None
    scene.write(made, "plan.md", PLACEHOLDER)
    assert "a real plan.md" in str(scene.does(ME, scene.repo / "app.py").denied)


def test_the_checkout_is_open_when_any_of_my_intents_is(scene: Scene) -> None:
    scene.lock(scene.intent("1", "early"), ME)
    assert scene.does(ME, scene.repo / "app.py").denied
    scene.lock(scene.planned("2", "ready"), ME)
    assert scene.does(ME, scene.repo / "app.py").denied is None


def test_a_global_intent_closes_no_code(scene: Scene) -> None:
    scene.lock(scene.intent("1", "think", project=None), ME)
    assert scene.does(ME, scene.repo / "app.py").denied is None


DOCUMENTS: list[tuple[str, dict[str, str], str | None]] = [
    ("spec.md", {"96--demo.md": "# nothing\n"}, "`## Intent` in the intent file"),
    ("spec.md", {}, None),
    ("plan.md", {}, "a real spec.md"),
    ("plan.md", {"spec.md": "# Spec\n\nA.\n"}, None),
    ("actions/ACTION_1.md", {}, "a real spec.md"),
    ("actions/deep/x.md", {}, "a real spec.md"),
    ("actions/ACTION_1.md", {"spec.md": "A.\n"}, None),
    ("checklist.md", {"spec.md": "A.\n"}, "a real plan.md and a real action"),
    ("checklist.md", {"plan.md": "A.\n"}, "a real action"),
    ("checklist.md", {"plan.md": "A.\n", "actions/a.md": "A.\n"}, None),
    ("outcome.md", {"checklist.md": "- [ ] a\n  * [ ] b\n"}, "2 open boxes"),
    ("outcome.md", {"checklist.md": "- [x] a\n```\n- [ ] b\n```\n"}, None),
    ("outcome.md", {}, None),
    ("notes.md", {}, None),
    ("resources/spec.md", {}, None),
]


@pytest.mark.parametrize(("artifact", "files", "missing"), DOCUMENTS)
def test_documents_come_in_their_order(
    scene: Scene, artifact: str, files: dict[str, str], missing: str | None
) -> None:
    """cases 9.8/156 and 9.8/157, before the write"""
    made = scene.intent()
    scene.lock(made, ME)
    for name, text in files.items():
        scene.write(made, name, text)
    for tool in ("Write", "Edit", "mcp__fs__write_file"):
        event = scene.event(ME, tool, file_path=f"{made.dir}/{artifact}", content="x")
        said = scene.judge(event).denied
        if missing is None:
            assert said is None, (tool, said)
        else:
            assert missing in str(said)
            assert "run: plastic show 96" in str(said)


ABANDONED = "---\ndisposition: abandoned\n---\n\n# Outcome\n\nNo longer needed.\n"


@pytest.mark.parametrize(
    ("tool", "before", "values", "admitted"),
    [
        ("Write", "", {"content": ABANDONED}, True),
        ("Write", ABANDONED, {"content": "# Outcome\n\nDone.\n"}, False),
        ("Write", "", {"content": ABANDONED.replace("abandoned", "delivered")}, False),
        ("Edit", ABANDONED, {"old_string": "No longer", "new_string": "Not"}, True),
        ("Edit", ABANDONED, {"old_string": "abandoned", "new_string": "delivered"}, False),
        ("Edit", "", {"old_string": "", "new_string": ABANDONED}, True),
        (
            "MultiEdit",
            ABANDONED.replace("abandoned", "x"),
            {"edits": [{"old_string": "x", "new_string": "abandoned"}]},
            True,
        ),
    ],
)
def test_an_abandoned_outcome_needs_no_ticks(
    scene: Scene, tool: str, before: str, values: dict[str, Any], admitted: bool
) -> None:
    made = scene.planned()
    scene.lock(made, ME)
    scene.write(made, "outcome.md", before)
    said = scene.judge(scene.event(ME, tool, file_path=f"{made.dir}/outcome.md", **values))
    assert (said.denied is None) is admitted, said


def test_solo_is_no_excuse_for_code_before_the_plan(scene: Scene) -> None:
    """case 9.5/98"""
    scene.lock(scene.intent(), ME, tree=True)
    assert scene.does(ME, f"{scene.repo}/.claude/worktrees/96--demo/app.py").denied


def test_solo_in_the_shared_checkout_is_advised_until_a_second_comes(scene: Scene) -> None:
    """case 9.5/99"""
    scene.lock(scene.planned(), ME, tree=True)
    said = scene.does(ME, scene.repo / "app.py")
    assert said.denied is None
    assert "worktrees/96--demo/app.py" in said.advice
    parallel(scene)
    assert scene.does(ME, scene.repo / "app.py").denied


@pytest.mark.parametrize("gate", ["stage", "worktree", "create", "links"])
@pytest.mark.parametrize("mode", ["enforce", "advise", "off"])
def test_gates_with_a_switch_follow_it(scene: Scene, gate: str, mode: str) -> None:
    scene.projects["shop"]["gates"] = {gate: mode}
    scene.register()
    made = scene.planned()
    scene.lock(made, ME, tree=True)
    parallel(scene)
    text = Path(made.file).read_text()
    if gate == "stage":
        scene.write(made, "plan.md", PLACEHOLDER)
        said = scene.does(ME, f"{scene.repo}/.claude/worktrees/96--demo/app.py")
    elif gate == "worktree":
        said = scene.does(ME, scene.repo / "app.py")
    else:
        bad = text.replace("tags: []\n", "") if gate == "create" else text + "- typed\n"
        said = scene.does(ME, made.file, content=bad)
    assert (said.denied is not None) is (mode == "enforce")
    assert (said.advice != "") is (mode == "advise")
    rows = [(row["event"], row["gate"]) for row in scene.journal()]
    kind = {"enforce": [("deny", gate)], "advise": [("would-deny", gate)], "off": []}
    assert rows == kind[mode]


def test_while_observing_switched_gates_advise_and_the_others_deny(scene: Scene) -> None:
    day = time.strftime("%Y-%m-%d", time.localtime(time.time() + 86400))
    scene.config["observe_until"] = day
    scene.register()
    made = scene.intent()
    scene.lock(made, ME)
    said = scene.does(ME, f"{made.dir}/plan.md")
    assert said.denied is None
    assert "a real spec.md" in said.advice
    assert scene.does(F, f"{made.dir}/plan.md").denied
    assert scene.does(ME, f"{made.dir}/savepoint.md").denied
    scene.claim(made, "spec.md", F)
    assert scene.does(ME, f"{made.dir}/spec.md").denied


def test_require_intent(scene: Scene) -> None:
    assert scene.does(F, scene.repo / "app.py").denied is None
    scene.projects["shop"]["require_intent"] = True
    scene.register()
    said = str(scene.does(F, scene.repo / "app.py").denied)
    assert "plastic start --project shop --title" in said
    assert scene.does(F, scene.root / "x.py").denied is None
    scene.lock(scene.planned(), F)
    assert scene.does(F, scene.repo / "app.py").denied is None


# -- worktrees and files by what they are ------------------------------------------------------


def test_a_moved_worktree_still_belongs_to_its_intent(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME, tree=True)
    scene.lock(scene.planned("97", "other"), F, tree=True)
    moved = scene.root / "moved"
    scene.git("worktree", "move", scene.tree(made), str(moved))
    os.symlink(moved, f"{scene.repo}/.claude/worktrees/{made.name}")
    for path in (moved / "app.py", scene.repo / ".claude/worktrees" / made.name / "app.py"):
        assert scene.does(ME, path).denied is None
        for stranger in (F, "nobody"):
            assert "delivered by another session" in (scene.does(stranger, path).denied or "")


@pytest.mark.parametrize("held", [True, False])
def test_a_package_of_a_larger_repository_is_a_project(scene: Scene, held: bool) -> None:
    package = scene.repo / "pkg"
    package.mkdir()
    scene.projects = {"pkg": {"path": str(package)}}
    scene.register()
    made = scene.planned(project="pkg")
    tree = scene.tree(made)
    if held:
        scene.lock(made, ME, tree=True)
    assert scene.does(F, f"{tree}/pkg/x").denied
    assert scene.does(F, f"{scene.repo}/x").denied is None


def test_what_git_and_the_agent_keep_in_a_checkout_is_no_code(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME, tree=True)
    scene.lock(scene.planned("97", "other"), F)
    (scene.repo / "node_modules").mkdir()
    os.symlink(scene.repo / "node_modules", f"{scene.tree(made)}/node_modules")
    for name in (
        ".git/COMMIT_EDITMSG",
        ".git/info/exclude",
        f".git/worktrees/{made.name}/COMMIT_EDITMSG",
        ".claude/settings.local.json",
        ".claude/agent-memory-local/a/MEMORY.md",
        "CLAUDE.local.md",
        f".claude/worktrees/{made.name}/node_modules/.cache/x",
    ):
        assert scene.does(ME, scene.repo / name).denied is None, name
    for name in (
        ".gitignore",
        ".claude/settings.json",
        "CLAUDE.local.md.py",
        "my_node_modules",
        "d/" * 300,
    ):
        assert scene.does(ME, scene.repo / name / "x").denied, name


def test_a_lock_cannot_make_the_home_or_a_parent_of_it_a_worktree(scene: Scene) -> None:
    made = scene.planned()
    for path in ("/", str(scene.root), scene.home.root, made.dir):
        scene.lock(made, ME, worktree={"path": path, "provisioned": True})
        assert scene.does(F, scene.root / "elsewhere").denied is None
        assert scene.does(F, f"{made.dir}/x").denied
