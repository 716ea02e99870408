"""A repository with branches to merge, and looks at every ref, index and file of it."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.world import World

GUARDS = ("plastic.guard", "plastic.publish")  # zero bytes, made once, never unlinked


def hook(repo: Path, name: str, script: str, folder: Path | None = None) -> None:
    """A git hook of the user's."""
    folder = folder or repo / ".git/hooks"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def content(path: Path) -> object:
    """What one name on disk is: kind, execute bit and bytes."""
    seen = path.lstat()
    if stat.S_ISLNK(seen.st_mode):
        return ("link", os.readlink(path))
    return (bool(seen.st_mode & 0o100), path.read_bytes())


def files_of(folder: Path) -> dict[str, object]:
    """Every file and link below a checkout, ignored ones included, without `.git`."""
    found = {}
    for place, folders, names in os.walk(folder):
        if place == str(folder) and ".git" in folders:
            folders.remove(".git")
        if place == str(folder) and ".claude" in folders:
            folders.remove(".claude")
        links = [name for name in folders if os.path.islink(f"{place}/{name}")]
        for name in [*names, *links]:
            path = Path(place, name)
            if path != folder / ".git":
                found[str(path.relative_to(folder))] = content(path)
    return found


class Mill:
    """The shop's repository with `main` checked out."""

    def __init__(self, world: World, *, made: bool = False) -> None:
        self.world = world
        self.repo = world.repo if made else world.make_repo()
        self.common = os.path.realpath(self.repo / ".git")

    def git(self, *words: str, cwd: Path | str | None = None) -> str:
        return self.world.git(*words, cwd=cwd or self.repo)

    def oid(self, name: str) -> str:
        return self.git("rev-parse", "--verify", name)

    def write(self, changes: Mapping[str, str | bytes | None], cwd: Path | None = None) -> None:
        """Write or (None) delete files of a checkout."""
        for name, text in changes.items():
            path = (cwd or self.repo) / name
            if text is None:
                path.unlink()
                if not os.listdir(path.parent):
                    path.parent.rmdir()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def commit(
        self,
        changes: Mapping[str, str | bytes | None],
        subject: str = "work",
        cwd: Path | None = None,
    ) -> str:
        """Commit these changes, deletions first so that a file may become a folder."""
        self.write({name: text for name, text in changes.items() if text is None}, cwd)
        self.write({name: text for name, text in changes.items() if text is not None}, cwd)
        self.git("add", "-A", "-f", "--", *changes, cwd=cwd)
        self.git("commit", "-q", "--allow-empty", "-m", subject, cwd=cwd)
        return self.git("rev-parse", "HEAD", cwd=cwd)

    def branch(self, name: str, *steps: Mapping[str, str | bytes | None]) -> str:
        """A branch from here with a commit for each step; main is checked out again."""
        self.git("switch", "-q", "-c", name)
        for step in steps:
            self.commit(step, f"step of {name}")
        tip = self.oid("HEAD")
        self.git("switch", "-q", "main")
        return tip

    def tree(self, name: str) -> dict[str, str]:
        """The files of a tree or commit."""
        listed = self.git("ls-tree", "-r", "--name-only", name).splitlines()
        show = [self.world.run("git", "show", f"{name}:{path}", cwd=self.repo) for path in listed]
        return {path: done.out for path, done in zip(listed, show, strict=True)}

    def refs(self) -> str:
        return self.git("for-each-ref", "--format=%(refname) %(objectname)")

    def everything(self, checkout: Path | None = None) -> tuple[object, ...]:
        """Refs, HEAD, index bytes, lock files and every file: for byte-comparison."""
        place = checkout or self.repo
        folder = Path(self.git("rev-parse", "--absolute-git-dir", cwd=place))
        index = folder / "index"
        return (
            self.refs(),
            (folder / "HEAD").read_bytes(),
            index.read_bytes() if index.exists() else None,
            sorted(path.name for path in folder.iterdir() if path.name not in GUARDS),
            files_of(place),
        )
