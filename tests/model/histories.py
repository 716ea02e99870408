"""Small random histories of a repository, and a model that knows every byte ever written in them.

Each write is a file with one unique line. Only its own author takes a line back, by writing over
it before it was committed; every other line must be found for ever: in a commit that a ref holds,
in a work tree, or in the trash.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from plastic.disk import failpoints
from tests.work.ends import Ready

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import Done, World

SESSIONS = ("S1", "S2", "S3", "S4", "S5", "S6")
POINTS = [
    name
    for name in failpoints.NAMES
    if name.split(".")[0]
    in ("end", "publish", "trash", "release", "reclaim", "start", "lock", "provision", "prune")
]
NAMES = ("app.py", "new.py", "deep/more.py", ".env")


class History:
    """One repository, up to two open intents, and what was written where."""

    def __init__(self, world: World, seed: int, ids: list[str] | None = None) -> None:
        self.world = world
        self.ids = ids if ids is not None else []  # of intents that are not boarded yet
        self.random = random.Random(seed)
        self.count = seed * 1000
        self.open: list[Ready] = []
        self.holder: dict[str, str] = {}
        self.loose: dict[Path, str] = {}  # a file -> its line that no commit holds
        self.kept: set[str] = set()  # lines that were committed
        self.log: list[str] = []

    # -- the model -----------------------------------------------------------------------------

    def write(self, path: Path) -> None:
        self.count += 1
        line = f"line-{self.count:07d}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{line}\n")
        self.loose[path] = line

    def committed(self, where: Path) -> None:
        """What git tracks below `where` is in a commit now."""
        listed = self.world.git("ls-files", "-z", cwd=where).split("\0")
        for name in listed:
            line = self.loose.pop(where / name, None)
            if line is not None:
                self.kept.add(line)

    def gone_by_hand(self, where: Path) -> None:
        self.loose = {path: line for path, line in self.loose.items() if where not in path.parents}

    def check(self) -> None:
        """Every line is somewhere."""
        found = self.everywhere()
        lost = {line for line in (*self.kept, *self.loose.values()) if line not in found}
        assert not lost, f"lost {sorted(lost)} after\n" + "\n".join(self.log)

    def everywhere(self) -> str:
        git = self.world.git
        heads = [
            line[5:]
            for line in git("worktree", "list", "--porcelain").splitlines()
            if line.startswith("HEAD ") and set(line[5:]) != {"0"}
        ]
        words = ("rev-list", "--objects", "--no-object-names", "--all", "--reflog")
        objects = git(*words, *heads)
        done = subprocess.run(
            ["git", "-C", str(self.world.repo), "cat-file", "--batch"],
            input=f"{objects}\n".encode(),
            capture_output=True,
            check=True,
        )
        texts = [done.stdout.decode("utf-8", "replace")]
        for root in (self.world.repo, self.world.repo / ".git/plastic/trash"):
            for folder, below, names in os.walk(root):
                below[:] = [one for one in below if one != ".git"]
                for name in names:
                    path = Path(folder, name)
                    if path.is_file() and not path.is_symlink():
                        texts.append(path.read_bytes().decode("utf-8", "replace"))
        return "\n".join(texts)

    # -- what happens --------------------------------------------------------------------------

    def run(self, steps: int) -> None:
        self.board()
        for _ in range(steps):
            act = self.random.choice(ACTS)
            if not self.open and act is not History.board:
                act = History.board
            act(self)
        for one in list(self.open) if self.random.random() < 0.3 else ():
            self.close(one)
        self.check()

    def some(self) -> Ready:
        return self.random.choice(self.open)

    def say(self, text: str, done: Done | None = None) -> None:
        self.log.append(text if done is None else f"{text}: {done.rc} {done.err.strip()[:200]}")
        if done is not None:
            assert "a bug of ours" not in done.err + done.out, "\n".join(self.log)

    def board(self) -> None:
        if len(self.open) < 2:
            session = self.random.choice(SESSIONS)
            title = f"Work {self.count} {len(self.log)}"
            id = self.ids.pop(0) if self.ids else None
            one = Ready(self.world, title, session=session, id=id)
            self.open.append(one)
            self.holder[one.id] = session
            self.say(f"board {one.name} as {session}")

    def edit(self) -> None:
        one = self.some()
        if one.tree.exists():
            name = self.random.choice(NAMES)
            self.write(one.tree / name)
            self.say(f"edit {name} of {one.name}")

    def commit(self) -> None:
        one = self.some()
        if one.tree.exists():
            self.world.run("git", "add", "-A", cwd=one.tree)
            done = self.world.run("git", "commit", "-q", "-m", "work", cwd=one.tree)
            self.say(f"commit in {one.name}", done)
            if done.rc == 0:
                self.committed(one.tree)

    def amend(self) -> None:
        """The commit that was there is in no branch any more."""
        one = self.some()
        if one.tree.exists():
            self.write(one.tree / self.random.choice(NAMES[:3]))
            self.world.run("git", "add", "-A", cwd=one.tree)
            words = ("git", "commit", "-q", "--amend", "-m", "amended")
            done = self.world.run(*words, cwd=one.tree)
            self.say(f"amend in {one.name}", done)
            if done.rc == 0:
                self.committed(one.tree)

    def reset(self) -> None:
        """Neither is what was reset away; `--keep` takes no edit with it."""
        one = self.some()
        if one.tree.exists():
            done = self.world.run("git", "reset", "-q", "--keep", "HEAD~1", cwd=one.tree)
            self.say(f"reset in {one.name}", done)

    def edit_main(self) -> None:
        name = self.random.choice(("mine.txt", ".env", *NAMES[:2]))
        self.write(self.world.repo / name)
        self.say(f"edit {name} in main")

    def commit_main(self) -> None:
        self.world.run("git", "add", "-A", cwd=self.world.repo)
        done = self.world.run("git", "commit", "-q", "-m", "mine", cwd=self.world.repo)
        self.say("commit in main", done)
        if done.rc == 0:
            self.committed(self.world.repo)

    def stash(self) -> None:
        one = self.some()
        if one.tree.exists():
            done = self.world.run("git", "stash", "-q", "-u", cwd=one.tree)
            self.say(f"stash in {one.name}", done)
            for path in [path for path in self.loose if one.tree in path.parents]:
                if not path.exists() or self.loose[path] not in path.read_text():
                    self.kept.add(self.loose.pop(path))

    def sync(self) -> None:
        one = self.some()
        done = self.perhaps_killed(
            lambda: self.world.plastic("sync", one.id, session=self.holder[one.id])
        )
        self.say(f"sync {one.name}", done)
        if done is not None and done.rc == 1 and one.tree.exists() and self.random.random() < 0.8:
            self.resolve(one)
        self.check()

    def resolve(self, one: Ready) -> None:
        git = self.world.run
        if git("git", "rev-parse", "-q", "--verify", "MERGE_HEAD", cwd=one.tree).rc == 0:
            git("git", "checkout", "-q", "--ours", ".", cwd=one.tree)
            git("git", "add", "-u", cwd=one.tree)
            self.say(f"resolve {one.name}", git("git", "commit", "-q", "--no-edit", cwd=one.tree))
            self.committed(one.tree)

    def take_over(self) -> None:
        one = self.some()
        lock = one.dir / "delivery.lock"
        if lock.exists():
            self.world.age(lock, 7200)
            session = self.random.choice(SESSIONS)
            done = self.perhaps_killed(
                lambda: self.world.lock("reclaim", one.id, "--despite-evidence", session=session)
            )
            self.say(f"{session} takes {one.name}", done)
            if done is not None and done.rc == 0:
                self.holder[one.id] = session
            self.check()

    def hand_on(self) -> None:
        one = self.some()
        done = self.world.lock("release", one.id, session=self.holder[one.id])
        self.say(f"release {one.name}", done)
        self.rearm(one)

    def rearm(self, one: Ready) -> None:
        session = self.random.choice(SESSIONS)
        done = self.perhaps_killed(lambda: self.world.plastic("start", one.id, session=session))
        self.say(f"start {one.name} as {session}", done)
        if done is not None and done.rc == 0:
            self.holder[one.id] = session

    def end(self) -> None:
        one = self.some()
        how = self.random.choice(("delivered", "delivered", "abandoned"))
        one.documents(how)
        flags = self.random.choice(((), (), ("--discard-worktree-changes",)))
        session = self.random.choice((self.holder[one.id], self.holder[one.id], *SESSIONS))
        done = self.perhaps_killed(lambda: one.end(f"--{how}", *flags, session=session))
        self.say(f"end {one.name} {how} {flags} as {session}", done)
        self.settle(one)
        self.check()

    def settle(self, one: Ready) -> None:
        """The worktree's files are wherever they are now; an intent that is over is not open."""
        for path in [path for path in self.loose if one.tree in path.parents]:
            if not path.exists():
                self.kept.add(self.loose.pop(path))
        over = not any((one.dir / name).exists() for name in ("delivery.lock", ".end.json"))
        if one.section() != "Active" and over:
            self.open.remove(one)
            assert len(one.done_lines()) == 1, "\n".join(self.log)
            assert len(one.merges()) <= 1, "\n".join(self.log)

    def remove(self) -> None:
        self.clear_away("remove", self.some().id)

    def prune(self) -> None:
        self.clear_away("prune")

    def clear_away(self, *words: str) -> None:
        session = self.random.choice(SESSIONS)
        done = self.perhaps_killed(lambda: self.world.plastic("worktree", *words, session=session))
        self.say(f"worktree {' '.join(words)} as {session}", done)
        for path in [path for path in self.loose if not path.exists()]:
            self.kept.add(self.loose.pop(path))
        self.check()

    def delete_by_hand(self) -> None:
        one = self.some()
        if one.tree.exists() and self.random.random() < 0.3:
            shutil.rmtree(one.tree)
            self.gone_by_hand(one.tree)
            self.say(f"rm -r {one.name}")

    def close(self, one: Ready) -> None:
        """At the end of the history: with everything in order, it can be ended."""
        lock = one.dir / "delivery.lock"
        if lock.exists():
            self.world.age(lock, 7200)
            taken = self.world.lock("reclaim", one.id, "--despite-evidence", session="S9")
        else:
            taken = self.world.plastic("start", one.id, session="S9")
        self.say(f"S9 takes {one.name}", taken)
        how = "delivered" if one.section() == "Completed" else "abandoned"
        one.documents(how)
        done = one.end(f"--{how}", "--discard-worktree-changes", session="S9")
        self.say(f"S9 ends {one.name} {how}", done)
        for path in [path for path in self.loose if one.tree in path.parents]:
            if not path.exists():
                self.kept.add(self.loose.pop(path))

    # -- kills ---------------------------------------------------------------------------------

    def perhaps_killed(self, act: Callable[[], Done]) -> Done | None:
        """Run a command; sometimes in a child that dies where it passes a point."""
        if self.random.random() < 0.6:
            return act()
        point = self.random.choice(POINTS)
        child = os.fork()
        if child == 0:
            os.environ["PLASTIC_TEST"] = "1"
            os.environ["PLASTIC_FAILPOINT"] = f"{point}:kill"
            failpoints._passed.clear()
            try:
                act()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        self.say(f"(killed at {point}, if it got there)")
        return None


ACTS: tuple[Callable[[History], None], ...] = (
    History.board,
    History.edit,
    History.edit,
    History.edit,
    History.commit,
    History.commit,
    History.amend,
    History.reset,
    History.edit_main,
    History.commit_main,
    History.stash,
    History.sync,
    History.take_over,
    History.hand_on,
    History.end,
    History.end,
    History.end,
    History.remove,
    History.prune,
    History.delete_by_hand,
)
