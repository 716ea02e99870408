"""Judges a home and a repository from their files and from git alone: nothing of plastic is used.

It knows the formats from references/locks.md and asks, while sessions work and die around it,
whether any lock was ever half, any token given twice or taken back, any merge made twice; and at
the end whether every line that was ever written is still somewhere.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any


class Checker:
    """One repository and the home that delivers into it."""

    def __init__(self, home: str | Path, repo: Path) -> None:
        self.home = Path(home)
        self.repo = repo
        self.looks = 0
        self.torn = 0
        self.wrong: list[str] = []
        self.holder: dict[tuple[str, int], tuple[str, str]] = {}  # intent, token -> owner, acq
        self.highest: dict[str, int] = {}

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(self.repo), *words],
            capture_output=True,
            check=False,
        )
        return done.stdout.decode("utf-8", "replace").strip()

    def intents(self) -> list[Path]:
        return sorted(self.home.glob("projects/*/store/*--*"))

    # -- at any moment -------------------------------------------------------------------------

    def look(self) -> None:
        """What must hold in every moment, also between two steps of a command that was killed."""
        for intent in self.intents():
            self.looks += 1
            raw = self.lock(intent)
            if raw is not None:
                self.judge(intent, raw)

    def lock(self, intent: Path) -> dict[str, Any] | None:
        try:
            data = (intent / "delivery.lock").read_bytes()
        except FileNotFoundError:
            return None
        try:
            raw = json.loads(data)
            assert isinstance(raw["token"], int)
            assert raw["owner_session"]
            assert raw["acq"]
        except (ValueError, KeyError, AssertionError):
            self.torn += 1
            self.wrong.append(f"{intent.name}: a torn lock: {data[:80]!r}")
            return None
        found: dict[str, Any] = raw
        return found

    def judge(self, intent: Path, raw: dict[str, Any]) -> None:
        token, one = raw["token"], (raw["owner_session"], raw["acq"])
        known = self.holder.setdefault((intent.name, token), one)
        if known != one:
            self.wrong.append(f"{intent.name}: token {token} of {known} and of {one}")
        if token < self.highest.get(intent.name, 0):
            self.wrong.append(f"{intent.name}: token {token} after {self.highest[intent.name]}")
        self.highest[intent.name] = max(token, self.highest.get(intent.name, 0))
        # Both only grow, and were written before the lock: read later, they are no smaller.
        counter = self.number(intent / "delivery.token")
        if counter < token:
            self.wrong.append(f"{intent.name}: counter {counter} below token {token}")
        worktree = raw.get("worktree") or {}
        if worktree.get("provisioned"):
            id = intent.name.partition("--")[0]
            fence = self.git("cat-file", "blob", f"refs/plastic/fence/{id}")
            if fence and json.loads(fence)["token"] < token:
                self.wrong.append(f"{intent.name}: fence {fence} below token {token}")

    @staticmethod
    def number(path: Path) -> int:
        try:
            return int(path.read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return 0

    # -- when everybody is done ----------------------------------------------------------------

    def over(self) -> list[str]:
        """What must hold of intents that ended: once each, with nothing left."""
        index = "\n".join(
            path.read_text() for path in sorted(self.home.glob("projects/*/INDEX.md"))
        )
        subjects = self.git("log", "--merges", "--first-parent", "--format=%s", "refs/heads/main")
        wrong = list(self.wrong)
        for intent in self.intents():
            lines = (intent / "savepoint.md").read_text().splitlines()
            done = [line for line in lines if "  Done  " in line]
            merges = [line for line in subjects.splitlines() if intent.name in line]
            facts = (
                (len(done) == 1, f"{len(done)} Done lines"),
                (len(merges) <= 1, f"{len(merges)} merges"),
                (not (intent / "delivery.lock").exists(), "a lock"),
                (not (intent / ".end.json").exists(), "an End that is not over"),
                (not (self.home / "held" / intent.name).is_symlink(), "a held link"),
                (index.count(f"store/{intent.name}/") == 1, "no or two entries in INDEX"),
            )
            wrong += [f"{intent.name}: {text}" for fine, text in facts if not fine]
        if self.git("fsck", "--connectivity-only", "--no-dangling"):
            wrong.append("git fsck complains")
        return wrong

    def lost(self, lines: list[str]) -> list[str]:
        """The lines that no ref, no reflog, no work tree and no trash holds."""
        text = self.everything()
        return [line for line in lines if line not in text]

    def everything(self) -> str:
        words = ("rev-list", "--objects", "--no-object-names", "--all", "--reflog")
        listed = self.git("worktree", "list", "--porcelain").splitlines()
        heads = [line[5:] for line in listed if line.startswith("HEAD ") and set(line[5:]) != {"0"}]
        done = subprocess.run(
            ["git", "-C", str(self.repo), "cat-file", "--batch"],
            input=f"{self.git(*words, *heads)}\n".encode(),
            capture_output=True,
            check=True,
        )
        texts = [done.stdout.decode("utf-8", "replace")]
        for root in (self.repo, self.repo / ".git/plastic/trash"):
            for folder, below, names in os.walk(root):
                below[:] = [one for one in below if one != ".git"]
                texts += [
                    Path(folder, name).read_text("utf-8", "replace")
                    for name in names
                    if not Path(folder, name).is_symlink() and Path(folder, name).is_file()
                ]
        return "\n".join(texts)
