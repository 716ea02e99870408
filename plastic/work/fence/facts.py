"""What the hooks of a worktree know, beside them in git's directory: shell for sh, and for us."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import read_text, replace

if TYPE_CHECKING:
    from collections.abc import Iterator

FACTS = "plastic.fence"
OWN = "plastic.own"  # where the repository's own hooks lie, as the hooks have found out
TOLD = "plastic.told"  # the process of git whose person has been told


class Facts(NamedTuple):
    """Whose worktree it is, under which token it was last handed out, and who judges."""

    id: str
    intent: str  # <id>--<slug>
    lock: str  # the path of the lock file
    home: str
    token: int
    python: str
    package: str  # the folder that holds `plastic/`


def write(admin: str, facts: Facts) -> bool:
    """Keep the facts, as one step; False when they stand there already."""
    text = "".join(f"pf_{key}={_quoted(str(value))}\n" for key, value in facts._asdict().items())
    if read_text(f"{admin}/{FACTS}") == text:
        return False
    replace(f"{admin}/{FACTS}", text.encode("utf-8", "surrogateescape"))
    return True


def read(admin: str) -> Facts | None:
    """The facts of a worktree; None where there are none, or not all."""
    try:
        found = dict(_values(read_text(f"{admin}/{FACTS}") or ""))
        token = int(found.pop("token"))
        return Facts(token=token, **found)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _values(text: str) -> Iterator[tuple[str, str]]:
    for line in text.replace("'\\''", "\0").split("'\n"):
        key, sign, value = line.partition("='")
        if sign:
            yield key.removeprefix("pf_"), value.replace("\0", "'")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
