"""The look at what could not be judged before it was written: said, never undone."""

from __future__ import annotations

from plastic.disk.files import read_text
from plastic.work.gate.confine import stage
from plastic.work.gate.content import create, links
from plastic.work.gate.result import result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.words import Verdict
    from plastic.work.gate.sight import Sight, Written


def check(sight: Sight, written: Written) -> Verdict | None:
    """What is wrong with a document now that it is written; it is said, never undone."""
    if written.intent is None or written.rest is None or written.change.op == "remove":
        return None
    unseen = result(written)[1] is None
    _as_it_is(written)
    found = stage(sight, written) or create(sight, written)
    return found or (links(sight, written, anew=True) if unseen else None)


def _as_it_is(written: Written) -> None:
    """Judge the file itself: the result of the call is what lies there now."""
    try:
        written.change.content = read_text(written.path)
    except OSError:
        written.change.content = None
    written.change.edits = []
