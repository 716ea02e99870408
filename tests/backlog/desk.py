"""A shop with a backlog, and short words for its commands."""

from __future__ import annotations

import shlex
import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plastic.disk import person
from plastic.store.sqlite import SqliteStore
from plastic.store.sqlitefile import SqliteFile
from tests.world import Done, World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pytest


class Desk:
    """Commands of `plastic backlog` in the shop's repository."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world = world
        self.patch = monkeypatch
        world.make_shop()

    def __call__(self, *argv: str, session: str | None = None, rc: int = 0) -> Any:
        """The printed object of a command that must end so."""
        done = self.done(*argv, "--json", session=session)
        assert done.rc == rc, (argv, done.rc, done.out, done.err)
        return done.json

    def done(self, *argv: str, session: str | None = None) -> Done:
        """A command as a person sees it."""
        return self.world.plastic("backlog", *argv, session=session, cwd=self.world.repo)

    def text(self, *argv: str, session: str | None = None) -> str:
        """What a person reads."""
        done = self.done(*argv, session=session)
        assert done.rc == 0, (argv, done.err)
        return done.out

    def refused(self, *argv: str, rc: int, session: str | None = None) -> Any:
        """The object of a refusal; whatever it is, it names one command."""
        found = self(*argv, session=session, rc=rc)
        error = found["error"]
        assert error["code"]
        assert error["reason"]
        assert error["run"], error
        return found

    def paste(self, run: str, session: str | None = None) -> Done:
        """Run a printed command."""
        name, group, *words = shlex.split(run)
        assert (name, group) == ("plastic", "backlog"), run
        return self.done(*words, session=session)

    def add(self, title: str, *argv: str) -> str:
        """A new admitted item; its id."""
        id: str = self("add", title, *argv)["id"]
        return id

    def claim(self, id: str, owner: str = "o1", *argv: str) -> Any:
        """A claim that is granted."""
        return self("claim", id, "--owner", owner, *argv)

    def finish(self, id: str, owner: str = "o1") -> Any:
        """Claim and complete with the head of main as evidence."""
        token = self.claim(id, owner)["fencing_token"]
        return self("complete", id, "--token", str(token), "--evidence", "HEAD")

    def ready(self) -> list[str]:
        """The ids of the ready set."""
        return [one["id"] for one in self("ready")["ready"]]

    def park(self, id: str, *argv: str) -> Any:
        """Park with a full route."""
        return self("park", id, *ROUTE, *argv)

    def later(self, seconds: float) -> None:
        """From now on the database's clock is so much later."""
        self.patch.setattr(SqliteFile, "_moment", lambda _: time.time() + seconds)

    def as_person(self) -> Callable[[], None]:
        """Whoever acts is a person at a terminal who types the id; returns the way back."""
        name = "plastic.work.backlog.author.require_person"
        was = person.require_person
        self.patch.setattr(name, lambda *_: None)
        return lambda: self.patch.setattr(name, was)

    @contextmanager
    def open(self) -> Iterator[SqliteStore]:
        """The store behind the commands."""
        store = SqliteStore(f"{self.world.home.root}/backlog.db", "shop")
        try:
            yield store
        finally:
            store.close()

    def sql(self, statement: str, *values: Any) -> list[Any]:
        """Reach into the database behind everybody's back."""
        with sqlite3.connect(f"{self.world.home.root}/backlog.db") as connection:
            found = connection.execute(statement, values).fetchall()
        connection.close()
        return found

    def commit(self, name: str, branch: str = "main") -> str:
        """A commit that changes one file; its object name."""
        repo: Path = self.world.repo
        self.world.git("checkout", "-q", "-B", branch)
        (repo / name).write_text(f"{name} {time.time_ns()}\n")
        self.world.git("add", name)
        self.world.git("commit", "-q", "-m", name)
        return self.world.git("rev-parse", "HEAD")


ROUTE = (
    "--owner",
    "pm",
    "--topic",
    "tax",
    "--question",
    "which rate?",
    "--where",
    "issue 7",
    "--reason",
    "two rates in the law",
)
