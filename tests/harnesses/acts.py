"""What every program is put through: a whole delivery, a foreign intent, a race for one."""

from __future__ import annotations

import uuid
from functools import partial
from typing import TYPE_CHECKING

from tests.harnesses.scene import Ready, together

if TYPE_CHECKING:
    from tests.harnesses.program import Program, Run, Turns

OWNER, RIVAL = (str(uuid.UUID(int=number, version=4)) for number in (1, 2))


def install(program: Program, *argv: str, verb: str = "install") -> None:
    """`plastic install` for the program's user."""
    done = program.world.plastic(verb, program.name, *argv, env=program.env())
    assert done.rc == 0, done.err


def delivery(program: Program) -> Run:
    """One session boards by its shell, writes by every tool, starts an agent, commits and ends."""
    ready = Ready(program.world)
    write, shell, who = program.write, program.shell, program.flag(OWNER)
    part = ready.code("part.py")
    turns = [
        [shell(f"plastic start {ready.id}{who}")],
        [write(f"{ready.code('cart.py')}", "BASKET = 1\n")],
        *_with_agent(program, ready),
        [shell(ready.tick)],
        [shell(ready.report)],
        [shell(ready.commit)],
        [shell(f"plastic end {ready.id} --delivered{who}")],
    ]
    agents = {
        "PART": [
            [write(f"{part}")],
            [shell(f"echo 'y' >> '{part}'")],
            [shell(f"touch '{ready.flag}'")],
        ]
    }
    run = program.say(turns, cwd=program.world.repo, session=OWNER, agents=agents)
    seen = [*run.results(), *run.results("PART")]
    landed = program.world.repo / "cart.py"
    assert landed.exists(), seen
    assert landed.read_text() == "BASKET = 1\n"
    if program.has_agents:
        assert (program.world.repo / "part.py").read_text() == "x\ny\n", seen
    assert ready.shown["section"] == "Completed", seen
    assert ready.owner is None
    assert not ready.worktree.exists()
    return run


def foreign(program: Program) -> Ready:
    """A session writes what another holds, by every way."""
    ready = Ready(program.world)
    ready.world.start(ready.id, OWNER)
    write, shell = program.write, program.shell
    rival = ready.code("rival.py")
    bad = [[write(f"{rival}")], [shell(f"echo x > '{rival}'")]]
    turns = [
        *bad,
        [write(f"{ready.dir}/actions/ACTION_2.md")],
        *_with_agent(program, ready),
        [shell(f"echo x >> '{ready.world.home.projects_yml}'")],
        [write(f"{ready.world.repo}/free.py")],
    ]
    agents = {"PART": [*bad, [shell(f"touch '{ready.flag}'")]]}
    run = program.say(turns, cwd=ready.world.repo, session=RIVAL, agents=agents)
    main, part = run.results(), run.results("PART")
    assert len(main) == len(turns), main
    assert len(part) == (3 if program.has_agents else 0), part
    for told in (*main[:3], *part[:2]):
        assert OWNER in told.text, f"the refusal says who: {told}"
        assert f"plastic start {ready.id} --wait" in told.text, f"and what to do: {told}"
        assert told.bad is not False
    assert "projects.yml" in main[-2].text, main
    assert "run: " in main[-2].text, main
    assert not rival.exists()
    assert not (ready.dir / "actions" / "ACTION_2.md").exists()
    assert (ready.world.repo / "free.py").exists(), "what belongs to nobody is free"
    return ready


def _with_agent(program: Program, ready: Ready) -> Turns:
    if not program.has_agents:
        return []
    wait = f"until [ -e '{ready.flag}' ]; do sleep 0.1; done"
    return [[program.agent("PART go")], [program.shell(wait)]]


def race(program: Program, rival: Program | None = None) -> None:
    """Two sessions board one intent at once and write into it: one of them owns it."""
    ready = Ready(program.world)

    def session(one: Program, id: str, name: str) -> Run:
        turns = [
            [one.shell(f"plastic start {ready.id} --json{one.flag(id)}")],
            [one.write(f"{ready.code(name + '.py')}")],
            [one.shell(f"echo x > '{ready.code(name + '.txt')}'")],
        ]
        return one.say(turns, cwd=ready.world.repo, session=id)

    pair = {"a": (program, OWNER), "b": (rival or program, RIVAL)}
    jobs = [partial(session, *pair[name], name) for name in pair]
    runs = dict(zip(pair, together(*jobs), strict=True))
    owner = ready.owner
    begun = {name: f'"{pair[name][0].field}":"{owner}"' for name in pair}
    winners = [name for name, run in runs.items() if begun[name] in run.out]
    assert len(winners) == 1, (owner, runs)
    for name, run in runs.items():
        told = run.results()
        won = name in winners
        assert ["--wait" in one.text for one in told] == [not won] * 3, told
        assert ready.code(f"{name}.py").exists() == won
        assert ready.code(f"{name}.txt").exists() == won
