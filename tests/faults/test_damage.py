"""Spoilt files of ours: a command answers one clear line, no traceback, and loses nothing."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.hook import _judged
from plastic.rules.gates.table import DOORS
from tests.faults.checker import Checker
from tests.faults.damage import restore, spoil
from tests.faults.sweep import A, B, Town, build
from tests.soak import record
from tests.work.ends import Mould

if TYPE_CHECKING:
    from tests.world import Done, World

SMALL, BIG = 25, 2_500
LOOKS = (
    "plastic list",
    "plastic show {ready}",
    "plastic log",
    "plastic doctor",
    "plastic worktree list",
    "plastic salvage list",
    "plastic end {ready} --delivered --dry-run",
    "plastic-lock who {ready}",
    "plastic-lock status {ready}",
    "plastic-lock status {stale}",
    "plastic backlog list",
    "plastic backlog ready",
    "plastic pen status",
    "plastic pen log",
)
ACTS = (
    "plastic new 'Another one'",
    "plastic start {born}",
    "plastic start {ready}",
    "plastic start {idle}",
    "plastic sync {ready}",
    "plastic end {ready} --delivered",
    "plastic end {stale} --abandoned --discard-worktree-changes",
    "plastic maintain {born} --move Future --why later --rule order",
    "plastic worktree remove {idle}",
    "plastic worktree prune",
    "plastic salvage restore {salvage}",
    "plastic doctor --fix",
    "plastic init .",
    "plastic-lock arm {born}",
    "plastic-lock fix {ready}",
    "plastic-lock reclaim {stale}",
    "plastic-lock release {ready}",
    "plastic-lock transfer {ready} --to bo-2",
    "plastic-lock delegate {ready} helper",
    "plastic-lock claim {ready} spec.md",
    "plastic-lock beat {ready}",
    "plastic backlog add Paint",
    "plastic backlog claim --next --owner cyd-3",
    "plastic pen claim claude",
    "plastic pen append claude --to codex --ask x --done y",
)
# What a person or an agent wrote: not a line of it may go, however spoilt the file is.
WRITTEN = ("INDEX.md", "projects.yml", "config.yml", "spec.md", "plan.md", "checklist.md")
LIMIT = 30  # seconds, on a machine that others use


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Mould[Town]:
    def furnished(world: World) -> Town:
        town = build(world)
        act(town, "plastic pen init --agents claude,codex", A)
        act(town, "plastic backlog add Paint", A)
        act(town, f"plastic-lock claim {town.ready} plan.md", A)
        act(town, "plastic doctor --fix", A)
        (Path(world.home.root) / "config.yml").write_text("version: 1\nttl: 1800\n")
        return town

    return Mould(tmp_path_factory.mktemp("damage"), furnished)


def act(town: Town, line: str, session: str) -> Done:
    words = shlex.split(line.format(**town._asdict()))
    run = town.world.plastic if words[0] == "plastic" else town.world.lock
    return run(*words[1:], session=session, cwd=town.world.repo)


def files_of_ours(town: Town) -> list[Path]:
    """Everything that plastic keeps, seldom things as often as frequent ones."""
    root = Path(town.world.home.root)
    listed = [
        *root.glob("*.yml"),
        *root.glob("INDEX.md"),
        *root.glob("projects/*/INDEX.md"),
        *root.glob("projects/*/store/*/*"),
        *root.glob("projects/*/store/*/.claims/*"),
        *root.glob("held/*"),
        *root.glob("held/.complete"),
        *root.glob("log/*"),
        *root.glob("run/**/*"),
        *root.glob("backlog.db*"),
        *town.world.repo.glob("M8SHIFT.md"),
        *town.world.repo.glob(".m8shift*"),
        *town.world.repo.glob(".git/worktrees/*/plastic*"),
    ]
    return sorted(one for one in listed if one.is_file() or one.is_symlink())


class Attack:
    """Rounds of one spoilt file each, and what was wrong."""

    def __init__(self, mould: Mould[Town], seed: int, acts: float) -> None:
        self.mould = mould
        self.acts = acts  # the share of rounds that end with a command that changes something
        self.dice = random.Random(seed)
        self.town = mould.fresh()
        self.by_name: dict[str, list[Path]] = {}
        for path in files_of_ours(self.town):
            self.by_name.setdefault(path.name.lstrip("0123456789-"), []).append(path)
        self.count: Counter[str] = Counter()
        self.wrong: list[str] = []

    def round(self, number: int) -> None:
        name = self.dice.choice(sorted(self.by_name))
        path = self.dice.choice(self.by_name[name])
        how, data = spoil(path, self.dice)
        label = f"round {number}: {path.name} {how}"
        self.count[how] += 1
        for line in self.dice.sample(LOOKS, 1):
            self.answer(label, line, self.dice.choice((A, B)))
        self.gate(label)
        if self.dice.random() < self.acts:
            line = self.dice.choice(ACTS)
            label += f", {line}"
            self.answer(label, line, self.dice.choice((A, A, B)))
            self.kept(label, path, data)
            self.town = self.mould.fresh()
        else:
            here, kept = self.mould.here, self.mould.kept
            restore(path, kept / path.relative_to(here))

    def answer(self, label: str, line: str, session: str) -> None:
        self.count["commands"] += 1
        with Patience(label + line):
            done = act(self.town, line, session)
        self.count[f"exit {done.rc}"] += 1
        said = done.out + done.err
        if "Traceback" in said or "a bug of ours" in said or done.rc not in range(7):
            self.wrong.append(f"{label}: {line}: {done.rc} {said[-600:]}")
        # doctor lists what it found, each with its command; a pen says `wait` with 3.
        elif done.rc and "doctor" not in line and not done.out.strip() and said.count("run: ") != 1:
            self.wrong.append(f"{label}: {line}: no one line: {done.rc} {said[-600:]}")

    def gate(self, label: str) -> None:
        """A tool use of somebody else is judged, whatever is spoilt; no gate breaks."""
        target = next(
            Path(self.town.world.home.root).glob(f"projects/*/store/{self.town.ready}--*")
        )
        event = self.dice.choice(("PreToolUse", "PostToolUse", "SessionStart", "Stop"))
        payload: dict[str, Any] = {
            "session_id": self.dice.choice((A, B)),
            "transcript_path": "/home/ana/.claude/projects/shop/x.jsonl",
            "cwd": str(self.town.world.repo),
            "hook_event_name": event,
            "tool_name": "Write",
            "tool_use_id": f"toolu_{self.count['commands']:020d}",
            "tool_input": {"file_path": str(target / "spec.md"), "content": "x\n"},
        }
        with Patience(label), pytest.MonkeyPatch.context() as patch:
            patch.setenv("PLASTIC_HOME", self.town.world.home.root)
            out, err, _ = _judged("claude", payload, DOORS["gate"])
        said = (out + err).decode()
        # What the system refuses is said with its file; anything else would be a fault of ours.
        if "broke" in re.sub(r"broke [^()]*\(([a-z-]+: )?\w+: \[Errno ", "", said):
            self.wrong.append(f"{label}: {event}: {said[-600:]}")
        json.loads(out or b"{}")

    def kept(self, label: str, path: Path, data: bytes | None) -> None:
        """No work is lost; what a person wrote, and a lock that nobody can read, are somewhere."""
        checker = Checker(self.town.world.home.root, self.town.world.repo)
        lost = checker.lost(list(self.town.lines))
        if lost:
            self.wrong.append(f"{label}: lost {lost}")
        if data and (path.name in WRITTEN or path.name == "delivery.lock"):
            there = self.everything()
            wanted = [data] if path.name == "delivery.lock" else data.splitlines()
            gone = [one for one in wanted if one.strip() and one not in there]
            if gone and not (path.name == "delivery.lock" and self.was_read(data)):
                self.wrong.append(f"{label}: {len(gone)} lines are gone: {gone[0][:200]!r}")

    def everything(self) -> bytes:
        root = self.town.world.home.root
        found = [
            Path(folder, name).read_bytes()
            for folder, _, names in os.walk(root)
            for name in names
            if os.access(f"{folder}/{name}", os.R_OK) and Path(folder, name).is_file()
            and not Path(folder, name).is_symlink()
        ]  # fmt: skip
        return b"\n".join(found)

    @staticmethod
    def was_read(data: bytes) -> bool:
        """A lock that still says who holds it may be rewritten and given back."""
        try:
            raw = json.loads(data)
        except (ValueError, RecursionError):
            return False
        return isinstance(raw, dict) and bool(raw.get("owner_session"))


class Patience:
    """A command that waits for a FIFO waits for ever."""

    def __init__(self, label: str) -> None:
        self.label = label

    def __enter__(self) -> None:
        def ring(*_: object) -> None:
            raise AssertionError(f"no answer: {self.label}")

        self.before = signal.signal(signal.SIGALRM, ring)
        signal.alarm(LIMIT)

    def __exit__(self, *_: object) -> None:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, self.before)


def test_some_files(mould: Mould[Town], permissions: None) -> None:
    attack = Attack(mould, 6, acts=0.1)
    for number in range(SMALL):
        attack.round(number)
    assert attack.wrong == [], "\n\n".join(attack.wrong)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_ten_thousand_files(mould: Mould[Town], permissions: None, seed: int) -> None:
    since, attack = time.monotonic(), Attack(mould, seed, acts=0.04)
    for number in range(BIG):
        known = len(attack.wrong)
        attack.round(number)
        if number % 500 == 499 or len(attack.wrong) > known:
            print(number + 1, round(time.monotonic() - since), *attack.wrong[known:], flush=True)
    print(*sorted(attack.count.items()), sep="\n")
    assert attack.wrong == [], "\n\n".join(attack.wrong)
    record(
        f"spoilt files of ours, met by commands and gates, seed {seed}",
        f"{BIG:,} files, {attack.count['commands']:,} commands",
        "0 tracebacks, 0 lost, each answered in one line",
        time.monotonic() - since,
    )


DEEP = b'{"a":' * 40_000
# A file that a command reads as JSON -> the command.
NESTED = {
    "log/events.jsonl": "plastic log",
    "store/{ready}/.end.json": "plastic end {ready} --delivered --dry-run",
    "store/{ready}/delivery.lock": "plastic-lock status {ready}",
}


@pytest.mark.parametrize("name", NESTED)
def test_more_levels_than_a_reader_can_go_down(mould: Mould[Town], name: str) -> None:
    town = mould.fresh()
    root = Path(town.world.home.root)
    place, _, file = name.partition("/{ready}/")
    intent = next(root.glob(f"projects/*/store/{town.ready}--*"))
    (intent / file if file else root / place).write_bytes(DEEP)
    done = act(town, NESTED[name], A)
    assert "bug" not in done.err, done.err
    assert done.rc in (0, 4)


@pytest.mark.parametrize(
    "line", ["plastic log", "plastic-lock status {stale}", "plastic-lock reclaim {stale}"]
)
def test_a_journal_that_is_a_fifo(mould: Mould[Town], line: str) -> None:
    """Nobody waits for the other end of it; the counter is lost as well, and is found again."""
    town = mould.fresh()
    root = Path(town.world.home.root)
    (root / "log/events.jsonl").unlink()
    os.mkfifo(root / "log/events.jsonl")
    next(root.glob(f"projects/*/store/{town.stale}--*/delivery.token")).unlink()
    with Patience(line):
        assert act(town, line, B).rc == 0
