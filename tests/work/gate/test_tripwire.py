"""What changes while a shell command runs: explained where it can be, a taint where it cannot."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk.trail import mark
from plastic.work.end.tainted import taints

if TYPE_CHECKING:
    from plastic.words import Intent
    from tests.gates.scene import Said, Scene

ME, F, D = "owner-1", "foreign-2", "delegate-3"
OPAQUE = "python3 tool.py"


class Play:
    """96 is held by ME, and what sessions do around it; `now` runs while a command does."""

    def __init__(self, scene: Scene, **keys: Any) -> None:
        self.scene = scene
        self.made = scene.planned()
        scene.lock(self.made, ME, tree=True, **keys)

    def path(self, name: str) -> Path:
        return Path(self.made.dir, name)

    def before(self, who: str, command: str = OPAQUE, **more: Any) -> Any:
        """The event of a command that begins; None when it is refused."""
        event = self.scene.event(who, "Bash", command=command, cwd="/", **more)
        assert self.scene.judge(event).denied is None
        return event

    def after(self, event: Any, kind: str = "PostToolUse", **more: Any) -> Said:
        return self.scene.judge({**event, "hook_event_name": kind, **more})

    def edit(self, who: str, name: str, text: str, *, ends: bool = True) -> None:
        """A Write of a session, with both of its events."""
        path = self.path(name)
        event = self.scene.event(who, "Write", file_path=str(path), content=text)
        assert self.scene.judge(event).denied is None
        path.write_text(text)
        if ends:
            self.scene.judge({**event, "hook_event_name": "PostToolUse"})


@pytest.fixture
def play(scene: Scene) -> Play:
    return Play(scene)


def found(scene: Scene, intent: Intent) -> list[tuple[str, str]]:
    return [(Path(row["path"]).name, row["what"]) for row in taints(scene.home, intent)]


BYPASSES = {
    "changed": lambda play: play.path("spec.md").write_text("# Stolen\n"),
    "made": lambda play: play.path("new.md").write_text("x"),
    "removed": lambda play: play.path("plan.md").unlink(),
    "deep": lambda play: play.path("actions/ACTION_2.md").write_text("x"),
    "mode": lambda play: play.path("spec.md").chmod(0),
    "lock taken": lambda play: play.path("delivery.lock").write_text('{"type": "delivery"}'),
    "lock gone": lambda play: play.path("delivery.lock").unlink(),
    "ledger": lambda play: play.path("savepoint.md").write_text(""),
    "same size": lambda play: play.path("spec.md").write_text("# Spec\n\nA tax of 30 %.\n"),
}


@pytest.mark.parametrize("kind", ["PostToolUse", "PostToolUseFailure"])
@pytest.mark.parametrize("bypass", BYPASSES)
def test_a_change_that_nobody_explains(scene: Scene, play: Play, bypass: str, kind: str) -> None:
    event = play.before(F)
    time.sleep(0.01)  # a file system counts in steps of a few milliseconds
    BYPASSES[bypass](play)
    said = play.after(event, kind)
    reason = said.json["reason"]
    assert said.json["decision"] == "block"
    assert "recorded as a taint" in reason
    assert "run: plastic-lock status 96" in reason
    (row,) = scene.journal("taint")
    assert (row["session"], row["command"], row["intent"]) == (F, OPAQUE, play.made.name)
    assert len(found(scene, play.made)) == 1
    assert play.after(event, kind).out == b"", "said once"
    assert play.after(play.before(F)).out == b"", "and not by the next command"


def test_nothing_changed(scene: Scene, play: Play) -> None:
    for who in (F, ME):
        assert play.after(play.before(who)).out == b""
    assert scene.journal() == []
    assert os.listdir(f"{scene.home.run}/calls") == []


def test_a_harmless_command_leaves_nothing(scene: Scene, play: Play) -> None:
    assert play.after(play.before(F, "ls -la && git status")).out == b""
    assert not os.path.exists(f"{scene.home.run}/calls")


def test_a_refused_command_that_ran(scene: Scene, play: Play) -> None:
    event = scene.event(F, "Bash", command=f"echo x > {play.path('spec.md')}")
    assert scene.judge(event).denied
    assert "gate bypassed" in play.after(event).json["reason"]
    assert found_what(scene) == ["gate bypassed"]
    assert [row["what"] for row in taints(scene.home, play.made)] == ["gate bypassed"]


def found_what(scene: Scene) -> list[str]:
    return [row["what"] for row in scene.journal("taint")]


# Who may have done it -> what happens while F's command runs, and F is not accused.
def owner_writes(play: Play) -> None:
    play.edit(ME, "spec.md", "# Spec\n\nA tax of 22 %.\n")


def owner_is_writing(play: Play) -> None:
    play.edit(ME, "notes.md", "x", ends=False)


def owner_lands(play: Play) -> None:
    play.edit(ME, "outcome.md", "---\ndisposition: abandoned\n---\n\n# Outcome\n\nNo.\n")
    assert "outcome.md" in play.path("savepoint.md").read_text()


def owner_runs_something(play: Play) -> None:
    event = play.before(ME, "make documents")
    play.path("plan.md").write_text("# Plan\n\nMade.\n")
    play.after(event)


def owner_writes_by_shell(play: Play) -> None:
    event = play.before(ME, f"echo x > {play.path('notes.md')}")
    play.path("notes.md").write_text("x\n")
    play.after(event)


def owner_beats(play: Play) -> None:
    play.scene.age(play.path("delivery.lock"), 600)
    play.scene.judge(play.scene.event(ME, "Read", file_path="/x"))


def owner_waits_long(play: Play) -> None:
    play.scene.judge(play.scene.event(ME, "Bash", command="make", timeout=3_600_000, cwd="/"))
    assert "ttl_before_call" in play.path("delivery.lock").read_text()


def claim_beats(play: Play) -> None:
    os.utime(play.path(".claims/spec.md.claim"))


def plastic_works(play: Play) -> None:
    mark(play.scene.home, "command", ME, "123", "plastic-lock fix")
    play.path("savepoint.md").write_text("rebuilt\n")
    play.path("delivery.token").write_text("4\n")
    mark(play.scene.home, "end", ME, "123")


HONEST = [
    owner_writes,
    owner_is_writing,
    owner_lands,
    owner_runs_something,
    owner_writes_by_shell,
    owner_beats,
    owner_waits_long,
    claim_beats,
    plastic_works,
]


@pytest.mark.parametrize("act", HONEST, ids=lambda act: act.__name__)
def test_what_the_owner_does_is_no_taint(scene: Scene, play: Play, act: Any) -> None:
    scene.claim(play.made, "spec.md", ME)
    event = play.before(F)
    act(play)
    assert play.after(event).out == b""
    assert scene.journal("taint") == []


@pytest.mark.parametrize("act", HONEST[:5], ids=lambda act: act.__name__)
def test_nobody_else_could_have_explained_it(scene: Scene, play: Play, act: Any) -> None:
    """Non-vacuity: without the trail each of them would be taken for F's doing."""
    event = play.before(F)
    act(play)
    Path(scene.home.run, "trail").unlink()
    assert play.after(event).json["decision"] == "block"


