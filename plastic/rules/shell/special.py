"""Commands that a row of the table cannot say, and the functions that judge them."""

from __future__ import annotations

from plastic.rules.shell.archives import apply_patch, cpio, patch, seven, tar, unzip
from plastic.rules.shell.editors import csplit, dd, ed, fd, mktemp, split, sqlite, vi
from plastic.rules.shell.fetch import aria, curl, wget
from plastic.rules.shell.git import git
from plastic.rules.shell.languages import node, perl, php, python, ruby
from plastic.rules.shell.own import own
from plastic.rules.shell.shells import env, find, flock, parallel, shell, sudo, xargs
from plastic.rules.shell.streams import awk, sed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State

    Special = Callable[[Run, Call, State], None]

SPECIAL: dict[str, Special] = {
    **dict.fromkeys(("sh", "bash", "zsh", "dash", "ash", "ksh", "mksh", "rbash"), shell),
    "git": git,
    **dict.fromkeys(("plastic", "plastic-lock"), own),
    **dict.fromkeys(("env", "cross-env"), env),
    "sudo": sudo,
    "doas": sudo,
    "flock": flock,
    "find": find,
    "gfind": find,
    "xargs": xargs,
    "gxargs": xargs,
    "parallel": parallel,
    **dict.fromkeys(("fd", "fdfind"), fd),
    **dict.fromkeys(("sed", "gsed"), sed),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), awk),
    **dict.fromkeys(("tar", "gtar", "bsdtar"), tar),
    "unzip": unzip,
    **dict.fromkeys(("7z", "7za", "7zz"), seven),
    "cpio": cpio,
    "patch": patch,
    **dict.fromkeys(("apply_patch", "applypatch"), apply_patch),
    "curl": curl,
    "wget": wget,
    "aria2c": aria,
    **dict.fromkeys(("vi", "vim", "nvim", "ex", "view", "vimdiff"), vi),
    **dict.fromkeys(("ed", "red"), ed),
    **dict.fromkeys(("sqlite3", "duckdb"), sqlite),
    "dd": dd,
    "split": split,
    "csplit": csplit,
    "mktemp": mktemp,
    **dict.fromkeys(("python", "pypy"), python),
    "perl": perl,
    "ruby": ruby,
    **dict.fromkeys(("node", "nodejs"), node),
    "php": php,
}
