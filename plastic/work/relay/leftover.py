"""What a child that has ended left running: processes of its group, and tasks that it told of."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from plastic.disk.relay.background import running
from plastic.disk.relay.members import has_members

if TYPE_CHECKING:
    from plastic.disk.relay.turn import Turn

LOOK = 0.5  # seconds between two looks
PATIENCE = 1.5  # seconds in which what ends with its parent, servers of its tools, has ended
TICK = 0.05


class Leftover:
    """Tasks by name, with a label for people; empty once nothing of it runs."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._group = 0
        self._look_at = 0.0
        self.tasks: dict[str, str] = {}

    def find(self, group: int) -> dict[str, str]:
        """Look once, when the child has ended; `group` is its number, 0 when others may have it."""
        self._group = group
        self.tasks = self._now()
        until = time.monotonic() + PATIENCE
        while self.tasks and time.monotonic() < until:
            time.sleep(TICK)
            self.tasks = self._now()
        return self.tasks

    def ended(self) -> list[str]:
        """The tasks that have ended since the last look."""
        if not self.tasks or time.monotonic() < self._look_at:
            return []
        self._look_at = time.monotonic() + LOOK
        now = self._now()
        gone = [task for task in self.tasks if task not in now]
        self.tasks = {task: label for task, label in self.tasks.items() if task in now}
        return gone

    def _now(self) -> dict[str, str]:
        found = {f"file-{task}": label for task, label in running(self._turn).items()}
        if self._group and has_members(self._group):
            name = f"group-{self._group}"
            found[name] = f"processes that step left running (group {self._group})"
        return found
