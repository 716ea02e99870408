"""Register a session without a known parent, so that it may write under its owner's lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.clock import iso
from plastic.disk.journal import note
from plastic.disk.locks import intent_guard
from plastic.rules.lock.delegates import TERMINAL, with_delegate, with_status
from plastic.rules.lock.events import in_order
from plastic.words import Refused, Usage
from plastic.work.lock.refuse import command, require_owner
from plastic.work.lock.verb import SESSION_MAX, caller_for, row, seen, write

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent, LockView


def delegate(
    home: Home,
    intent: Intent,
    caller: Caller,
    child: str,
    status: str | None = None,
    provenance: dict[str, str | None] | None = None,
) -> LockView:
    """Register `child` under the caller's lock, or mark it finished or failed.

    Only the owner may; a delegate cannot delegate further. A mark takes no right away.
    """
    child = _checked(child, status)
    session = caller_for(home, intent, caller).session
    with intent_guard(intent.dir):
        view = seen(intent)
        require_owner(intent, view, session, f"of {intent.name} registers delegates")
        lock = view.lock
        assert lock is not None
        if child == lock.owner:
            return view
        if status is None:
            raw = with_delegate(lock.raw, child, iso(), provenance or {})
        else:
            raw = _marked(intent, lock.raw, child, status)
        after = write(intent, in_order(raw))
    fields = row(intent, session, lock.token, lock.acq, delegate=child, status=status)
    note(home, "delegate", **fields)
    return after


def _checked(child: str, status: str | None) -> str:
    child = child.strip()
    if not child or len(child) > SESSION_MAX or not child.isprintable():
        raise Usage("delegate", "a delegate needs a session id", run="plastic-lock delegate --help")
    if status is not None and status not in TERMINAL:
        raise Usage(
            "status",
            f"--status is finished or failed, not {status!r}",
            run="plastic-lock delegate --help",
        )
    return child


def _marked(intent: Intent, raw: dict[str, object], child: str, status: str) -> dict[str, object]:
    marked = with_status(raw, child, status, iso())
    if marked is None:
        raise Refused(
            "unknown-delegate",
            f"{child} is no delegate of {intent.name}",
            run=command("delegate", intent, "--delegate", child),
        )
    return marked
