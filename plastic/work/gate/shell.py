"""Reads a shell command: the writes that are certain, and what of it cannot be seen."""

from __future__ import annotations

import posix
import time

from plastic.disk.files import exists, is_dir, names
from plastic.disk.gitdir import git_dir
from plastic.disk.paths import link
from plastic.disk.shfmt import LONGEST, PATIENCE, Unparsed, encoded, start
from plastic.rules.gates.harmless import harmless
from plastic.rules.intent.names import BRANCH_PREFIX
from plastic.rules.shell.analyse import analyse
from plastic.rules.shell.answer import Text
from plastic.rules.shell.flat import tree as flat
from plastic.rules.shell.marks import ANY, ONE, STAR, marked, matches, shown
from plastic.rules.shell.paths import pieces
from plastic.words import Change
from plastic.work.gate.command import Shell
from plastic.work.gate.sight import Sight, storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.disk.shfmt import Run
    from plastic.rules.shell.answer import Write

ROUNDS = 3  # texts that run texts that run texts
TEXTS = 8  # of one round: each costs a process
CHANGES = 400  # paths of one command that are judged one by one
LISTED = 4000  # names of directories that patterns are compared with


def look(sight: Sight) -> Shell:
    """Read the command of the event, and the commands that it runs as texts."""
    use = sight.use
    found = Shell(storable(use.command or ""), storable(use.cwd) if use.cwd[:1] == "/" else "")
    first = Text(found.text, found.cwd or None, variables(found.text))
    _rounds(sight, found, first)
    if found.links:
        # Made by a text that it runs, or beside the rest: whatever is written may follow them.
        first.links = found.links
        _rounds(sight, found, first)
    return found


def _rounds(sight: Sight, found: Shell, first: Text) -> None:
    """Read a text, and the texts that it runs."""
    todo = [first]
    end = time.monotonic() + PATIENCE
    for number in range(ROUNDS):
        todo = _round(sight, found, todo, bash=number == 0)
        if not todo:
            return
        if time.monotonic() > end:
            break
    for text in todo:
        _unseen(found, "it runs a text that runs a text that runs a text", text)


def _round(sight: Sight, found: Shell, todo: list[Text], *, bash: bool) -> list[Text]:
    """Read these texts; the texts that they run. `bash` = the harness starts it."""
    started: list[tuple[Text, Run | dict[str, Any]]] = []
    for text in todo[:TEXTS]:
        if len(encoded(text.command)) > LONGEST:
            _unseen(found, f"it is longer than {LONGEST // 1024} KB", text)
        else:
            started.append((text, flat(text.command) or start(text.command)))
    for text in todo[TEXTS:]:
        _unseen(found, f"it runs more than {TEXTS} texts", text)
    inner: dict[object, Text] = {}
    for text, run in started:
        try:
            tree = run if isinstance(run, dict) else run.tree()
            _read(sight, found, tree, text, inner, bash=bash)
        except Unparsed as error:
            _unseen(found, error.why, text)
            found.trouble = found.trouble or (error.why if error.is_ours else "")
        except (RecursionError, MemoryError):
            _unseen(found, "it is nested too deeply", text)
    return list(inner.values())


def _read(
    sight: Sight,
    found: Shell,
    tree: dict[str, Any],
    text: Text,
    inner: dict[object, Text],
    *,
    bash: bool,
) -> None:
    """Take down what one tree says; the texts that it runs go to `inner`."""
    # What `sh` is here nobody knows: the one expands `{a,b}`, the other makes a file of it.
    both = not bash and "{" in text.command and ("," in text.command or ".." in text.command)
    for braces in (True, False) if both else (True,):
        answer = analyse(
            tree,
            text.cwd,
            text.variables,
            braces=braces,
            is_dir=_folder,
            link=link,
            links=text.links,
        )
        found.opaque += answer.opaque
        found.mentions += answer.mentions
        if not bash or _at_once(text.command):
            found.links += answer.links[len(text.links) :]
        if answer.cut:
            _unseen(found, answer.cut, text)
        for write in answer.writes:
            _add(sight, found, write)
        for one in answer.texts:
            if not harmless(one.command):
                inner[one.command, one.cwd, one.links] = one


def _at_once(command: str) -> bool:
    """Whether parts of a text may run at the same time: pipes, `&`, `<(…)`."""
    bare = command
    for word in ("&&", "||", ">&", "&>"):
        bare = bare.replace(word, "")
    return "|" in bare or "&" in bare or "<(" in bare or ">(" in bare


