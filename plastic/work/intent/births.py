"""Births an intent complete; a birth that was cut short is finished by the same command.

The directory is reserved by mkdir under the home's guard and marked with `.delivery.birth`, which
goes last. The intent's own guard is held meanwhile: a mark whose guard is free is an orphan.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.clock import iso
from plastic.disk.command import again
from plastic.disk.commit import scoped_commit
from plastic.disk.failpoints import point
from plastic.disk.files import exists, is_dir, make_dirs, names, publish, read_text, remove
from plastic.disk.git import Git
from plastic.disk.journal import note
from plastic.disk.locks import home_guard, try_guard
from plastic.disk.tree import make_dir
from plastic.quickjson import loads
from plastic.rules.intent.index import read
from plastic.rules.intent.templates import FOLDERS, KEEP, PLACEHOLDERS, intent_file, placeholder
from plastic.words import Broken, Intent, Refused
from plastic.work.intent import ledger
from plastic.work.intent.index import set_section, text_of
from plastic.work.intent.shelf import BIRTH, every_name, is_blank, order_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from plastic.disk.home import Home

GUARD = "delivery.write.lock"


class Plan(NamedTuple):
    """What is to be born; `id` is None where the next free one will do."""

    title: str
    slug: str
    project: str | None
    section: str
    sources: tuple[str, ...]
    chain: tuple[str, ...]
    id: str | None
    author: str
    item: str | None = None  # of the backlog

    def digest(self) -> str:
        """The same for the same command, whoever runs it again."""
        bound = [self.item] if self.item else []
        text = json.dumps([*self[:6], self.id, *bound], default=list)
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def author(home: Home) -> str:
    """Who is named as the author: git's user, else plastic itself."""
    return Git(home.root).says("config", "user.name") or "plastic"


def birth(home: Home, plan: Plan, prove: Callable[[Intent], None] | None = None) -> Intent:
    """Reserve, write, index, record, commit; each step asks first whether it is done.

    `prove` refuses a name before anything of it is there.
    """
    text_of(home, plan.project)  # an INDEX that cannot be used is told before anything is made
    make_dirs(home.store(plan.project))
    intent, guard = _reserve(home, plan, prove)
    try:
        _write(intent, plan)
        set_section(home, intent, plan.section)
        point("new.index")
        ledger.record(intent, "What", f"{intent.name}.md")
        point("new.savepoint")
        scoped_commit(
            home, [intent.dir, home.index(plan.project)], f"New intent {intent.id}: {plan.title}"
        )
        point("new.committed")
        remove(f"{intent.dir}/{BIRTH}")
        note(home, "new", intent=intent.name, project=plan.project, title=plan.title)
    finally:
        guard.__exit__(None, None, None)
    return intent


def _reserve(
    home: Home, plan: Plan, prove: Callable[[Intent], None] | None
) -> tuple[Intent, AbstractContextManager[bool]]:
    """A directory with its guard held: an orphan of this very command, else a new one."""
    with home_guard(home):
        known = every_name(home)
        for intent in known:
            guard = _orphan(intent, plan)
            if guard is not None:
                _mark(intent, plan)
                return intent, guard
        id = plan.id or _next_id(home, known)
        if any(one.id == id for one in known):
            raise Refused("id-taken", f"the id {id} is taken", run=f"plastic show {id}")
        intent = Intent(
            id, plan.slug, f"{home.store(plan.project)}/{id}--{plan.slug}", plan.project
        )
        if prove is not None:
            prove(intent)
        if not make_dir(intent.dir):
            raise Broken("taken", f"{intent.dir} appeared meanwhile", run=again())
        # Tried, not waited for, so the order of guards holds; nobody else knows this directory.
        guard = _try(intent)
        if guard is None:
            raise Broken("guard-unusable", f"{intent.dir}/{GUARD} cannot be locked", run=again())
        point("new.reserved")
        _mark(intent, plan)
        point("new.born")
        return intent, guard


def _try(intent: Intent) -> AbstractContextManager[bool] | None:
    guard = try_guard(f"{intent.dir}/{GUARD}")
    if guard.__enter__():
        return guard
    guard.__exit__(None, None, None)
    return None


def _orphan(intent: Intent, plan: Plan) -> AbstractContextManager[bool] | None:
    """The guard of a directory where this very birth was cut short; None for any other."""
    if intent.project != plan.project or intent.slug != plan.slug:
        return None
    if plan.id is not None and plan.id != intent.id:
        return None
    if not _is_cut_short(intent, plan):
        return None
    guard = _try(intent)
    if guard is not None and not _is_cut_short(intent, plan):  # its birth ended meanwhile
        guard.__exit__(None, None, None)
        return None
    return guard


def _is_cut_short(intent: Intent, plan: Plan) -> bool:
    """A mark of this plan, or a reserved directory in which nothing was written yet."""
    try:
        text = read_text(f"{intent.dir}/{BIRTH}")
        if text is not None:
            return bool(loads(text).get("digest") == plan.digest())
    except (OSError, ValueError, AttributeError):
        return False
    return is_dir(intent.dir) and is_blank(names(intent.dir))


def _mark(intent: Intent, plan: Plan) -> None:
    mark = {"title": plan.title, "project": plan.project, "digest": plan.digest(), "at": iso()}
    publish(f"{intent.dir}/{BIRTH}", (json.dumps(mark) + "\n").encode())


def _next_id(home: Home, known: list[Intent]) -> str:
    """One more than any id in use; INDEX counts too, so that no id of a lost intent returns."""
    taken = {intent.id for intent in known}
    for project in {None, *(intent.project for intent in known)}:
        try:
            taken.update(entry.id for entry in read(text_of(home, project)))
        except Broken:  # another store's: not ours to stop at
            continue
    return str(max((order_of(id)[0] for id in taken), default=0) + 1)


def _write(intent: Intent, plan: Plan) -> None:
    text = intent_file(
        id=intent.id,
        title=plan.title,
        created=iso(),
        author=plan.author,
        sources=plan.sources,
        chain=plan.chain,
        item=plan.item,
    )
    if not exists(intent.file):
        publish(intent.file, text.encode())
    point("new.file")
    for name in PLACEHOLDERS:
        publish(f"{intent.dir}/{name}", placeholder().encode())
    for folder in FOLDERS:
        make_dirs(f"{intent.dir}/{folder}")
        publish(f"{intent.dir}/{folder}/{KEEP}", b"")
    point("new.placeholders")
