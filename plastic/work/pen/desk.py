"""One command at the pen: where the file is, who asks, and how a refusal reads."""

from __future__ import annotations

import os
import shlex
import time
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.clock import seconds
from plastic.disk.command import again
from plastic.disk.files import read
from plastic.disk.penfile import MOST, Unreadable, head, load, load_bytes, save, stamp
from plastic.disk.penplace import other_root, place_of
from plastic.rules.pen.block import LANGS, Pen, faults, holder, split
from plastic.rules.pen.runs import RUNS
from plastic.rules.pen.texts import FAULTS, listed
from plastic.rules.pen.texts import text as sentence
from plastic.rules.pen.turns import Journal, journal
from plastic.words import Refused, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from plastic.disk.penfile import Stamp
    from plastic.rules.pen.block import Fault

# Refusals whose reason is that somebody has the pen: they say who, and since when.
HELD = (
    *("held", "stale", "live", "alive", "awaited", "person"),
    *("changed", "not-holder", "other-instance"),
)
MOMENTS = ("expires", "until", "beat")
# What `+--flag` of a command template is given where it takes a value.
SAMPLES = {"--reason": "because", "--scope": "what is to be done", "--session": "me"}


class Wish(NamedTuple):
    """What a command line says beyond the verb and the actor."""

    to: str = ""
    reason: str = ""
    pen_id: str = ""
    epoch: int | None = None
    force: bool = False
    scope: str = ""
    until: str = ""
    whom: str = ""
    name: str = ""
    request: int = 0


