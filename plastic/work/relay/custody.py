"""The intent that a relay delivers: its lock goes with the work from session to session."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plastic.rules.relay.events import Event
    from plastic.rules.relay.state import State


class Custody:
    """Without an intent: where the children work, and nothing else."""

    def __init__(self, cwd: str) -> None:
        self.cwd = cwd

    def admit(self, session: str) -> None:
        """Before its prompt is sent: the next session may write."""

    def follow(self, before: State, after: State, event: Event) -> None:
        """After each event: what the lock must know of it."""

    def beat(self) -> None:
        """While a child lives: so does the lease."""
