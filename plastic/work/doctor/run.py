"""`plastic doctor`: every check in its order, what it found, and the one command about each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk.files import is_dir, reason
from plastic.disk.journal import note
from plastic.rules.checks import CHECKS
from plastic.words import Missing, Refusal
from plastic.work.doctor import agents, backlog, fences, house, litter, locks, places, trees
from plastic.work.doctor.found import NOTE, TROUBLE, Found

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.work.doctor.found import Patient

    Look = Callable[[Patient], list[Found]]

LOOKS: dict[str, Look] = {
    "git": house.git,
    "home": lambda patient: [*house.home(patient), *house.branch(patient)],
    "config": house.config,
    "index": house.index,
    "births": house.births,
    "locks": locks.locks,
    "completions": locks.completions,
    "held": house.links,
    "maintenance": litter.maintenance,
    "repositories": trees.repositories,
    "worktrees": trees.worktrees,
    "fences": fences.fences,
    "backlog": backlog.database,
    "bridges": litter.dead_bridges,
    "leftovers": litter.leftovers,
    "filesystems": places.filesystems,
    "commands": places.commands,
    **agents.checks(),
    "gates": agents.gates,
}
assert list(LOOKS) == list(CHECKS)


def examine(patient: Patient, *, fix: bool) -> dict[str, Any]:
    """The report; with `fix` what is provably safe is healed, and looked at once more."""
    if not is_dir(patient.home.root):
        raise Missing("no-home", f"there is no home at {patient.home.root}", run="plastic init")
    checks = [_check(name, patient, fix=fix) for name in CHECKS]
    healthy = all(check["state"] != TROUBLE for check in checks)
    healed = sum(len(check["healed"]) for check in checks)
    note(patient.home, "doctor", passed=healthy, healed=healed or None)
    return {"healthy": healthy, "fixed": healed, "checks": checks}


def _check(name: str, patient: Patient, *, fix: bool) -> dict[str, Any]:
    found = _look(name, patient)
    healed: list[str] = []
    if fix and any(one.heal is not None for one in found):
        failed = _heal(found)
        before = {one.what for one in found}
        found = [*failed, *_look(name, patient)]
        still = {one.what for one in found}
        healed = sorted(before - still)
    levels = {one.level for one in found}
    state = TROUBLE if TROUBLE in levels else NOTE if levels else "healed" if healed else "ok"
    return {
        "check": name,
        "state": state,
        "looks": CHECKS[name].looks,
        "healed": healed,
        "findings": [{"what": one.what, "level": one.level, "run": one.run} for one in found],
    }


def _look(name: str, patient: Patient) -> list[Found]:
    """A check that cannot be made is a finding itself, never the end of the visit."""
    try:
        return LOOKS[name](patient)
    except Refusal as refused:
        return [Found(refused.reason, refused.run or "")]
    except OSError as error:
        return [Found(f"the check could not be made: {reason(error)}", "plastic doctor")]
    except Exception as bug:
        what = f"a bug of ours in this check: {type(bug).__name__}: {bug}"
        return [Found(what, "plastic --version")]


def _heal(found: list[Found]) -> list[Found]:
    failed = []
    for one in found:
        if one.heal is None:
            continue
        try:
            one.heal()
        except Refusal as refused:
            failed.append(Found(f"not healed: {refused.reason}", refused.run or ""))
        except OSError as error:
            failed.append(Found(f"not healed: {reason(error)}", one.run))
    return failed