def test_a_delegate_explains_as_the_owner_does(scene: Scene) -> None:
    play = Play(scene, delegates=[D])
    event = play.before(F)
    play.edit(D, "plan.md", "# Plan\n\nOther.\n")
    assert play.after(event).out == b""


def test_what_was_written_before_explains_nothing_now(scene: Scene, play: Play) -> None:
    play.edit(ME, "spec.md", "# Spec\n\nA tax of 22 %.\n")
    event = play.before(F)
    time.sleep(0.1)
    play.path("spec.md").write_text("# Stolen\n")
    assert play.after(event).json["decision"] == "block"


def test_another_document_explains_nothing(scene: Scene, play: Play) -> None:
    event = play.before(F)
    play.edit(ME, "plan.md", "# Plan\n\nOther.\n")
    play.path("spec.md").write_text("# Stolen\n")
    play.after(event)
    assert found(scene, play.made) == [("spec.md", "changed")]


def test_the_owner_s_own_command_may_not_write_the_lock(scene: Scene, play: Play) -> None:
    event = play.before(ME)
    play.path("spec.md").write_text("# Mine\n")
    play.path("delivery.token").write_text("9\n")
    play.after(event)
    assert found(scene, play.made) == [("delivery.token", "made")]


def test_the_registry(scene: Scene, play: Play) -> None:
    event = play.before(ME)
    Path(scene.home.config_yml).write_text("version: 1\nttl: 60\n")
    assert "plastic log" in play.after(event).json["reason"]
    assert [row["path"] for row in scene.journal("taint")] == [scene.home.config_yml]


