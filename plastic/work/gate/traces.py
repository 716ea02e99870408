"""What an allowed call leaves behind: who may now write what, which explains changes to others."""

from __future__ import annotations

from plastic.disk.trail import BACKGROUND, is_kept, mark
from plastic.rules.gates.table import AFTER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.words import Verdict
    from plastic.work.gate.sight import Sight, Written

# When to look whether a command in the background has done something meanwhile.
BETWEEN = (*AFTER, "prompt", "stop", "end")


def leave(sight: Sight, written: list[Written], denial: Verdict | None) -> list[Verdict]:
    """Leave the traces of this event; what a command in the background was seen to have done."""
    event = sight.use.event
    if sight.shell is not None:
        from plastic.work.gate.tripwire import arm

        arm(sight, written, denial)
    if event == "pre" and denial is None:
        _open(sight, written)
    elif event in AFTER and sight.use.command is None and _own(sight, written):
        mark(sight.home, "end", sight.session, sight.call)
    elif event in AFTER and written:
        _documents(sight, written)
    if event in BETWEEN and is_kept(sight.home, sight.session, BACKGROUND):
        from plastic.work.gate.tripwire import look_again

        return look_again(sight)
    return []


def _open(sight: Sight, written: list[Written]) -> None:
    """A session that holds something writes a document, or runs what nobody can read."""
    for path in _own(sight, written):
        mark(sight.home, "write", sight.session, sight.call, path)
    if sight.shell is not None and sight.shell.opaque and sight.mine():
        mark(sight.home, "shell", sight.session, sight.call)


def _documents(sight: Sight, written: list[Written]) -> None:
    """Documents of intents that nobody holds: the end of the turn commits them too."""
    for one in written:
        if one.intent is not None and one.rest and sight.grip(one.intent).view.state == "none":
            mark(sight.home, "document", sight.session, sight.call, one.path)


def _own(sight: Sight, written: list[Written]) -> dict[str, None]:
    """The paths in intents of this session."""
    return {
        one.path: None
        for one in written
        if one.intent is not None and one.rest is not None and sight.grip(one.intent).mine
    }
