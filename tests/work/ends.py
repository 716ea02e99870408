"""An intent that is ready to end, and what a test asks of the world afterwards."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tests.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import Done

T = TypeVar("T")

A = "ana-1"
B = "bo-2"


class Ready:
    """One intent of the shop, boarded by A, with a commit and its documents."""

    def __init__(
        self,
        world: World,
        title: str = "Add tax",
        *start: str,
        session: str = A,
        id: str | None = None,  # of one that is there already, not boarded yet
    ) -> None:
        self.world = world
        if id is None:
            found = world.boarded(title, session, *start)
        else:
            found = world.start(id, session, *start)
        self.id: str = found["id"]
        self.dir = Path(found["dir"])
        self.name = self.dir.name
        tree = found["worktree"]
        self.tree = Path(tree["path"] or "/nowhere")
        self.branch = f"plastic/{self.name}"
        self.token: int = found["lock"]["token"]

    def documents(self, disposition: str = "delivered", *, open_boxes: int = 0) -> Ready:
        boxes = "".join(f"- [ ] open {n}\n" for n in range(open_boxes))
        (self.dir / "spec.md").write_text("# Spec\n\nWhat.\n")
        (self.dir / "plan.md").write_text("# Plan\n\nHow.\n")
        (self.dir / "actions" / "ACTION_1.md").write_text("# Action\n\nDo.\n")
        (self.dir / "checklist.md").write_text(f"- [x] done\n{boxes}")
        (self.dir / "outcome.md").write_text(
            f"---\ndisposition: {disposition}\n---\n\n# Outcome\n\nIt is there.\n"
        )
        return self

    def commit(
        self, name: str = "tax.py", text: str = "TAX = 1\n", where: Path | None = None
    ) -> str:
        place = where or self.tree
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
        self.world.git("--literal-pathspecs", "add", "--", name, cwd=place)
        self.world.git("commit", "-q", "-m", f"Add {name}", cwd=place)
        return self.world.git("rev-parse", "HEAD", cwd=place)

    def end(
        self,
        *flags: str,
        session: str = A,
        cwd: Path | str | None = None,
        env: dict[str, str] | None = None,
    ) -> Done:
        words = flags if {"--delivered", "--abandoned"} & {*flags} else ("--delivered", *flags)
        return self.world.plastic(
            "end", self.id, *words, "--json", session=session, cwd=cwd, env=env
        )

    def blocked(self, *flags: str, session: str = A) -> list[str]:
        """The obstacles that a dry run lists."""
        done = self.end("--dry-run", *flags, session=session)
        assert done.rc == 0, done.err + done.out
        return [one["name"] for one in done.json["obstacles"]]

    # -- what the world says -------------------------------------------------------------------

    def main(self) -> str:
        return self.world.git("rev-parse", "refs/heads/main")

    def has_branch(self) -> bool:
        done = self.world.run(
            "git", "rev-parse", "--verify", "-q", f"refs/heads/{self.branch}", cwd=self.world.repo
        )
        return done.rc == 0

    def section(self) -> str | None:
        found = self.world.plastic("show", self.id, "--json").json
        section: str | None = found["section"]
        return section

    def done_lines(self) -> list[str]:
        text = (self.dir / "savepoint.md").read_text()
        return [line for line in text.splitlines() if "  Done  " in line]

    def merges(self) -> list[str]:
        """The merges of Ends; those that a sync made lie on the branch, and name it as well."""
        text = self.world.git("log", "--merges", "--first-parent", "--format=%s", "refs/heads/main")
        return [line for line in text.splitlines() if self.name in line]

    def stamps(self) -> list[str]:
        text = (self.dir / f"{self.name}.md").read_text()
        return [line for line in text.splitlines() if "See [outcome.md]" in line]

    def ended(self, disposition: str = "delivered") -> None:
        """Everything that must hold once an End is over, whatever happened on the way."""
        section = "Completed" if disposition == "delivered" else "Abandoned"
        assert self.section() == section
        assert len(self.done_lines()) == 1
        assert self.done_lines()[0].endswith(f"Done  {disposition}")
        assert len(self.stamps()) == 1
        assert not (self.dir / "delivery.lock").exists()
        assert not (self.dir / ".end.json").exists()
        assert not os.path.lexists(f"{self.world.home.held}/{self.name}")
        assert not self.tree.exists()
        assert str(self.tree) not in self.world.git("worktree", "list", "--porcelain")
        assert self.has_branch() == (disposition == "abandoned")
        self.clean()
        assert not self.world.git(
            "status", "--porcelain", "--", str(self.dir), cwd=self.world.home.root
        )

    def clean(self) -> None:
        """No debris of ours in the repository, and its checkout shows nothing."""
        assert self.world.git("status", "--porcelain") == ""
        git_dir = self.world.repo / ".git"
        assert not (git_dir / "index.lock").exists()
        assert not list(git_dir.glob("plastic-index*"))
        assert "plastic-verify" not in self.world.git("worktree", "list")

    def trashed(self) -> list[Path]:
        folder = self.world.repo / ".git/plastic/trash"
        return sorted(one for one in folder.iterdir() if one.is_dir()) if folder.exists() else []


def one_ready(world: World) -> Ready:
    """One intent that nothing keeps from ending."""
    made = Ready(world).documents()
    made.commit()
    return made


class Mould(Generic[T]):
    """A shop that is built once and put back, at the same place, for every test."""

    def __init__(self, root: Path, build: Callable[[World], T]) -> None:
        self.here = root / "here"
        self.kept = root / "kept"
        self.build = build
        self.made: T | None = None

    def fresh(self) -> T:
        """As it was built; the first call builds it, in the environment of its test."""
        if self.made is None:
            world = World(self.here)
            world.make_repo()
            world.init()
            self.made = self.build(world)
        else:
            subprocess.run(["chmod", "-R", "u+rwX", str(self.here)], check=False)
            shutil.rmtree(self.here)
        if not self.kept.exists():
            subprocess.run(["cp", "-a", str(self.here), str(self.kept)], check=True)
        else:
            subprocess.run(["cp", "-a", str(self.kept), str(self.here)], check=True)
        return self.made


def everything(*roots: Path | str, without: tuple[str, ...] = ()) -> dict[str, tuple[Any, ...]]:
    """Every file below these roots: mode, time and bytes; objects of git are content, no state."""
    found: dict[str, tuple[Any, ...]] = {}
    for root in roots:
        for folder, below, names in os.walk(root):
            below[:] = [one for one in below if one not in ("objects", *without)]
            for name in names:
                path = os.path.join(folder, name)
                seen = os.lstat(path)
                data = os.readlink(path) if os.path.islink(path) else Path(path).read_bytes()
                found[path] = (seen.st_mode, seen.st_mtime_ns, data)
    return found


def lock_of(ready: Ready) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ready.dir / "delivery.lock").read_text())
    return found
