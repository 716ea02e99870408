"""The ledger lines of documents, and the look at what could not be judged before it was written."""

from __future__ import annotations

from plastic.rules.artifacts import real
from plastic.rules.names import STAGED
from plastic.rules.savepoint import STARTED, to_record
from plastic.work.confine import stage
from plastic.work.content import create, links, result
from plastic.work.facts import document
from plastic.work.ledger import record, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.words import Verdict
    from plastic.work.sight import Sight, Written


def begun(written: Written) -> tuple[str, str] | None:
    """The line that the first write of spec.md or plan.md is worth; None when it is none."""
    intent, rest = written.intent, written.rest
    if intent is None or rest not in STARTED or written.change.op == "remove":
        return None
    if real(document(f"{intent.dir}/{rest}")):
        return None
    pairs = to_record(text(intent), rest, real=False)
    return pairs[0] if pairs else None


def write_line(written: Written, pair: tuple[str, str]) -> None:
    """Record a pair once; the ledger of an intent that is not there is not made."""
    from plastic.disk.files import is_dir

    if written.intent is not None and is_dir(written.intent.dir):
        record(written.intent, *pair)


def landed(written: Written) -> None:
    """Record what the document's landing is worth."""
    intent, rest = written.intent, written.rest
    if intent is None or rest not in STAGED:
        return
    if real(document(f"{intent.dir}/{rest}")):
        for pair in to_record(text(intent), rest, real=True):
            record(intent, *pair)


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
        from plastic.disk.files import read_text

        written.change.content = read_text(written.path)
    except OSError:
        written.change.content = None
    written.change.edits = []
