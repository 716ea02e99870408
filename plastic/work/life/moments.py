"""What a session is told and what is kept when it starts, asks, pauses, compacts or ends.

Nothing here stops anything or changes a lock: what is said is read from the lock files at that
moment, whatever the reason of the start.
"""

from __future__ import annotations

from plastic.disk.files import is_dir, names
from plastic.disk.journal import note
from plastic.disk.paths import is_below
from plastic.disk.seen import first
from plastic.disk.troubles import line_about
from plastic.rules.briefing import UNTOLD, Holding, briefing, sub_agent, tree_gone, untold
from plastic.rules.intent.stages import next_step, stage
from plastic.work.gate.facts import facts_of
from plastic.work.life.rumours import begun_end, behind, losses, taints

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.work.gate.sight import Grip, Sight

    Act = Callable[[Sight], tuple[str, list[str]]]

COMPACTS = 600.0  # seconds; some harnesses compact before every call of their model


def live(sight: Sight) -> tuple[str, list[str]]:
    """What the agent is told, and what the person is."""
    return ACTS[sight.use.event](sight)


def _order(grip: Grip) -> tuple[int, str]:
    """Intent 4 before intent 10."""
    id = grip.intent.id
    return int(id[: len(id) - len(id.lstrip("0123456789"))] or 0), id


def holdings(mine: list[Grip], session: str) -> list[Holding]:
    """What a session holds, in the order of ids."""
    found = []
    for grip in sorted(mine, key=_order):
        lock, intent = grip.view.lock, grip.intent
        if lock is None:
            continue
        facts = facts_of(intent.dir, intent.name)
        found.append(
            Holding(
                intent.id,
                intent.name,
                stage=stage(facts),
                token=lock.token,
                dir=intent.dir,
                tree=grip.tree if grip.is_provisioned else "",
                next=next_step(facts),
                is_owner=session in ("", lock.owner),
            )
        )
    return found


def _start(sight: Sight) -> tuple[str, list[str]]:
    mine = sight.mine()
    house = [one for one in [*sight.config().errors, line_about(sight.home)] if one]
    wrong = [*losses(sight), *behind(sight), *_troubles(sight, mine), *house]
    text = briefing(holdings(mine, sight.session), wrong, _name(sight))
    return "\n".join([*([text] if text else []), *_handed(sight)]), house


def _handed(sight: Sight) -> list[str]:
    """What the session before this one left."""
    if not names(f"{sight.home.root}/relay/.left"):
        return []
    from plastic.work.life.handoffs import handed

    return handed(sight)


def _name(sight: Sight) -> str:
    """What this session is called, where only hooks are told and plastic has work to do."""
    use = sight.use
    if use.harness not in UNTOLD or not use.session:
        return ""
    repo = sight.repo(use.cwd)
    known = repo is not None and repo[1] in {one.common for one in sight.config().projects.values()}
    return untold(use.session) if known or is_below(use.cwd, sight.home.root) else ""


def _troubles(sight: Sight, mine: list[Grip]) -> list[str]:
    found = []
    for grip in mine:
        intent = grip.intent
        if grip.is_provisioned and grip.tree and not is_dir(grip.tree):
            found.append(tree_gone(intent.name, intent.id))
        found += begun_end(intent)
    return [*found, *taints(sight, mine)]


def _prompt(sight: Sight) -> tuple[str, list[str]]:
    """Only what the agent cannot know: that a lock of its session is another's by now."""
    if not sight.use.fits:
        return "", []  # the universal answer carries nothing, and takes nobody else's turn
    fresh = [one for one in losses(sight) if first(sight.home, f"{sight.session}\0{one}")]
    return briefing([], fresh), []


def _agent(sight: Sight) -> tuple[str, list[str]]:
    found = holdings(sight.mine(), sight.session)
    if not found or sight.use.agent == "main":
        return "", []
    return sub_agent(sight.use.agent, sight.session, found), []


def _stop(sight: Sight) -> tuple[str, list[str]]:
    from plastic.work.life.pauses import pause

    return "", pause(sight)


def _record(sight: Sight) -> tuple[str, list[str]]:
    """A row for a session that holds something; its documents are committed behind our back."""
    mine = sight.mine()
    use, ends = sight.use, sight.use.event == "end"
    if mine and (ends or first(sight.home, f"compact\0{sight.session}", COMPACTS)):
        note(
            sight.home,
            "session-end" if ends else "compact",
            hook=use.harness,
            session=sight.session,
            agent=use.agent,
            source=use.source,
            cwd=use.cwd,
            intents=[grip.intent.name for grip in mine],
        )
    if ends:
        from plastic.work.life.pauses import commit_behind

        commit_behind(sight)
    return "", []


ACTS: dict[str, Act] = {
    "start": _start,
    "prompt": _prompt,
    "stop": _stop,
    "agent": _agent,
    "compact": _record,
    "end": _record,
}
