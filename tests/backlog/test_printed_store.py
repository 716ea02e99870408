"""Refusals of the store that no command line reaches: what they print is pasted all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from plastic.rules.backlog.answers import Actor, Draft
from plastic.rules.backlog.grants import terms
from plastic.words import Refusal
from tests.backlog.test_printed import EPIC, JOIN, ONE, TWO, works

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.store.protocol import Store
    from tests.backlog.desk import Desk

AGENT, PERSON = Actor("s-1"), Actor("ada", human=True)


class Direct(NamedTuple):
    """A refusal, what comes before it, and the call that meets it."""

    where: str
    code: str
    call: Callable[[Store], object]
    before: tuple[tuple[str, ...], ...] = (ONE,)


ROW = Draft("T", priority="P1", phase="implementation", region="local", base="main")
DIRECT = [
    Direct(
        "rules/backlog/drafts.py",
        "field-missing",
        lambda store: store.add(Draft("T", priority="P1"), AGENT, admitted=True),
    ),
    Direct(
        "rules/backlog/drafts.py",
        "field-unsettable",
        lambda store: store.edit("local-1", AGENT, {"state": "complete"}),
    ),
    Direct("rules/backlog/grants.py", "lease-unusable", lambda _: terms(ceiling=10)),
    Direct(
        "store/authors.py",
        "name-taken",
        lambda store: store.alias("local-1", "local-2"),
        (ONE, TWO),
    ),
    Direct("store/authors.py", "pull-state", lambda store: store.pull("local-1", 4, "done")),
    Direct(
        "store/claims.py", "claim-kind", lambda store: store.claim("local-1", "o1", kind="play")
    ),
    Direct("store/claims.py", "claim-kind", lambda store: store.follow("local-1", 2, "o1", "play")),
    Direct("store/fences.py", "human-only", lambda store: store.admit("local-1", AGENT)),
    Direct(
        "store/gatework.py",
        "id-missing",
        lambda store: store.record(ROW, AGENT, 1, merged=True),
    ),
    Direct(
        "store/gatework.py",
        "not-merged",
        lambda store: store.record(ROW._replace(id="issue-7"), AGENT, 1, merged=False),
    ),
    Direct("store/gatework.py", "not-parked", lambda store: store.unpark("local-1", PERSON)),
    Direct("store/works.py", "evidence-kind", lambda store: store.evidence("local-1", "smoke")),
]


@pytest.mark.parametrize("one", DIRECT, ids=lambda one: f"{one.where}-{one.code}")
def test_a_printed_command_works(desk: Desk, one: Direct) -> None:
    for argv in one.before:
        desk(*argv)
    with desk.open() as store, pytest.raises(Refusal) as refused:
        one.call(store)
    assert refused.value.code == one.code
    assert refused.value.run
    works(desk, refused.value.run)


def test_an_agent_that_tries_what_a_person_does_is_remembered(desk: Desk) -> None:
    """Case 94 and 142: refused, and kept as a violation; the item stays as it was."""
    desk(*EPIC)
    desk(*JOIN)
    with desk.open() as store:
        for act in (store.admit, store.unpark):
            with pytest.raises(Refusal):
                act("local-2", AGENT)
        assert [row["act"] for row in store.trail("local-2") if row["what"] == "violation"] == [
            "admit",
            "unpark",
        ]
