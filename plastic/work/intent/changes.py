"""Plans one maintenance: which files of an intent change how, and what the entry says about it."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.command import again_with
from plastic.disk.upkeep import Change
from plastic.rules.intent import upkeep as rules
from plastic.rules.intent.index import SECTIONS, TERMINAL, where
from plastic.rules.intent.index_edit import move
from plastic.rules.intent.intentfile import errors
from plastic.rules.intent.names import PROTECTED
from plastic.rules.intent.revisions import FILE
from plastic.words import Missing, Refused, Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.words import Intent

    Read = Callable[[str], bytes | None]

PLACES = {name.casefold(): name for name in SECTIONS}


class Wish(NamedTuple):
    """What was asked for: `kind` is move, replace or links; `file` is where `replace` looks."""

    kind: str
    why: str
    rule: str
    what: str = ""
    new: str = ""
    file: str = ""


class Planned(NamedTuple):
    """The changes, without the entry, and what the entry says."""

    changes: list[Change]
    prior: str
    before: str = ""
    after: str = ""
    held: str | None = None


def plan(home: Home, intent: Intent, wish: Wish, read: Read) -> Planned:
    """The change upon what `read` finds (paths relative to the home)."""
    inside = intent.dir[len(home.root) + 1 :]
    if wish.kind == "links":
        return _links(intent, inside, read)
    if wish.kind == "replace":
        return _replace(intent, inside, wish, read)
    if wish.what.casefold() in PLACES:
        return _section_of_index(home, intent, PLACES[wish.what.casefold()], read)
    if read(f"{inside}/{wish.what}") is not None:
        return _file(intent, inside, wish.what, read)
    return _section(intent, inside, wish.what, read)


def _show(intent: Intent) -> str:
    return f"plastic show {intent.id}"


def _own(intent: Intent, inside: str, read: Read) -> tuple[str, str]:
    path = f"{inside}/{intent.name}.md"
    data = read(path)
    if data is None:
        raise Missing("no-intent-file", f"{intent.name} has no intent file", run=_show(intent))
    return path, data.decode("utf-8", "surrogateescape")


def _change(path: str, before: str, after: str) -> Change:
    return Change(
        path,
        before.encode("utf-8", "surrogateescape"),
        after.encode("utf-8", "surrogateescape"),
    )


def _links(intent: Intent, inside: str, read: Read) -> Planned:
    path, text = _own(intent, inside, read)
    found = rules.with_links(text)
    if found is None:
        raise Refused(
            "links-unclear",
            f"{intent.name}.md has no front matter that can be read, or not one `## Links`",
            run=_show(intent),
        )
    after, before, wanted = found
    if after == text:
        raise _nothing(intent, "`## Links` says what the front matter says")
    return Planned([_change(path, text, after)], f"{intent.name}.md, ## Links", before, wanted)


def _nothing(intent: Intent, why: str) -> Refused:
    return Refused("nothing-to-do", f"{why}: nothing was changed", run=_show(intent))


def _replace(intent: Intent, inside: str, wish: Wish, read: Read) -> Planned:
    name = wish.file or f"{intent.name}.md"
    head = name.partition("/")[0]
    if head in (FILE, *PROTECTED) or ".." in name.split("/") or head.startswith("."):
        raise Refused("not-yours", f"{name} is only ever written by plastic", run=_show(intent))
    data = read(f"{inside}/{name}")
    if data is None:
        raise Missing(
            "no-file", f"{intent.name} has no {name}", run=f"ls {shlex.quote(intent.dir)}"
        )
    text = data.decode("utf-8", "surrogateescape")
    if not wish.what or "\n" in wish.what + wish.new:
        raise Usage(
            "one-line", "--replace takes two texts of one line", run="plastic maintain --help"
        )
    count = text.count(wish.what)
    if not count:
        raise Missing(
            "no-match",
            f"{name} does not contain {wish.what!r}",
            run=f"cat {shlex.quote(f'{intent.dir}/{name}')}",
        )
    after = text.replace(wish.what, wish.new)
    if name == f"{intent.name}.md":
        _require_valid(intent, text, after)
    if after == text:
        raise _nothing(intent, "both texts are the same")
    times = "" if count == 1 else f" ({count} times)"
    line = text[: text.index(wish.what)].count("\n") + 1
    prior = f"{name}, line {line}{times}"
    return Planned([_change(f"{inside}/{name}", text, after)], prior, wish.what, wish.new)


def _require_valid(intent: Intent, before: str, after: str) -> None:
    """What was valid stays valid; what was not may be mended step by step."""
    known = errors(before, intent.name)
    new = [one for one in errors(after, intent.name) if one not in known]
    if new:
        raise Refused("create", f"{intent.name}.md would not be valid: {new[0]}", run=_show(intent))


def _section_of_index(home: Home, intent: Intent, section: str, read: Read) -> Planned:
    """Put the entry elsewhere; whether an intent is over is decided by End alone."""
    path = home.index(intent.project)[len(home.root) + 1 :]
    data = read(path)
    text = (data or b"").decode("utf-8", "surrogateescape")
    now = where(text, intent.id)
    if now == section:
        raise _nothing(intent, f"{intent.name} is in {section}")
    if now is None:
        raise Missing("no-entry", f"INDEX.md names {intent.name} nowhere", run="plastic list")
    ends = section in ("Completed", "Abandoned")
    if ends or (now in TERMINAL and section != "Relocated"):
        flag = "--abandoned" if section == "Abandoned" else "--delivered"
        why = "only End says that work is over" if ends else "what is over is never opened again"
        run = f"plastic end {intent.id} {flag} --dry-run" if ends else _show(intent)
        raise Refused("end-only", f"{intent.name} is in {now}: {why}", run=run)
    after = move(text, intent.id, section)
    return Planned([_change(path, text, after)], f"INDEX.md, ## {now}", now, section)


def _file(intent: Intent, inside: str, name: str, read: Read) -> Planned:
    """A stray file goes to resources/, where deposits belong."""
    goal = f"resources/{name.rpartition('/')[2]}"
    if not rules.is_stray(name, intent.name):
        raise Refused("not-stray", f"{name} belongs to the intent where it is", run=_show(intent))
    if read(f"{inside}/{goal}") is not None:
        raise Refused(
            "taken",
            f"{goal} exists already",
            run=f"ls {shlex.quote(f'{intent.dir}/resources')}",
        )
    data = read(f"{inside}/{name}")
    runs = os.access(f"{intent.dir}/{name}", os.X_OK)
    gone = Change(f"{inside}/{name}", data, None, runs)
    return Planned([Change(f"{inside}/{goal}", None, data, runs), gone], name, name, goal)


def _section(intent: Intent, inside: str, name: str, read: Read) -> Planned:
    """A section that no intent file may have is held in revisions.md instead."""
    path, text = _own(intent, inside, read)
    if rules.is_sanctioned(name):
        raise Refused(
            "sanctioned",
            f"`## {name}` is the content of {intent.name}: change it through an intent",
            run=f"plastic start {intent.id}",
        )
    cut = rules.without_section(text, name)
    if cut is None:
        known = [one for one in rules.sections(text) if not rules.is_sanctioned(one)]
        best = next((one for one in known if one.casefold() == name.casefold()), None)
        raise Missing(
            "no-such-part",
            f"{intent.name} has no file, and no single section, {name!r}",
            run=again_with(name, best) if best not in (None, name) else _show(intent),
        )
    prior = f"{intent.name}.md, line {cut.line}, ## {name}"
    return Planned([_change(path, text, cut.text)], prior, held=cut.held)
