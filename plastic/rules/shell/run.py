"""One analysis on its way: what has been found, what may still be spent, and the open calls."""

from __future__ import annotations

from plastic.rules.shell.answer import Analysis, Text, Write
from plastic.rules.shell.folders import Folders
from plastic.rules.shell.links import Links
from plastic.rules.shell.marks import ANY, ONE, STAR, marked, shown
from plastic.rules.shell.paths import absolute, ignored, pathlike, pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plastic.rules.shell.state import State
    from plastic.rules.shell.worlds import Directories

    Node = dict[str, Any]

# Lists that unroll (loops, braces, functions) may cost this many statements more than the text has.
_STEPS = 2000


# Each text that is run costs a parser's start.
_TEXTS = 16


class Spent(Exception):
    """The text unrolls to more than a gate should look at."""


class Feed:
    """What a command reads from its input: the text where it is known, the words it comes from."""

    __slots__ = ("text", "words")

    def __init__(self, text: str | None = None, words: list[str] | None = None) -> None:
        self.text = text
        self.words = words or []


class Call:
    """One simple command: `args` are its words with the name first, `feed` is its input.

    `sets` are the variables that are set for it alone.
    """

    __slots__ = ("args", "feed", "sets")

    def __init__(
        self, args: list[str], feed: Feed | None = None, sets: dict[str, str] | None = None
    ) -> None:
        self.args = args
        self.feed = feed
        self.sets = sets or {}

    def operands(self) -> list[str]:
        """The words of a builtin behind its options; a single `-` is one of them."""
        words = self.args[1:]
        while words and len(words[0]) > 1 and words[0][0] == "-" and words[0] != "--":
            words = words[1:]
        return words[1:] if words[:1] == ["--"] else words

    def inner(self, args: list[str]) -> Call:
        """The command that this one starts."""
        return Call(args, self.feed, self.sets)


class Run:
    """Collects the answer. `statements` and `command` lead back to the walk and to the calls."""

    __slots__ = (
        "_known",
        "_seen",
        "_told",
        "_walked",
        "aliases",
        "braces",
        "call",
        "called",
        "depth",
        "folders",
        "functions",
        "last",
        "links",
        "out",
        "start",
        "steps",
        "traps",
        "walk",
    )

    def __init__(
        self,
        start: str | None,
        size: int,
        walk: Callable[[Run, list[Node], State, Feed | None], None],
        call: Callable[[Run, Call, State], None],
    ) -> None:
        self.out = Analysis()
        self.start = start
        self.steps = _STEPS + size // 2
        self.walk = walk
        self.call = call
        self.functions: dict[str, Node] = {}
        self.called: set[str] = set()
        self.aliases: dict[str, str] = {}
        self.braces = True
        self.folders = Folders(self.out, None)
        self.links = Links(None)
        self.depth = 0
        self.last: Call | None = None
        self.traps: dict[str, Call] = {}
        self._known: set[tuple[str, str, str]] = set()
        self._walked: list[tuple[str, Directories]] = []
        self._told = 0
        self._seen: set[str] = set()

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise Spent

    def write(self, path: str, state: State, op: str = "write", reach: str = "") -> None:
        """A path that is written from here, seen from every directory the shell may be in."""
        for cwd in state.cwds if path else ():
            full = absolute(self.links.walked(path, cwd), cwd)
            for one in [full] if full is None else [full, *self.links.through(full, op)]:
                if one is None:
                    self.unknown(f"where `{shown(path)}` lies is not known before it runs", state)
                elif not ignored(one) and (one, op, reach) not in self._known:
                    self._known.add((one, op, reach))
                    self.out.writes.append(Write(one, op, reach))

    def text(self, command: str, state: State, call: Call | None = None) -> None:
        """A text that is run from here; one that is only partly known is opaque."""
        if ANY in command:
            self.unknown("a text is run that is only known when it runs", state)
            return
        if call is not None:
            self.about(call, state)
        command = command.replace(STAR, "*").replace(ONE, "?")
        for cwd in state.cwds:
            where = cwd if cwd is None or not marked(cwd) else None
            self._add(Text(command, where, known(state), self.links.made))

    def _add(self, text: Text) -> None:
        texts = self.out.texts
        if any(text.same(one) for one in texts):
            return
        if len(texts) < _TEXTS:
            texts.append(text)
        else:
            self._because("it runs more texts than are looked at")

    def opaque(self, reason: str, call: Call, state: State) -> None:
        """A command that may write what no word of it says."""
        if any(word.startswith("/dev/fd/") for word in call.args):
            self.unknown(reason, state)  # what is printed there is among the words of the text
        self._because(reason)
        self.about(call, state)

    def unknown(self, reason: str, state: State) -> None:
        """Something depends on what is only known when it runs: every word may be part of it."""
        self._because(reason)
        for word, cwds in self._walked[self._told :]:
            self.mention(word, cwds)
        self._told = len(self._walked)
        self._here(state)

    def _here(self, state: State) -> None:
        for cwd in state.cwds:
            self.mention(cwd or self.start or "", (None,))

    def _because(self, reason: str) -> None:
        if reason not in self.out.opaque:
            self.out.opaque.append(reason)

    def about(self, call: Call, state: State) -> None:
        """Mention what this command could be about: its words, its input, its directory."""
        for word in [*call.args, *call.sets.values()]:
            self.mention(word, state.cwds)
        for name, value in state.values.items():
            if isinstance(value, str) and (name in state.exported or name in state.base):
                self.mention(value, state.cwds)
        if call.feed is not None:
            for word in call.feed.words:
                self.mention(word, state.cwds)
            if call.feed.text is not None:
                self.mention(call.feed.text, state.cwds)
        self._here(state)

    def saw(self, word: str, state: State) -> None:
        """Keep a word of the text in case that what it is for turns out to be unknown."""
        if pathlike(word):
            self._walked.append((word, state.cwds))

    def printer(self, stmt: Node) -> Call | None:
        """The call of this statement, when it is a simple command that prints to its output."""
        if (stmt.get("Cmd") or {}).get("Type") != "CallExpr":
            return None
        for one in stmt.get("Redirs") or ():
            if (
                one.get("Op") not in ("<<", "<<-", "<<<")
                and (one.get("N") or {}).get("Value") != "2"
            ):
                return None
        return self.last

    def mark(self) -> int:
        """This place in the words that were seen."""
        return len(self._walked)

    def since(self, mark: int) -> list[str]:
        """The words seen since then."""
        return [word for word, _ in self._walked[mark:]]

    def mention(self, word: str, cwds: Directories) -> None:
        """Mention the paths that a word holds: itself, or what its punctuation separates."""
        if not pathlike(word):
            return
        for piece in pieces(word):
            for cwd in cwds:
                full = shown(absolute(piece, cwd) or piece)
                if full not in self._seen:
                    self._seen.add(full)
                    self.out.mentions.append(full)


def known(state: State) -> dict[str, str]:
    """The variables and parameters that a text run from here finds."""
    found = dict(state.base)
    for name, value in state.values.items():
        if isinstance(value, str) and value != ANY:
            found[name] = value
        else:
            found.pop(name, None)
    if state.args is not None:
        for name in [name for name in found if name.isdigit()]:
            del found[name]
        for number, value in enumerate(state.args, 1):
            if value != ANY:
                found[str(number)] = value
    if state.zero != ANY:
        found["0"] = state.zero
    return found
