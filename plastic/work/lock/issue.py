"""What a new acquisition writes, and the number that it gets: one more than any ever issued."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from plastic.disk import token
from plastic.disk.clock import iso
from plastic.rules.lock.events import Grant
from plastic.work.lock.verb import host

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.words import Intent
    from plastic.work.fence.ref import Fence


def grant_for(session: str, ttl: float, provenance: dict[str, str | None] | None) -> Grant:
    """What a new acquisition by this session writes; its token is found under the guard."""
    return Grant(session, 0, str(uuid.uuid4()), iso(), host(), round(ttl), dict(provenance or {}))


def next_token(home: Home, intent: Intent, known: int, found: Fence | None, floor: int = 0) -> int:
    """One more than every token that anybody can know of; a lost counter asks the journal too."""
    counted = token.counter(intent.dir)
    if counted is None:
        counted = token.journalled(home, intent.id)
    return max(counted, known, found.token if found is not None else 0, floor) + 1
