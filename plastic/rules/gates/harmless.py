"""The byte test: commands that plainly write nothing are told without a parser.

A wrong `no` costs the time of a parser and nothing else, so what is not plain is a `no`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Programs that write no file and start no program, whatever their options are.
PURE = _words(
    "[ : arch basename cat cd cksum cmp comm cut diff dirname du echo egrep expand expr false "
    "fgrep fold getconf grep groups head hexdump id join jq logname ls lscpu md5sum nl nproc od "
    "paste printenv printf ps pwd readlink realpath rev seq sha1sum sha256sum sha512sum sleep stat "
    "strings sum tac tail test tr true tty type uname unexpand uptime wc which who whoami"
)
# Verbs of git that change nothing unless an option says so.
GIT = _words(
    "blame cat-file describe diff diff-tree for-each-ref grep log ls-files ls-tree merge-base "
    "name-rev rev-list rev-parse shortlog show show-ref status"
)
GIT_LISTS = _words("branch remote stash tag worktree")
LISTING: tuple[list[str], ...] = (
    [],
    ["-v"],
    ["-vv"],
    ["-a"],
    ["list"],
    ["--list"],
    ["--show-current"],
)
# Options by which a reader of git writes a file or starts a program, as git abbreviates them.
GIT_BAD = ("--ou", "--op", "-O", "--ext", "--textc")
RG_BAD = ("--pre", "--hostname-bin", "--search-zip", "-z")
# Redirections that reach no file, each as a word of its own.
SILENT = _words("2>&1 1>&2 >&2 >/dev/null 2>/dev/null &>/dev/null 1>/dev/null >>/dev/null")
ENDS = _words("; | || && |&")
# Outside quotes these may name a file to write, start a program, or hide one of both.
ODD = frozenset("<>()\\#&")
LONG = 64
# In quotes these are letters like any other.
_LETTERS = str.maketrans(dict.fromkeys(" \t\n\r\v\f;|&<>()#\\", "\x01"))
# What a path of plastic's own carries: with one of these in it a command is parsed.
MARKS = ("delivery.", ".plastic", "/store/", "savepoint.md", "projects.yml")
_NEVER = ("`", "\0", "\x01", "\x02", "\x03", "\x04", "\r", *MARKS)
_LINES = frozenset("0123456789,$")


def harmless(text: str) -> bool:
    """Whether a command line writes nothing, as far as its words alone prove it."""
    if _last[0] != text:
        _last[:] = text, _is_harmless(text)
    return bool(_last[1])


# The hook asks, and then the gate: of 200 KB once is enough.
_last: list[object] = ["", True]


def _is_harmless(text: str) -> bool:
    if ("$" in text and "$(" in text) or any(one in text for one in _NEVER):
        return False
    flat = _unquoted(text)
    if flat is None:
        return False
    command: list[str] = []
    for word in _tokens(flat):
        if word == "(":
            return False
        if word in ENDS:
            if command and not _reads(command):
                return False
            command = []
        else:
            command.append(word)
    return True


def _unquoted(text: str) -> str | None:
    """The text with its quotes taken off and what stands in them made plain letters.

    None when quotes are not plain, or when anything outside of them is odd.
    """
    if "'" not in text and '"' not in text:
        return text
    parts = []
    at = 0
    single, double = text.find("'"), text.find('"')
    while single >= 0 or double >= 0:
        start = single if 0 <= single < double or double < 0 else double
        end = text.find(text[start], start + 1)
        inner = text[start + 1 : end]
        # `$'...'` and a backslash in double quotes have an end of their own.
        hides = text[start - 1 : start] == "$" or (text[start] == '"' and "\\" in inner)
        if end < 0 or hides or "\\" in text[at:start] or "#" in text[at:start]:
            return None
        parts += [text[at:start], inner.translate(_LETTERS) or "\x01"]
        at = end + 1
        if 0 <= single < at:
            single = text.find("'", at)
        if 0 <= double < at:
            double = text.find('"', at)
    parts.append(text[at:])
    return "".join(parts)


def _tokens(flat: str) -> Iterator[str]:
    """Words, and the marks between commands; `(` stands for a word that has anything odd."""
    for line in flat.split("\n"):
        # Other blanks of Unicode are letters for a shell.
        for word in line.replace("\t", " ").split(" "):
            if not word or word in SILENT:
                continue
            for one in _apart(word):
                mark = _MARKED.get(one, one)
                if mark and mark not in SILENT:
                    yield mark if mark in ENDS or not _is_odd(mark) else "("
        yield ";"


def _apart(word: str) -> list[str]:
    """`a|b;c`: the marks need no blanks around them."""
    if "|" not in word and ";" not in word and "&" not in word:
        return [word]
    spaced = word.replace("||", " \x02 ").replace("&&", " \x03 ").replace("|&", " \x04 ")
    return spaced.replace("|", " | ").replace(";", " ; ").split(" ")


def _is_odd(word: str) -> bool:
    """Whether any letter of a word is odd: a long word is searched for each of the few."""
    return not ODD.isdisjoint(word) if len(word) < LONG else any(one in word for one in ODD)


_MARKED = {"\x02": "||", "\x03": "&&", "\x04": "|&"}


def _reads(words: list[str]) -> bool:
    """Whether one simple command is known to write nothing."""
    first, rest = words[0], words[1:]
    if first in PURE:
        return True
    if first == "git":
        return _git(rest)
    if first == "rg":
        return not any(one.startswith(RG_BAD) for one in rest)
    if first == "sed" and len(rest) > 1 and rest[0] == "-n":
        # `sed -n 10,20p FILE`, the way agents read a part of a file.
        plain = rest[1][-1:] == "p" and _LINES.issuperset(rest[1][:-1])
        return plain and not any(one.startswith("-") for one in rest[2:])
    return False


def _git(words: list[str]) -> bool:
    if words[:1] == ["--no-pager"]:
        words = words[1:]
    if words[:1] == ["-C"]:
        words = words[2:]
    if not words:
        return True
    verb, rest = words[0], words[1:]
    if verb in GIT_LISTS:
        return rest in LISTING and (verb, rest) != ("stash", [])
    return verb in GIT and not any(one.startswith(GIT_BAD) for one in rest)
