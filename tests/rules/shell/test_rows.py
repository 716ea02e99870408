"""Each row of the command table has its cases, and is judged by them."""

from __future__ import annotations

import pytest

from plastic.rules.shell import table
from plastic.rules.shell.calls import program
from plastic.rules.shell.row import Row
from plastic.rules.shell.rows_code import OPAQUE, RUNNERS
from plastic.rules.shell.rows_files import FILES
from plastic.rules.shell.rows_git import LOOKS, VERBS
from plastic.rules.shell.rows_read import READS
from plastic.rules.shell.rows_start import BEHIND, STARTS
from plastic.rules.shell.rows_tools import TOOLS
from plastic.rules.shell.special import SPECIAL
from tests.rules.shell.judge import CWD, judge
from tests.rules.shell.rows_behind import WRAPPED
from tests.rules.shell.rows_git import GIT
from tests.rules.shell.rows_plain import PLAIN
from tests.rules.shell.rows_special import SPECIALS

CASES = [*PLAIN, *SPECIALS, *WRAPPED, *GIT]


def short(path: str) -> str:
    return path.replace(f"{CWD}/", "").replace(CWD, ".")


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_row(text: str, expected: str) -> None:
    judged = judge(text)
    said = [short(path) for path in judged.paths] + ["?"] * bool(judged.opaque)
    assert " ".join(said) == expected


def names(cases: list[tuple[str, str]]) -> set[str]:
    """The commands that cases begin with."""
    return {program(word) or word for text, _ in cases for word in text.split()}


def test_every_row_has_a_case() -> None:
    tried = names([*PLAIN, *SPECIALS, *WRAPPED])
    assert {*FILES, *STARTS, *TOOLS} - tried == set()
    assert set(SPECIAL) - tried - {"git"} == set()
    assert [one for one in BEHIND if not any(one in text for text, _ in WRAPPED)] == []
    assert set(VERBS) - names(GIT) == set()


def test_a_command_stands_in_one_place() -> None:
    places = [READS, OPAQUE, set(RUNNERS), set(FILES), set(STARTS), set(TOOLS), set(SPECIAL)]
    every = [name for place in places for name in place]
    assert sorted(name for name in set(every) if every.count(name) > 1) == []
    assert LOOKS & set(VERBS) == set()


@pytest.mark.parametrize("name", sorted(READS - {"[", "let"}))
def test_a_command_that_writes_nothing(name: str) -> None:
    judged = judge(f"{name} -a --force -o x /store/12--login/spec.md")
    assert (judged.paths, judged.opaque) == ([], [])


@pytest.mark.parametrize("name", sorted(OPAQUE | set(RUNNERS)))
def test_a_command_that_runs_hidden_code(name: str) -> None:
    judged = judge(f"{name} /store/12--login/spec.md")
    assert judged.paths == []
    assert len(judged.opaque) == 1
    assert judged.mentions == ["/store/12--login/spec.md", CWD]


@pytest.mark.parametrize("name", sorted(RUNNERS))
def test_the_verbs_that_only_ask(name: str) -> None:
    row = Row(f"opaque {RUNNERS[name]}")
    for option, mode in row.flags.items():
        assert mode == "read"
        judged = judge(f"{name} {option.removeprefix('=')} x")
        assert judged.opaque == [], option
    for option, role in row.values.items():
        if role == "cd":
            word = f"{option}=/d" if option.startswith("--") or row.dash else f"{option} /d"
            assert "/d" in judge(f"{name} {word} all").mentions


@pytest.mark.parametrize("verb", sorted(LOOKS))
def test_a_verb_of_git_that_only_looks(verb: str) -> None:
    judged = judge(f"git -C /store {verb} -a x -- 12--login/spec.md")
    assert (judged.paths, judged.opaque) == ([], [])


@pytest.mark.parametrize("name", ["cp", "rm", "tee", "sed", "tar", "curl", "npm", "gcc", "git"])
@pytest.mark.parametrize("question", ["--help", "--version"])
def test_a_question_writes_nothing(name: str, question: str) -> None:
    assert judge(f"{name} {question}").kind == "read"


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("/bin/rm", "rm"),
        ("/usr/local/bin/git", "git"),
        (".venv/bin/python3.12", "python"),
        ("node_modules/.bin/eslint", "eslint"),
        ("pip3", "pip"),
        ("./rm", None),
        ("/tmp/rm", None),
        ("scripts/build", None),
    ],
)
def test_a_program_by_its_path(word: str, name: str | None) -> None:
    assert program(word) == name


def test_a_row_is_taken_apart() -> None:
    row = Row("read -o,--out=write -i?suffix -n,--dry!read =list!read @dash @first -k=")
    assert row.mode == "read"
    assert row.values == {"-o": "write", "--out": "write", "-k": ""}
    assert row.joined == {"-i": "suffix"}
    assert row.flags == {"-n": "read", "--dry": "read", "=list": "read"}
    assert row.dash
    assert row.first


def test_every_word_of_a_row_means_something() -> None:
    from plastic.rules.shell.about import READ_BY_MODES
    from plastic.rules.shell.gitmodes import GIT_MODES
    from plastic.rules.shell.modes import MODES
    from plastic.rules.shell.roles import ROLES

    known = {"", *ROLES, *READ_BY_MODES}
    for rows, modes in (({**FILES, **STARTS, **BEHIND, **TOOLS}, MODES), (VERBS, GIT_MODES)):
        for name, text in rows.items():
            row = Row(text)
            assert row.mode in modes, name
            assert set(row.flags.values()) <= set(modes), name
            assert {*row.values.values(), *row.joined.values()} <= known, name


def test_a_row_is_kept_once_it_was_needed() -> None:
    assert table.row_of("cp") is table.row_of("cp")
    assert table.row_of("no such command") is None
