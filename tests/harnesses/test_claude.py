"""The real Claude Code, with a scripted model: what is installed is what it obeys.

Runs where the program is: PLASTIC_TEST_CLAUDE names it, or npm installed it in ~/.cache. It gets a
made-up key, its own HOME and, where the kernel lets us, a network of loopback alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.harnesses import faults
from tests.harnesses.acts import OWNER, RIVAL, delivery, foreign, install, race
from tests.harnesses.claude import Claude
from tests.harnesses.program import ROOT
from tests.harnesses.scene import Ready

if TYPE_CHECKING:
    from tests.world import World

pytestmark = pytest.mark.harness


@pytest.fixture
def claude(shop: World) -> Claude:
    return Claude.of(shop)


def test_one_session_boards_writes_starts_an_agent_and_ends(claude: Claude) -> None:
    """`plastic start` run by the model's shell arms the session that the gate then sees."""
    install(claude)
    run = delivery(claude)
    assert [one for one in (*run.results(), *run.results("PART")) if one.bad] == []
    assert "you are agent" in run.sent("PART"), "a sub-agent is told who it is"


def test_a_foreign_intent_is_refused_until_uninstall(claude: Claude) -> None:
    claude.folder.mkdir(parents=True)
    settings = claude.folder / "settings.json"
    theirs = '{\n  "cleanupPeriodDays": 30\n}\n'
    settings.write_text(theirs)
    install(claude)
    ready = foreign(claude)
    install(claude, verb="uninstall")
    assert settings.read_text() == theirs
    claude.say([[claude.write(f"{ready.code('rival.py')}")]], cwd=claude.world.repo)
    assert ready.code("rival.py").exists(), "it was our gate that refused"


def test_of_two_sessions_at_once_one_owns_the_intent(claude: Claude) -> None:
    install(claude)
    race(claude)


def test_a_session_hears_what_it_holds_and_the_bare_slash_command_brings_the_skill(
    claude: Claude,
) -> None:
    install(claude)
    ready = Ready(claude.world)
    claude.world.start(ready.id, OWNER)
    prompt = "/plastic-intent-starting shop-42"
    sent = claude.say([], cwd=claude.world.repo, session=OWNER, prompt=prompt).sent()
    assert f"you hold {ready.dir.name}: stage exec" in sent
    assert "Board an intent" in sent
    assert "Asked for: shop-42" in sent


def test_the_checkout_is_an_installable_plugin(claude: Claude) -> None:
    ready = Ready(claude.world)
    claude.world.start(ready.id, OWNER)
    claude.folder.mkdir(parents=True)
    claude.command("plugin", "validate", str(ROOT))
    claude.command("plugin", "marketplace", "add", str(ROOT))
    claude.command("plugin", "install", "plastic@plastic")
    prompt = "/plastic:plastic-intent-starting tea"
    turns = [[claude.write(f"{ready.code('rival.py')}")]]
    rival = claude.say(turns, cwd=ready.worktree, session=RIVAL, prompt=prompt)
    assert "Board an intent" in rival.sent()
    assert [one.bad for one in rival.results()] == [True]
    assert not ready.code("rival.py").exists()


@pytest.mark.parametrize("strict", [False, True], ids=["as installed", "strict"])
def test_what_a_tool_does_without_its_hook_is_what_is_printed(claude: Claude, strict: bool) -> None:
    words = ["--strict"] if strict else []
    assert faults.seen(claude, *words) == faults.printed(claude, strict=strict)
