"""A command line builds its own verb only, and nobody can tell by what it says."""

from __future__ import annotations

import pytest
import typer.main

from plastic.cli import main
from plastic.cli.lock import group as lock
from plastic.cli.narrow import narrowed
from tests.world import World


def verbs(app: typer.Typer, *words: str) -> set[str]:
    return set(narrowed(app, words).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("verb", ["start", "new", "worktree", "lock", "doctor"])
def test_one_verb_is_built(verb: str) -> None:
    assert verbs(main.app(), verb, "--json") == {verb}


@pytest.mark.parametrize("verb", ["who", "release-claim", "keep"])
def test_one_verb_of_the_lock(verb: str) -> None:
    assert verbs(lock.app(), verb) == {verb}


@pytest.mark.parametrize("words", [[], ["--help"], ["--version"], ["strat"], ["--json", "start"]])
def test_help_and_mistakes_know_all_verbs(words: list[str]) -> None:
    assert verbs(main.app(), *words) == set(typer.main.get_group(main.app()).commands)


@pytest.mark.parametrize(
    "words",
    [
        ["strat"],
        ["start", "--help"],
        ["start", "--nope"],
        ["start", "1", "2", "3"],
        ["worktree"],
        ["worktree", "--help"],
        ["worktree", "nope"],
        ["worktree", "remove", "--help"],
        ["worktree", "remove"],
        ["lock", "arm", "--nope"],
        ["lock", "release-claim", "--help"],
        ["lock", "nope"],
        ["pen"],
        ["pen", "nope"],
        ["pen", "claim", "--help"],
        ["pen", "claim", "--nope"],
        ["pen", "append"],
        ["backlog"],
        ["backlog", "nope"],
        ["backlog", "claim", "--help"],
        ["backlog", "claim", "--nope"],
        ["backlog", "add"],
    ],
)
def test_it_says_the_same_as_the_whole(
    world: World, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = world.plastic(*words)
    monkeypatch.setattr("plastic.cli.narrow.narrowed", lambda app, _: typer.main.get_group(app))
    assert said == world.plastic(*words)
    assert said.rc in (0, 2)
