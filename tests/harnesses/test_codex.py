"""The real Codex, with a scripted model: what is installed is what it obeys.

Runs where the program is: PLASTIC_TEST_CODEX names it, or npm installed it in ~/.cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.harnesses import faults
from tests.harnesses.acts import OWNER, delivery, foreign, install, race
from tests.harnesses.claude import Claude
from tests.harnesses.codex import Codex
from tests.harnesses.scene import Ready

if TYPE_CHECKING:
    from tests.world import World

pytestmark = pytest.mark.harness


@pytest.fixture
def codex(shop: World) -> Codex:
    return Codex.of(shop)


def test_one_session_boards_writes_starts_an_agent_and_ends(codex: Codex) -> None:
    install(codex)
    run = delivery(codex)
    assert "you are agent" in run.sent("PART"), "a sub-agent is told who it is"


def test_a_foreign_intent_is_refused_by_patch_by_shell_and_by_an_agent(codex: Codex) -> None:
    install(codex)
    foreign(codex)


def test_a_patch_is_judged_by_each_file_that_it_touches(codex: Codex) -> None:
    """A move by its source and its target, a deletion, a patch in a shell command."""
    install(codex)
    world = codex.world
    ready = Ready(world)
    world.start(ready.id, OWNER)
    rival, held = ready.code("rival.py"), ready.code("app.py")
    patch = f"*** Add File: {rival}\n+x\n"
    run = codex.say(
        [
            [codex.write("free.py")],
            [codex.patch(f"*** Update File: free.py\n*** Move to: {rival}\n@@\n-x\n+y\n")],
            [codex.patch(f"*** Update File: {held}\n*** Move to: got.py\n@@\n-TAX = 0.2\n+y\n")],
            [codex.patch(f"*** Delete File: {held}\n")],
            [codex.shell(f"apply_patch <<'EOF'\n*** Begin Patch\n{patch}*** End Patch\nEOF")],
            [codex.patch("*** Update File: free.py\n*** Move to: moved.py\n@@\n-x\n+y\n")],
        ],
        cwd=world.repo,
    )
    bad = [OWNER in one.text and "--wait" in one.text for one in run.results()]
    assert bad == [False, True, True, True, True, False], run.results()
    assert not rival.exists()
    assert held.exists()
    assert (world.repo / "moved.py").read_text() == "y\n", "what belongs to nobody is free"


def test_of_two_sessions_at_once_one_owns_the_intent(codex: Codex) -> None:
    install(codex)
    race(codex)


@pytest.mark.parametrize("strict", [False, True], ids=["as installed", "strict"])
def test_what_a_tool_does_without_its_hook_is_what_is_printed(codex: Codex, strict: bool) -> None:
    words = ["--strict"] if strict else []
    assert faults.seen(codex, *words) == faults.printed(codex, strict=strict)


def test_hooks_are_passed_over_until_they_are_trusted_and_install_says_so(
    codex: Codex, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = codex.world
    ready = Ready(world)
    world.start(ready.id, OWNER)
    (codex.bin / "codex").symlink_to(codex.path)
    for name, value in codex.env().items():
        monkeypatch.setenv(name, value)
    codex.asks_trust = True
    assert (
        world.plastic("install", "codex", "--json", cwd=world.repo).json["trust"] == "not trusted"
    )
    codex.say([[codex.write(f"{ready.code('one.py')}")]], cwd=world.repo)
    assert ready.code("one.py").exists(), "Codex says nothing and runs the tool"

    codex.trust()
    check = world.plastic("install", "codex", "--check", "--json", cwd=world.repo)
    assert check.json["trust"] == "trusted", check
    run = codex.say([[codex.write(f"{ready.code('two.py')}")]], cwd=world.repo)
    assert OWNER in run.results()[0].text
    assert not ready.code("two.py").exists()
    again = world.plastic("install", "codex", "--json", cwd=world.repo).json
    assert (again["changed"], again["trust"]) == (False, "trusted"), "installing again asks nobody"


def test_claude_and_codex_at_once_have_one_owner(codex: Codex) -> None:
    claude = Claude.of(codex.world)
    install(claude)
    install(codex)
    race(claude, codex)
