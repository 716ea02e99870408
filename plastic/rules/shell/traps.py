"""Texts that run later, wherever the shell is then."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State


def trap(run: Run, call: Call, state: State) -> None:
    """runs a text later"""
    words = call.operands()
    if len(words) < 2 or words[0] in ("", "-") or words[0].isdigit():
        return
    run.traps.setdefault(words[0], call.inner([words[0]]))
    sprung(run, state)


def sprung(run: Run, state: State) -> None:
    """What traps do here: a signal or the end may come wherever the shell is from now on."""
    traps, run.traps = run.traps, {}  # a trap that changes directory is not started by that
    for text, made in traps.items():
        if text in run.functions:
            run.call(run, made, state.copy())
        else:
            run.text(text, state, made)
    run.traps = {**traps, **run.traps}
