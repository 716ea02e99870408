"""Where a relay lives: a folder of its own below the home, and what never changes about it."""

from __future__ import annotations

import json
import os
import socket
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.files import exists, make_dirs, names, read, remove, replace
from plastic.disk.relay.processes import boot, identity
from plastic.disk.tree import remove_tree
from plastic.words import Broken

if TYPE_CHECKING:
    from plastic.disk.home import Home

SCHEMA = 1
MOST = 1 << 20  # bytes of a record


class Place(NamedTuple):
    """The folder of one relay."""

    path: str

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def journal(self) -> str:
        return f"{self.path}/journal.jsonl"

    @property
    def snapshot(self) -> str:
        return f"{self.path}/snapshot.json"

    @property
    def guard(self) -> str:
        return f"{self.path}/runner.guard"

    @property
    def inbox(self) -> str:
        return f"{self.path}/inbox"

    @property
    def turns(self) -> str:
        return f"{self.path}/turns"


class About(NamedTuple):
    """What a relay was started with. `key` is what only one live relay may have."""

    relay: str
    created: float
    cwd: str
    repo: str  # its common directory; of no repository, the directory
    key: str
    agent: str
    program: str = ""
    model: str = ""
    intent: str = ""  # its folder
    ends: bool = False
    args: tuple[str, ...] = ()  # more words for the command line of the agent
    stall: float = 1800.0  # seconds without output after which a child counts as stuck


def root(home: Home) -> str:
    """The folder of all relays."""
    return f"{home.root}/relay"


def place_of(home: Home, relay: str) -> Place:
    """Where a relay of this name lives."""
    return Place(f"{root(home)}/{relay}")


def make(home: Home, about: About) -> Place:
    """The folder of a new relay, with what it was started with; this process runs it.

    It is one when it has a journal.
    """
    place = place_of(home, about.relay)
    for folder in (place.path, place.inbox, place.turns):
        make_dirs(folder, 0o700)
    write(f"{place.path}/about.json", {"schema": SCHEMA, **about._asdict()})
    own(place)
    return place


def about_of(place: Place) -> About | None:
    """What it was started with; None when there is no relay in that folder."""
    raw = record(f"{place.path}/about.json")
    if raw is None or not exists(place.journal):  # a start that was killed
        return None
    known = {key: raw[key] for key in About._fields if key in raw}
    known["args"] = tuple(known.get("args", ()))
    needed = {"relay", "created", "cwd", "repo", "key", "agent"}
    return About(**known) if needed <= set(known) else None


def relays(home: Home) -> list[tuple[Place, About]]:
    """Every relay of this home, the newest first."""
    found = []
    for name in names(root(home)):
        about = about_of(place_of(home, name)) if not name.startswith(".") else None
        if about is not None and about.relay == name:
            found.append((place_of(home, name), about))
    return sorted(found, key=lambda one: one[1].created, reverse=True)


def forget(place: Place) -> None:
    """Remove a relay's folder."""
    remove_tree(place.path)


def clear(folder: str) -> None:
    """Remove the files of a folder; what is none stays."""
    for name in names(folder):
        try:
            remove(f"{folder}/{name}")
        except OSError:
            pass


def own(place: Place) -> None:
    """Note that this process runs the relay: for those who only look."""
    pid = os.getpid()
    who = {"host": socket.gethostname(), "boot": boot(), "pid": pid, "start": identity(pid)}
    write(f"{place.path}/owner.json", {"schema": SCHEMA, **who})


def disown(place: Place) -> None:
    """Take that note away."""
    remove(f"{place.path}/owner.json")


def owner(place: Place) -> int:
    """The process that runs the relay, 0 for none that lives; a number used anew is none."""
    raw = record(f"{place.path}/owner.json")
    pid = raw.get("pid") if raw else None
    if not raw or not isinstance(pid, int) or raw.get("host") != socket.gethostname():
        return 0
    return pid if raw.get("boot") == boot() and raw.get("start") == identity(pid) != "" else 0


def leave(place: Place) -> None:
    """Note that nobody runs it any more."""
    remove(f"{place.path}/owner.json")


def write(path: str, value: dict[str, Any]) -> None:
    """Replace a record as one step, readable by its user alone."""
    replace(path, (json.dumps(value) + "\n").encode(), 0o600)


def record(path: str) -> dict[str, Any] | None:
    """A record; None for none, half of one, or what is none. One of a newer version is refused."""
    try:
        raw = json.loads(read(path, MOST) or b"null")
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(raw, dict):
        return None
    check(raw, path)
    return raw


def check(raw: dict[str, Any], path: str) -> None:
    """Refuse what a newer plastic wrote, without a change of it."""
    schema = raw.get("schema", 0)
    if isinstance(schema, int) and schema > SCHEMA:
        why = f"{path} was written by a newer plastic (schema {schema}, this one reads {SCHEMA})"
        raise Broken("newer", why, run="pip install --upgrade plastic-intents")
