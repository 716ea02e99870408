"""The lines in `.git/config` come and go, and every other byte stays what it was."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.fence.include import added, block, dropped, has, hooks_config, included

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [
    "12--login",
    "1--x1",
    'a"b',
    "back\\slash",
    "star*",
    "q?[x]",
    "grün",
    "a b#;c",
]
TEXTS = [
    b"",
    b"[core]\n\tbare = false\n",
    b"[core]\n\tbare = false",  # no last newline
    b"[core]\r\n\tbare = false\r\n",
    b'\n\n# a comment\n[includeIf "gitdir:./worktrees/12--login"]\n\tpath = elsewhere\n',
    b"[a]\nb = \xff\xfe\n",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", TEXTS)
def test_what_was_added_can_be_taken_away(text: bytes, name: str) -> None:
    once = added(text, name)
    assert has(once, name)
    assert not has(text, name)
    assert added(once, name) == once
    assert dropped(once, name) == text
    assert included(once) == [name]


@given(
    text=st.binary(max_size=60),
    names=st.lists(st.sampled_from(NAMES), unique=True, min_size=1),
    order=st.randoms(use_true_random=False),
    more=st.sampled_from([b"", b"[user]\n\tname = x\n", b"[user]\n\tname = x"]),
)
def test_any_order_and_what_git_adds_in_between(
    text: bytes, names: list[str], order: object, more: bytes
) -> None:
    if b"[includeIf" in text:
        return
    full = text
    for name in names:
        full = added(full, name)
    if more and not full.endswith(b"\n"):
        # What git writes begins on a line of its own; without one of ours it would be the same.
        full, rest = full + b"\n" + more, text + b"\n" + more
    else:
        full, rest = full + more, text + more
    order.shuffle(names)  # type: ignore[attr-defined]
    for name in names:
        full = dropped(full, name)
    assert full == rest


def test_nothing_of_somebody_else_is_taken() -> None:
    text = block("1--x") + b' # mine\n[includeIf "gitdir:./worktrees/2--y"]\n\tpath = other\n'
    assert dropped(text, "1--x") == text
    assert dropped(text, "2--y") == text
    assert included(text) == []


@pytest.mark.parametrize("name", NAMES)
def test_git_reads_it_as_it_is_meant(tmp_path: Path, name: str) -> None:
    folder = f'{tmp_path}/hooks "of" {name}'
    (tmp_path / "config").write_bytes(added(b"", name))
    (tmp_path / "own").write_text(hooks_config(folder))

    def asked(file: str, key: str) -> str:
        argv = ["git", "config", "--file", str(tmp_path / file), "--get", key]
        return subprocess.run(argv, capture_output=True, check=True).stdout.decode().rstrip("\n")

    pattern = "".join(f"\\{one}" if one in "*?[\\" else one for one in name)
    value = f"worktrees/{name}/plastic.config"
    assert asked("config", f"includeIf.gitdir:./worktrees/{pattern}.path") == value
    assert asked("own", "core.hooksPath") == folder
