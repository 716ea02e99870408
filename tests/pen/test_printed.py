"""Every refusal of the catalogue is met; what it prints is run, and resolves or shows the way."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from plastic.rules.pen.texts import REFUSALS
from tests.pen import other
from tests.pen.conftest import Tree
from tests.pen.test_beats import beat
from tests.world import Done


def hand_over(tree: Tree) -> None:
    tree.relay("ana", "bo")


def work(tree: Tree) -> None:
    tree.ok("claim", "ana")


def stale(tree: Tree) -> None:
    work(tree)
    other.expire(tree.file)


def alive(tree: Tree) -> None:
    stale(tree)
    beat(tree, "ana")


def paused(tree: Tree) -> None:
    work(tree)
    tree.ok("pause", "ana", "--reason", "later")


def closed(tree: Tree) -> None:
    tree.ok("done", "ana")


def merging(tree: Tree) -> None:
    work(tree)
    text = tree.file.read_text()
    tree.file.write_text(text.replace("note: ", "integrating: feat@0123abc\nnote: "))


def task(tree: Tree) -> None:
    work(tree)
    tree.ok("task", "add", "ana", "tax")


def cooled(tree: Tree) -> None:
    hand_over(tree)
    tree.ok("cooldown", "--until", other.now(2), "--for", "bo", "--reason", "limit")


def cooled_off(tree: Tree) -> None:
    hand_over(tree)
    tree.ok("cooldown", "--until", other.now(-1), "--for", "bo", "--reason", "limit")


def asked(tree: Tree) -> None:
    work(tree)
    tree.ok("request", "bo", "--to", "ana", "--reason", "x")
    tree.ok("decline", "ana", "--request", "1")


def asked_awaited(tree: Tree) -> None:
    hand_over(tree)
    tree.ok("request", "cy", "--to", "bo", "--reason", "x")


def twins(tree: Tree) -> None:
    for session in ("s-1", "s-2"):
        tree.ok("bind", "ana", session=session)
    tree.ok("claim", session="s-1")


def second_window(tree: Tree) -> None:
    tree.relay("ana", "bo", "ana")
    work(tree)


def unread(tree: Tree) -> None:
    hand_over(tree)
    tree.ok("claim", "bo")


def none(tree: Tree) -> None:
    tree.file.unlink()


def folder(tree: Tree) -> None:
    tree.file.unlink()
    tree.file.mkdir()


def latin(tree: Tree) -> None:
    tree.file.write_bytes(tree.file.read_bytes() + b"\xff")


def corrupt(tree: Tree) -> None:
    tree.file.write_text(tree.file.read_text().replace("expires:  -", "expires:  ?"))


def nothing(tree: Tree) -> None:
    pass


RIVAL = "M8SHIFT_ROOT"


def rival(tree: Tree) -> None:
    place = tree.folder.parent / "rival"
    place.mkdir()
    (place / "M8SHIFT.md").write_text(other.FULL)


def busy(tree: Tree) -> None:
    (tree.folder / ".m8shift.lock").write_text("1:2")


# What the printed command does: `allowed` = afterwards the refused line is, `itself` = it is the
# refused line, mended, `looks` = it shows whose turn it is or what there is, `waits` = it ends
# when the turn comes.
CASES: dict[str, tuple[Callable[[Tree], None], str, str]] = {
    "held": (work, "claim bo", "waits"),
    "stale": (stale, "claim bo", "allowed"),
    "live": (work, "claim bo --force", "waits"),
    "alive": (alive, "claim bo --force", "waits"),
    "awaited": (hand_over, "claim ana", "waits"),
    "paused": (paused, "claim bo", "waits"),
    "done": (closed, "claim bo", "allowed"),
    "no-window": (nothing, "claim ana --refresh", "allowed"),
    "unclaimed": (nothing, "append ana --to bo", "allowed"),
    "not-paused": (nothing, "resume ana --scope x", "looks"),
    "working": (work, "cooldown --until 2099-01-01T00:00:00Z --reason x", "looks"),
    "not-awaited": (
        hand_over,
        "cooldown --until 2099-01-01T00:00:00Z --for cy --reason x",
        "looks",
    ),
    "mine": (work, "request ana --to bo --reason x", "looks"),
    "free": (nothing, "request ana --to bo --reason x", "looks"),
    "no-agent": (nothing, "claim eve", "looks"),
    "self": (work, "append ana --to ana", "looks"),
    "displaced": (second_window, "append ana --to bo --epoch 1", "looks"),
    "other-instance": (twins, "append --to bo --session s-2", "looks"),
    "integrating": (merging, "append ana --to bo", "looks"),
    "no-recipient": (work, "release ana", "looks"),
    "no-reason": (work, "pause ana", "itself"),
    "unread": (unread, "release bo --to cy", "allowed"),
    "open-task": (task, "pause ana --reason x", "allowed"),
    "person": (work, "release bo --to cy --force --reason x", "refused"),
    "no-force": (asked_awaited, "steer cy --from bo --request 1 --reason x", "itself"),
    "no-moment": (nothing, "cooldown --until soon --reason x", "looks"),
    "cooldown": (cooled, "resume bo --scope x", "itself"),
    "cooldown-of": (cooled_off, "resume ana --scope x", "looks"),
    "no-scope": (paused, "resume ana --reason x", "itself"),
    "request-missing": (work, "yield ana --request 9 --to bo", "looks"),
    "request-closed": (asked, "yield ana --request 1 --to bo", "looks"),
    "not-holder": (work, "request bo --to cy --reason x", "looks"),
    "expired": (stale, "roster add dan --by ana", "allowed"),
    "bad-name": (nothing, "claim ../x", "looks"),
    "bad-roster": (none, "init --agents ana", "looks"),
    "bad-lang": (none, "init --lang xx", "looks"),
    "other-roster": (nothing, "init --agents ana,eve", "looks"),
    "no-pen": (none, "claim claude", "allowed"),
    "corrupt": (corrupt, "claim ana", "allowed"),
    "not-utf8": (latin, "claim ana", "allowed"),
    "not-a-file": (folder, "claim ana", "looks"),
    "two-pens": (rival, "claim ana", "itself"),
    "line-break": (work, "append ana --to bo --ask 'a\nb'", "looks"),
    "marker": (work, "append ana --to bo --ask M8SHIFT:LOCK", "looks"),
    "control": (work, "append ana --to bo --ask '\x07'", "looks"),
    "too-long": (work, f"append ana --to bo --ask {'x' * 70_000}", "looks"),
    "bad-key": (work, "append ana --to bo --field X=1", "looks"),
    "taken-key": (work, "append ana --to bo --field to=1", "looks"),
    "no-body": (work, "append ana --to bo --body /etc", "looks"),
    "no-turn": (nothing, "turn 9", "looks"),
    "no-task": (nothing, "task done ana 9", "looks"),
    "no-session": (nothing, "bind ana", "itself"),
    "who": (nothing, "claim", "looks"),
    "busy": (busy, "claim ana", "refused"),
}
# Only between two looks of one command, which tests/rules/pen/test_table.py plays.
RACES = {"changed"}


def test_every_code_has_a_case() -> None:
    # Another base than the intent's: tests/work/pen/test_integrate.py.
    assert set(CASES) | RACES | {"other-base"} == set(REFUSALS)


def shell(tree: Tree, line: str) -> Done:
    """The line as a person pastes it: the installed `plastic`, or what is left of it here."""
    words = shlex.split(line)
    if words[:2] == ["plastic", "pen"] and "&&" not in words:
        return tree.do(*words[2:])
    path = f"{tree.folder.parent}/bin"
    os.makedirs(path, exist_ok=True)
    with open(f"{path}/plastic", "w") as file:
        code = "import sys; from plastic.cli.entry import plastic; sys.exit(plastic())"
        file.write(f"#!/bin/sh\nexec {sys.executable} -c '{code}' \"$@\"\n")
    os.chmod(f"{path}/plastic", 0o755)
    env = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-c", line], cwd=tree.folder, env=env, capture_output=True, text=True, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("code", CASES)
def test_the_printed_command(tree: Tree, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arrange, line, outcome = CASES[code]
    arrange(tree)
    if code == "two-pens":
        monkeypatch.setenv(RIVAL, str(tree.folder.parent / "rival"))
    monkeypatch.setattr("plastic.disk.penlock.PATIENCE", 0.05)
    words = shlex.split(line)
    error = tree.no(*words)
    assert error["code"] == code
    again = tree.do(*words)
    assert len(again.err.strip().splitlines()) == 2 + bool(error["who"]), again.err
    assert again.err.strip().splitlines()[-1] == f"run: {error['run'].replace(' --json', '')}"
    run = error["run"].replace(" --json", "")
    if outcome == "waits":
        waits(tree, run, words)
        return
    done = shell(tree, run)
    if outcome == "refused":  # a person at a terminal, another program: the same line again
        assert run.split()[2:] == words
        return
    assert done.rc == 0, done.out + done.err
    if outcome == "allowed":
        after = tree.do(*words)
        assert after.rc == 0, after.err


def waits(tree: Tree, run: str, words: list[str]) -> None:
    """It ends with 0 when the turn has come, and the refused claim is allowed then."""
    me = words[1]
    found: list[Done] = []
    thread = threading.Thread(target=lambda: found.append(shell(tree, run)))
    thread.start()
    if tree.block["state"] == "PAUSED":
        tree.ok("resume", "ana", "--scope", "x")
    holder = tree.block["holder"]
    tree.ok("claim", holder)
    tree.ok("append", holder, "--to", me)
    thread.join(60)
    assert found[0].rc == 0, found
    assert tree.do(*words).rc == 0
