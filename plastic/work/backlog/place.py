"""A project's backlog as one command sees it: which database, who acts, what new items inherit."""

from __future__ import annotations

import os
import pwd
import shlex
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.git import Git, oid
from plastic.disk.mounts import kind_of
from plastic.disk.projects import mend_command, projects, settings
from plastic.rules.backlog.answers import Actor
from plastic.rules.backlog.grants import terms
from plastic.words import Held, Lost, Missing, Refusal, Refused, Usage
from plastic.work.backlog.heartbeats import carry, overdue, tied
from plastic.work.house.project import chosen
from plastic.work.intent.shelf import require_home

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plastic.disk.home import Home
    from plastic.disk.projects import Project
    from plastic.disk.session import Caller
    from plastic.rules.backlog.items import Item
    from plastic.store.protocol import Store

NEEDED = {"github": ("repo", "account")}


class Backlog(NamedTuple):
    """One open backlog; `named` is the project that was typed, None where the cwd decides."""

    home: Home
    project: Project
    store: Store
    caller: Caller
    named: str | None

    @property
    def name(self) -> str:
        """Who acts: the session, else the user of this machine."""
        return self.caller.session or pwd.getpwuid(os.getuid()).pw_name

    @property
    def actor(self) -> Actor:
        """Who acts, as the store records it; a person is proven elsewhere."""
        return Actor(self.name)

    def key(self, name: str) -> str:
        """A value of the project's `backlog:` block; refused where it is not set, never guessed."""
        block = self.project.backlog
        for need in (name, *NEEDED.get(str(block.get("mirror")), ())):
            if not block.get(need):
                key = f"backlog.{need}"
                raise Refused(
                    "backlog-key",
                    f"`projects.{self.project.slug}.{key}` is not set in projects.yml",
                    run=mend_command(self.home, self.project.slug, "backlog"),
                )
        return str(block[name])

    def need(self, id: str) -> Item:
        """The item of this id; refused when there is none."""
        found = self.store.item(id)
        if found is None:
            raise Missing("item-missing", f"there is no item {id}", run=self.line("list"))
        return found

    def line(self, *words: str) -> str:
        """A command of this backlog, to be pasted."""
        return shlex.join(("plastic", "backlog", *words, *self.flag))

    @property
    def flag(self) -> tuple[str, ...]:
        """`--project NAME` where it was typed."""
        return ("--project", self.named) if self.named else ()

    def tips(self, base: str | None) -> list[str]:
        """The commits that a base branch stands at: here, and as the remote was last seen."""
        git = Git(self.project.path)
        return [found for ref in self.refs(base) if (found := oid(git, ref)) is not None]

    def refs(self, branch: str | None) -> list[str]:
        """The full refs of a branch: here, and at the remote."""
        names = (f"refs/heads/{branch}", f"refs/remotes/{self.project.remote}/{branch}")
        return list(names) if branch else []


@contextmanager
def opened(
    home: Home, caller: Caller, named: str | None, cwd: str, *, looks: bool = False
) -> Iterator[Backlog]:
    """The backlog of the project that was named, else of the repository around `cwd`.

    With `looks` it can only be read, and is there in half the time.
    """
    require_home(home)
    slug = chosen(home, named, cwd, is_global=False)
    assert slug is not None
    project = projects(home)[slug]
    region = str(project.backlog.get("region") or "local")
    store = _store(home, slug, region, looks=looks)
    _carry(home, slug, region, store, looks=looks)
    backlog = Backlog(home, project, store, caller, named)
    try:
        yield backlog
    except Refusal as refusal:
        raise _told(backlog, refusal) from None
    except (UnicodeEncodeError, OverflowError) as error:
        raise _unkept(error) from None
    finally:
        store.close()


def _carry(home: Home, slug: str, region: str, store: Store, *, looks: bool) -> None:
    """What is delivered here is as alive as its lock: said to the database where it is due."""
    locks = tied(home, slug)
    if not locks:
        return
    writer = _store(home, slug, region, looks=False) if looks else store
    try:
        carry(writer, overdue(writer, locks))
    finally:
        if looks:
            writer.close()


def _store(home: Home, slug: str, region: str, *, looks: bool) -> Store:
    """The engine that config.yml names, in the home."""
    config = settings(home)
    engine = str(config.get("engine", "sqlite"))
    lease: dict[str, Any] = config.get("lease") or {}
    if engine != "sqlite":
        from plastic.store.postgresstore import PostgresStore

        return PostgresStore(engine, slug, region=region, terms=terms(**lease))
    if looks:
        from plastic.store.sqlitelook import SqliteLook

        kind: Any = SqliteLook
    else:
        from plastic.store.sqlite import SqliteStore

        kind = SqliteStore
    store: Store = kind(
        f"{home.root}/backlog.db",
        slug,
        region=region,
        terms=terms(**lease),
        durability=str(config.get("durability", "full")),
        filesystem=kind_of(home.root),
    )
    return store


def _unkept(error: UnicodeEncodeError | OverflowError) -> Usage:
    """A word that is no text, or a number that no database holds."""
    what = "a number of this command is too large"
    if isinstance(error, UnicodeEncodeError):
        what = f"{error.object[:40]!a} is no text in UTF-8"
    return Usage("value-unusable", f"{what}: nothing was changed", run="plastic backlog --help")


def _told(backlog: Backlog, refusal: Refusal) -> Refusal:
    """The store's refusal as a command gives it: its exit code, its command for this project."""
    run = refusal.run or "plastic backlog --help"
    if run.startswith("plastic backlog ") and backlog.named and "--project" not in run:
        run = f"{run} {shlex.join(backlog.flag)}"
    kind = type(refusal)
    id = refusal.facts.get("id")
    if isinstance(refusal, Lost):
        kind = Held if id and backlog.store.status(str(id)).held else Refused
    if kind is type(refusal) and run == refusal.run:
        return refusal
    return kind(
        refusal.code,
        refusal.reason,
        run=run,
        who=refusal.who,
        since=refusal.since,
        facts=refusal.facts,
    )
