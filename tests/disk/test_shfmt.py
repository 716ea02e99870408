"""shfmt as a child: its tree, or a clear word why there is none, and never a child left behind."""

from __future__ import annotations

import os
import posix
import sys
import time
from pathlib import Path

import pytest

from plastic.disk import shfmt
from plastic.disk.shfmt import LONGEST, Unparsed, ahead, path, start


def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Put a program in the place of shfmt."""
    file = tmp_path / "shfmt"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    monkeypatch.setitem(posix.environ, b"PLASTIC_SHFMT", os.fsencode(file))


def why(text: str = "echo a") -> Unparsed:
    with pytest.raises(Unparsed) as caught:
        start(text).tree()
    assert no_child()
    return caught.value


def no_child() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


def test_it_lies_beside_the_interpreter() -> None:
    assert path() == f"{Path(sys.executable).parent}/shfmt"
    assert Path(path()).exists(), "the wheel shfmt-py puts it there"


def test_a_tree() -> None:
    tree = start("echo a > b; cat <<E\n$(x)\nE").tree()
    assert tree["Type"] == "File"
    assert len(tree["Stmts"]) == 2
    assert no_child()


def test_bash_not_only_sh() -> None:
    start("a=(1 2); [[ x == y ]] && diff <(a) <(b) &>> f").tree()


@pytest.mark.parametrize("text", ["echo 'x", "a=(1 2) cmd", "$((", "if", "ls )", "cat <<<"])
def test_no_shell_text(text: str) -> None:
    """case 9.9/187: the text is to blame, not the parser."""
    assert not why(text).is_ours


def test_started_ahead_it_is_the_same_run() -> None:
    ahead("echo 1")
    early = shfmt._ahead["echo 1"]
    assert start("echo 1") is early
    assert early.tree()["Type"] == "File"
    assert start("echo 1").tree()["Type"] == "File"


def test_nothing_is_started_ahead_for_what_is_too_long() -> None:
    ahead("x" * (LONGEST + 1))
    assert shfmt._ahead == {}


def test_long_texts_go_through_the_pipe() -> None:
    body = "x" * 300_000
    tree = start(f"cat <<'E'\n{body}\nE\n").tree()
    assert body in tree["Stmts"][0]["Redirs"][0]["Hdoc"]["Parts"][0]["Value"]


@pytest.mark.parametrize("text", ["echo \udcff", "echo \ud800 x", "echo \u00e4\U0001f600"])
def test_odd_letters(text: str) -> None:
    assert len(start(text).tree()["Stmts"][0]["Cmd"]["Args"]) >= 2


def test_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shfmt, "path", lambda: str(tmp_path / "gone"))
    found = why()
    assert found.is_ours
    assert "No such file" in found.why


def test_not_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shfmt").write_text("text")
    monkeypatch.setattr(shfmt, "path", lambda: str(tmp_path / "shfmt"))
    assert why().is_ours


@pytest.mark.parametrize(
    "text",
    ["exit 0", "echo '{'", "echo '[]'", "echo '{}'", "exit 3", "kill -9 $$", "exec cat"],
)
def test_one_that_breaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    program(tmp_path, monkeypatch, text)
    assert why().is_ours


def test_one_that_hangs_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, monkeypatch, "exec sleep 60")
    monkeypatch.setattr(shfmt, "PATIENCE", 0.2)
    begun = time.monotonic()
    assert "did not answer" in why().why
    assert time.monotonic() - begun < 20


def test_one_that_talks_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, monkeypatch, "exec yes")
    monkeypatch.setattr(shfmt, "MOST", 1 << 20)
    monkeypatch.setattr(shfmt, "PATIENCE", 5.0)
    assert "too much" in why().why


def test_one_that_does_not_listen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, monkeypatch, "exec <&-; exit 0")
    assert why("x" * 300_000).is_ours
