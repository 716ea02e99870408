"""A relay that delivers an intent: the lock goes with the work, End comes with `--end`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.relay.stage import Stage

HOP = "printf 'go on' | signal hand-off --prompt-file -\n"
DONE = "signal done --summary all\n"
# What an agent writes until code may be written, and what End wants to see.
DOCUMENTS = """
printf '# Spec\\n\\nTax.\\n' > "$D/spec.md"; printf '# Plan\\n\\nDo it.\\n' > "$D/plan.md"
printf '# Checklist\\n\\n- [x] do it\\n' > "$D/checklist.md"
printf '# Action\\n\\nDo it.\\n' > "$D/actions/ACTION_1.md"
"""
WORK = "echo 'TAX = 1' > tax.py; git add tax.py; git commit -qm tax\n"
OUTCOME = (
    "printf -- '---\\ndisposition: delivered\\n---\\n# Outcome\\n\\nDone.\\n' > \"$D/outcome.md\"\n"
)
WHO = 'plastic-lock status 1 --json > "$A/lock-$n"\n'


@pytest.fixture
def folder(stage: Stage) -> Path:
    """The documents of an intent that nobody holds."""
    made = stage.world.plastic("new", "Add tax", "--json", cwd=stage.world.repo)
    assert made.rc == 0, made.err
    return Path(made.json["dir"])


def prelude(stage: Stage, folder: Path) -> str:
    code = "import sys; from plastic.cli.entry import plastic_lock; sys.exit(plastic_lock())"
    lock = f'plastic-lock() {{ "{stage.python}" -c \'{code}\' "$@"; }}\n'
    # `sh` has no function names with a hyphen everywhere.
    return f'D="{folder}"; A="{stage.dir}"\n' + lock.replace("plastic-lock()", "plastic_lock()")


def turns(stage: Stage, folder: Path, *bodies: str) -> None:
    head = prelude(stage, folder)
    stage.turns(*(head + body.replace("plastic-lock", "plastic_lock") for body in bodies))


def lock(stage: Stage) -> dict[str, Any] | None:
    value: dict[str, Any] = stage.world.lock("status", "1", "--json").json
    found: dict[str, Any] | None = value["lock"]
    return found


def ledger(folder: Path) -> str:
    return (folder / "savepoint.md").read_text()


def test_from_the_first_prompt_to_a_merged_intent(stage: Stage, folder: Path) -> None:
    """The main job: no call is refused, the token grows with each hop, the base has the work."""
    turns(stage, folder, DOCUMENTS + HOP, WORK + HOP, WHO + OUTCOME + DONE)
    done = stage.start("--intent", "1", "--end")
    assert done.rc == 0, done.err + done.out
    assert done.json["end"]["merge_commit"]
    assert stage.world.git("show", "main:tax.py") == "TAX = 1"
    seen = json.loads((stage.dir / "lock-3").read_text())
    sessions = [stage.env(number)["RELAY_SESSION"] for number in (1, 2, 3)]
    assert seen["lock"]["owner_session"] in sessions[1:]
    assert sessions[2] in (seen["lock"]["owner_session"], *seen["lock"]["delegates"])
    assert lock(stage) is None
    text = ledger(folder)
    assert f"transfer: {sessions[1]} from {sessions[0]}" in text
    assert f"transfer: {sessions[2]} from {sessions[1]}" in text


def test_children_work_in_the_worktree_and_know_who_they_are(stage: Stage, folder: Path) -> None:
    turns(stage, folder, 'pwd > "$A/pwd"; plastic_lock who > "$A/who"\nsignal stop --reason x\n')
    stage.start("--intent", "1")
    assert (stage.dir / "pwd").read_text().strip().endswith(".claude/worktrees/1--add-tax")
    assert "1 " in (stage.dir / "who").read_text()


def test_a_stop_leaves_a_note_and_gives_the_lock_back(stage: Stage, folder: Path) -> None:
    turns(stage, folder, HOP, DONE)
    stage.start("--intent", "1", "--max-steps", "1")
    stage.is_at("stopped", "limit_steps", 1)
    assert lock(stage) is None
    assert "Relay  " in ledger(folder)
    assert "the hand-off that waits: go on" in ledger(folder)
    assert stage.world.git("status", "--porcelain", cwd=stage.world.root / "home") == ""
    assert stage.do("resume", "--max-steps", "2").rc == 0
    assert stage.got()[1] == "go on"


def test_a_question_keeps_the_lock(stage: Stage, folder: Path) -> None:
    turns(stage, folder, "signal pause --question why\n", DONE)
    stage.start("--intent", "1")
    held = lock(stage)
    assert held is not None
    assert held["owner_session"] == stage.env(1)["RELAY_SESSION"]
    assert stage.do("reply", "because").rc == 0


def test_a_relay_whose_lock_was_taken_stops(
    stage: Stage, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The child is ended, and what the new owner has is not touched."""
    take = 'rm "$D/delivery.lock"; plastic start 1 --session thief > /dev/null\nsleep 60\n'
    turns(stage, folder, "unset PLASTIC_SESSION\n" + take)
    monkeypatch.setattr("plastic.work.relay.custody.BEAT_EVERY", 0.05)
    done = stage.start("--intent", "1")
    assert done.rc == 1
    stage.is_at("stopped", "user_off", 1)
    held = lock(stage)
    assert held is not None
    assert held["owner_session"] == "thief"
    refused = stage.do("resume", "--json")
    assert refused.rc == 3
    assert refused.json["error"]["who"] == "thief"
    stage.is_at("stopped", "user_off", 1)


def test_an_intent_that_another_session_holds(stage: Stage, folder: Path) -> None:
    """Refused before there is a child."""
    assert stage.world.plastic("start", "1", session="other", cwd=stage.world.repo).rc == 0
    refused = stage.start("--intent", "1")
    assert refused.rc == 3
    assert refused.json["error"]["who"] == "other"
    assert stage.got() == []


def test_an_end_that_is_refused_is_told_and_the_work_can_go_on(stage: Stage, folder: Path) -> None:
    turns(stage, folder, DOCUMENTS + WORK + DONE, OUTCOME + DONE)
    done = stage.start("--intent", "1", "--end")
    assert done.rc == 1
    assert "outcome" in done.json["end_refused"]["reason"]
    assert lock(stage) is not None
    assert stage.do(*done.json["next"].split()[2:]).rc == 0
    assert stage.world.git("show", "main:tax.py") == "TAX = 1"


def test_end_without_an_intent(stage: Stage) -> None:
    assert stage.start("--end").rc == 2


def test_one_live_relay_for_an_intent(stage: Stage, folder: Path) -> None:
    """Another intent of the repository may have its own at the same time."""
    stage.world.plastic("new", "Other", cwd=stage.world.repo)
    inner = f'plastic relay start --command {stage.program} --intent 2 x --json > "$A/other"\n'
    turns(stage, folder, inner + DONE, DONE)
    assert stage.start("--intent", "1").rc == 0
    assert json.loads((stage.dir / "other").read_text())["reason"] == "done"
