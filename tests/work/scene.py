"""One intent with a home and a repository, for tests that call the jobs of a lock directly."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

from plastic.disk.home import Home
from plastic.disk.session import Caller
from plastic.words import Intent
from plastic.work.lock.acquire import Armed, arm, set_worktree
from tests.mould import pour, surroundings


class Scene:
    """The intent `14--tax` of project `shop`; its lock names the repository."""

    def __init__(self, root: Path) -> None:
        self.home = Home(os.path.realpath(root / "home"))
        directory = f"{self.home.store('shop')}/14--tax"
        os.makedirs(directory)
        self.intent = Intent("14", "tax", directory, "shop")
        self.dir = Path(directory)
        self.path = self.dir / "delivery.lock"
        self.repo = root / "repo"
        self.tree = self.repo / ".claude/worktrees/14--tax"

    # -- the repository ------------------------------------------------------------------------

    def git(self, *argv: str, cwd: Path | None = None, check: bool = True) -> str:
        done = subprocess.run(
            ["git", "-C", str(cwd or self.repo), *argv], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout.strip()

    def make_repo(self) -> None:
        key = surroundings(os.environ)
        pour(self.repo.parent, ["repo"], key and ("delivery", key), self._first)

    def _first(self) -> None:
        self.repo.mkdir()
        self.git("init", "-q", "-b", "main")
        (self.repo / "app.py").write_text("TAX = 1\n")
        (self.repo / ".gitignore").write_text(".env\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "first")

    def make_tree(self) -> dict[str, Any]:
        """A worktree as plastic provisions it; the object for the lock."""
        self.git("worktree", "add", "-q", "-b", "plastic/14--tax", str(self.tree), "main")
        return {
            "repo": str(self.repo),
            "path": str(self.tree),
            "branch": "plastic/14--tax",
            "base": "refs/heads/main",
            "base_commit": self.git("rev-parse", "main"),
            "provisioned": True,
            "reason": None,
        }

    # -- the lock ------------------------------------------------------------------------------

    def arm(self, session: str, **provenance: str) -> Armed:
        repo = str(self.repo) if self.repo.exists() else None
        return arm(self.home, self.intent, me(session), dict(provenance), 1800, repo)

    def board(self, session: str) -> Armed:
        """Arm and record a worktree in a new repository."""
        self.make_repo()
        armed = self.arm(session)
        set_worktree(self.home, self.intent, armed, self.make_tree())
        return armed

    def raw(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.path.read_text())
        return found

    def write(self, **keys: Any) -> None:
        """A lock as some program wrote it."""
        self.path.write_text(json.dumps({"type": "delivery", "owner_session": "O", **keys}))

    def age(self, seconds: float, path: Path | None = None) -> None:
        then = time.time() - seconds
        os.utime(path or self.path, (then, then))

    def silent(self, seconds: float = 7200) -> None:
        """Nothing has happened for a while: neither in the lock nor in the worktree."""
        self.age(seconds)

    def audit(self, word: str) -> list[str]:
        ledger = self.dir / "savepoint.md"
        lines = ledger.read_text().splitlines() if ledger.exists() else []
        return [line for line in lines if word in line]

    def held(self) -> list[str]:
        return sorted(name for name in os.listdir(self.home.held) if name != ".complete")

    def journal(self, event: str) -> list[dict[str, Any]]:
        path = Path(self.home.log)
        rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return [row for row in rows if row["event"] == event]

    def counter(self) -> int:
        return int((self.dir / "delivery.token").read_text())

    def fence(self) -> dict[str, Any] | None:
        found = self.git("cat-file", "blob", "refs/plastic/fence/14", check=False)
        value: dict[str, Any] | None = json.loads(found) if found else None
        if value is not None:
            assert value.pop("dir") == str(self.dir)
        return value

    def snapshot(self) -> dict[str, Any]:
        """Everything that a refusal must leave alone, guards aside."""
        found: dict[str, Any] = {}
        for path in sorted(self.dir.rglob("*")):
            if path.name not in ("delivery.write.lock",):
                stat = path.lstat()
                data = path.read_bytes() if path.is_file() and os.access(path, os.R_OK) else b""
                found[str(path)] = (stat.st_mode, stat.st_mtime_ns, data)
        return found


def me(session: str) -> Caller:
    return Caller(session, "flag")
