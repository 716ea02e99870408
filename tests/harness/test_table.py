"""The table of harnesses against the modules, the settings and the session variables."""

from __future__ import annotations

import pytest

from plastic import hook
from plastic.disk.session import VARIABLES
from plastic.harness import commandtext
from plastic.harness.table import ADVISED, AFTER, ENFORCED, HARNESSES, OFF, TOOLS, UNSEEN
from plastic.rules import briefing
from plastic.work.gate.judge import LATE
from tests.harness.played import event, events, read

NAMES = list(HARNESSES)


def test_the_hook_knows_each_of_them() -> None:
    assert list(hook.HARNESSES) == NAMES
    assert all(key == one.name for key, one in HARNESSES.items())


def test_the_variables_are_those_that_commands_look_at() -> None:
    assert {name for one in HARNESSES.values() for name in one.variables} == set(VARIABLES)
    for variable, harnesses in VARIABLES.items():
        owners = [one.name for one in HARNESSES.values() if variable in one.variables]
        assert sorted(harnesses.split(", ")) == sorted(owners)


def test_what_the_hook_knows_by_heart() -> None:
    """The hook cannot load the table: it is too long to be read for every tool use."""
    assert {name for name in NAMES if HARNESSES[name].advise == "after"} == LATE
    without = [
        one.name for one in HARNESSES.values() if any("--session" in it for it in one.caveats)
    ]
    assert list(briefing.UNTOLD) == list(commandtext.UNTOLD) == without


@pytest.mark.parametrize("name", NAMES)
def test_events_mean_to_the_module_what_the_table_says(name: str) -> None:
    for theirs, ours in HARNESSES[name].events:
        payload = {"harness": name, "hook_event_name": theirs, "tool_name": "x"}
        assert read(name, payload).event == ours, theirs


@pytest.mark.parametrize("name", NAMES)
def test_every_event_that_is_asked_for_was_recorded(name: str) -> None:
    seen = set()
    for one in events(name):
        payload = event(name, one, "s", "/w")
        # Copilot's own spelling is in the name of the file only.
        seen.add(payload.get("hook_event_name") or one.split(".")[1])
    missing = {theirs for theirs, _ in HARNESSES[name].events} - seen
    unseen = {"postToolUseFailure", "SubagentStart", "PreCompact"} if name == "copilot" else set()
    assert missing <= unseen


@pytest.mark.parametrize("name", NAMES)
def test_ways(name: str) -> None:
    one = HARNESSES[name]
    ways = dict(one.ways)
    assert len(ways) == len(one.ways)
    assert set(ways.values()) <= {ENFORCED, ADVISED, AFTER, UNSEEN}
    assert (ways[TOOLS], ways[OFF]) == (ENFORCED, UNSEEN)


@pytest.mark.parametrize("name", NAMES)
def test_outcomes(name: str) -> None:
    one = HARNESSES[name]
    assert {one.on_crash, one.on_timeout, *one.strict} <= {"runs", "refused"}
    assert one.timeout_unit in ("s", "ms")
    assert one.advise in ("context", "after")
    assert one.commands in ("/x", "$x")
    assert all(text.endswith(".") for text in one.caveats)
