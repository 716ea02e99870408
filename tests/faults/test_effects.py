"""Every effect of every mutating command: killed or failing there, nothing is half or lost."""

from __future__ import annotations

import random
import re
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.faults.checker import Checker
from tests.faults.sweep import ELSEWHERE, VERBS, Town, Verb, build, faulted, finish, listed, summary
from tests.soak import record
from tests.work.ends import Mould

if TYPE_CHECKING:
    from typing import Any

    from tests.world import World

ERRORS = ("ENOSPC", "EROFS", "EACCES", "EDQUOT", "EIO", "ESTALE", "EINTR")
SAMPLE = 2  # effects a command in every test run


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Mould[Town]:
    return Mould(tmp_path_factory.mktemp("sweep"), build)


def prepared(mould: Mould[Town], name: str) -> tuple[Town, Verb]:
    town, verb = mould.fresh(), VERBS[name]
    if name == "release-claim":
        assert VERBS["claim"].run(town).rc == 0
    if name == "uninstall":
        assert VERBS["install"].run(town).rc == 0
    if name == "end abandoned":
        path = next(Path(town.world.home.root).glob(f"projects/shop/store/{town.stale}--*"))
        town.world.age(path / "delivery.lock", 0)
        outcome = path / "outcome.md"
        outcome.write_text(outcome.read_text().replace("delivered", "abandoned"))
    return town, verb


def usual(mould: Mould[Town], name: str, note: Path) -> tuple[int, list[str], dict[str, Any]]:
    town, verb = prepared(mould, name)
    done, found = listed(lambda: verb.run(town), note)
    assert done.rc == 0, f"{name}: {done.err}"
    return len(found), found, summary(town)


def one(
    mould: Mould[Town], name: str, note: Path, number: int, action: str, wanted: dict[str, Any]
) -> str | None:
    """What is wrong after this fault; None for nothing."""
    town, verb = prepared(mould, name)
    done = faulted(lambda: verb.run(town), note, number, action)
    trail = [f"{name} effect {number} {action}: {done}"]
    checker = Checker(town.world.home.root, town.world.repo)
    checker.look()
    if done is not None:
        if "a bug of ours" in done.err or "Traceback" in done.err:
            return f"a bug of ours: {trail}"
        if done.rc == 0 and summary(town) != wanted:
            return f"a false success: {trail}"
        if done.rc not in (0, 5) and action != "raise":
            return f"neither done nor exit 5: {trail}"
        if done.rc and done.err.count("run: ") != 1:
            return f"no one command: {trail}"
    if name == "new" and summary(town) == wanted:
        return None  # the birth was complete: the same command again is another one
    last = finish(town, verb, trail)
    checker.look()
    now = summary(town)
    # A claim is never given twice, also not to the session that has it: what was wanted is there.
    if last.rc and (now != wanted or last.rc == 5):
        return f"not finished: {trail}"
    if now != wanted:
        other = [(key, now.get(key), wanted.get(key)) for key in {*now, *wanted}]
        return f"another end: {[one for one in other if one[1] != one[2]]} {trail}"
    lost = checker.lost(list(town.lines))
    return f"{checker.wrong} lost {lost} {trail}" if checker.wrong or lost else None


@pytest.mark.parametrize("name", ["end", "reclaim", "release"])
def test_a_command_that_dies_or_fails_somewhere(
    mould: Mould[Town], tmp_path: Path, name: str
) -> None:
    """A sample; each number comes in the soak."""
    count, _, wanted = usual(mould, name, tmp_path / "note")
    dice = random.Random(name)
    for action in ("kill", f"errno={dice.choice(ERRORS)}"):
        for number in dice.sample(range(1, count + 1), SAMPLE):
            assert one(mould, name, tmp_path / "note", number, action, wanted) is None


@pytest.mark.soak
@pytest.mark.parametrize("name", VERBS)
@pytest.mark.parametrize("kind", ["kill", "errno"])
def test_every_effect(mould: Mould[Town], tmp_path: Path, name: str, kind: str) -> None:
    since = time.monotonic()
    count, found, wanted = usual(mould, name, tmp_path / "note")
    wrong, faults = [], 0
    dice = random.Random(6)
    for number in range(1, count + 1):
        action = "kill" if kind == "kill" else f"errno={dice.choice(ERRORS)}"
        faults += 1
        seen = one(mould, name, tmp_path / "note", number, action, wanted)
        if seen:
            wrong.append(f"{found[number - 1]}: {seen}")
    assert wrong == [], "\n\n".join(wrong)
    what = "kill -9 before" if kind == "kill" else "an error of the system at"
    ending = f"0 torn, 0 lost, {faults} as wanted after the same command again"
    record(
        f"{what} every effect of `{name}`", f"{faults} effects", ending, time.monotonic() - since
    )


def test_every_verb_is_swept_or_says_where(shop: World) -> None:
    """A new verb needs a row."""
    words = {
        "plastic": ("", "worktree", "salvage"),
        "plastic-lock": ("",),
    }
    known = {shlex.split(verb.line)[0:3:1][1] for verb in VERBS.values()}
    known |= {"-".join(shlex.split(verb.line)[1:3]) for verb in VERBS.values()}
    known |= {one for key in ELSEWHERE for one in key.split()}
    for command, groups in words.items():
        act = shop.plastic if command == "plastic" else shop.lock
        for group in groups:
            text = act(*group.split(), "--help").out.partition("Commands:")[2]
            verbs = re.findall(r"^  ([a-z][a-z-]*)  ", text, re.MULTILINE)
            assert verbs
            names = {f"{group}-{one}" if group else one for one in verbs} - {*groups, "lock"}
            assert names <= known, names - known
