"""The one command of every refusal is pasted and run: it resolves, or names the next step."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.gates.scene import GATE, PLAN, Said

if TYPE_CHECKING:
    from tests.world import Done, World

ME, F = "owner-1", "foreign-2"


class Play:
    """The shop with real commands, and the real hook."""

    def __init__(self, shop: World) -> None:
        self.shop = shop
        self.calls = 0

    def asks(self, session: str, path: str | Path, tool: str = "Write", **more: Any) -> Said:
        self.calls += 1
        payload = {
            "session_id": session,
            "transcript_path": "/t.jsonl",
            "cwd": str(self.shop.repo),
            "hook_event_name": "PreToolUse",
            "tool_name": tool,
            "tool_input": {"file_path": str(path), "content": "x\n", **more},
            "tool_use_id": f"toolu_{self.calls}",
        }
        done = subprocess.run(
            [str(GATE), "claude"],
            input=json.dumps(payload).encode(),
            capture_output=True,
            check=False,
            env={**os.environ, "PLASTIC_PYTHON": sys.executable},
        )
        return Said(done.stdout, done.stderr, done.returncode)

    def pastes(self, said: Said, session: str) -> Done:
        """Run the command that a refusal prints, as the refused session's shell would."""
        assert said.denied is not None, said
        words = self.command(said)
        run = self.shop.plastic if words[0] == "plastic" else self.shop.lock
        return run(*words[1:], session=session, cwd=self.shop.repo)

    def command(self, said: Said) -> list[str]:
        assert said.denied is not None
        (line,) = [one for one in said.denied.splitlines() if one.startswith("run: ")]
        return shlex.split(line.removeprefix("run: "))


@pytest.fixture
def play(shop: World) -> Play:
    return Play(shop)


def planned(play: Play, title: str = "Raise the tax") -> dict[str, Any]:
    made = play.shop.new(title)
    for name, text in PLAN.items():
        Path(made["dir"], name).write_text(text)
    return made


def test_not_boarded(play: Play) -> None:
    made = play.shop.new("Raise the tax")
    path = f"{made['dir']}/spec.md"
    said = play.asks(F, path)
    assert play.pastes(said, F).rc == 0
    assert play.asks(F, path).denied is None


def test_held_by_another(play: Play) -> None:
    made = planned(play)
    play.shop.start(made["id"], ME)
    path = f"{made['dir']}/notes.md"
    said = play.asks(F, path)
    code = "import sys; from plastic.cli.main import plastic; sys.exit(plastic())"
    waiting = subprocess.Popen(
        [sys.executable, "-c", code, *play.command(said)[1:]],
        cwd=play.shop.repo,
        env={**os.environ, "CLAUDE_CODE_SESSION_ID": F},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert play.shop.lock("release", made["id"], session=ME).rc == 0
    assert waiting.wait(timeout=60) == 0
    assert play.asks(F, path).denied is None
    assert play.asks(ME, path).denied


def test_a_stale_lease(play: Play) -> None:
    made = planned(play)
    play.shop.start(made["id"], ME)
    play.shop.age(f"{made['dir']}/delivery.lock", 9000)
    said = play.asks(F, f"{made['dir']}/notes.md")
    assert play.command(said)[:2] == ["plastic-lock", "reclaim"]
    done = play.pastes(said, F)
    assert done.rc == 0, done.err
    assert play.asks(F, f"{made['dir']}/notes.md").denied is None


def test_a_lock_that_cannot_be_read(play: Play) -> None:
    made = planned(play)
    play.shop.start(made["id"], ME)
    lock = Path(made["dir"], "delivery.lock")
    lock.write_text("")
    play.shop.age(lock, 60)
    said = play.asks(F, f"{made['dir']}/notes.md")
    done = play.pastes(said, F)
    assert done.rc == 0, done.err
    again = play.asks(F, f"{made['dir']}/notes.md")
    assert again.denied is None or play.pastes(again, F).rc == 0


def test_claimed(play: Play) -> None:
    made = planned(play)
    play.shop.start(made["id"], ME)
    assert play.shop.lock("claim", made["id"], "--artifact", "spec.md", session=ME).rc == 0
    assert play.asks(ME, f"{made['dir']}/spec.md").denied is None
    assert play.shop.lock("delegate", made["id"], "--delegate", F, session=ME).rc == 0
    said = play.asks(F, f"{made['dir']}/spec.md")
    done = play.pastes(said, F)
    assert done.rc == 0, done.err
    assert "spec.md" in done.out


def test_too_early_elsewhere_and_invalid(play: Play) -> None:
    made = play.shop.new("Raise the tax")
    boarded = play.shop.start(made["id"], ME)
    other = planned(play, "Another thing")
    play.shop.start(other["id"], F)
    early = play.asks(ME, f"{made['dir']}/plan.md")
    done = play.pastes(early, ME)
    assert done.rc == 0
    assert "spec.md" in done.out
    for name, text in PLAN.items():
        Path(made["dir"], name).write_text(text)
    tree = boarded["worktree"]["path"]
    assert play.asks(ME, f"{tree}/app.py").denied is None
    outside = play.asks(ME, play.shop.repo / "app.py")
    assert f"{tree}/app.py" in str(outside.denied)
    done = play.pastes(outside, ME)
    assert done.rc == 0
    assert tree in done.out
    assert play.pastes(play.asks(ME, f"{made['dir']}/{Path(made['dir']).name}.md"), ME).rc == 0


def test_a_new_intent_by_hand(play: Play) -> None:
    made = play.shop.new("First")
    store = Path(made["dir"]).parent
    path = store / "77--a-second" / "77--a-second.md"
    said = play.asks(F, path)
    done = play.pastes(said, F)
    assert done.rc == 0, done.err
    assert path.exists()
    assert play.asks(F, path, "Read").denied is None


@pytest.mark.parametrize(
    "path",
    [
        "projects.yml",
        "config.yml",
        "held/1--a",
        "log/events.jsonl",
        "backlog.db",
        "store",
        "store/loose.md",
    ],
)
def test_files_of_the_home(play: Play, path: str) -> None:
    done = play.pastes(play.asks(F, f"{play.shop.home.root}/{path}"), F)
    assert done.rc == 0, done.err
    assert done.out


@pytest.mark.parametrize("name", ["delivery.lock", "savepoint.md", ".claims/x", ".end.json"])
def test_files_of_an_intent(play: Play, name: str) -> None:
    made = planned(play)
    play.shop.start(made["id"], ME)
    done = play.pastes(play.asks(ME, f"{made['dir']}/{name}"), ME)
    assert done.rc == 0, done.err


def test_an_armed_intent_is_asked_for(play: Play) -> None:
    registry = Path(play.shop.home.projects_yml)
    text = registry.read_text()
    key = text.index("path:")
    indent = " " * (key - text.rindex("\n", 0, key) - 1)
    registry.write_text(text[:key] + "require_intent: true\n" + indent + text[key:])
    said = play.asks(F, play.shop.repo / "app.py")
    done = play.pastes(said, F)
    assert done.rc == 0, done.err
    again = play.asks(F, play.shop.repo / "app.py")
    assert "plan.md" in str(again.denied)
