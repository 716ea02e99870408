"""Who passes the fence: one row for each thing that a lock can be to a session."""

from __future__ import annotations

import pytest

from plastic.rules.fence.hooks import JUDGED, PLACED
from plastic.rules.fence.refusals import REFUSALS, WHAT, advised, said
from plastic.rules.fence.standing import presented, standing
from plastic.rules.lock.lease import parse
from plastic.words import LockView

LOCK = {"type": "delivery", "owner_session": "S2", "token": 8, "delegates": ["D1"]}


def view(state: str, **more: object) -> LockView:
    lock = None if state in ("none", "corrupt") else parse({**LOCK, **more})
    return LockView("/x/delivery.lock", state, lock, 1.0, 1.0)


# Name, the lock's state, sessions of the environment, the token they come under, the answer.
CASES = [
    ("nobody holds it", view("none"), ["S1"], None, "pass", ""),
    ("the owner", view("fresh"), ["S2"], None, "pass", ""),
    ("the owner, silent for long", view("stale"), ["S2"], None, "pass", ""),
    ("a delegate", view("fresh"), ["D1"], None, "pass", ""),
    ("one of two sessions is the owner", view("fresh"), ["S1", "S2"], None, "pass", ""),
    ("the owner under its token", view("fresh"), ["S2"], 8, "pass", ""),
    ("the owner under an older token", view("fresh"), ["S2"], 7, "refuse", "older-token"),
    ("superseded", view("fresh"), ["S1"], None, "refuse", "held"),
    ("superseded, the heartbeat in the future", view("future"), ["S1"], None, "refuse", "held"),
    ("a foreign lock that is stale", view("stale"), ["S1"], None, "refuse", "stale"),
    ("nobody can read it", view("corrupt"), ["S1"], None, "refuse", "corrupt"),
    ("a person", view("fresh"), [], None, "advise", "held"),
    ("a person, nobody can read it", view("corrupt"), [], None, "advise", "corrupt"),
    ("a derived owner", view("fresh", owner_session="auto-1234"), [], None, "pass", ""),
    ("a session beside a derived owner", view("fresh", owner_session="auto-1"), ["S1"], None,
     "refuse", "held"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "seen", "who", "token", "answer", "code"), CASES)
def test_standing(
    name: str, seen: LockView, who: list[str], token: int | None, answer: str, code: str
) -> None:
    assert standing(seen, who, token) == (answer, code)


@pytest.mark.parametrize(
    ("value", "token"),
    [("12:7", 7), ("12:0", 0), ("1:7", None), ("12", None), ("", None), ("12:x", None)],
)
def test_the_token_is_for_one_intent(value: str, token: int | None) -> None:
    assert presented(value, "12") == token


@pytest.mark.parametrize("code", REFUSALS)
def test_each_refusal_names_who_since_when_and_one_command(code: str) -> None:
    fields: dict[str, object] = {"id": "12", "name": "12--x", "token": 8, "presented": 7}
    fields |= {"commit": "c0ffee", "remote": "origin"}
    for hook in JUDGED:
        fields["what"] = WHAT[hook].format(ref="refs/heads/x")
        text = said(code, fields, "S2", "2026-12-01T00:00:00Z")
        lines = text.splitlines()
        assert str(fields["what"]) in lines[0]
        assert lines[1] == "held by: S2 since 2026-12-01T00:00:00Z"
        assert lines[2].startswith(("run: plastic", "run: git push"))
        assert text.count("run: ") == 1
    assert "S2" in advised(fields, "S2", "")


def test_a_hook_that_is_judged_is_placed() -> None:
    assert set(JUDGED) <= set(PLACED)
    assert len(set(PLACED)) == len(PLACED)
    # They change what git does by being there.
    assert not set(PLACED) & {"push-to-checkout", "proc-receive", "post-index-change"}
