"""Give a held lock another owner: token raised, audit line and lock changed together or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk import files, held, token
from plastic.disk.clock import iso
from plastic.disk.journal import note
from plastic.disk.lockedits import cut
from plastic.rules.intent.savepoint import has, line
from plastic.rules.lock.events import next_lock
from plastic.words import Refusal
from plastic.work.fence import ref as fence
from plastic.work.fence.install import follow
from plastic.work.intent.ledger import LIMIT
from plastic.work.intent.ledger import path_of as ledger_of
from plastic.work.lock.issue import next_token
from plastic.work.lock.verb import encoded, path_of, seen

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.rules.lock.events import Grant
    from plastic.words import Intent, Lock

STAGE = "Lock"
# Called after `counted`, `fenced`, `audited`, `replaced`: where a test may kill the command.
Steps = dict[str, "Callable[[], None]"]


class Audit:
    """One line of the ledger that stands or falls with the change that it reports.

    A try that was killed behind it has written the same line: it names the OLD token, so it is
    found and not written twice.
    """

    __slots__ = ("_added", "_line", "_path", "_text")

    def __init__(self, intent: Intent, text: str) -> None:
        self._path = ledger_of(intent)
        self._text = text
        self._line = line(iso(), STAGE, text)
        self._added = False

    def write(self) -> None:
        """Append the line unless an earlier try has."""
        known = files.read_text(self._path, LIMIT) or ""
        if not has(known, STAGE, self._text):
            files.append(self._path, self._line)
            self._added = True

    def undo(self) -> None:
        """Take the line away that THIS try added."""
        if self._added:
            cut(self._path, self._line)
            self._added = False


def commit(home: Home, intent: Intent, message: str) -> None:
    """Commit the ledger's new line (outside of the guard); the lock has changed hands already.

    A commit that fails is only noted: the next command of the intent makes up for it.
    """
    from plastic.disk.commit import scoped_commit

    try:
        scoped_commit(home, [intent.dir], message)
    except Refusal as refusal:
        note(home, "not-committed", intent=intent.id, code=refusal.code, reason=refusal.reason)


def hand_over(
    home: Home,
    intent: Intent,
    lock: Lock,
    grant: Grant,
    repo: str | None,
    event: str,
    text: str,
    steps: Steps,
) -> Grant:
    """Counter, fence, audit line, lock: in this order, under the guard; the grant as written."""
    old = fence.read(repo, intent)
    grant = grant._replace(token=next_token(home, intent, lock.token, old))
    data = encoded(next_lock(event, lock.raw, grant))
    audit = Audit(intent, text)

    def last() -> None:
        audit.write()
        steps["audited"]()

    held.add(home, intent)
    token.count(intent.dir, grant.token)
    steps["counted"]()
    moved = fence.move(repo, intent, grant.token, grant.acq, old)
    try:
        steps["fenced"]()
        files.replace(path_of(intent), data, before=last)
    except BaseException:
        now = seen(intent).lock
        if now is None or now.acq != grant.acq:
            audit.undo()
            fence.undo(repo, intent, moved, old)
        raise
    steps["replaced"]()
    follow(home, intent)
    return grant
