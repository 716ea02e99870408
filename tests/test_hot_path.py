"""What a decision may load: the budget of the hook is lost one innocent import at a time."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.work.parts import (
    BUNDLES,
    CLOCK,
    CORE,
    FIRST,
    HOT,
    LEDGER,
    PARSER,
    SAID,
    SHELL,
    STAGE,
    TRACES,
)
from tests.gates.scene import ROOT

if TYPE_CHECKING:
    from tests.gates.scene import Scene

ME, F = "owner-1", "foreign-2"
# Of Python: what `python -I -S` has anyway is subtracted. `marshal` and `posix` are built in.
STANDARD = {"_json", "posix", "time", "errno"}
ORDINARY = {*FIRST, *CORE, "plastic.hook"} | STANDARD
HOTTEST = {one for group in (*HOT, SHELL) for one in group}
TOLD = {*SAID, *CLOCK}
PARSED = {*PARSER, *SHELL, *TRACES}
# Case -> what it may load beyond the ordinary.
MORE: dict[str, set[str]] = {
    "allow outside": set(),
    "allow in the worktree": {*STAGE},
    "allow a document": {*STAGE, *TRACES},
    "deny": TOLD,
    "begin a document": {*STAGE, *TRACES, *LEDGER, *CLOCK},
    "read": set(),
    "shell": {*PARSER},
    "shell that is parsed": PARSED | TOLD | {*STAGE},
    "shell that is refused": PARSED | TOLD,
    "after a shell command": {*TRACES, "plastic.work.gate.tripwire", "__future__"},
    "beat": {*STAGE, "fcntl"},
    "solo advice": {*STAGE, *TOLD, "plastic.rules.lock.solo", "__future__"},
    "not boarded": {
        *TRACES,
        *SAID,
        *CLOCK,
        "plastic.disk.active",
        "plastic.rules.lock.solo",
        "__future__",
    },
    "tool of a server": {*STAGE, "plastic.harness.keys", "plastic.harness.paths", "__future__"},
    "after code": {*TRACES},
}
STUB = """
import sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
from plastic.hook import main
main(sys.argv[2:])
import posix
loaded = set(sys.modules) - before
files = [one for one in loaded if not hasattr(sys.modules[one], "__path__")]  # no folders
posix.write(2, "\\n".join(files).encode())
posix._exit(0)
"""


def event_of(scene: Scene, case: str) -> Any:
    made = scene.planned()
    scene.lock(made, ME, tree=True, age=600 if case == "beat" else 0)
    tree = f"{scene.repo}/.claude/worktrees/96--demo/app.py"
    if case == "allow outside":
        return scene.event(F, "Write", file_path="/somewhere/a.py", content="x")
    if case == "allow a document":
        return scene.event(ME, "Write", file_path=f"{made.dir}/checklist.md", content="x")
    if case == "begin a document":
        scene.write(made, "spec.md", "")
        return scene.event(ME, "Write", file_path=f"{made.dir}/spec.md", content="x")
    if case == "deny":
        return scene.event(F, "Write", file_path=f"{made.dir}/spec.md", content="x")
    if case == "read":
        return scene.event(ME, "Read", file_path=tree)
    if case == "shell":
        return scene.event(ME, "Bash", command="ls")
    if case == "shell that is parsed":
        return scene.event(ME, "Bash", command="make > log && git add -A", cwd=tree)
    if case == "shell that is refused":
        return scene.event(F, "Bash", command=f"make > {made.dir}/spec.md", cwd="/x")
    if case == "after a shell command":
        return scene.event(ME, "Bash", "PostToolUse", command="make")
    if case == "solo advice":
        return scene.event(ME, "Write", file_path=f"{scene.repo}/app.py", content="x")
    if case == "not boarded":
        other = scene.intent("97", "other")
        scene.does(ME, f"{other.dir}/a.md")  # makes the cache of the Active ids
        return scene.event(ME, "Write", file_path=f"{other.dir}/notes.md", content="x")
    if case == "tool of a server":
        return scene.event(ME, "mcp__fs__write_file", path=tree, content="x")
    kind = "PostToolUse" if case == "after code" else "PreToolUse"
    return scene.event(ME, "Edit", kind, file_path=tree, old_string="a", new_string="b")


def loaded(scene: Scene, event: Any) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", STUB, str(ROOT), "claude"],
        input=json.dumps(event).encode(),
        env={**os.environ, "PLASTIC_HOME": scene.home.root},
        capture_output=True,
        check=True,
    )
    return set(done.stderr.decode().split())


@pytest.mark.parametrize("case", MORE)
def test_a_decision_loads_what_is_listed_and_no_more(scene: Scene, case: str) -> None:
    for event in (scene.event("nobody", "Read"), scene.event("nobody", "Bash", command="make")):
        loaded(scene, event)  # the first call after a change writes the bundle
    found = loaded(scene, event_of(scene, case))
    assert found - ORDINARY - MORE[case] == set()
    assert MORE[case] - found == set(), "the list is longer than the truth"


def test_a_group_is_in_the_order_of_imports() -> None:
    """The hook runs its modules in this order; a wrong one would import from files again.

    The core is whole with what comes before it; another group may ask for others.
    """
    for groups in BUNDLES.values():
        for group in groups:
            ready = set(FIRST)
            for name in group:
                tree = ast.parse((ROOT / f"{name.replace('.', '/')}.py").read_text())
                for node in tree.body:
                    if isinstance(node, ast.ImportFrom) and (node.module or "") in HOTTEST:
                        late = node.module not in ready
                        assert not late or (group is not CORE and node.module not in group), name
                    elif isinstance(node, ast.ImportFrom):
                        assert group is not CORE or node.module == "__future__", name
                    elif isinstance(node, ast.Import):
                        allowed = STANDARD | {"sys", "marshal"}
                        assert {one.name for one in node.names} <= allowed, name
                ready.add(name)


def hot_files() -> list[Path]:
    """Everything that a hook may load, the rare modules too."""
    rare = {"plastic.harness.paths", "plastic.harness.universal", "plastic.rules.lock.solo"}
    rare |= {
        "plastic.rules.intent.links",
        "plastic.rules.intent.intentfile",
        "plastic.rules.intent.index",
    }
    rare |= {"plastic.disk.active", "plastic.disk.callttl", "plastic.hook"}
    rare |= {"plastic.work.gate.content", "plastic.work.gate.after", "plastic.work.gate.result"}
    rare |= {"plastic.work.gate.taint"}
    return [ROOT / f"{name.replace('.', '/')}.py" for name in sorted(HOTTEST | rare)]


# The way back to json for what the C scanner refuses, and a reader that only commands call: the
# list of loaded modules above proves that no decision comes here.
# Python starts with both: the way to one extension without a search.
FROZEN = {("hook.py", "_frozen_importlib"), ("hook.py", "_frozen_importlib_external")}
COLD = FROZEN | {("quickjson.py", "json"), ("clock.py", "calendar")}
ALLOWED = STANDARD | {"sys", "fcntl", "__future__", "marshal"}


@pytest.mark.parametrize("path", hot_files(), ids=lambda path: path.name)
def test_hot_files_import_nothing_slow(path: Path) -> None:
    """Only what stands under `TYPE_CHECKING` may be anything."""
    tree = ast.parse(path.read_text())
    typed = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    slow = []
    for node in ast.walk(tree):
        if id(node) in typed:
            continue
        if isinstance(node, ast.Import):
            slow += [one.name for one in node.names if one.name not in ALLOWED]
        elif isinstance(node, ast.ImportFrom):
            name = node.module or ""
            slow += [] if name.startswith("plastic.") or name in ALLOWED else [name]
    assert [one for one in slow if (path.name, one) not in COLD] == []


def test_a_slow_import_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text("def f():\n    import re\n")
    with pytest.raises(AssertionError):
        test_hot_files_import_nothing_slow(path)
