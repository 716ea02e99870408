"""How the text of each kind of config value is read; ValueError says what it should have been."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.config.keys import Key


class Days(NamedTuple):
    """The day of the check and the last day that `observe_until` may name, as YYYY-MM-DD."""

    today: str
    last: str


Tree = Any  # None | str | list[Tree] | dict[str, Tree]
OBSERVE_DAYS = 14
_BRANCH_NEVER = ("..", "@{", "//", "\\", "~", "^", ":", "?", "*", "[")


def shape(value: Tree) -> str:
    """What a piece of a file is, for people."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    return "a list" if isinstance(value, list) else "a value"


def _text(value: Tree) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be one value, not {shape(value)}")
    if not value.strip() or not value.isprintable():
        raise ValueError("must be one line of printable text")
    return value


def _version(_key: Key, value: Tree, _days: Days) -> int:
    if _text(value) != "1":
        raise ValueError(f"is {value}; this plastic reads version 1")
    return 1


def _number(key: Key, value: Tree, _days: Days) -> int:
    text = _text(value)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(f"must be a whole number, not {text[:40]}")
    if not key.low <= int(text) <= key.high:
        raise ValueError(f"is {text}; allowed are {key.bounds} {key.kind}")
    return int(text)


def _bool(_key: Key, value: Tree, _days: Days) -> bool:
    text = _text(value).lower()
    if text not in ("true", "false"):
        raise ValueError(f"must be true or false, not {text[:40]}")
    return text == "true"


def _choice(key: Key, value: Tree, _days: Days) -> str:
    text = _text(value)
    if text not in key.choices:
        raise ValueError(f"must be one of {', '.join(key.choices)}, not {text[:40]}")
    return text


def _path(_key: Key, value: Tree, _days: Days) -> str:
    if not isinstance(value, str) or not value.startswith(("/", "~/")) or "\0" in value:
        raise ValueError("must be an absolute path, or one that starts with ~/")
    return value


def _word(_key: Key, value: Tree, _days: Days) -> str:
    text = _text(value)
    if text.startswith("-") or any(letter.isspace() for letter in text):
        raise ValueError("must be one word that does not start with a hyphen")
    return text


def _branch(key: Key, value: Tree, days: Days) -> str:
    text = _word(key, value, days)
    wrong = any(part in text for part in _BRANCH_NEVER)
    if wrong or text.endswith(("/", ".", ".lock")) or text.startswith(("/", ".")):
        raise ValueError(f"is no branch name that git takes: {text[:60]}")
    return text


def _repo(key: Key, value: Tree, days: Days) -> str:
    text = _word(key, value, days)
    owner, _, name = text.partition("/")
    if not owner or not name or "/" in name:
        raise ValueError("must be owner/name")
    return text


def _commands(_key: Key, value: Tree, _days: Days) -> list[str]:
    if not isinstance(value, list):
        raise ValueError("must be a list")
    if not all(isinstance(one, str) and one.strip() and "\0" not in one for one in value):
        raise ValueError("must be a list of command lines")
    return list(value)


def _files(_key: Key, value: Tree, _days: Days) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError("must be a list of files")
    for one in value:
        parts = one.split("/")
        if not one or one.startswith("/") or ".." in parts or "\0" in one or ".git" in parts:
            raise ValueError(f"must name files inside the repository, not {one[:60]!r}")
    return list(value)


def _engine(_key: Key, value: Tree, _days: Days) -> str:
    text = _text(value)
    if text != "sqlite" and not text.startswith(("postgresql://", "postgres://")):
        raise ValueError("must be sqlite or a postgresql:// address")
    return text


def _date(_key: Key, value: Tree, days: Days) -> str:
    text = _text(value)
    if not is_day(text):
        raise ValueError(f"must be a date like {days.today}, not {text[:40]}")
    if text > days.last:
        what = f"is more than {OBSERVE_DAYS} days ahead; the last day allowed is {days.last}"
        raise ValueError(what)
    return text


def is_day(text: str) -> bool:
    """Whether a text is a day of the calendar, written YYYY-MM-DD."""
    digits = text.replace("-", "")
    if len(text) != 10 or text[4] != "-" or text[7] != "-" or len(digits) != 8:
        return False
    if not (digits.isascii() and digits.isdigit()):
        return False
    year, month, day = int(text[:4]), int(text[5:7]), int(text[8:])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return year > 0 and 1 <= month <= 12 and 1 <= day <= lengths[month - 1]


READERS: dict[str, Callable[[Key, Tree, Days], Any]] = {
    "version": _version,
    "seconds": _number,
    "days": _number,
    "bool": _bool,
    "choice": _choice,
    "path": _path,
    "word": _word,
    "branch": _branch,
    "repo": _repo,
    "commands": _commands,
    "files": _files,
    "engine": _engine,
    "date": _date,
}
