"""A desk with one intent, where tests run plastic-lock as different sessions."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from plastic.cli.main import plastic, plastic_lock
from tests.world import Done, World

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Desk:
    """A registered shop with one intent, and its lock."""

    def __init__(self, world: World) -> None:
        self.world = world
        world.make_shop()
        self.intent = self.new("Tax")
        self.id: str = self.intent["id"]
        self.dir = Path(self.intent["dir"])
        self.path = self.dir / "delivery.lock"

    def here(self, entry: Callable[[Sequence[str]], int], *argv: str, **env: str) -> Done:
        """A command in this process: the whole command line, without a new interpreter."""
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, env),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            contextlib.chdir(self.world.repo),
        ):
            code = entry(argv)
        return Done(code, out.getvalue(), err.getvalue())

    def new(self, title: str) -> dict[str, Any]:
        found: dict[str, Any] = self.here(plastic, "new", title, "--json").json
        return found

    def run(self, *argv: str, session: str | None = "O", **env: str) -> Done:
        """plastic-lock as a session."""
        if session is not None:
            env["CLAUDE_CODE_SESSION_ID"] = session
        return self.here(plastic_lock, *argv, **env)

    def start(self, *argv: str, session: str | None = "O") -> Done:
        """plastic-lock as a process of its own."""
        code = "import sys; from plastic.cli.main import plastic_lock; sys.exit(plastic_lock())"
        env = {"CLAUDE_CODE_SESSION_ID": session} if session is not None else {}
        return self.world.run(sys.executable, "-c", code, *argv, cwd=self.world.repo, env=env)

    def json(self, *argv: str, session: str = "O") -> dict[str, Any]:
        done = self.run(*argv, "--json", session=session)
        assert done.rc == 0, done.err + done.out
        assert done.out.strip().startswith("{")
        assert done.out.strip().endswith("}")
        found: dict[str, Any] = done.json
        return found

    def paste(self, line: str, session: str) -> Done:
        """Run a printed command as a shell would, with the two commands on PATH."""
        bin = self.world.root / "bin"
        bin.mkdir(exist_ok=True)
        for name, entry in (("plastic", "plastic"), ("plastic-lock", "plastic_lock")):
            code = f"import sys; from plastic.cli.main import {entry}; sys.exit({entry}())"
            (bin / name).write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}" "$@"\n')
            (bin / name).chmod(0o755)
        env = {"CLAUDE_CODE_SESSION_ID": session, "PATH": f"{bin}:{os.environ['PATH']}"}
        return self.world.run("sh", "-c", line, cwd=self.world.repo, env=env)

    def silent(self) -> None:
        self.world.age(self.path, 7200)

    def raw(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.path.read_text())
        return found


def refused(done: Done, exit: int, code: str = "") -> dict[str, Any]:
    """The error object of a refusal with --json; one object, nothing else."""
    assert done.rc == exit, (done.rc, done.out, done.err)
    error: dict[str, Any] = done.json["error"]
    assert set(error) == {"code", "reason", "who", "since", "run"}
    assert "\n" not in error["reason"]
    assert not code or error["code"] == code
    assert "Traceback" not in done.err
    return error
