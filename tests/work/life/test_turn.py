"""The end of a turn in a real home: what is committed, what is counted, what nobody waits for."""

from __future__ import annotations

import json
import os
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk import child
from plastic.harness import claude
from plastic.rules.gates.table import DOORS
from plastic.words import Broken
from plastic.work.gate.judge import judge
from plastic.work.life import pauses, turn

if TYPE_CHECKING:
    from tests.world import World


@pytest.fixture
def started(shop: World) -> dict[str, Any]:
    return shop.boarded("Add tax", "O")


def lives(shop: World, event: str, session: str = "O", **more: Any) -> Any:
    payload = {"session_id": session, "cwd": str(shop.repo), "hook_event_name": event, **more}
    use = claude.read(payload)
    out = claude.answer(judge(shop.home, use, DOORS["gate"]), use.event)[0]
    return json.loads(out) if out else {}


def task(found: dict[str, Any], shop: World, **more: str) -> dict[str, str]:
    name = f"{found['id']}--{found['slug']}"
    tree = found["worktree"]["path"]
    index = shop.home.index("shop")
    return {"dir": found["dir"], "index": index, "name": name, "tree": tree, **more}


def head(shop: World) -> str:
    return shop.git("log", "-1", "--format=%s", cwd=shop.home.root)


def test_the_stop_of_the_owner_commits_and_counts(shop: World, started: dict[str, Any]) -> None:
    """design 4: documents are never more than one turn away from a commit"""
    Path(started["dir"], "spec.md").write_text("# Spec\n\nReal words.\n")
    Path(started["worktree"]["path"], "new.py").write_text("x = 1\n")
    other = Path(shop.home.root, "mine.txt")
    other.write_text("not a document")
    said = lives(shop, "Stop")
    assert "one path is uncommitted in the worktree" in said["systemMessage"]
    assert head(shop).startswith("Documents of ")
    assert shop.git("status", "--porcelain", cwd=shop.home.root) == "?? mine.txt"
    before = shop.git("rev-parse", "HEAD", cwd=shop.home.root)
    assert lives(shop, "Stop") == {}
    assert shop.git("rev-parse", "HEAD", cwd=shop.home.root) == before


def test_the_command_that_gives_it_back_works_when_pasted(
    shop: World, started: dict[str, Any]
) -> None:
    """By a person, in a terminal that knows no session."""
    said = lives(shop, "Stop")["systemMessage"]
    words = shlex.split(next(line for line in said.split("run: ") if line.startswith("plastic-l")))
    assert shop.lock(*words[1:]).rc == 0
    assert not os.path.exists(f"{started['dir']}/delivery.lock")


def test_the_end_of_a_session_commits_without_waiting(shop: World, started: dict[str, Any]) -> None:
    Path(started["dir"], "spec.md").write_text("# Spec\n\nReal words.\n")
    assert lives(shop, "SessionEnd", reason="other") == {}
    end = time.monotonic() + 60
    while not head(shop).startswith("Documents of ") and time.monotonic() < end:
        time.sleep(0.05)
    assert head(shop).startswith("Documents of ")


def test_a_child_that_is_late_is_left_alone(
    shop: World, started: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pauses, "PATIENCE", 0.0)
    Path(started["dir"], "spec.md").write_text("# Spec\n\nReal words.\n")
    said = lives(shop, "Stop")["systemMessage"]
    assert "still holds" in said
    assert "uncommitted" not in said
    end = time.monotonic() + 60
    while not head(shop).startswith("Documents of ") and time.monotonic() < end:
        time.sleep(0.05)
    assert head(shop).startswith("Documents of ")


class TestMain:
    def run(
        self, shop: World, tasks: list[dict[str, str]], capsys: pytest.CaptureFixture[str]
    ) -> Any:
        assert turn.main([shop.home.root, json.dumps(tasks)]) == 0
        return json.loads(capsys.readouterr().out)

    def test_what_is_gone_is_passed_over(
        self, shop: World, started: dict[str, Any], capsys: pytest.CaptureFixture[str]
    ) -> None:
        gone = task(started, shop, dir=f"{started['dir']}x", tree="/none")
        assert self.run(shop, [gone], capsys) == {"failed": {}, "dirty": {}}
        no_tree = task(started, shop, tree=str(shop.root))
        assert self.run(shop, [no_tree], capsys)["dirty"] == {}

    def test_a_commit_that_fails_is_said_and_noted_once(
        self,
        shop: World,
        started: dict[str, Any],
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def moving(*_: object) -> None:
            raise Broken("home-moving", "HEAD kept moving")

        monkeypatch.setattr(turn, "scoped_commit", moving)
        for _ in range(2):
            told = self.run(shop, [task(started, shop)], capsys)
            assert told["failed"] == {started["dir"]: "HEAD kept moving"}
        assert Path(shop.home.log).read_text().count('"not-committed"') == 1

    def test_a_home_without_git_is_said(
        self, shop: World, started: dict[str, Any], capsys: pytest.CaptureFixture[str]
    ) -> None:
        os.rename(f"{shop.home.root}/.git", f"{shop.home.root}/.away")
        told = self.run(shop, [task(started, shop)], capsys)
        assert "no git repository" in told["failed"][started["dir"]]
        assert '"not-committed"' not in Path(shop.home.log).read_text()


class TestChild:
    def test_what_it_says(self) -> None:
        assert child.said(child.start("platform", []), 60) == b""  # no main: it ends with nothing
        assert child.said(child.start("json.tool", ["-h"]), 0.0) == b""

    def test_a_python_that_is_gone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.executable", "/none/python")
        with pytest.raises(OSError, match="none"):
            child.start("platform", [])
