"""The real Claude Code, with a scripted model: what is installed is what it obeys.

Runs where the program is: PLASTIC_TEST_CLAUDE names it, or npm installed it in ~/.cache. It gets a
made-up key, its own HOME and, where the kernel lets us, a network of loopback alone.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from tests.harnesses.claude import Claude
from tests.harnesses.program import ROOT, Run
from tests.harnesses.scene import Ready, together

if TYPE_CHECKING:
    from tests.world import World

OWNER, RIVAL = str(uuid.UUID(int=1, version=4)), str(uuid.UUID(int=2, version=4))
read, write, shell, agent = Claude.read, Claude.write, Claude.shell, Claude.agent
pytestmark = pytest.mark.harness


@pytest.fixture
def claude(shop: World) -> Claude:
    program = Claude.of(shop)
    assert isinstance(program, Claude)
    return program


def install(claude: Claude, *argv: str, verb: str = "install") -> None:
    env = {"CLAUDE_CONFIG_DIR": str(claude.folder)}
    done = claude.world.plastic(verb, "claude", *argv, env=env)
    assert done.rc == 0, done.err


def test_one_session_boards_writes_starts_an_agent_and_ends(claude: Claude) -> None:
    """`plastic start` run by the model's shell arms the session that the gate then sees."""
    install(claude)
    ready = Ready(claude.world)
    part = ready.code("part.py")
    run = claude.say(
        [
            [shell(f"plastic start {ready.id}")],
            [write(f"{ready.code('cart.py')}", "BASKET = 1\n")],
            [agent("PART go")],
            [shell(ready.tick)],
            [shell(ready.report)],
            [shell(ready.commit)],
            [shell(f"plastic end {ready.id} --delivered")],
        ],
        agents={"PART": [[write(f"{part}")], [shell(f"echo 'y' >> '{part}'")]]},
        cwd=claude.world.repo,
        session=OWNER,
    )
    assert [one for one in run.results() if one.bad] == []
    assert [one.bad for one in run.results("PART")] == [False, False]
    assert (claude.world.repo / "cart.py").read_text() == "BASKET = 1\n"
    assert (claude.world.repo / "part.py").read_text() == "x\ny\n"
    assert ready.shown["section"] == "Completed"
    assert ready.owner is None
    assert not ready.worktree.exists()


def test_a_foreign_intent_is_refused_by_tool_by_shell_and_by_an_agent(claude: Claude) -> None:
    world = claude.world
    ready = Ready(world)
    world.start(ready.id, OWNER)
    claude.folder.mkdir(parents=True)
    settings = claude.folder / "settings.json"
    theirs = '{\n  "cleanupPeriodDays": 30\n}\n'
    settings.write_text(theirs)
    install(claude)
    run = claude.say(
        [
            [write(f"{ready.code('rival.py')}")],
            [shell(f"echo x > '{ready.code('rival.py')}'")],
            [write(f"{ready.dir}/actions/ACTION_2.md")],
            [agent("PART go")],
            [read(world.home.projects_yml), write(world.home.projects_yml)],
            [write(f"{world.repo}/free.py")],
        ],
        agents={
            "PART": [
                [write(f"{ready.code('rival.py')}")],
                [shell(f"echo x > '{ready.code('rival.py')}'")],
            ]
        },
        cwd=world.repo,
        session=RIVAL,
    )
    tool, text, document, started, seen, registry, free = run.results()
    for told in (tool, text, document, *run.results("PART")):
        assert told.bad, told
        assert OWNER in told.text, "the refusal says who"
        assert f"plastic start {ready.id} --wait" in told.text, "and what to do"
    assert len(run.results("PART")) == 2
    assert not started.bad
    assert not seen.bad
    assert "projects.yml" in registry.text
    assert registry.bad, "nobody's tool writes the registry"
    assert not ready.code("rival.py").exists()
    assert not free.bad, "what belongs to nobody is free"

    install(claude, verb="uninstall")
    assert settings.read_text() == theirs
    claude.say([[write(f"{ready.code('rival.py')}")]], cwd=world.repo)
    assert ready.code("rival.py").exists(), "it was our gate that refused"


def test_of_two_sessions_at_once_one_owns_the_intent(claude: Claude) -> None:
    install(claude)
    ready = Ready(claude.world)

    def race(session: str) -> Run:
        turns = [
            [shell(f"plastic start {ready.id} --json")],
            [write(f"{ready.code(session + '.py')}")],
            [shell(f"echo x > '{ready.code(session + '.txt')}'")],
        ]
        return claude.say(turns, cwd=claude.world.repo, session=session)

    both = together(lambda: race(OWNER), lambda: race(RIVAL))
    runs = dict(zip((OWNER, RIVAL), both, strict=True))
    owner = ready.owner
    assert owner in runs
    for session, run in runs.items():
        assert [one.bad for one in run.results()] == [session != owner] * 3, run.results()
        assert ready.code(f"{session}.py").exists() == (session == owner)
        assert ready.code(f"{session}.txt").exists() == (session == owner)


def test_the_bare_slash_command_brings_the_skill(claude: Claude) -> None:
    install(claude)
    prompt = "/plastic-intent-starting shop-42"
    sent = claude.say([], cwd=claude.world.repo, prompt=prompt).sent()
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
    turns = [[write(f"{ready.code('rival.py')}")]]
    rival = claude.say(turns, cwd=ready.worktree, session=RIVAL, prompt=prompt)
    assert "Board an intent" in rival.sent()
    assert [one.bad for one in rival.results()] == [True]
    assert not ready.code("rival.py").exists()
