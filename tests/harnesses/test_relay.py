"""Real Claude Code and Codex in a relay, with a scripted model: every kind of boundary once."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.harnesses import person
from tests.harnesses.acts import install
from tests.harnesses.claude import Claude
from tests.harnesses.codex import Codex
from tests.harnesses.program import _SERVE, KEY
from tests.harnesses.scene import Ready

if TYPE_CHECKING:
    from tests.harnesses.program import Program, Turns
    from tests.world import World

pytestmark = pytest.mark.harness
# In the turn of an agent: the process that runs its relay, killed.
KILL = (
    """kill -9 $(sed 's/.*"pid": \\([0-9]*\\).*/\\1/' "$PLASTIC_HOME/relay/$RELAY_ID/owner.json")"""
)


def lived(program: Program, script: str, turns: dict[str, Turns], **env: str) -> str:
    """Run shell lines beside the model; what they printed."""
    words, seen = program.world.root / "relay.json", program.world.root / "relay.jsonl"
    words.write_text(json.dumps(turns))
    seen.write_text("")
    port = "8765" if program.network else "0"
    model = [sys.executable, "-c", _SERVE, str(words), str(seen), port, *program.files(), "--"]
    done = subprocess.run(
        [*program.network, *model, "sh", "-c", script],
        env={**program.env(), **env},
        cwd=program.world.repo,
        capture_output=True,
        text=True,
        check=False,
        timeout=program.seconds,
    )
    return done.stdout + done.stderr


def status(world: World) -> dict[str, Any]:
    found: dict[str, Any] = world.plastic("relay", "status", "--json", cwd=world.repo).json
    return found


def kinds(world: World) -> list[str]:
    """The rows of the table that the relay went through."""
    events = world.plastic("relay", "log", "-n", "500", "--json", cwd=world.repo).json["events"]
    return [row["row"] for row in events]


def test_claude_code_delivers_an_intent(shop: World) -> None:
    """A late background result, a malformed signal, a pause and its answer, a killed runner."""
    claude = Claude.of(shop)
    claude.folder.mkdir(parents=True)
    allowed = {"permissions": {"allow": ["Bash", "Write"]}}
    (claude.folder / "settings.json").write_text(json.dumps(allowed))
    install(claude)
    ready = Ready(shop)
    bash, signal = claude.shell, "plastic relay signal"
    late = bash("sleep 2; echo late")
    late["input"]["run_in_background"] = True
    two = '<relay kind="done" id="x">a</relay> <relay kind="done" id="x">a</relay>'
    turns: dict[str, Turns] = {
        "PART-THREE": [[bash(f"{signal} done --summary all; {KILL}")], [{"text": "That was all."}]],
        "PART-TWO": [
            [claude.write(str(ready.code("cart.py")), "BASKET = 1\n")],
            [{"text": two}],
            [bash(ready.tick)],
            [bash(ready.report)],
            [bash(ready.commit)],
            [bash(f"{signal} pause --question 'Is that all?'")],
            [{"text": "I ask."}],
            [bash(f"{signal} hand-off --prompt PART-THREE")],
            [{"text": "Handed over."}],
        ],
        "PART-ONE": [
            [late],
            [bash(f"{signal} done --summary too-early")],
            [{"text": "I wait."}],
            [bash(f"{signal} hand-off --prompt PART-TWO")],
            [{"text": "Handed over."}],
        ],
    }
    start = f"plastic relay start --agent claude --command '{claude.path}' --max-cost 5"
    reply = f"{sys.executable} {person.__file__} plastic relay reply yes"
    more = f"--intent {ready.id} --end PART-ONE; {reply}; plastic relay resume"
    said = lived(claude, f"{start} {more}", turns, ANTHROPIC_API_KEY=KEY)
    found = status(shop)
    assert (found["state"], found["reason"], found["step"]) == ("stopped", "done", 3), said
    assert found["cost"]["known"], said
    assert found["cost"]["total"] > 0
    rows = kinds(shop)
    for row in ("9", "14", "11", "38", "47"):
        assert row in rows, (row, rows)
    assert rows.count("47") == 2
    assert (shop.repo / "cart.py").read_text() == "BASKET = 1\n", said
    assert ready.shown["section"] == "Completed", said
    assert ready.owner is None
    assert not ready.worktree.exists()


def test_claude_code_stops_at_its_cap(shop: World) -> None:
    claude = Claude.of(shop)
    turns: dict[str, Turns] = {"": [[{"text": "I have said nothing of use."}]]}
    start = f"plastic relay start --agent claude --command '{claude.path}' --max-cost 0.0000001 go"
    said = lived(claude, start, turns, ANTHROPIC_API_KEY=KEY)
    found = status(shop)
    assert (found["state"], found["reason"]) == ("stopped", "limit_cost"), said
    assert "plastic relay resume" in found["next"]


def test_codex_delivers_an_intent(shop: World) -> None:
    """Threads with ids of their own hold the lock in turn; a pause, a malformed signal, a kill."""
    codex = Codex.of(shop)
    install(codex)
    config = codex.folder / "config.toml"
    config.write_text(config.read_text().replace("http://127.0.0.1/v1", "{url}/v1"))
    codex.files = lambda: [str(config)]  # type: ignore[method-assign]
    ready = Ready(shop)
    shell, signal = codex.shell, "plastic relay signal"
    two = '<relay kind="done" id="x">a</relay> <relay kind="done" id="x">a</relay>'
    turns: dict[str, Turns] = {
        "PART-THREE": [[shell(f"{signal} done --summary all; {KILL}")], [{"text": "Done."}]],
        "PART-TWO": [
            [shell(f"echo 'BASKET = 1' > '{ready.code('cart.py')}'")],
            [shell(ready.tick)],
            [shell(ready.report)],
            [shell(ready.commit)],
            [shell(f"{signal} pause --question 'Is that all?'")],
            [{"text": "I ask."}],
            [shell(f"{signal} hand-off --prompt PART-THREE")],
            [{"text": "Handed over."}],
        ],
        "PART-ONE": [
            [{"text": two}],
            [shell(f"{signal} hand-off --prompt PART-TWO")],
            [{"text": "Handed over."}],
        ],
    }
    start = f"plastic relay start --agent codex --command '{codex.path}'"
    trust = "--arg=--dangerously-bypass-hook-trust"
    reply = f"{sys.executable} {person.__file__} plastic relay reply yes"
    more = f"{trust} --intent {ready.id} --end PART-ONE; {reply}; plastic relay resume"
    said = lived(codex, f"{start} {more}", turns)
    found = status(shop)
    assert (found["state"], found["reason"], found["step"]) == ("stopped", "done", 3), said
    rows = kinds(shop)
    for row in ("14", "11", "38", "36a"):
        assert row in rows, (row, rows)
    assert rows.count("47") == 2
    assert (shop.repo / "cart.py").read_text() == "BASKET = 1\n", said
    assert ready.shown["section"] == "Completed", said
    assert ready.owner is None
