"""A worktree that changed hands: B took it over from A, who does not know it yet."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tests.work.ends import A, B, Ready

if TYPE_CHECKING:
    from tests.world import Done, World

__all__ = ["A", "B", "Stage"]


class Stage(Ready):
    """An intent with a worktree; every git of it runs as some session, or as a person."""

    def git(self, session: str | None, *argv: str, **env: str) -> Done:
        """git in the worktree, as this session of Claude Code; None = a person."""
        named = {"CLAUDE_CODE_SESSION_ID": session} if session is not None else {}
        return self.world.run("git", *argv, cwd=self.tree, env={**named, **env})

    def takeover(self, by: str = B) -> None:
        """`plastic-lock reclaim`, as far after the last heartbeat as it asks for."""
        for path in (self.dir / "delivery.lock", *self.tree.iterdir()):
            self.world.age(path, 5000)
        done = self.world.lock("reclaim", self.id, "--despite-evidence", session=by)
        assert done.rc == 0, done.err

    @property
    def admin(self) -> Path:
        """git's directory of the worktree."""
        return self.world.repo / ".git/worktrees" / self.name

    @property
    def hooks(self) -> Path:
        return self.admin / "plastic-hooks"

    @property
    def config(self) -> Path:
        return self.world.repo / ".git/config"

    def refs(self) -> str:
        """Every ref that is somebody's work, and where the worktree stands."""
        world = self.world
        heads = world.git("for-each-ref", "refs/heads", "refs/tags", "refs/stash")
        return f"{heads}\n{(self.admin / 'HEAD').read_text()}"

    def files(self) -> dict[str, bytes]:
        """The files of the worktree, byte for byte."""
        found = {}
        for folder, _, names in os.walk(self.tree):
            for name in names:
                path = Path(folder, name)
                found[str(path.relative_to(self.tree))] = path.read_bytes()
        return found


def board(world: World) -> Stage:
    """A holds it, and has one commit and one change that is not committed."""
    made = Stage(world)
    made.commit("tax.py", "TAX = 0.25\n")
    (made.tree / "app.py").write_text("TAX = 0.3\n")
    return made
