"""What people want of a relay: to whom it is said, and what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.relay.place import forget, owner
from plastic.harness.agents.known import AGENTS
from plastic.rules.relay.reduce import reduce
from plastic.rules.relay.texts import REFUSED
from plastic.words import Broken, Refused
from plastic.work.relay import inbox
from plastic.work.relay.custody import custody_of
from plastic.work.relay.desk import held, look
from plastic.work.relay.recover import recover
from plastic.work.relay.report import means, next_command, report
from plastic.work.relay.runner import Runner
from plastic.work.relay.stopping import stoppable
from plastic.work.relay.tell import Tell, no_progress

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plastic.disk.home import Home
    from plastic.disk.relay.place import About, Place
    from plastic.harness.agents.shape import Adapter
    from plastic.rules.relay.events import Event
    from plastic.rules.relay.state import State
    from plastic.work.relay.desk import Desk

    Say = Callable[[str], None]
    Draw = Callable[[State, str], None]


def run(
    home: Home,
    place: Place,
    about: About,
    event: Event | None,
    say: Say,
    draw: Draw = no_progress,
) -> dict[str, Any]:
    """Run the relay here: what happened meanwhile first, then what is wanted; what it is then.

    One that another process runs is told what is wanted.
    """
    told = _told(place, about, event) if event and event.kind != "START" else None
    if told is not None:
        return {**told, "told": True}
    with stoppable() as is_asked, held(place, about) as desk:
        try:
            runner = _runner(home, desk, say, draw)
            runner.is_asked = is_asked
            return _gone_on(runner, event)
        finally:
            if desk.state.state == "off":  # it never began, or was forgotten meanwhile
                forget(place)


def _gone_on(runner: Runner, event: Event | None) -> dict[str, Any]:
    desk, known = runner.desk, runner.desk.seq
    recover(runner)
    is_at_work = runner.watch is not None
    if desk.seq > known and desk.state.state != "interrupted" and not is_at_work:
        event = None  # it was said of a state that is no more: what happened is news first
    if event is not None and event.kind == "INPUT" and is_at_work:
        raise refusal(desk.place, desk.state, "busy")
    if event is not None and event.kind == "RESUME" and is_at_work:
        runner.post(event._replace(source=""))  # only its limits change
    elif event is not None:
        _allowed(desk.place, desk.state, event)
        runner.custody.board(desk.state, event)
        runner.post(event)
    return _run(runner)


def tell(home: Home, place: Place, about: About, event: Event, say: Say) -> dict[str, Any]:
    """Say it to the process that runs the relay, else do it here; nothing is run."""
    told = _told(place, about, event)
    if told is not None:
        return told
    with held(place, about) as desk:
        runner = _runner(home, desk, say, no_progress)
        if event.kind == "OFF":
            recover(runner)
        _allowed(place, desk.state, event)
        state = runner.post(event).state.state
        found = _run(runner) if event.kind == "OFF" else report(place, about, desk.state)
    if state == "off":
        forget(place)
    return found


def _told(place: Place, about: About, event: Event) -> dict[str, Any] | None:
    """What became of it with the process that runs the relay; None when there is none."""
    answer = inbox.ask(place, event) if owner(place) else None
    if answer is not None:
        if answer.get("refusal") or answer.get("row") == "ignored":
            raise refusal(place, look(place), str(answer.get("refusal") or "ignored"))
        return report(place, about, look(place))
    if owner(place):
        why = f"process {owner(place)}, which runs relay {place.name}, does not answer"
        raise Broken("relay-silent", why, run=f"plastic relay status {place.name}")
    return None


def _run(runner: Runner) -> dict[str, Any]:
    """Run it until it needs somebody; what it is then, and what became of its intent."""
    desk = runner.desk
    runner.run()
    left = runner.custody.leave(desk.state)
    found = {**report(desk.place, desk.about, desk.state), **left}
    if "end_refused" in left:
        found["next"] = f"plastic relay resume {desk.place.name}"
    return found


def _runner(home: Home, desk: Desk, say: Say, draw: Draw) -> Runner:
    place, about = desk.place, desk.about

    def adapter() -> Adapter:
        return AGENTS[about.agent](about.program)

    def status(state: State) -> dict[str, Any]:
        return report(place, about, state)

    custody = custody_of(home, about, desk.state, say)
    return Runner(desk, adapter, custody, Tell(home, say, draw, status))


def _allowed(place: Place, state: State, event: Event) -> None:
    """Ask the rule before anything is touched: a refusal by it is one for people."""
    step = reduce(state, event if event.relay else event._replace(relay=place.name))
    if step.refusal or step.row == "ignored":
        raise refusal(place, state, step.refusal or "ignored")


def refusal(place: Place, state: State, code: str) -> Refused:
    """Why the rule says no, and what to run."""
    run = next_command(place, state, is_run=bool(owner(place)))
    why = REFUSED[code] if code in REFUSED else f"it is {state.state}, {means(state)}"
    if code == "session":
        why += f", {state.current}: only that one or a person goes on"
    if code in ("limits", "nothing", "unpriced"):
        run = "plastic relay start --help"
    return Refused(f"relay-{code}", f"relay {place.name}: {why}", run=run)
