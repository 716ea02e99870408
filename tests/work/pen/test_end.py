"""End and the pen of the checkout that it refreshes: nobody else may have it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from tests.work.ends import A, everything
from tests.work.pen.conftest import pen

if TYPE_CHECKING:
    from tests.work.ends import Ready

PEN = "s-pen"  # a session that ends nothing


@pytest.mark.parametrize("moves", [("claim bo",), ("claim ana", "append ana --to bo")])
def test_anothers_pen_keeps_an_intent_from_ending(one: Ready, moves: tuple[str, ...]) -> None:
    for line in moves:
        assert pen(one, *line.split(), session=PEN).rc == 0
    assert one.blocked() == ["pen"]
    before = everything(one.world.repo, one.dir)
    done = one.end()
    assert done.rc == 3
    error = done.json["error"]
    assert (error["code"], error["who"]) == ("pen", "bo")
    assert shlex.split(error["run"])[:3] == ["plastic", "pen", "status"]
    assert everything(one.world.repo, one.dir) == before
    assert pen(one, "done", "bo", session=PEN).rc == 0
    assert one.end().rc == 0
    one.ended()


def test_the_pen_of_its_own_agent_is_in_nobodys_way(one: Ready) -> None:
    assert pen(one, "bind", "bo", session=A).rc == 0
    assert pen(one, "claim", session=A).rc == 0
    assert one.blocked() == []
    assert one.end().rc == 0
    one.ended()


def test_a_pen_is_nothing_to_the_abandoned(one: Ready) -> None:
    assert pen(one, "claim", "bo", session=PEN).rc == 0
    outcome = (one.dir / "outcome.md").read_text()
    (one.dir / "outcome.md").write_text(outcome.replace("delivered", "abandoned"))
    assert one.end("--abandoned").rc == 0