def test_a_background_command_is_looked_after(scene: Scene, play: Play) -> None:
    """It reports at launch: what it does later is seen at the next event."""
    event = play.before(F, run_in_background=True)
    assert play.after(event).out == b""
    play.path("spec.md").write_text("# Stolen\n")
    later = scene.event(F, "Read", "PostToolUse", file_path="/x")
    assert "taint" in scene.judge(later).json["reason"]
    assert scene.judge(later).out == b""
    play.path("plan.md").write_text("# Stolen\n")
    assert "taint" in scene.judge(later).json["reason"], "it is still running"


def test_a_command_that_was_moved_to_the_background(scene: Scene, play: Play) -> None:
    event = play.before(F)
    assert play.after(event, tool_response={"backgroundTaskId": "b1"}).out == b""
    play.path("spec.md").write_text("# Stolen\n")
    prompt = {"hook_event_name": "UserPromptSubmit", "session_id": F, "prompt": "x", "cwd": "/"}
    assert "taint" in scene.judge(prompt).message
    play.path("plan.md").write_text("# Stolen\n")
    assert scene.judge(prompt).out == b"", "its end was told with that prompt"


def test_two_commands_at_once_say_it_once(scene: Scene, play: Play) -> None:
    one, two = play.before(F), play.before("third-3")
    play.path("spec.md").write_text("# Stolen\n")
    assert [bool(play.after(one).out), bool(play.after(two).out)] == [True, False]
    assert len(scene.journal("taint")) == 1


def test_documents_written_by_shell_reach_the_ledger(scene: Scene, play: Play) -> None:
    path = play.path("outcome.md")
    play.path("checklist.md").write_text("- [x] done\n")
    event = play.before(ME, f"cat > {path} <<'E'\n# Outcome\n\nDone.\nE")
    path.write_text("# Outcome\n\nDone.\n")
    play.after(event)
    assert scene.ledger(play.made)[-1] == "Exec  outcome.md created"


def test_what_is_wrong_with_a_document_written_by_shell_is_said(scene: Scene, play: Play) -> None:
    event = play.before(ME, f"sed -i /chain/d {play.made.file}")
    Path(play.made.file).write_text("no front matter\n")
    assert "no valid intent file" in play.after(event).json["reason"]


def test_without_run_nothing_is_said(scene: Scene, play: Play) -> None:
    """run/ may be deleted at any time."""
    import shutil

    event = play.before(F)
    shutil.rmtree(scene.home.run)
    play.path("spec.md").write_text("# Stolen\n")
    assert play.after(event).json.get("decision") is None


def test_interleavings_of_honest_sessions(scene: Scene) -> None:
    """200 orders in which two sessions edit, land and run: 0 taints; a planted bypass: one."""
    for seed in range(200):
        chance = random.Random(seed)
        _interleave(scene, chance, str(100 + seed), planted=seed % 4 == 0)


def _interleave(scene: Scene, chance: random.Random, id: str, *, planted: bool) -> None:
    made = scene.planned(id, "demo")
    scene.lock(made, ME)
    before = len(scene.journal("taint"))
    pending: dict[str, list[Any]] = {ME: [], F: []}
    for turn in range(12):
        who = chance.choice([ME, F])
        if pending[who] and chance.random() < 0.5:
            scene.judge({**pending[who].pop(0), "hook_event_name": "PostToolUse"})
        elif who == ME and chance.random() < 0.6:
            path = Path(made.dir, chance.choice(["notes.md", "plan.md", f"a{turn}.md"]))
            event = scene.event(ME, "Write", file_path=str(path), content=f"# {turn}\n\nText.\n")
            assert scene.judge(event).denied is None
            path.write_text(f"# {turn}\n\nText.\n")
            pending[ME].append(event)
        else:
            event = scene.event(who, "Bash", command=f"python3 t.py {turn}", cwd="/")
            assert scene.judge(event).denied is None
            if who == ME:
                Path(made.dir, "notes.md").write_text(f"{turn}\n")
            pending[who].append(event)
    assert len(scene.journal("taint")) == before
    for event in pending[ME]:
        scene.judge({**event, "hook_event_name": "PostToolUse"})
    if planted:
        time.sleep(0.06)  # beyond what clocks of files may differ
        pending[F] = pending[F] or [scene.event(F, "Bash", command="python3 t.py", cwd="/")]
        scene.judge(pending[F][-1])
        Path(made.dir, "spec.md").write_text("# Stolen\n")
    for event in pending[F]:
        scene.judge({**event, "hook_event_name": "PostToolUse"})
    assert len(scene.journal("taint")) == before + planted
    os.unlink(f"{made.dir}/delivery.lock")
    os.unlink(f"{scene.home.held}/{made.name}")
