"""One command with one fault in it, and everything that must hold afterwards."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.faults.checker import Checker
from tests.faults.sweep import VERBS, Town, Verb, finish, listed, summary

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.work.ends import Mould
    from tests.world import Done

    Fault = Callable[[Callable[[], Done]], Done | None]  # None: it was killed

C = "cyd-3"  # somebody else, who finds what a dead command has left


def prepared(mould: Mould[Town], name: str) -> Town:
    """A town in which this verb can do its work."""
    town = mould.fresh()
    if name == "release-claim":
        assert VERBS["claim"].run(town).rc == 0
    if name == "uninstall":
        assert VERBS["install"].run(town).rc == 0
    if name == "remove":  # of a worktree whose work is not in the base nothing is removed
        town.world.git("merge", "-q", f"plastic/{town.idle}--idle")
    if name == "end abandoned":
        path = next(Path(town.world.home.root).glob(f"projects/shop/store/{town.stale}--*"))
        town.world.age(path / "delivery.lock", 0)
        outcome = path / "outcome.md"
        outcome.write_text(outcome.read_text().replace("delivered", "abandoned"))
    return town


def usual(
    mould: Mould[Town], name: str, verb: Verb, note: Path
) -> tuple[list[str], dict[str, Any]]:
    """The effects of a command that nothing disturbs, and what it leaves."""
    town = prepared(mould, name)
    done, found = listed(lambda: verb.run(town), note)
    assert done.rc == verb.rc, f"{name}: {done.err}"
    return found, summary(town)


def trial(
    mould: Mould[Town], name: str, verb: Verb, fault: Fault, label: str, wanted: dict[str, Any]
) -> str | None:
    """What is wrong after this fault, and after the same command again; None for nothing."""
    town = prepared(mould, name)
    checker = Checker(town.world.home.root, town.world.repo)
    checker.look()
    done = fault(lambda: verb.run(town))
    trail = [f"{name} {label}: {done}"]
    checker.look()
    wrong = None if done is None else _said(town, verb, done, wanted, is_bug="raise" in label)
    if wrong:
        return f"{wrong}: {trail}"
    if name == "new" and summary(town) == wanted:
        return None  # the birth was complete: the same command again is another one
    last = finish(town, verb, trail)
    checker.look()
    now = summary(town)
    # A claim is never given twice, also not to the session that has it: what was wanted is there.
    if last.rc != verb.rc and (now != wanted or last.rc == verb.broken):
        return f"not finished: {trail}"
    if now != wanted:
        other = [(key, now.get(key), wanted.get(key)) for key in {*now, *wanted}]
        return f"another end: {[one for one in other if one[1] != one[2]]} {trail}"
    return _lost(town, checker, trail)


def _said(
    town: Town, verb: Verb, done: Done, wanted: dict[str, Any], *, is_bug: bool
) -> str | None:
    """A command that lived on says truly how it ended: a fault of ours as such, in one line."""
    if "Traceback" in done.err or ("a bug of ours" in done.err and not is_bug):
        return "a bug of ours"
    if done.rc == 0 and summary(town) != wanted:
        return "a false success"
    if done.rc not in (verb.rc, verb.broken, 5 if is_bug else verb.rc):
        return f"neither done nor exit {verb.broken}"
    if done.rc != verb.rc and done.err.count("run: ") != 1:
        return "no one command"
    return None


def _lost(town: Town, checker: Checker, trail: list[str]) -> str | None:
    lost = checker.lost(list(town.lines))
    return f"{checker.wrong} lost {lost} {trail}" if checker.wrong or lost else None


def inherited(mould: Mould[Town], name: str, verb: Verb, fault: Fault, label: str) -> str | None:
    """What is wrong when somebody else goes on where this command died; None for nothing."""
    town = prepared(mould, name)
    checker = Checker(town.world.home.root, town.world.repo)
    checker.look()
    trail = [f"{name} {label}: {fault(lambda: verb.run(town))}"]
    checker.look()
    id = next(one for one in shlex.split(verb.line.format(**town._asdict())) if one.isdigit())
    intent = next(one for one in checker.intents() if one.name.startswith(f"{id}--"))
    if (intent / "delivery.lock").exists():
        town.world.age(intent / "delivery.lock", 7200)
        done = town.world.lock("reclaim", id, "--despite-evidence", session=C)
    else:
        done = town.world.lock("arm", id, session=C)
    trail.append(f"{C}: {done}")
    checker.look()
    raw = checker.lock(intent) or {}
    if done.rc != 0 or raw.get("owner_session") != C:
        return f"nobody can go on: {trail}"
    return _lost(town, checker, trail)
