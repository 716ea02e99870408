"""An ordinary day of commands: none is taken for a write that it does not make."""

from __future__ import annotations

import pytest

from plastic.rules.shell.analyse import analyse
from tests.rules.shell.judge import CWD, Judged, judge, parse
from tests.rules.shell.ordinary import made

COMMANDS = made(2000)
MARK = "plastic-next-command"


def judged_at_once() -> list[Judged]:
    """All of them through one parser: a process for each would cost half a minute."""
    tree = parse(f"\n{MARK}\n".join(text for text, _, _ in COMMANDS))
    assert tree is not None
    every: list[list[object]] = [[]]
    for stmt in tree["Stmts"]:
        args = (stmt.get("Cmd") or {}).get("Args") or [{}]
        parts = args[0].get("Parts") or [{}]
        if parts[0].get("Value") == MARK:
            every.append([])
        else:
            every[-1].append(stmt)
    found = []
    for stmts in every:
        answer = analyse({"Stmts": stmts, "End": tree["End"]}, CWD, {"HOME": "/root"})
        judged = Judged()
        judged.writes, judged.opaque = answer.writes, answer.opaque
        for text in answer.texts:
            inner = judge(text.command, text.cwd, text.variables)
            judged.writes += inner.writes
            judged.opaque += inner.opaque
        found.append(judged)
    return found


@pytest.fixture(scope="module")
def day() -> list[tuple[str, str, str, Judged]]:
    found = judged_at_once()
    assert len(found) == len(COMMANDS)
    return [(*command, judged) for command, judged in zip(COMMANDS, found, strict=True)]


def test_no_write_lies_where_the_command_does_not_write(
    day: list[tuple[str, str, str, Judged]],
) -> None:
    wrong = [
        (text, shown)
        for text, _, where, judged in day
        for write, shown in zip(judged.writes, judged.paths, strict=True)
        if not f"{write.path}/".startswith((f"{CWD}/", f"{where or CWD}/"))
    ]
    assert wrong == []


def test_what_only_looks_writes_nothing(day: list[tuple[str, str, str, Judged]]) -> None:
    wrong = [
        (text, judged.paths, judged.opaque)
        for text, kind, _, judged in day
        if kind == "quiet"
        and (judged.opaque or any(one.reach not in ("git", "shared") for one in judged.writes))
    ]
    assert wrong == []


def test_what_runs_hidden_code_is_opaque(day: list[tuple[str, str, str, Judged]]) -> None:
    wrong = [
        (text, judged.paths)
        for text, kind, _, judged in day
        if kind == "hidden" and (not judged.opaque or judged.writes)
    ]
    assert wrong == []


def test_what_writes_is_seen(day: list[tuple[str, str, str, Judged]]) -> None:
    wrong = [
        text for text, kind, _, judged in day if kind in ("here", "elsewhere") and not judged.writes
    ]
    assert wrong == []


def test_no_ordinary_write_is_opaque(day: list[tuple[str, str, str, Judged]]) -> None:
    """Only those whose line also runs a program of the project."""
    wrong = [
        (text, judged.opaque)
        for text, kind, _, judged in day
        if kind in ("here", "elsewhere") and any("runs code" not in one for one in judged.opaque)
    ]
    assert wrong == []
