"""The byte test: what it lets through writes nothing; everything doubtful goes to the parser."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plastic.rules.gates.harmless import GIT, PURE, harmless

YES = [
    "",
    "ls -la",
    "ls *.py",
    "ls\npwd",
    "echo $HOME",
    'echo "a > b"',
    "grep -rn 'a > b' src | wc -l",
    "grep x a 2>&1|head",
    "ls 2>&1 | head",
    "cat a | head -5 && cat b;pwd",
    "cd /x && ls; pwd",
    "git status --short",
    "git log --oneline -5 2>/dev/null",
    "git -C /x diff --stat",
    "git --no-pager log -1",
    "git branch -vv",
    "git stash list",
    "rg TAX -n",
    "sed -n 1,20p f",
    "echo 'don''t' \"it's\"",
]
NO = [
    "ls > x",
    "echo x >f",
    "cat x>y",
    "ls 2> f",
    "ls 2>&1f",
    "echo a 2>/dev/nullx",
    "2>&1>f ls",
    "ls &",
    "ls & rm x",
    "cat <<E",
    "echo $(rm x)",
    "ls `x`",
    "rm x",
    "ls; rm x",
    "ls|tee x",
    "true\nrm x",
    "ls \\\nrm",
    "'r''m' x",
    "'l's'x' f",
    "{ rm x; }",
    "(ls)",
    "X=1 ls",
    "! ls",
    "ls # don't\nrm 'x",
    'echo "a\\" > f"',
    "$'\\x72m' f",
    "echo $'a' > f",
    "a'\n'rm",
    "find . -delete",
    "tee f",
    "sed -i s/a/b/ f",
    "sed -n 1,2w f",
    "sed -n 5p -i f",
    "git stash",
    "git branch x",
    "git tag v1",
    "git log --output=x",
    "git log -'-output=x'",
    "git log --out'put'=x",
    "git grep -O vi",
    "git --no-pager diff --ext-diff",
    "git -c alias.x=!rm x",
    "rg --pre rm x",
    "cat /x/delivery.lock",
    "ls ~/.plastic",
    "ls\x02rm",
    "ls\u00a0x\n\u00a0ls",
    "'' x",
]


@pytest.mark.parametrize("text", YES)
def test_plain_readers(text: str) -> None:
    """case 9.9/183"""
    assert harmless(text)


@pytest.mark.parametrize("text", NO)
def test_everything_else_is_parsed(text: str) -> None:
    assert not harmless(text)


def test_no_writer_is_in_the_tables() -> None:
    writers = "tee sed awk find sort cp mv rm touch tar xargs env sh bash exec eval source trap dd"
    assert not set(writers.split()) & PURE
    assert not {"checkout", "stash", "commit", "apply", "clean", "config", "gc", "archive"} & GIT


def test_a_long_command_takes_no_long_time() -> None:
    """case 9.9/192: one pass, whatever is in it."""
    for text in ("cat " + "'a' " * 50_000, "cat " + '"a"' * 50_000, "ls a;" * 50_000):
        assert harmless(text)
    assert not harmless("echo " + "a > b; " * 50_000)
    assert not harmless("'" * 99_999)


WORDS = ["echo", "cat", "rm", "touch", "a", "b", "f", "x=1", "'", '"', "\\", ">", ">>", "2>&1"]
WORDS += [" ", " ", " ", ";", "|", "&&", "&", "\n", "#", "$", "{", "}", "(", ")", "ls", "2"]
WORDS += ["/dev/null"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_what_it_lets_through_is_run_and_changes_nothing(words: list[str]) -> None:
    text = "".join(words)
    if not harmless(text):
        return
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for name in ("a", "b", "f"):
            Path(folder, name).write_text(name)
        before = {name: Path(folder, name).read_text() for name in os.listdir(folder)}
        ran = ["bash", "--norc", "-c", text]
        subprocess.run(ran, cwd=folder, capture_output=True, timeout=20, input=b"", check=False)
        after = {name: Path(folder, name).read_text() for name in os.listdir(folder)}
    assert before == after


LONG = "x" * 200


@pytest.mark.parametrize("odd", ["<", ">", "(", ")", "\\\\", "#", "&", "$(", "`", ";rm", "|tee"])
def test_long_words_are_searched_like_short_ones(odd: str) -> None:
    """A word of 200 KB is searched for each odd letter, a short one letter by letter."""
    assert harmless(f"echo {LONG}")
    assert harmless(f"echo '{LONG} > {LONG}' {LONG}|cat;ls")
    for word in (f"{LONG}{odd}", f"{odd}{LONG}", f"{LONG}{odd}{LONG}", f"a{odd}b"):
        assert not harmless(f"echo {word}"), word


def test_an_answer_is_kept_for_one_text_only() -> None:
    for text, said in (("ls", True), ("rm a", False), ("ls", True), ("ls", True), ("rm a", False)):
        assert harmless(text) is said
