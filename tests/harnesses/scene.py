"""An intent ready for code, and what becomes of it at the hands of a program."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import World

T = TypeVar("T")
WORDS = "Real words about the matter."


class Ready:
    """An intent with a plan, which nobody holds yet; where its worktree will be."""

    def __init__(self, world: World, title: str = "Rename cart") -> None:
        made = world.new(title)
        self.world = world
        self.id = str(made["id"])
        self.dir = Path(made["dir"])
        self.worktree = world.repo / ".claude" / "worktrees" / self.dir.name
        self.checklist = self.dir / "checklist.md"
        (self.dir / "spec.md").write_text(f"# Spec\n\n{WORDS}\n")
        (self.dir / "plan.md").write_text(f"# Plan\n\n{WORDS}\n")
        (self.dir / "actions" / "ACTION_1.md").write_text(f"# Action\n\n{WORDS}\n")
        self.checklist.write_text("# Checklist\n\n- [ ] rename it\n")

    def code(self, name: str) -> Path:
        """A file in the worktree."""
        return self.worktree / name

    @property
    def shown(self) -> dict[str, Any]:
        """`plastic show`."""
        found: dict[str, Any] = self.world.plastic("show", self.id, "--json").json
        return found

    @property
    def owner(self) -> str | None:
        """Whose session the lock names."""
        lock = self.shown["lock"]
        return None if lock is None else str(lock["owner_session"])

    @property
    def commit(self) -> str:
        """What a shell runs to commit all code."""
        return f"cd '{self.worktree}' && git add -A && git commit -q -m 'Rename cart'"

    @property
    def flag(self) -> Path:
        """What a sub-agent makes when it is done: not every program waits for it by itself."""
        return self.world.root / "flag"

    @property
    def tick(self) -> str:
        """What a shell runs to check the box."""
        return f"sed -i 's/- \\[ \\]/- [x]/' '{self.checklist}'"

    @property
    def report(self) -> str:
        """What a shell runs to write the outcome."""
        text = f"---\\ndisposition: delivered\\n---\\n\\n# Outcome\\n\\n{WORDS}\\n"
        return f"printf -- '{text}' > '{self.dir}/outcome.md'"


def together(*jobs: Callable[[], T]) -> list[T]:
    """Run these at the same time; their results."""
    done: dict[int, T] = {}
    errors: list[BaseException] = []

    def work(place: int, job: Callable[[], T]) -> None:
        try:
            done[place] = job()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=one) for one in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [done[place] for place in sorted(done)]
