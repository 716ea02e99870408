"""A home, a repository and intents for tests of provisioning, without the commands above it."""

from __future__ import annotations

import functools
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from plastic.disk.files import make_dirs
from plastic.disk.projects import Project
from plastic.rules.fence.include import dropped, included
from plastic.words import Intent
from plastic.work.tree.provision import provision

if TYPE_CHECKING:
    from pathlib import Path

    from plastic.work.tree.made import Made
    from tests.world import Done, World


def text(path: str) -> str:
    """A file's text."""
    with open(path) as file:
        return file.read()


def touch(path: str) -> None:
    """An empty file."""
    with open(path, "w"):
        pass


class Yard:
    """One world with one repository; `said` collects what provisioning tells people."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.root = os.path.realpath(world.repo)
        self.said: list[str] = []
        make_dirs(world.home.root)

    def project(self, path: str | None = None, **own: Any) -> Project:
        values: dict[str, Any] = {
            "base": None,
            "remote": "origin",
            "merge": "merge",
            "verify": [],
            "setup": [],
            "copy": [],
            "on_done": [],
            "require_intent": False,
            "gates": {},
            "backlog": {},
        }
        return Project("shop", self.root if path is None else path, **{**values, **own})

    def intent(self, id: str = "1", slug: str = "add-tax", project: str | None = "shop") -> Intent:
        directory = f"{self.world.home.store(project)}/{id}--{slug}"
        make_dirs(directory)
        return Intent(id, slug, directory, project)

    def path(self, id: str = "1", slug: str = "add-tax") -> str:
        return f"{self.root}/.claude/worktrees/{id}--{slug}"

    def provision(
        self,
        id: str = "1",
        project: Project | None = None,
        token: int = 1,
        base: str | None = None,
        adopt: str | None = None,
    ) -> tuple[dict[str, Any], Made]:
        chosen = self.project() if project is None else project
        return provision(
            self.world.home, self.intent(id), chosen, token, base, adopt, self.said.append
        )

    def tree(self, id: str = "1", project: Project | None = None, **more: Any) -> dict[str, Any]:
        return self.provision(id, project, **more)[0]

    def child(
        self,
        id: str = "1",
        token: int = 1,
        env: dict[str, str] | None = None,
        project: Project | None = None,
    ) -> Done:
        """The same in a process of its own, which a failpoint may kill."""
        return self.world.run(*self.argv(id, token, project), env=env)

    def argv(self, id: str, token: int = 1, project: Project | None = None) -> list[str]:
        intent = self.intent(id)
        chosen = self.project() if project is None else project
        code = (
            "import json, sys\n"
            "from plastic.disk.home import Home\n"
            "from plastic.disk.projects import Project\n"
            "from plastic.words import Intent, Refusal\n"
            "from plastic.work.tree.provision import provision\n"
            "home, intent, project, token = json.loads(sys.argv[1])\n"
            "say = lambda line: print(line, file=sys.stderr)\n"
            "try:\n"
            "    tree, _ = provision(Home(home), Intent(*intent), Project(*project), token,"
            " say=say)\n"
            "except Refusal as refusal:\n"
            "    sys.exit(f'{refusal.exit} {refusal.code} {refusal.reason}')\n"
            "print(json.dumps(tree))\n"
        )
        words = [
            self.world.home.root,
            [intent.id, intent.slug, intent.dir, intent.project],
            list(chosen),
            token,
        ]
        return [sys.executable, "-c", code, json.dumps(words)]

    # -- what git says -----------------------------------------------------------------------

    def branches(self) -> list[str]:
        return self.world.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split()

    def worktrees(self) -> list[str]:
        text = self.world.git("worktree", "list", "--porcelain")
        return [line[9:] for line in text.splitlines() if line.startswith("worktree ")]

    def snapshot(self) -> tuple[object, ...]:
        """Refs, registrations, config and the tree around them: what an undone start leaves."""
        git_dir = f"{self.root}/.git"
        return (
            self.world.git("for-each-ref"),
            self.worktrees(),
            text(f"{git_dir}/config"),
            sorted(os.listdir(self.root)),
            sorted(os.listdir(f"{git_dir}/worktrees"))
            if os.path.isdir(git_dir + "/worktrees")
            else [],
            self.world.git("--no-optional-locks", "status", "--porcelain"),
        )

    def unfenced(self) -> tuple[object, ...]:
        """The same, without the lines that give worktrees their hooks."""
        kept = list(self.snapshot())
        config = str(kept[2]).encode()
        kept[2] = functools.reduce(dropped, included(config), config).decode()
        return tuple(kept)

    def head(self, path: Path | str | None = None) -> str:
        return self.world.git("rev-parse", "HEAD", cwd=path)