def _folder(path: str) -> bool | None:
    """Whether a directory is there; None where nothing is."""
    return is_dir(path) or (False if exists(path) else None)


def _unseen(found: Shell, why: str, text: Text) -> None:
    """A text that nobody has read: every word of it may be a path."""
    found.opaque.append(why)
    found.raw.append(text.command)
    command = text.command[:LONGEST]
    for name in sorted(text.variables, key=len, reverse=True):
        value = text.variables[name]
        command = command.replace("${" + name + "}", value).replace("$" + name, value)
    found.mentions += raw_mentions(command[: 4 * LONGEST], text.cwd)


def _add(sight: Sight, found: Shell, write: Write) -> None:
    made = changes(sight, write)
    room = CHANGES - len(found.changes)
    if len(made) > room:
        found.opaque.append(f"it writes more than {CHANGES} paths")
        found.mentions += [one.path for one in made[room:]]
    found.changes += made[:room]


def changes(sight: Sight, write: Write) -> list[Change]:
    """The paths of one write as the gates judge them."""
    if write.reach == "shared":
        return []  # what all worktrees of a repository have in common is nobody's work
    if write.reach == "git":
        return _own_part(sight, write)
    if write.reach == "branch":
        return _branch(sight, write)
    if write.reach == "checkout":
        repo = sight.repo(write.base)
        return [Change(repo[0], "checkout")] if repo is not None else []
    op = "below" if write.reach == "below" and write.op == "write" else write.op
    if write.exact or write.base == write.path:
        return [Change(write.path, op)]
    if ANY in write.path:
        known = write.path.partition(ANY)[0].rpartition("/")[0]
        return [Change(path, "below") for path in expanded(known) or [write.base]]
    paths = expanded(write.path)
    if paths is None:
        return [Change(write.base, "below")]
    folder, _, last = write.path.rpartition("/")
    if write.op == "write" and marked(last):
        # A new file may get any name that fits: the pattern stands for it.
        paths = [*paths, *(f"{one.rstrip('/')}/{shown(last)}" for one in expanded(folder) or [])]
    # The shell takes a pattern that fits nothing as a name.
    fits = any(map(exists, paths))
    return [Change(path, op) for path in (paths if fits else [*paths, write.shown])]


def _own_part(sight: Sight, write: Write) -> list[Change]:
    """Index and branch of a linked worktree; those of the main checkout are nobody's delivery."""
    repo = sight.repo(write.base)
    if repo is None or git_dir(repo[0]) == repo[1]:
        return []
    return [Change(repo[0], "git")]


def _branch(sight: Sight, write: Write) -> list[Change]:
    """A branch by its name, wherever it is checked out."""
    folder, mark, name = write.path.rpartition(f"/{BRANCH_PREFIX}")
    repo = sight.repo(folder or "/") if mark else None
    return [Change(f"{repo[1]}/refs/heads/{mark[1:]}{name}", "git")] if repo is not None else []


def expanded(pattern: str) -> list[str] | None:
    """The paths that a pattern stands for on the disk; None when there are too many to look at."""
    found = ["/"]
    left = LISTED
    for part in pattern.split("/"):
        if not part:
            continue
        if STAR not in part and ONE not in part:
            found = [f"{one.rstrip('/')}/{part}" for one in found]
            continue
        matched = []
        for folder in found:
            try:
                there = names(folder) if is_dir(folder) else []
            except OSError:
                there = []
            left -= len(there)
            if left < 0:
                return None
            matched += [f"{folder.rstrip('/')}/{name}" for name in there if _fits(part, name)]
        found = matched
    return found


def _fits(part: str, name: str) -> bool:
    """A name that starts with a dot is matched by a pattern that does."""
    return matches(part, name) and (name[0] != "." or part[0] == ".")


def variables(text: str) -> dict[str, str]:
    """Those variables of our environment that the text uses: the command gets the same one."""
    found = {}
    for key in (b"HOME", *(posix.environ if "$" in text else ())):
        name = key.decode("utf-8", "surrogateescape")
        if key == b"HOME" or "$" + name in text or "${" + name in text:
            value = posix.environ.get(key)
            if value is not None and key != b"_":  # the last word of what started us
                found[name] = value.decode("utf-8", "surrogateescape")
    return found


def raw_mentions(text: str, cwd: str | None) -> list[str]:
    """Every part of an unread text that may be a path."""
    found = []
    for piece in pieces(text):
        if "\n" not in piece:
            found.append(piece if piece.startswith(("/", "~")) or cwd is None else f"{cwd}/{piece}")
    return found
