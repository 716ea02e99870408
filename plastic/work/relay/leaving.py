"""A hand-off of a session that no relay runs: it waits for the next one in its repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.relay import left
from plastic.rules.relay.signals import checked
from plastic.words import Usage
from plastic.work.relay.repository import key_of
from plastic.work.relay.signalling import WRONG

if TYPE_CHECKING:
    from plastic.disk.home import Home


def leave(home: Home, cwd: str, session: str, text: str) -> str:
    """Keep it; its file."""
    found = checked("hand-off", text)
    if found.kind == "malformed":
        why = f"the hand-off was not taken: {WRONG.get(found.text, found.text)}"
        raise Usage("hand-off", why, run="plastic relay leave --help")
    return left.leave(home.root, key_of(cwd), session, text)