class Desk:
    """The place of the pen, the environment, and the session of the caller ("" for none)."""

    def __init__(self, directory: str, env: Mapping[str, str], session: str = "") -> None:
        self.env = env
        self.session = session
        self.place = place_of(directory, env)
        self.lang = env.get("M8SHIFT_LANG", "en").strip().lower()[:2]
        # What is refused before the file is looked at is said in its language as well.
        self.speak(split(head(self.place.file) or "", self.place.form))
        # The text that was found to be sound, for the second look under the locks.
        self._sound = ""
        self._book = journal("", self.place.form)
        self._stamp: Stamp = None
        self.me = ""
        self.verb = ""

    def look(self) -> tuple[str, Pen, Journal]:
        """Text, block and journal of a file that holds together; refused otherwise."""
        text = self.text()
        pen = split(text, self.place.form)
        if pen is not None and self._sound == text:
            return text, pen, self._book
        book = journal(text, self.place.form)
        self.speak(pen)
        wrong: list[Fault] = [("no-block",)] if pen is None else faults(pen) + book.faults
        if pen is not None and not wrong and int(pen.get("turn")) != book.last:
            wrong = self._counted(int(pen.get("turn")), book.last)
        if pen is None or wrong:
            raise self.refusal("corrupt", faults=listed(wrong, self.lang))
        self._sound, self._book = text, book
        return text, pen, book

    def speak(self, pen: Pen | None) -> None:
        """From here on, in the language of this block, where it names one."""
        named = pen.get("lang").lower() if pen is not None else ""
        if named in LANGS:
            self.lang = named

    def _counted(self, turn: int, last: int) -> list[Fault]:
        """The newest turn may have gone to the archive, where another program keeps none back."""
        if turn > last:
            last = max(last, self.archived().last)
        return [] if turn == last else [("count", str(turn), str(last))]

    def archived(self) -> Journal:
        """The turns that were moved away."""
        return journal(self.archive_text(), self.place.form)

    def archive_text(self) -> str:
        """The file that they were moved to; bytes that are no UTF-8 survive in it."""
        path = self.place.sibling("archive")
        try:
            return (load_bytes(path) or b"").decode("utf-8", "surrogateescape")
        except Unreadable as error:
            raise self.unreadable(error, path) from None

    def text(self) -> str:
        """What the file says, whatever that is."""
        self._stamp = stamp(self.place.file)
        try:
            found = load(self.place.file)
        except Unreadable as error:
            raise self.unreadable(error, self.place.path) from None
        if found is None:
            raise self.refusal("no-pen", place=self.place.folder)
        return found

    def save(self, text: str, ours: Callable[[], None]) -> None:
        """Replace what `text` has read, if it is still there: an editor asks no lock."""
        if len(text) > MOST:
            raise self.refusal("too-long", field="body")

        def last() -> None:
            ours()
            if stamp(self.place.file) != self._stamp:
                raise self.refusal("changed", self.look()[1])

        save(self.place.file, text, last)

    def unreadable(self, error: Unreadable, path: str) -> Refused:
        """A refusal of what is no text of ours."""
        facts = dict(error.facts)
        if facts.get("why") in FAULTS:
            facts["why"] = listed([(facts["why"],)], self.lang)
        return self.refusal(error.code, None, **facts, file=path)

    def alone(self) -> None:
        """Refuse to change this pen while the environment names another one."""
        other = self._other()
        if other:
            raise self.refusal("two-pens", other=other)

    def rival(self) -> str:
        """The same as a sentence, "" where there is one pen."""
        other = self._other()
        return self.said("two-pens", other=other) if other else ""

    def _other(self) -> str:
        """The last part of the other pen's folder: the rest may be nobody's business here."""
        return other_root(self.place, self.env).rpartition("/")[2]

    def said(self, code: str, **facts: object) -> str:
        """A sentence in the language of the pen; moments as people read them."""
        values = {key: str(value) for key, value in facts.items()}
        moments = {key: shown(values[key]) for key in MOMENTS if key in values}
        return sentence(code, self.lang, {"me": self.me, **values, **moments})

    def refusal(self, code: str, pen: Pen | None = None, **facts: object) -> Refused:
        """A refusal with who, since when, and its one command."""
        block = dict(pen.fields) if pen is not None else {}
        known = {"file": self.place.path, "verb": self.verb or "status", **block}
        known |= {key: str(value) for key, value in facts.items()}
        owner = holder(pen) if pen is not None and code in HELD else ""
        return Refused(
            code,
            self.said(code, **known),
            run=self._run(code, {"me": self.me, **known}),
            who=owner or None,
            since=shown(block["since"]) if owner else None,
            facts={key: block[key] for key in ("state", "holder", "turn", "expires") if block},
        )

    def usage(self, code: str) -> Usage:
        """A line that cannot be meant so."""
        return Usage(
            "usage", self.said(code, verb=self.verb), run=f"plastic pen {self.verb} --help"
        )

    def named(self, words: list[str]) -> tuple[str | None, str]:
        """`AGENT TEXT`, or the text alone of a session that is bound."""
        if len(words) not in (1, 2):
            raise self.usage("text-how")
        return (words[0] if len(words) == 2 else None), words[-1]

    def body_file(self, path: str) -> str:
        """What a file of the user's says."""
        try:
            return (read(os.path.abspath(path), MOST) or b"").decode("utf-8", "replace")
        except OSError as error:
            raise self.refusal("no-body", file=path, why=error.strerror or "") from None

    def _run(self, code: str, facts: dict[str, str]) -> str:
        template, _, flag = RUNS[code].partition("+--")
        more = [f"--{flag}"] if flag else []
        more += [SAMPLES[one] for one in more if one in SAMPLES]
        if "{me}" in template and not self.me:
            template = "plastic pen status"
        quoted = {key: shlex.quote(value or "-") for key, value in facts.items()}
        return template.format_map({**quoted, "again": again(*more)})


def shown(moment: str) -> str:
    """A UTC timestamp with the local time behind it: zone, else its offset, else `local`."""
    found = seconds(moment)
    if found is None:
        return moment
    here = time.localtime(found)
    zone = here.tm_zone or time.strftime("%z", here) or "local"
    return f"{moment} ({zone} {time.strftime('%Y-%m-%d %H:%M:%S', here)})"
