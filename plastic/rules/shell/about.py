"""The command table in words, for the printed page: what each mode, role and special case means."""

from __future__ import annotations

from plastic.rules.shell.gitmodes import GIT_MODES
from plastic.rules.shell.modes import MODES
from plastic.rules.shell.roles import ROLES
from plastic.rules.shell.row import Row
from plastic.rules.shell.rows_code import OPAQUE, RUNNERS
from plastic.rules.shell.rows_files import FILES
from plastic.rules.shell.rows_git import LOOKS, VERBS
from plastic.rules.shell.rows_read import READS
from plastic.rules.shell.rows_start import BEHIND, STARTS
from plastic.rules.shell.rows_tools import TOOLS
from plastic.rules.shell.special import SPECIAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from plastic.rules.shell.modes import Mode

# What the values of options are that the modes themselves read.
READ_BY_MODES = {
    "cd": "is the directory that the command changes to first",
    "into": "is the directory that the operands are put into",
    "git": "changes the refs or the config",
    "new": "is a branch that is made",
    "file": "is the file that is written instead",
    "folder": "is the directory that is written to",
}


def meaning(of: object) -> str:
    """The first line that a function says about itself."""
    return (getattr(of, "__doc__", None) or "").partition("\n")[0].replace("|", "\\|")


def _options(row: Row, names: Mapping[str, Mode]) -> str:
    """What the options of a row do, those first that write."""
    said = []
    for role in sorted({one for one in (*row.values.values(), *row.joined.values()) if one}):
        given = [
            name for table in (row.values, row.joined) for name in table if table[name] == role
        ]
        judge = ROLES.get(role)
        text = meaning(judge) if judge else READ_BY_MODES.get(role, role)
        said.append(f"{_names(given)} {text}")
    for mode in sorted(set(row.flags.values())):
        given = [name.lstrip("=") for name in row.flags if row.flags[name] == mode]
        said.append(f"{_names(given)}: {meaning(names[mode])}")
    return "; ".join(said)


def _names(given: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in given)


def _rows(table: Mapping[str, str], names: Mapping[str, Mode]) -> list[tuple[str, str, str]]:
    """(names, operands, options), one line for all commands that are judged alike."""
    alike: dict[tuple[str, str], list[str]] = {}
    for name, text in table.items():
        row = Row(text)
        alike.setdefault((meaning(names[row.mode]), _options(row, names)), []).append(name)
    return [(_names(commands), *said) for said, commands in alike.items()]


def commands() -> list[tuple[str, str, str]]:
    """The rows of the command table."""
    runners = {name: f"opaque {text}".strip() for name, text in RUNNERS.items()}
    return _rows({**FILES, **STARTS, **BEHIND, **TOOLS, **runners}, MODES)


def verbs() -> list[tuple[str, str, str]]:
    """The rows of git's verbs."""
    return _rows(VERBS, GIT_MODES)


def special() -> list[tuple[str, str]]:
    """The commands that have a function of their own."""
    same: dict[str, list[str]] = {}
    for name, judge in SPECIAL.items():
        same.setdefault(meaning(judge), []).append(name)
    return [(_names(names), text) for text, names in same.items()]


def lists() -> list[tuple[str, str]]:
    """The commands that only have a name in the table."""
    return [
        ("write no file", ", ".join(f"`{name}`" for name in sorted(READS))),
        ("of git: write no file", ", ".join(f"`{name}`" for name in sorted(LOOKS))),
        ("run code that no word of them shows", ", ".join(f"`{name}`" for name in sorted(OPAQUE))),
    ]
