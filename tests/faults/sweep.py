"""Runs a command of plastic so that one of its effects fails, kills it, or is only counted."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk import effects, failpoints
from tests.faults.checker import Checker
from tests.work.ends import Ready
from tests.world import Done

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.world import World

A, B = "ana-1", "bo-2"


class Town(NamedTuple):
    """A world with an intent in every state that a command asks for, by id."""

    world: World
    born: str
    ready: str
    stale: str
    idle: str
    over: str
    salvage: str
    lines: tuple[str, ...]


STATES = ("born", "ready", "stale", "idle", "over")


def build(world: World, states: Sequence[str] = STATES) -> Town:
    """Commits, loose files, a lock that lapsed, an orphan, a salvage: something of everything."""
    ids, lines = dict.fromkeys(STATES, ""), ["main"]
    for state in states:
        ids[state], made = MAKE[state](world)
        lines += made
    (world.repo / "mine.txt").write_text("line-main\n")
    world.git("add", "mine.txt")
    world.git("commit", "-q", "-m", "mine")
    return Town(
        world, **ids, salvage=f"{ids['over']}/1", lines=tuple(f"line-{one}" for one in lines)
    )


def _born(world: World) -> tuple[str, list[str]]:
    return str(world.new("Born")["id"]), []


def _ready(world: World) -> tuple[str, list[str]]:
    ready = Ready(world, "Ready").documents()
    ready.commit("tax.py", "line-ready-committed\n")
    (ready.tree / ".env").write_text("line-ready-ignored\n")
    return ready.id, ["ready-committed", "ready-ignored"]


def _stale(world: World) -> tuple[str, list[str]]:
    stale = Ready(world, "Stale").documents()
    (stale.tree / "loose.py").write_text("line-stale-loose\n")
    (stale.tree / "app.py").write_text("line-stale-edit\n")
    for path in (stale.tree / "loose.py", stale.tree / "app.py", stale.dir / "delivery.lock"):
        world.age(path, 7200)
    return stale.id, ["stale-loose", "stale-edit"]


def _idle(world: World) -> tuple[str, list[str]]:
    idle = Ready(world, "Idle")
    idle.commit("idle.py", "line-idle-committed\n")
    assert world.lock("release", idle.id, session=A).rc == 0
    return idle.id, ["idle-committed"]


def _over(world: World) -> tuple[str, list[str]]:
    taken = Ready(world, "Taken")
    (taken.tree / "taken.py").write_text("line-taken\n")
    world.age(taken.dir / "delivery.lock", 7200)
    assert world.lock("reclaim", taken.id, "--despite-evidence", session=B).rc == 0
    return taken.id, ["taken"]


MAKE = {"born": _born, "ready": _ready, "stale": _stale, "idle": _idle, "over": _over}


class Verb(NamedTuple):
    """A command line; `{ready}` and the like are the ids of the town."""

    line: str
    session: str = A
    rc: int = 0  # when nothing disturbs it
    broken: int = 5  # when the environment fails

    def run(self, town: Town) -> Done:
        words = shlex.split(self.line.format(**town._asdict()))
        act = town.world.plastic if words[0] == "plastic" else town.world.lock
        return act(*words[1:], session=self.session, cwd=town.world.repo)


VERBS = {
    "new": Verb("plastic new 'Another one'"),
    "start": Verb("plastic start {born}"),
    "start again": Verb("plastic start {idle}"),
    "end": Verb("plastic end {ready} --delivered"),
    "end abandoned": Verb("plastic end {stale} --abandoned --discard-worktree-changes"),
    "sync": Verb("plastic sync {ready}"),
    "maintain": Verb("plastic maintain {born} --move Future --why later --rule order"),
    "remove": Verb("plastic worktree remove {idle}"),
    "prune": Verb("plastic worktree prune"),
    "restore": Verb("plastic salvage restore {salvage}"),
    "init": Verb("plastic init ."),
    "install": Verb("plastic install claude --scope project"),
    "uninstall": Verb("plastic uninstall claude --scope project"),
    "doctor": Verb("plastic doctor --fix", rc=1),
    "arm": Verb("plastic-lock arm {born}"),
    "fix": Verb("plastic-lock fix {ready}"),
    "release": Verb("plastic-lock release {ready}"),
    "reclaim": Verb("plastic-lock reclaim {stale}", B),
    "transfer": Verb("plastic-lock transfer {ready} --to bo-2"),
    "delegate": Verb("plastic-lock delegate {ready} helper"),
    "claim": Verb("plastic-lock claim {ready} spec.md"),
    "release-claim": Verb("plastic-lock release-claim {ready} spec.md"),
    "beat": Verb("plastic-lock beat {ready}"),
    "pen init": Verb("plastic pen init --agents claude,codex", broken=1),
    "backlog add": Verb("plastic backlog add Paint"),
}
# Verbs that change nothing of their own, and those that other sweeps kill.
ELSEWHERE = {
    "list show log hook who status worktree-list salvage-list salvage-show": "look only",
    "keep guard": "a beat and the user's own command",
    "demo": "a throw-away world",
    "pen": "tests/pen/test_crash.py",
    "relay": "tests/relay/test_kills.py",
    "backlog": "one transaction a verb: tests/store; the mirror's files: tests/backlog",
}


def child(act: Callable[[], Done], note: Path, prepare: Callable[[], object]) -> Done | None:
    """`act` in a fork; None when it was killed."""
    note.unlink(missing_ok=True)
    pid = os.fork()
    if pid == 0:
        code = 9
        try:
            prepare()
            done = act()
            os.environ.pop("PLASTIC_FAILPOINT", None)  # the note is no effect of the command
            note.write_text(json.dumps(done))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return None
    assert note.exists(), "the command came out of its own door"
    return Done(*json.loads(note.read_text()))


def listed(act: Callable[[], Done], note: Path) -> tuple[Done, list[str]]:
    """How the command ends undisturbed, and each of its effects."""
    found = note.with_suffix(".effects")
    found.write_text("")

    def prepare() -> None:
        out = os.open(found, os.O_WRONLY | os.O_APPEND)

        def hook(event: str, args: tuple[Any, ...]) -> None:
            name = effects.named(event, args)
            if name is not None and str(note) not in name:
                os.write(out, f"{name!r}\n".encode())

        sys.addaudithook(hook)

    done = child(act, note, prepare)
    assert done is not None
    return done, found.read_text().splitlines()


def faulted(act: Callable[[], Done], note: Path, number: int, action: str) -> Done | None:
    """How it ends when its effect of this number is `action`; None when that killed it."""

    def prepare() -> None:
        os.environ["PLASTIC_TEST"] = "1"
        os.environ["PLASTIC_FAILPOINT"] = f"effect:{number}:{action}"
        failpoints._passed.clear()

    return child(act, note, prepare)


def summary(town: Town) -> dict[str, Any]:
    """What a command is for, from files and git alone."""
    checker = Checker(town.world.home.root, town.world.repo)
    listed = checker.git("for-each-ref", "--format=%(refname) %(tree)", "refs/heads").splitlines()
    refs = dict(one.split(" ") for one in listed)
    found: dict[str, Any] = {"main": refs["refs/heads/main"]}
    index = (Path(town.world.home.root) / "projects/shop/INDEX.md").read_text()
    for intent in checker.intents():
        raw = checker.lock(intent) or {}
        section = [
            part.partition("\n")[0] for part in index.split("\n## ")[1:] if intent.name in part
        ]
        ledger = intent / "savepoint.md"
        lines = ledger.read_text().splitlines() if ledger.exists() else []
        found[intent.name.partition("--")[2]] = (
            raw.get("owner_session"),
            sorted(raw.get("delegates") or []) if isinstance(raw.get("delegates"), dict) else None,
            (town.world.repo / ".claude/worktrees" / intent.name / ".git").exists(),
            f"refs/heads/plastic/{intent.name}" in refs,
            section,
            sum("  Done  " in line for line in lines),
            sorted(path.name for path in intent.glob(".claims/*.claim")),
            sorted(path.name for path in intent.glob("*.md")),
            (Path(town.world.home.root) / "held" / intent.name).is_symlink(),
        )
    found["files"] = [
        (town.world.repo / name).exists() for name in ("M8SHIFT.md", ".claude/settings.json")
    ]
    return found


def finish(town: Town, verb: Verb, trail: list[str]) -> Done:
    """The same command again; where it refuses, the one that it prints, and the same again."""
    done = verb.run(town)
    trail.append(f"again: {done.rc} {done.err.strip()}")
    if done.rc == verb.rc:
        return done
    printed = re.search(r"^run: (.*)$", done.err, re.MULTILINE)
    assert printed, trail
    words = shlex.split(printed[1])
    if words[0] in ("plastic", "plastic-lock"):
        act = town.world.plastic if words[0] == "plastic" else town.world.lock
        helped = act(*words[1:], session=verb.session, cwd=town.world.repo)
    else:
        helped = town.world.run("sh", "-c", printed[1], cwd=town.world.repo)
    trail.append(f"{printed[1]}: {helped.rc} {helped.err.strip()}")
    done = verb.run(town)
    trail.append(f"again: {done.rc} {done.err.strip()}")
    return done
