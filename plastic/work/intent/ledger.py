"""The savepoint ledger on disk: append a milestone once, rebuild it when it is not true."""

from __future__ import annotations

from plastic.disk.clock import iso
from plastic.disk.files import append, lstat, read_text
from plastic.rules.intent.savepoint import LANDINGS, REPEATED, has, line
from plastic.work.gate.facts import document, facts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.words import Intent

LIMIT = 8 << 20  # bytes
ATTEMPTS = 20


def path_of(intent: Intent) -> str:
    """The ledger of an intent."""
    return f"{intent.dir}/savepoint.md"


def text(intent: Intent) -> str:
    """The ledger's text, "" when there is none."""
    return document(path_of(intent))


def record(intent: Intent, stage: str, milestone: str) -> bool:
    """Append a milestone as one write; False when this pair is recorded already.

    Audits of the lock are recorded each time. Raises OSError when the ledger cannot be written.
    """
    known = read_text(path_of(intent), LIMIT) or ""
    if stage not in REPEATED and has(known, stage, milestone):
        return False
    append(path_of(intent), line(iso(), stage, milestone))
    return True


def repair(intent: Intent) -> bool:
    """Make the ledger of a live intent agree with its documents; True when it was changed.

    Lines that documents cannot prove or disprove stay. The caller holds the intent's guard or is
    the only one to rebuild; lines that are appended meanwhile are read again, not lost.
    """
    from plastic.disk.atomic import swap
    from plastic.rules.intent.ledger import rebuild

    facts = facts_of(intent.dir, intent.name)
    path = path_of(intent)
    for _ in range(ATTEMPTS):
        seen = lstat(path)
        known = read_text(path, LIMIT) or ""
        wanted = rebuild(known, facts, _landed(intent))
        if wanted == known:
            return False
        if swap(path, wanted.encode("utf-8", "surrogateescape"), seen):
            return True
    return False


def _landed(intent: Intent) -> dict[str, str]:
    """When each document was last written."""
    found = {}
    for artifact in LANDINGS:
        seen = lstat(f"{intent.dir}/{artifact}")
        if seen is not None:
            found[artifact] = iso(seen.st_mtime)
    return found
