"""Boarding: what `plastic start` and `/plastic-intent-starting` do, from every state of an intent.

Resolve, lock, provision, record, activate, name the station. Each step first asks whether it is
done already, so a start that was killed is finished by running it again; a refusal leaves
everything as it was.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.commit import scoped_commit
from plastic.disk.failpoints import point
from plastic.disk.lockfile import look
from plastic.disk.projects import projects
from plastic.disk.session import derived
from plastic.rules.intent.ledger import station
from plastic.rules.intent.savepoint import parse
from plastic.rules.intent.stages import next_step
from plastic.rules.lock.lease import worktree as provisioned
from plastic.words import Held, Lost
from plastic.work.backlog.board import board, unboard
from plastic.work.end.subject import unreachable
from plastic.work.intent import ledger
from plastic.work.intent.index import section_of, set_section
from plastic.work.intent.intents import describe, facts
from plastic.work.lock.acquire import set_worktree
from plastic.work.lock.bridge import write_bridge
from plastic.work.tree.made import unprovision
from plastic.work.tree.provision import provision

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.disk.projects import Project
    from plastic.disk.session import Caller
    from plastic.words import Intent
    from plastic.work.backlog.board import Boarded

RESEARCH = "a research item has no code"
TERMINAL = ("Completed", "Abandoned")
LOOK_EVERY = 2.0  # seconds between two looks at a lock that we wait for: one stat each


class Options(NamedTuple):
    """The flags of one start; `provenance` has only what was given explicitly."""

    base: str | None = None
    adopt: str | None = None
    wait: bool = False
    provenance: dict[str, str | None] | None = None
    item: str | None = None  # of the backlog
    claimed: bool = False  # this start has claimed it for an intent that it gave birth to


def start(
    home: Home, caller: Caller, intent: Intent, options: Options, say: Callable[[str], None]
) -> dict[str, Any]:
    """Board `intent` for `caller`; the intent's object plus `station` and `next`.

    A terminal intent is only reported. Raises Held, Stale, Refused or Broken with everything as
    it was before.
    """
    if section_of(home, intent) in TERMINAL:
        return _report(home, intent)
    if not caller.session:
        caller = derived(home.root, intent.id)
        say(f"no session id: using the derived key {caller.session}, which is not exclusive")
    project = projects(home).get(intent.project) if intent.project is not None else None
    boarded = _arm(home, intent, caller, options, say)
    point("start.armed")
    _house(home, intent, project, boarded, options, say)
    write_bridge(home, intent, caller.session)
    point("start.bridged")
    _activate(home, intent)
    scoped_commit(home, [intent.dir, home.index(intent.project)], f"Board {intent.name}")
    point("start.committed")
    return _report(home, intent)


def _arm(
    home: Home, intent: Intent, caller: Caller, options: Options, say: Callable[[str], None]
) -> Boarded:
    """The lock; with `--wait` a fresh foreign one is waited for, a stale one is still refused."""
    told = False
    while True:
        try:
            return board(home, intent, caller, options.provenance, options.item)
        except Held as held:
            if not options.wait or look(f"{intent.dir}/delivery.lock").state != "fresh":
                raise
            if not told:
                say(f"waiting for {intent.name}: {held.reason}")
                told = True
        _wait_for_change(f"{intent.dir}/delivery.lock")


def _wait_for_change(path: str) -> None:
    """Sleep until the lock is no longer fresh, or another acquisition's."""
    before = look(path)
    while True:
        view = look(path)
        if view.state != "fresh" or view.lock is None or before.lock is None:
            return
        if view.lock.acq != before.lock.acq:
            return
        time.sleep(LOOK_EVERY)


def _house(
    home: Home,
    intent: Intent,
    project: Project | None,
    boarded: Boarded,
    options: Options,
    say: Callable[[str], None],
) -> None:
    """The worktree, recorded in the lock; what THIS start made goes away when it cannot be had."""
    made, armed, item = None, boarded.armed, boarded.item
    no_code = RESEARCH if item is not None and item.phase == "research" else ""
    try:
        worktree, made = provision(
            home,
            intent,
            project,
            armed.token,
            base=options.base,
            adopt=options.adopt,
            say=say,
            usual=item.base if item is not None else None,
            lock_only=no_code,
        )
        known = provisioned(armed.lock)
        if known is not None and not worktree["provisioned"]:
            raise unreachable(intent, str(worktree["reason"]), str(known["path"]))
        set_worktree(home, intent, armed, worktree)
    except Lost:
        raise  # the new owner may work in that worktree already
    except BaseException:
        if made is not None:
            unprovision(made, say)
        unboard(home, intent, boarded._replace(claimed=boarded.claimed or options.claimed))
        raise
    point("start.recorded")


def _activate(home: Home, intent: Intent) -> None:
    if section_of(home, intent) != "Active":
        set_section(home, intent, "Active")
    point("start.indexed")
    ledger.repair(intent)
    point("start.savepoint")


def _report(home: Home, intent: Intent) -> dict[str, Any]:
    known = facts(intent)
    found = describe(home, intent)
    found["station"] = station(parse(ledger.text(intent)), known)
    found["next"] = next_step(known)
    return found
