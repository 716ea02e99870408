"""The other real programs, with a scripted model. CI does not install them: a person names them.

PLASTIC_TEST_GEMINI, _PI, _OPENCODE and _COPILOT are paths, PLASTIC_TEST_NODE the node for the first
two; or npm installed them in ~/.cache/plastic-programs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.harnesses import faults
from tests.harnesses.acts import delivery, foreign, install, race
from tests.harnesses.copilot import Copilot
from tests.harnesses.gemini import Gemini
from tests.harnesses.opencode import OpenCode
from tests.harnesses.pi import Pi

if TYPE_CHECKING:
    from tests.harnesses.program import Program
    from tests.world import World

pytestmark = pytest.mark.harness
# OpenCode needs a minute for each session where there is no network.
SLOW = pytest.param(OpenCode, marks=pytest.mark.soak)


@pytest.fixture(params=[Gemini, Pi, Copilot, SLOW], ids=lambda kind: str(kind.name))
def program(shop: World, request: pytest.FixtureRequest) -> Program:
    kind: type[Program] = request.param
    return kind.of(shop)


def test_one_session_boards_writes_starts_an_agent_and_ends(program: Program) -> None:
    install(program)
    delivery(program)


def test_a_foreign_intent_is_refused(program: Program) -> None:
    install(program)
    foreign(program)


def test_of_two_sessions_at_once_one_owns_the_intent(program: Program) -> None:
    install(program)
    race(program)


@pytest.mark.parametrize("strict", [False, True], ids=["as installed", "strict"])
def test_what_a_tool_does_without_its_hook_is_what_is_printed(
    program: Program, strict: bool
) -> None:
    words = ["--strict"] if strict else []
    assert faults.seen(program, *words) == faults.printed(program, strict=strict)
