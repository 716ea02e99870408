"""Finds intents and describes each as the one object that every command prints."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from plastic.disk import held
from plastic.disk.clock import iso
from plastic.disk.command import again, again_with
from plastic.disk.files import is_dir
from plastic.disk.lockfile import look
from plastic.disk.paths import real
from plastic.disk.session import derived
from plastic.rules.intent.index import LIFECYCLE, read
from plastic.rules.intent.names import WORKTREES, split, valid_id
from plastic.rules.intent.stages import stage
from plastic.words import Broken, Intent, Missing, Usage
from plastic.work.gate.facts import document, facts_of, title_of
from plastic.work.intent.index import text_of
from plastic.work.intent.shelf import GLOBAL, all_intents, require_home

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.rules.intent.stages import Facts

SHOWN = ("Active", "Future", "Completed", "Abandoned")
CANDIDATES = 8  # named in a refusal


# -- finding ---------------------------------------------------------------------------------------


def find(home: Home, text: str | None, caller: Caller | None = None) -> Intent:
    """The intent that a command names: id, `project:id`, unique prefix, or path.

    Without text the one whose lock the caller holds. Raises Missing or Usage.
    """
    require_home(home)
    if text is None or not text.strip():
        return _held_by(home, caller)
    text = text.strip()
    if "\0" in text:
        raise _nothing(text)
    if "/" in text or text in (".", ".."):
        return _at_path(home, text)
    known = all_intents(home)
    project, colon, rest = text.partition(":")
    if colon:
        known = [one for one in known if (one.project or GLOBAL) == project]
        text = rest
    exact = [one for one in known if text in (one.id, one.name)]
    found = exact or [one for one in known if text and one.name.startswith(text)]
    if len(found) == 1:
        return found[0]
    if found:
        raise _ambiguous(text, found)
    raise _nothing(text)


def _nothing(text: str) -> Missing:
    return Missing("no-intent", f"there is no intent {text!r}", run="plastic list")


def _ambiguous(text: str, found: list[Intent]) -> Usage:
    shown = ", ".join(f"{one.project or GLOBAL}:{one.name}" for one in found[:CANDIDATES])
    more = f" and {len(found) - CANDIDATES} more" if len(found) > CANDIDATES else ""
    return Usage(
        "ambiguous", f"{text!r} names {len(found)} intents: {shown}{more}", run="plastic list"
    )


def _at_path(home: Home, text: str) -> Intent:
    path = real(os.path.join(os.getcwd(), os.path.expanduser(text)))
    place = home.locate(path)
    if place is not None and place.kind == "intent" and is_dir(place.intent):
        parts = split(place.name)
        assert parts is not None
        return Intent(*parts, place.intent, place.project)
    _, inside, below = path.partition(f"/{WORKTREES}/")
    name = below.split("/")[0]
    for intent in all_intents(home) if inside and split(name) else []:
        if intent.name == name:
            return intent
    raise Missing("no-intent", f"{path} lies in no intent", run="plastic list")


def _held_by(home: Home, caller: Caller | None) -> Intent:
    """The one intent that the caller owns; a process without a session owns by its derived key."""
    mine = []
    for path in held.lock_paths(home):
        place = home.locate(path)
        lock = look(path).lock
        parts = split(place.name) if place is not None else None
        if place is None or parts is None or lock is None:
            continue
        session = caller.session if caller is not None else ""
        if lock.owner == (session or derived(home.root, parts[0]).session):
            mine.append(Intent(*parts, place.intent, place.project))
    if len(mine) == 1:
        return mine[0]
    if mine:
        raise _ambiguous("this session", mine)
    raise Usage(
        "no-intent-given", "no INTENT was given and this session holds none", run="plastic list"
    )


# -- describing ------------------------------------------------------------------------------------


def facts(intent: Intent) -> Facts:
    """What the documents of an intent say."""
    return facts_of(intent.dir, intent.name)


def index_sections(home: Home, project: str | None) -> dict[str, str]:
    """Section by id, for every intent that a store's INDEX names; Broken when it is unreadable."""
    found: dict[str, str] = {}
    rank = {section: place for place, section in enumerate(LIFECYCLE)}
    for entry in read(text_of(home, project)):
        if entry.section not in rank:
            continue
        known = found.get(entry.id)
        if known is None or rank[entry.section] < rank[known]:
            found[entry.id] = entry.section
    return found


