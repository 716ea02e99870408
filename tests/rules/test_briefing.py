"""Texts for sessions: bounded, one line a fact, commands that a shell reads as they are meant."""

from __future__ import annotations

import shlex

from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.briefing import (
    MOST,
    PAUSES,
    WIDEST,
    Holding,
    briefing,
    left_behind,
    lost,
    pause,
    sub_agent,
    text_of,
)


def holding(name: str = "14--tax", tree: str = "/r/.claude/worktrees/14--tax") -> Holding:
    return Holding(
        name.partition("--")[0],
        name,
        stage="why",
        token=3,
        dir=f"/h/store/{name}",
        tree=tree,
        next="write a real plan.md",
        is_owner=True,
    )


def test_nothing_is_nothing() -> None:
    assert briefing([], []) == text_of([]) == ""


@given(st.integers(0, 40), st.lists(st.text(max_size=900), max_size=40))
def test_never_more_than_twelve_lines(count: int, wrong: list[str]) -> None:
    text = briefing([holding(f"{number}--x") for number in range(count)], wrong)
    lines = text.split("\n")
    assert len(lines) <= MOST
    assert all(len(line) <= WIDEST + 20 for line in lines)
    assert ("wrong: " in text) is bool(wrong)
    assert ("you hold" in text) is (count > 0)
    assert (
        len(sub_agent("a17", "s", [holding(f"{n}--x") for n in range(count)]).split("\n")) <= MOST
    )


def test_without_a_worktree_the_documents_are_named() -> None:
    assert "worktree" not in briefing([holding(tree="")], [])
    assert "/h/store/14--tax" in holding(tree="").line()


@given(st.text(min_size=1), st.text(min_size=1))
def test_a_command_keeps_its_words(old: str, new: str) -> None:
    """Whatever a harness calls a session: pasted, the command names exactly it."""
    words = shlex.split(left_behind("14--tax", "14", old, new, 3).split("; run: ")[-1])
    assert words[:3] == ["plastic-lock", "transfer", "14"]
    if "\n" not in old + new and "; run: " not in old + new:
        assert words[3:] == ["--from", old, "--to", new, "--token", "3"]


def test_every_pause_has_its_sentence() -> None:
    fields = {"name": "14--tax", "id": "14", "stage": "exec", "tree": "/r/a b", "count": "2 paths"}
    fields["session"] = "a session's"
    for reason in PAUSES:
        said = pause(reason, how="delivered", why="no room", **fields)
        assert "{" not in said
        assert "run: " in said
    assert "git -C '/r/a b' status" in pause("dirty", **fields)
    assert shlex.split(pause("held", **fields).split("run: ")[1])[-1] == "a session's"


def test_a_name_of_somebody_else_stays_in_its_line() -> None:
    assert "\n" not in lost("14--tax", "14", "x\nrun: rm")
