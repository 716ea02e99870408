"""Failpoints act only when a test asks, and every one that is named is passed somewhere."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from plastic.disk import failpoints

PACKAGE = Path(failpoints.__file__).parent.parent


def calls() -> list[str]:
    """The literal argument of every `point(...)` call in the package."""
    found = []
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "point"
            ):
                assert isinstance(node.args[0], ast.Constant), f"{path}: not a literal"
                found.append(str(node.args[0].value))
    return found


def test_the_list_is_what_the_code_passes() -> None:
    assert sorted(set(calls())) == sorted(failpoints.NAMES)


def test_they_do_nothing_without_the_test_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLASTIC_FAILPOINT", "x:raise")
    failpoints.point("x")


def test_raise_errno_and_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLASTIC_TEST", "1")
    monkeypatch.setattr(failpoints, "_passed", {})
    monkeypatch.setenv("PLASTIC_FAILPOINT", "x:2:raise")
    failpoints.point("x")
    failpoints.point("y")
    with pytest.raises(RuntimeError):
        failpoints.point("x")
    failpoints.point("x")
    monkeypatch.setenv("PLASTIC_FAILPOINT", "z:errno=ENOSPC")
    with pytest.raises(OSError, match="No space"):
        failpoints.point("z")


def test_kill_is_a_real_kill() -> None:
    code = "from plastic.disk.failpoints import point; point('x')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": "x:kill"},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
