"""An ordinary day of an owner: 500 reads, edits and commands, and not one false refusal."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.gates.scene import PLAN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plastic.words import Intent
    from tests.gates.scene import Scene

ME, F, D = "owner-1", "foreign-2", "delegate-3"
COMMANDS = [
    "git status --short",
    "pytest -q",
    "ls -la && rg TAX",
    "git commit -qm wip",
    "make > log",
]
# Of these, what may write in the directory that it is started in.
WRITERS = ("pytest -q", "make > log", "git commit -qm wip")
MEMORY = "/home/ana/.claude/projects/shop/memory/notes.md"


def documents(made: Intent) -> Iterator[tuple[str, dict[str, Any]]]:
    """From What to Exec, as an agent writes it."""
    for name, text in PLAN.items():
        yield "Read", {"file_path": f"{made.dir}/{name}"}
        yield "Write", {"file_path": f"{made.dir}/{name}", "content": text}
    yield "Write", {"file_path": f"{made.dir}/resources/discovery--tax.md", "content": "x\n"}
    edit = {"old_string": "## Context\n", "new_string": "## Context\n\nA law of 2026.\n"}
    yield "Edit", {"file_path": made.file, **edit}


def work(made: Intent, tree: str, chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Code in the worktree, looks everywhere, notes outside, ticks in the checklist."""
    for turn in range(120):
        file = chance.choice(["app.py", f"src/m{turn}.py", "tests/test_app.py", "docs/a b.md"])
        yield "Read", {"file_path": f"{tree}/{file}"}
        yield "Grep", {"pattern": "TAX", "path": tree.partition("/.claude/")[0]}
        yield "Bash", {"command": chance.choice(COMMANDS), "timeout": 120_000}
        if turn % 5 == 4:
            yield "mcp__serena__replace_content", {"relative_path": file, "project_root": tree}
        elif turn % 2:
            yield "Write", {"file_path": f"{tree}/{file}", "content": f"x = {turn}\n"}
        else:
            yield "Edit", {"file_path": f"{tree}/{file}", "old_string": "x", "new_string": "y"}
    for path in (MEMORY, "/tmp/scratch.py", f"{made.dir}/notes.md"):
        yield "Write", {"file_path": path, "content": "x\n"}
    yield "NotebookEdit", {"notebook_path": f"{tree}/a.ipynb", "new_source": "x"}
    tick = {"old_string": "- [ ]", "new_string": "- [x]"}
    yield "Edit", {"file_path": f"{made.dir}/checklist.md", **tick}
    outcome = "---\ndisposition: delivered\n---\n\n# Outcome\n\nA tax of 21 %.\n"
    yield "Write", {"file_path": f"{made.dir}/outcome.md", "content": outcome}


def happen(tool: str, values: dict[str, Any], home: str) -> None:
    """What the tool does to the documents; the rest of the machine is only named."""
    path = Path(values.get("file_path", "/"))
    if not str(path).startswith(home):
        return
    path.parent.mkdir(exist_ok=True)
    if tool == "Write":
        path.write_text(values["content"])
    elif tool == "Edit":
        path.write_text(path.read_text().replace(values["old_string"], values["new_string"], 1))


@pytest.mark.parametrize("company", ["solo", "with rivals", "with a delegate"])
def test_a_day(scene: Scene, company: str) -> None:
    made = scene.intent()
    scene.lock(made, ME, tree=True, delegates=[D] if company == "with a delegate" else [])
    if company == "with rivals":
        for number in range(5):
            rival = scene.planned(str(number + 1), "rival")
            scene.lock(rival, f"rival-{number}", tree=True)
    tree = f"{scene.repo}/.claude/worktrees/{made.name}"
    chance = random.Random(company)
    calls = [*documents(made), *work(made, tree, chance)]
    assert len(calls) > 480
    refused, advised = [], []
    for tool, values in calls:
        who = D if company == "with a delegate" and chance.random() < 0.5 else ME
        more = {"cwd": tree, **({"agent_id": "a17"} if chance.random() < 0.3 else {})}
        said = scene.judge(scene.event(who, tool, **values, **more))
        if said.denied is not None:
            refused.append((tool, values, said.denied))
        elif said.out:
            advised.append((tool, values, said.advice, said.message))
        happen(tool, values, scene.home.root)
        after = scene.judge(scene.event(who, tool, "PostToolUse", **values, **more))
        if after.out:
            refused.append((tool, values, after.out.decode()))
    assert refused == []
    assert advised == []
    assert scene.ledger(made)[-1] == "Exec  outcome.md created"
    assert scene.journal() == []


def test_the_same_day_of_a_foreign_session_is_seen(scene: Scene) -> None:
    """Non-vacuity: every write of that day is refused to who does not hold the intent."""
    made = scene.planned()
    scene.lock(made, F, tree=True)
    tree = f"{scene.repo}/.claude/worktrees/{made.name}"
    calls = [*documents(made), *work(made, tree, random.Random(1))]
    outside = (MEMORY, "/tmp/scratch.py")
    for tool, values in calls:
        said = scene.judge(scene.event(ME, tool, **values, cwd=tree))
        writes = tool in ("Write", "Edit", "NotebookEdit", "mcp__serena__replace_content")
        writes |= values.get("command") in WRITERS
        assert (said.denied is not None) is (writes and values.get("file_path") not in outside)
