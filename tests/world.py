"""What tests do to a world: make repositories, run commands as a session, look at files."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from plastic.cli import main
from plastic.disk.home import Home
from plastic.work.house.compile import compile_config
from tests.mould import advance, looks, pour, surroundings

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

MACHINE = ("PLASTIC_", "CLAUDE", "CODEX", "GEMINI", "XDG_")
KNOWN = {"PLASTIC_HOME", "PLASTIC_TMP", "PLASTIC_PYTHON"}


class Done(NamedTuple):
    """How a process ended."""

    rc: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class World:
    """One temporary machine: `root` holds `home` (PLASTIC_HOME) and `shop` (a repository)."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = Home(os.path.realpath(root / "home"))
        self.repo = root / "shop"
        # What was done since the shop was poured, and how it looks since then.
        self.poured: tuple[tuple[object, ...], dict[str, tuple[int, ...]]] | None = None

    # -- processes ---------------------------------------------------------------------------

    def environment(self, env: dict[str, str] | None = None) -> dict[str, str]:
        """The environment of every process here."""
        return {**os.environ, **(env or {})}

    def run(
        self,
        *argv: str,
        cwd: Path | str | None = None,
        env: dict[str, str] | None = None,
        stdin: bytes | None = None,
    ) -> Done:
        """Run a program with the test's environment (HOME, PLASTIC_HOME … are already pinned)."""
        done = subprocess.run(
            argv,
            cwd=str(cwd or self.root),
            env=self.environment(env),
            input=b"" if stdin is None else stdin,
            capture_output=True,
            check=False,
            timeout=120,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def git(self, *argv: str, cwd: Path | str | None = None) -> str:
        """git's stdout, stripped; the test fails when git does."""
        done = self.run("git", *argv, cwd=cwd or self.repo)
        assert done.rc == 0, f"git {' '.join(argv)}: {done.err}"
        return done.out.strip()

    def plastic(
        self,
        *argv: str,
        session: str | None = None,
        cwd: Path | str | None = None,
        env: dict[str, str] | None = None,
    ) -> Done:
        """Run `plastic`; `session` is what a harness would put into its environment."""
        return self._command("plastic", argv, session, cwd, env)

    def lock(
        self,
        *argv: str,
        session: str | None = None,
        cwd: Path | str | None = None,
        env: dict[str, str] | None = None,
    ) -> Done:
        """Run `plastic-lock` in the same way."""
        return self._command("plastic_lock", argv, session, cwd, env)

    def _command(
        self,
        entry: str,
        argv: tuple[str, ...],
        session: str | None,
        cwd: Path | str | None,
        env: dict[str, str] | None,
    ) -> Done:
        """A real process where the environment matters or threads race, else this one: 10 x faster.

        Both run the same entry point with the same words, environment and directory.
        """
        is_alone = threading.current_thread() is threading.main_thread()
        # The command that `keep` runs writes to the real stdout.
        if env is None and is_alone and argv[:1] != ("keep",):
            return self._here(entry, argv, session, str(cwd or self.root))
        code = f"import sys; from plastic.cli.entry import {entry}; sys.exit({entry}())"
        extra = {"PLASTIC_HOME": self.home.root, **(env or {})}
        if session is not None:
            extra["CLAUDE_CODE_SESSION_ID"] = session
        return self.run(sys.executable, "-c", code, *argv, cwd=cwd, env=extra)

    def _here(self, entry: str, argv: tuple[str, ...], session: str | None, cwd: str) -> Done:
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(cwd)
            patch.setattr(sys, "argv", [entry.replace("_", "-"), *argv])
            patch.setattr(sys, "stdin", io.StringIO())
            patch.setenv("PLASTIC_HOME", self.home.root)
            if session is not None:
                patch.setenv("CLAUDE_CODE_SESSION_ID", session)
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                rc = getattr(main, entry)()
        return Done(rc, out.getvalue(), err.getvalue())

    # -- repositories ------------------------------------------------------------------------

    def make_repo(self, path: Path | None = None) -> Path:
        """A repository with one commit on main."""
        path = path or self.repo
        path.parent.mkdir(parents=True, exist_ok=True)
        key = surroundings(self.environment())
        pour(
            path.parent,
            [path.name],
            key and ("repository", path.name, key),
            lambda: self._first(path),
        )
        return path

    def _first(self, path: Path) -> None:
        path.mkdir(exist_ok=True)
        self.git("init", "-q", "-b", "main", cwd=path)
        (path / "app.py").write_text("TAX = 0.2\n")
        (path / ".gitignore").write_text(".env\n")
        self.git("add", "-A", cwd=path)
        self.git("commit", "-q", "-m", "first", cwd=path)

    def make_shop(self) -> None:
        """`make_repo` and `init`."""
        key = surroundings(self.environment())
        if self.root.is_relative_to(self.environment()["HOME"]):
            key = None  # the home would know it by another path

        def make() -> None:
            self.make_repo()
            self.init()

        pour(self.root, ["shop", "home"], key and ("shop", key), make)
        compile_config(self.home)
        self.poured = ((), looks(self._places().values())) if key else None

    def _places(self) -> dict[str, Path]:
        bridges = Path(self.environment()["PLASTIC_TMP"])
        return {"shop": self.repo, "home": Path(self.home.root), "bridges": bridges}

    def usual(self, what: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` does, for tests whose subject comes after it; `what` names it.

        It is poured where nobody touched the shop since it was: home, repository and bridges are
        what the same steps left in the world that took them first, and so is what they said.
        """
        env = self.environment()
        key = surroundings(env)
        strange = {name for name in env if name.startswith(MACHINE) or name.endswith("_SESSION_ID")}
        places = self._places()
        if (
            key is None
            or self.poured is None
            or strange - KNOWN
            or os.listdir(env["HOME"])
            or self.poured[1] != looks(places.values())
        ):
            self.poured = None
            return make()
        steps = (*self.poured[0], what)
        said = advance(self.root, places, ("steps", type(self), steps, key), make)
        self.poured = (steps, looks(places.values()))
        return said

    def init(self, path: Path | None = None) -> Done:
        """`plastic init` for a repository."""
        done = self.plastic("init", str(path or self.repo))
        assert done.rc == 0, done.err
        return done

    # -- intents -----------------------------------------------------------------------------

    def new(self, title: str, *argv: str) -> dict[str, Any]:
        """`plastic new` in the shop; the printed object."""
        done = self.plastic("new", title, "--json", *argv, cwd=self.repo)
        assert done.rc == 0, done.err + done.out
        found: dict[str, Any] = done.json
        return found

    def start(self, intent: str, session: str, *argv: str) -> dict[str, Any]:
        """`plastic start` as `session`; the printed object."""
        done = self.plastic("start", intent, "--json", *argv, session=session, cwd=self.repo)
        assert done.rc == 0, done.err + done.out
        found: dict[str, Any] = done.json
        return found

    def boarded(self, title: str, session: str, *argv: str) -> dict[str, Any]:
        """`new` and `start`, for tests whose subject comes after them."""
        found: dict[str, Any] = self.usual(
            ("boarded", title, session, argv),
            lambda: self.start(self.new(title)["id"], session, *argv),
        )
        return found

    def age(self, path: Path | str, seconds: float) -> None:
        """Set a file's mtime this many seconds back."""
        then = time.time() - seconds
        os.utime(path, (then, then))
