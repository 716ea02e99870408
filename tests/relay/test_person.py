"""Answers come from people: at a terminal, with the relay's id typed, without a harness."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.printed.test_lock import at_a_terminal
from tests.relay.test_cases import DONE

if TYPE_CHECKING:
    from tests.relay.stage import Stage

CODE = "import sys; from plastic.cli.entry import plastic; sys.exit(plastic())"


@pytest.mark.parametrize(("typed", "rc"), [("", 0), ("not this one", 1)])
def test_a_person_answers(stage: Stage, typed: str, rc: int) -> None:
    stage.turns("signal pause --question why\n", DONE)
    stage.start()
    line = shlex.join([sys.executable, "-c", CODE, "relay", "reply", "because"])
    street: Any = stage.world  # what it needs of a street: where, and the environment
    code, shown = at_a_terminal(street, line, typed or stage.place.name)
    assert code == rc, shown
    assert stage.got()[1:] == ([] if rc else ["because"])


def test_nobody_at_a_terminal(stage: Stage) -> None:
    """A script, a hook, another agent: refused, and nothing was sent."""
    stage.turns("signal pause --question why\n", DONE)
    stage.start()
    done = stage.world.run(
        sys.executable, "-c", CODE, "relay", "reply", "because", cwd=stage.world.repo
    )
    assert done.rc == 1
    assert "needs a person" in done.err
    assert len(stage.got()) == 1
