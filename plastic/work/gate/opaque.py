"""The gate `shell`: a command that cannot be read is refused only where it could do harm."""

from __future__ import annotations

import posix

from plastic.disk.paths import is_below, parent_of, real
from plastic.rules.gates.protected import inside_home, inside_intent
from plastic.rules.gates.refusals import refuse
from plastic.work.gate.admit import fields_of, holder, soften

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.words import Verdict
    from plastic.work.gate.sight import Grip, Sight, Written

MENTIONS = 400  # paths of one command that are looked up on the disk
FINDS = 20  # places of one text that are looked at for one mark
_ENDS = frozenset(" \t\n'\"`()[]{}<>;,=|&!$\\")
_BLANKS = str.maketrans(dict.fromkeys("'\"`()[]{}<>;,=:|&!$\\", " "))
WORDS = 16 * 1024  # characters of a command whose words are looked at
_ANY = "*"  # in a mention: what is only known when the command runs


def opaque(sight: Sight, _: Written) -> Verdict | None:
    """Refuse what nobody can read where a foreign delivery is under way, or a file is protected."""
    shell = sight.shell
    if shell is None or not shell.opaque:
        return None
    why = shell.opaque[0]
    foreign = [one for one in sight.grips() if not one.mine and one.view.state in _FRESH]
    named = [shell.cwd, *_links(sight), *shell.mentions, *_found(sight, shell.raw, foreign)]
    for path in _named(sight, named):
        for grip in foreign:
            if _is_ground(sight, grip, path):
                return _switched(sight, grip.intent.project, _held(grip, path, why))
        file = _protected(sight, path)
        if file is not None:
            return _switched(sight, None, refuse("shell", "shell-file", {"path": file, "why": why}))
    return None


_FRESH = ("fresh", "future")


def _held(grip: Grip, path: str, why: str) -> Verdict:
    who, since = holder(grip.view)
    fields = {**fields_of(grip.intent, path), "why": why}
    return refuse("shell", "shell-opaque", fields, who=who, since=since)


def _switched(sight: Sight, project: str | None, verdict: Verdict) -> Verdict | None:
    mode = sight.mode(project, "shell")
    if mode == "off":
        return None
    return soften(verdict, "this gate advises") if mode == "advise" else verdict


def through_shell(sight: Sight, written: Written, verdict: Verdict) -> Verdict | None:
    """A refusal of a gate with a switch, for a write of a shell command: its own switch counts."""
    return _switched(sight, _project(sight, written), verdict)


def _project(sight: Sight, written: Written) -> str | None:
    if written.intent is not None:
        return written.intent.project
    repo = sight.repo(written.path)
    for project in sight.config().projects.values():
        if repo is not None and repo[1] == project.common:
            return project.slug
    return None


def _named(sight: Sight, mentions: list[str]) -> list[str]:
    """The places that the command stands in or names: as they are written, and as they are."""
    home = sight.variable("HOME").rstrip("/")
    found: dict[str, None] = {}
    for mention in mentions[:MENTIONS]:
        path = mention
        if path.startswith("~/") or "/~/" in path:
            path = f"{home}/{path.partition('~/')[2]}"
        if path.startswith("/") and "\0" not in path:
            found[path] = None
            base = path.partition(_ANY)[0]
            found[real(path if base == path else parent_of(f"{base}x"))] = None
        elif _ANY in path:
            found[path] = None
    return list(found)


def _links(sight: Sight) -> list[str]:
    """Words that are no path and yet lead somewhere else: links in the working directory."""
    if sight.shell is None:
        return []
    cwd, text = sight.shell.cwd, sight.shell.text
    found = []
    words = dict.fromkeys(text[:WORDS].translate(_BLANKS).split())
    for word in list(words)[:MENTIONS]:
        try:
            if "/" not in word:
                posix.readlink(f"{cwd}/{word}")
                found.append(f"{cwd}/{word}")
        except (OSError, ValueError):
            continue
    return found


def _found(sight: Sight, texts: list[str], foreign: list[Grip]) -> list[str]:
    """Where texts that nobody has read, however long, name the home or a foreign delivery."""
    places = [sight.home.root]
    for grip in foreign:
        places += [grip.intent.dir, grip.tree or grip.intent.dir, f"/{grip.intent.name}/"]
    found = []
    for text in texts:
        # Nearly every place has a `--` in its name, and nearly no text has one: one search for all.
        named = "--" in text
        for mark in [one for one in dict.fromkeys(places) if named or "--" not in one]:
            at = text.find(mark)
            for _ in range(FINDS):
                if at < 0:
                    break
                end = next((i for i in range(at + len(mark), len(text)) if text[i] in _ENDS), None)
                found.append(text[at:end] if mark[-1] != "/" else f"{_ANY}{text[at:end]}")
                at = text.find(mark, at + 1)
    return found


def _is_ground(sight: Sight, grip: Grip, path: str) -> bool:
    """Whether a path lies in the intent, or is a folder of the home that holds it."""
    place = grip.intent.dir
    if is_below(path, place) or (grip.tree and is_below(path, grip.tree)):
        return True
    if is_below(path, sight.home.root) and is_below(place, path):
        return True
    # `$STORE/12--login/spec.md`: where it lies is unknown, what it means is not.
    return _ANY in path and f"/{grip.intent.name}/" in f"{path.partition(_ANY)[2]}/"


def _protected(sight: Sight, path: str) -> str | None:
    """The path when it is a file that only plastic's own commands write."""
    place = sight.home.locate(path)
    if place is None:
        return None
    if place.kind == "intent":
        return path if inside_intent(place.rest, "write") else None
    if place.kind == "own":
        return path if inside_home(place.kind, place.project, place.rest, "write") else None
    return None
