"""Agents that drain one queue by delivering: start, work, End; some die in the middle of it."""

from __future__ import annotations

import contextlib
import json
import os
import random
import sys
import time
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.cli import main
from tests.work.ends import Ready

if TYPE_CHECKING:
    from tests.world import World

FORK = get_context("fork")
DEAD = 77  # how an agent ends whose command was killed
PATIENCE = 100  # tries of one End
LIFETIME = 3000  # seconds; only a hung agent reaches it
DEEPEST = 60  # changes of the world of which one is the last


class Left(NamedTuple):
    """What an agent leaves behind: who takes over reads it, as a person would from `status`."""

    session: str = ""
    item: str = ""
    id: str = ""  # the intent; "" = its start has not answered
    ending: bool = False


class Agent:
    """One agent in a process of its own; each of its commands is a process again."""

    def __init__(self, world: World, session: str, deaths: float = 0.0, at: str = "") -> None:
        self.world = world
        self.session = session
        self.deaths = deaths
        self.at = at  # "start:NAME" or "end:NAME": the point at which that command is killed
        self.folder = world.root / "crew"
        self.folder.mkdir(exist_ok=True)
        self.rolls = random.Random()

    def plastic(self, *argv: str, entry: str = "plastic") -> Any:
        """The printed object of a command; the agent dies with it."""
        out = self.folder / f"{self.session}.out"
        child = os.fork()
        if child == 0:
            self._command(entry, argv, out)
        _, status = os.waitpid(child, 0)
        said = out.read_text()
        told = said + out.with_suffix(".err").read_text()
        # Nobody ever reads of a lock of the database, or of a fault of ours.
        if "is locked" in told or "Traceback" in told:
            (self.folder / f"{self.session}.wrong").write_text(told)
        if os.WIFSIGNALED(status):
            os._exit(DEAD)
        return json.loads(said)

    def _command(self, entry: str, argv: tuple[str, ...], out: Path) -> None:
        verb, _, name = self.at.partition(":")
        if name and argv[0] == verb:
            os.environ.update(PLASTIC_TEST="1", PLASTIC_FAILPOINT=f"{name}:kill")
        elif argv[0] in ("start", "end", "reclaim") and random.Random().random() < self.deaths:
            turn = random.Random().randint(1, DEEPEST)
            os.environ.update(PLASTIC_TEST="1", PLASTIC_FAILPOINT=f"effect:{turn}:kill")
        os.environ.update(PLASTIC_HOME=self.world.home.root, CLAUDE_CODE_SESSION_ID=self.session)
        os.chdir(self.world.repo)
        sys.argv = ["plastic", *argv, "--json"]
        with (
            out.open("w") as file,
            out.with_suffix(".err").open("w") as said,
            contextlib.redirect_stdout(file),
            contextlib.redirect_stderr(said),
        ):
            rc = getattr(main, entry)()
        os._exit(rc)

    def leave(self, left: Left) -> None:
        """Note what it is at."""
        (self.folder / f"{self.session}.left").write_text(json.dumps(left))

    def left(self) -> Left:
        return Left(*json.loads((self.folder / f"{self.session}.left").read_text()))

    def work(self) -> None:
        """Until nothing is pending."""
        while True:
            look = self.plastic("backlog", "ready")
            if not look["pending"]:
                return
            if look["ready"]:
                self.deliver(self.rolls.choice(look["ready"])["id"])
            else:
                time.sleep(self.rolls.uniform(0.05, 0.4))

    def deliver(self, item: str) -> None:
        """Start it, write what it takes, end it; somebody else may have been faster."""
        self.leave(Left(self.session, item))
        found = self.plastic("start", "--item", item)
        if "error" not in found:
            self.leave(Left(self.session, item, found["id"]))
            self.finish(item, found)

    def finish(self, item: str, found: Any) -> None:
        """The work itself, and the End."""
        one = Ready.__new__(Ready)
        one.world, one.dir, one.tree = (
            self.world,
            Path(found["dir"]),
            Path(found["worktree"]["path"]),
        )
        one.documents()
        if not (one.tree / f"{item}.txt").exists():
            one.commit(f"{item}.txt", item)
        self.leave(Left(self.session, item, found["id"], ending=True))
        self.end(found["id"])

    def end(self, id: str) -> None:
        """Others move the base meanwhile: the same command again."""
        for _ in range(PATIENCE):
            said = self.plastic("end", id, "--delivered")
            if "error" not in said:
                return
            time.sleep(0.05)
        raise AssertionError(said)

    def resume(self, left: Left) -> None:
        """Go on where a dead agent stopped: as itself again, or as somebody else who takes over."""
        self.leave(left)
        if left.session != self.session:
            said = self.plastic("reclaim", left.id, "--despite-evidence", entry="plastic_lock")
            assert "error" not in said, said
        if left.ending:
            self.end(left.id)
        else:
            self.deliver(left.item)


def crew(world: World, agents: list[Agent], dead: list[Left], deaths: float) -> int:
    """Let them work at once, a new one for each that dies; how many died."""
    serial = died = 0
    running: list[tuple[Any, Agent]] = []

    def begin(agent: Agent, left: Left | None) -> None:
        process = FORK.Process(target=_life, args=(agent, left))
        process.start()
        running.append((process, agent))

    def follow(left: Left) -> None:
        nonlocal serial
        serial += 1
        session = left.session
        for lock in Path(world.home.store("shop")).glob("*/delivery.lock"):
            raw = json.loads(lock.read_text())
            if raw["item"] == left.item:
                # Killed in a takeover, it may be the owner already, or not yet.
                session = raw["owner_session"]
                left = left._replace(session=session, id=lock.parent.name.partition("--")[0])
                if serial % 2:
                    world.age(lock, 9000)
                    session = f"next-{serial}"
        begin(Agent(world, session, deaths), left)

    for left in dead:
        follow(left)
    for agent in agents:
        begin(agent, None)
    while running:
        over = wait([process.sentinel for process, _ in running], LIFETIME)
        for process, agent in [one for one in running if one[0].sentinel in over]:
            running.remove((process, agent))
            process.join()
            if process.exitcode == DEAD:
                died += 1
                follow(agent.left())
            else:
                assert process.exitcode == 0, (agent.session, process.exitcode)
    assert [path.read_text() for path in agents[0].folder.glob("*.wrong")] == []
    return died


def _life(agent: Agent, left: Left | None) -> None:
    if left is not None:
        agent.resume(left)
    agent.work()
    os._exit(0)


def die(agent: Agent, item: str) -> Left:
    """One agent alone that delivers this item and is killed at its point; what it leaves."""
    process = FORK.Process(target=agent.deliver, args=(item,))
    process.start()
    process.join(LIFETIME)
    assert process.exitcode == DEAD
    return agent.left()
