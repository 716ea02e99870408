"""The ledger lines that gates write: what a first write begins, what a landing is worth."""

from __future__ import annotations

from plastic.disk.files import is_dir
from plastic.rules.intent.artifacts import real
from plastic.rules.intent.savepoint import to_record
from plastic.work.gate.facts import document
from plastic.work.intent.ledger import record, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.work.gate.sight import Written


def begin(written: Written) -> None:
    """Record that spec.md or plan.md is begun, once; not for an intent that is not there."""
    _record(written, real=False)


def land(written: Written) -> None:
    """Record what the landing of a document is worth."""
    _record(written, real=True)


def _record(written: Written, *, real: bool) -> None:
    intent, rest = written.intent, written.rest
    if intent is None or not rest or _is_real(intent.dir, rest) is not real:
        return
    for pair in to_record(text(intent), rest, real=real):
        if is_dir(intent.dir):
            record(intent, *pair)


def _is_real(directory: str, artifact: str) -> bool:
    return real(document(f"{directory}/{artifact}"))
