"""Who is calling: cases 9.4/62-64, and one variable for each harness (spec/hooks 9)."""

from __future__ import annotations

import pytest

from plastic.disk.session import VARIABLES, caller_from, derived, harness_sessions
from plastic.words import Usage

CLAUDE = "CLAUDE_CODE_SESSION_ID"


@pytest.mark.parametrize(
    ("env", "flag", "session", "source"),
    [
        ({}, None, "", "none"),
        ({CLAUDE: "c"}, None, "c", CLAUDE),
        ({CLAUDE: "  c \n"}, None, "c", CLAUDE),
        ({CLAUDE: " \t"}, None, "", "none"),
        ({CLAUDE: "c"}, "f", "f", "flag"),
        ({CLAUDE: "c"}, "  ", "c", CLAUDE),
        ({"CODEX_SESSION_ID": "root", "CODEX_THREAD_ID": "sub"}, None, "root", "CODEX_SESSION_ID"),
        ({"CODEX_THREAD_ID": "t"}, None, "t", "CODEX_THREAD_ID"),
        ({"PI_SESSION_ID": "p"}, None, "p", "PI_SESSION_ID"),
        ({"CLAUDE_SESSION_ID": "phantom"}, None, "", "none"),
        ({CLAUDE: "same", "CODEX_SESSION_ID": "same"}, None, "same", CLAUDE),
    ],
)
def test_caller(env: dict[str, str], flag: str | None, session: str, source: str) -> None:
    found = caller_from(env, flag)
    assert (found.session, found.source) == (session, source)


def test_two_agents_in_one_environment_are_not_guessed_between() -> None:
    env = {CLAUDE: "c", "CODEX_SESSION_ID": "x"}
    with pytest.raises(Usage) as caught:
        caller_from(env, None)
    assert caught.value.exit == 2
    assert "CLAUDE_CODE_SESSION_ID=c" in caught.value.reason
    assert "CODEX_SESSION_ID=x" in caught.value.reason
    assert caller_from(env, "c").session == "c"


def test_each_variable_is_read_alone() -> None:
    for name in VARIABLES:
        assert harness_sessions({name: "s"}) == {name: "s"}


def test_a_derived_key_is_one_for_one_intent_of_one_home() -> None:
    # Case 63: the same inputs give the same key, another intent another key.
    first = derived("/h", "7")
    assert first.session == derived("/h", "7").session
    assert first.session.startswith("auto-")
    assert len(first.session) == len("auto-") + 10
    assert first.session != derived("/h", "8").session
    assert first.session != derived("/other", "7").session
    assert first.is_derived
    assert not caller_from({CLAUDE: "c"}, None).is_derived