def describe(home: Home, intent: Intent, sections: dict[str, str] | None = None) -> dict[str, Any]:
    """The one object of an intent; `sections` spares reading INDEX for each of many.

    An INDEX that cannot be read leaves `section` null: views work in a broken world.
    """
    if sections is None:
        try:
            sections = index_sections(home, intent.project)
        except Broken:
            sections = {}
    section = sections.get(intent.id)
    own = document(intent.file)
    view = look(f"{intent.dir}/delivery.lock")
    raw = view.lock.raw if view.lock is not None else None
    return {
        "id": intent.id,
        "slug": intent.slug,
        "title": title_of(own, intent.name),
        "dir": intent.dir,
        "project": intent.project,
        "section": section if section in SHOWN else None,
        "stage": stage(facts_of(intent.dir, intent.name, own)),
        "lock": raw,
        "lock_state": view.state,
        "heartbeat_at": iso(view.heartbeat) if view.heartbeat is not None else None,
        "worktree": raw.get("worktree") if raw is not None else None,
    }


def trouble(home: Home, project: str | None) -> str | None:
    """Why a store's INDEX cannot be read, None when it can."""
    try:
        text_of(home, project)
    except Broken as broken:
        return broken.reason
    return None


# -- making ----------------------------------------------------------------------------------------


def new(
    home: Home,
    title: str,
    *,
    cwd: str,
    slug: str | None = None,
    id: str | None = None,
    project: str | None = None,
    is_global: bool = False,
    future: bool = False,
    sources: Sequence[str] = (),
    chain: Sequence[str] = (),
    item: str | None = None,
    prove: Callable[[Intent], None] | None = None,
) -> Intent:
    """Birth an intent; the same call again after a crash finishes it instead of making two."""
    from plastic.rules.intent.titles import clean, slug_for
    from plastic.work.house.project import chosen
    from plastic.work.intent.births import Plan, author, birth

    require_home(home)
    title = clean(title, lambda better: again_with(title, better))
    if id is not None and not valid_id(id):
        raise Usage(
            "id", f"{id!r} is no id: digits, then letters or digits", run="plastic new --help"
        )
    plan = Plan(
        title=title,
        slug=slug_for(title, slug, lambda better: again("--slug", better)),
        project=chosen(home, project, cwd, is_global=is_global),
        section="Future" if future else "Active",
        sources=_references(home, sources),
        chain=_references(home, chain),
        id=id,
        author=author(home),
        item=item,
    )
    return birth(home, plan, prove)


def _references(home: Home, texts: Sequence[str]) -> tuple[str, ...]:
    """Ids of `--sources 12,global:3 --sources 14`, each of an intent that is there."""
    wanted = [one.strip() for text in texts for one in text.split(",") if one.strip()]
    known = all_intents(home) if wanted else []
    for one in wanted:
        store, colon, id = one.rpartition(":")
        if not any(
            id == intent.id and (not colon or store == (intent.project or GLOBAL))
            for intent in known
        ):
            raise _nothing(one)
    return tuple(dict.fromkeys(wanted))


def titled(home: Home, title: str, project: str | None, *, is_global: bool, cwd: str) -> Intent:
    """The open intent of this title in the chosen store, else a new one."""
    from plastic.rules.intent.titles import clean
    from plastic.work.house.project import chosen
    from plastic.work.tree.homes import require_place

    require_home(home)
    wanted = clean(title, lambda better: again_with(title, better))
    store = chosen(home, project, cwd, is_global=is_global)
    open_ids = {
        entry.id
        for entry in read(text_of(home, store))
        if entry.section in ("Active", "Future") and entry.title == wanted
    }
    found = [one for one in all_intents(home) if one.project == store and one.id in open_ids]
    if len(found) > 1:
        raise _ambiguous(wanted, found)
    if found:
        return found[0]
    return new(
        home,
        wanted,
        cwd=cwd,
        project=store,
        is_global=store is None,
        prove=lambda intent: require_place(home, intent, wanted),
    )
