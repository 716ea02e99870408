"""Refusals that the world makes: config, disk, other programs; what they print is pasted."""

from __future__ import annotations

import shlex
import sqlite3
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plastic.disk.session import Caller
from plastic.rules.backlog.answers import Actor
from plastic.store import sqlitefile
from plastic.store.schema import VERSION
from plastic.work.backlog import mirror, place
from plastic.work.doctor import backlog as doctor
from plastic.work.doctor.found import Patient
from tests.backlog.test_printed import works

if TYPE_CHECKING:
    from tests.backlog.desk import Desk

# The refusals that the tests below paste.
SPECIAL = [
    ("store/sqlitefile.py", "database-broken"),
    ("store/sqlitefile.py", "database-busy"),
    ("store/sqlitefile.py", "database-network"),
    ("work/backlog/place.py", "backlog-key"),
    ("work/backlog/mirror.py", "mirror"),
    ("work/backlog/mirror.py", "document-busy"),
]


GITHUB = "mirror: github, repo: o/n, account: bot"


def database(desk: Desk) -> Path:
    """The file of the backlog."""
    return Path(desk.world.home.root, "backlog.db")


def said(desk: Desk) -> list[tuple[str, str]]:
    """What doctor finds in the backlog's database, and its commands."""
    home = desk.world.home
    found = doctor.database(Patient(home, {}, home.root, Caller("", "none")))
    return [(one.what, one.run) for one in found]


def test_a_broken_database_is_put_aside_whole(desk: Desk) -> None:
    """No traceback, nothing thrown away; the command that doctor names lets work go on."""
    desk.add("One")
    path = database(desk)
    assert said(desk) == []
    torn = path.read_bytes()[:100] + b"no database any more" * 400
    path.write_bytes(torn)
    found = desk.refused("ready", rc=5)
    assert (found["error"]["code"], found["error"]["run"]) == ("database-broken", "plastic doctor")
    ((what, run),) = said(desk)
    assert what in desk.world.plastic("doctor", cwd=desk.world.repo).out
    subprocess.run(["/bin/sh", "-c", run], check=True)
    assert (path.parent / "backlog.db.broken" / "backlog.db").read_bytes() == torn
    assert desk.ready() == []
    assert said(desk) == []
    assert desk.world.git("status", "--porcelain", cwd=desk.world.home.root) == ""


def test_a_database_that_may_not_be_written(desk: Desk) -> None:
    """A write is refused, a look goes on, doctor shows the rights; tests never run as root."""
    id = desk.add("One")
    database(desk).chmod(stat.S_IRUSR)
    assert desk.refused("add", "Two", rc=5)["error"]["code"] == "database-broken"
    assert desk.ready() == [id]
    ((what, run),) = said(desk)
    assert "readonly" in what
    works(desk, run)


def test_a_full_disk_writes_nothing_and_is_said(desk: Desk) -> None:
    """A database at its limit answers as a full disk does."""
    id = desk.add("One")
    before = desk("export")
    with desk.open() as store:
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(Exception, match="full; nothing was changed"):
            store.write_note(id, "x" * 100_000, Actor("o1"))
    assert desk("export") == before
    assert desk("audit")["sound"]


def test_a_newer_database_is_left_alone(desk: Desk) -> None:
    desk.add("One")
    desk.sql(f"PRAGMA user_version = {VERSION + 1}")
    found = desk.refused("ready", rc=5)
    assert found["error"]["code"] == "schema-newer"
    assert [run for _, run in said(desk)] == [found["error"]["run"]]
    assert desk.sql("PRAGMA user_version") == [(VERSION + 1,)]


def test_a_database_in_use_is_waited_for_and_then_said(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.add("One")
    monkeypatch.setattr(sqlitefile, "PATIENCE", 0.0)
    other = sqlite3.connect(database(desk), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    found = desk.refused("add", "Two", rc=5)
    assert found["error"]["code"] == "database-busy"
    works(desk, found["error"]["run"])
    other.execute("ROLLBACK")
    other.close()
    assert desk.add("Two") == "local-2"


def test_a_network_file_system_is_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as remote:
        remote.setattr(place, "kind_of", lambda _: "nfs4")
        found = desk.refused("ready", rc=5)
    assert found["error"]["code"] == "database-network"
    assert "nfs4" in found["error"]["reason"]
    works(desk, found["error"]["run"])


@pytest.mark.parametrize(
    ("name", "old", "new", "argv", "code"),
    [
        ("projects.yml", "base_branch: main", "region: local", ("add", "T"), "backlog-key"),
        ("projects.yml", "mirror: files", GITHUB, ("mirror",), "mirror"),
    ],
)
def test_what_the_config_says_is_mended_where_it_stands(
    desk: Desk, name: str, old: str, new: str, argv: tuple[str, ...], code: str
) -> None:
    path = Path(desk.world.home.root, name)
    text = path.read_text()
    if old not in text:
        text = f"{text}{old}\n"
    path.write_text(text.replace("region: local, ", "").replace(old, new))
    found = desk.refused(*(argv or ("ready",)), rc=1)
    assert found["error"]["code"] == code, found
    run = found["error"]["run"]
    if run.startswith("${EDITOR"):
        assert str(path) in run
        subprocess.run(["/bin/sh", "-c", run], check=True, env={"EDITOR": "true", "PATH": "/bin"})
    else:
        works(desk, run)
    path.write_text(text)
    desk("ready")


def test_a_relaxed_database_says_so_at_every_command(desk: Desk) -> None:
    path = Path(desk.world.home.root, "config.yml")
    assert "power loss" not in desk.done("add", "One").err
    path.write_text(path.read_text() + "durability: relaxed\n")
    assert "power loss" in desk.done("claim", "--next", "--owner", "o1", "--json").err
    path.write_text(path.read_text().replace("relaxed", "none"))
    assert desk.refused("ready", rc=1)["error"]["code"] == "config"


def test_an_editor_that_saves_all_the_time(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    id = desk.add("One")
    with monkeypatch.context() as busy:
        busy.setattr(mirror, "swap", lambda *_: False)
        found = desk.refused("mirror", rc=5)
    assert found["error"]["code"] == "document-busy"
    assert shlex.split(found["error"]["run"])[:3] == ["plastic", "backlog", "mirror"]
    assert desk.paste(found["error"]["run"]).json["written"] == [id]
