"""The SQLite engine: where it works, how it moves forward, and what a user is told."""

from __future__ import annotations

import os
import sqlite3
import threading
from typing import TYPE_CHECKING

import pytest

from plastic.store import sqlitefile
from plastic.store.health import look
from plastic.store.migrations import migrate
from plastic.store.protocol import Store
from plastic.store.schema import FIRST, MIGRATIONS, VERSION
from plastic.store.sqlite import SqliteStore
from plastic.words import Broken
from tests.store.world import WORKER, Backlog

if TYPE_CHECKING:
    from pathlib import Path


def pragma(path: Path, name: str) -> object:
    """What a connection of its own reads."""
    connection = sqlite3.connect(path)
    try:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]
    finally:
        connection.close()


def test_it_is_a_store() -> None:
    store: Store = SqliteStore(":memory:", "shop")
    assert store.project == "shop"
    store.close()


def test_a_local_disk_has_a_write_ahead_log(tmp_path: Path) -> None:
    path = tmp_path / "backlog.db"
    store = SqliteStore(str(path), "shop", filesystem="ext4")
    assert pragma(path, "journal_mode") == "wal"
    assert store.notes == []
    with store.reading() as tx:
        assert tx.value("PRAGMA synchronous") == 2  # FULL
    store.close()


def test_relaxed_says_what_it_risks(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "backlog.db"), "shop", durability="relaxed")
    assert "token may be given again" in store.notes[0]
    store.close()


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs", "ocfs2"])
def test_a_network_disk_is_refused_before_a_file_is_made(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "backlog.db"
    with pytest.raises(Broken) as refused:
        SqliteStore(str(path), "shop", filesystem=kind)
    assert refused.value.code == "database-network"
    assert kind in refused.value.reason
    assert not path.exists()


def test_a_disk_of_the_machine_around_is_used_without_the_log(tmp_path: Path) -> None:
    path = tmp_path / "backlog.db"
    store = SqliteStore(str(path), "shop", filesystem="virtiofs")
    assert pragma(path, "journal_mode") == "delete"
    assert "without WAL" in store.notes[0]
    store.close()


def test_the_schema_is_numbered(tmp_path: Path) -> None:
    path = tmp_path / "backlog.db"
    SqliteStore(str(path), "shop").close()
    SqliteStore(str(path), "shop").close()
    assert pragma(path, "user_version") == VERSION


def test_a_newer_schema_is_refused_readably_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "backlog.db"
    SqliteStore(str(path), "shop").close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {VERSION + 3}")
    connection.close()
    with pytest.raises(Broken) as refused:
        SqliteStore(str(path), "shop")
    assert refused.value.code == "schema-newer"
    assert str(VERSION + 3) in refused.value.reason
    assert refused.value.run
    assert pragma(path, "user_version") == VERSION + 3


def test_steps_run_forward_each_as_a_whole(tmp_path: Path) -> None:
    """A second step that dies leaves the first; the next run goes on there."""
    store = SqliteStore(str(tmp_path / "backlog.db"), "shop")
    bad = (*MIGRATIONS, ("CREATE TABLE later (x)", "CREATE TABLE items (x)"))
    good = (*MIGRATIONS, ("CREATE TABLE later (x)",), ("ALTER TABLE later ADD COLUMN y",))

    def run(steps: tuple[tuple[str, ...], ...]) -> int:
        return migrate(sqlitefile._version, sqlitefile._stamp, store.writing, store.path, steps)

    with pytest.raises(Broken):
        run(bad)
    with store.reading() as tx:
        assert tx.value("SELECT count(*) FROM sqlite_master WHERE name = 'later'") == 0
        assert sqlitefile._version(tx) == VERSION
    assert run(good) == 2
    assert run(good) == 0
    store.close()


def test_a_database_of_the_first_schema_keeps_everything(tmp_path: Path) -> None:
    """What was told already is dropped; what waits, the trail and the edges are there."""
    path = tmp_path / "backlog.db"
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in FIRST:
        connection.execute(statement)
    for n in (1, 2):
        connection.execute(
            "INSERT INTO items (n, project, id, sort, state, priority, phase, region, base, "
            "waiting) VALUES (?, 'shop', ?, ?, 'live', 'P1', 'implementation', 'local', 'b', ?)",
            (n, f"a-{n}", f"a-{n}", n - 1),
        )
        row = ("shop", f"a-{n}", "create", "{}", f"shop/a-{n}/create/1", n, 5.0 if n == 1 else None)
        connection.execute(f"INSERT INTO outbox VALUES ({n}, ?, ?, ?, ?, ?, ?, ?)", row)
        connection.execute("INSERT INTO trail VALUES (?, 1, 9.0, 'w1', 'note', '{}')", (n + 6,))
    connection.execute("UPDATE trail SET item = 1")
    connection.execute("INSERT INTO edges VALUES (2, 'blockedBy', 1, 1)")
    connection.execute("INSERT INTO tally VALUES ('shop', 'pending', 2)")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    store = SqliteStore(str(path), "shop")
    assert pragma(path, "user_version") == VERSION
    assert [row.item for row in store.outbox()] == ["a-2"]
    assert [row["what"] for row in store.trail("a-1")] == ["note", "note"]
    assert [one.id for one in store.ready().items] == ["a-1"]
    assert store.audit() == []
    store.write_note("a-1", "third", WORKER)
    assert len(store.trail("a-1")) == 3
    store.close()


def test_what_is_no_database_is_said_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "backlog.db"
    path.write_text("this is no database, and long enough to be looked at" * 20)
    with pytest.raises(Broken) as refused:
        SqliteStore(str(path), "shop")
    assert (refused.value.code, refused.value.run) == ("database-broken", "plastic doctor")
    with pytest.raises(Broken):
        SqliteStore(str(tmp_path / "no" / "such" / "folder.db"), "shop")


def test_waiting_is_no_error_until_patience_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "backlog.db")
    one, two = SqliteStore(path, "shop"), SqliteStore(path, "shop")
    monkeypatch.setattr(sqlitefile, "PATIENCE", 0.05)
    with one.writing(), pytest.raises(Broken) as refused, two.writing():
        pass
    assert refused.value.code == "database-busy"
    assert "locked" not in refused.value.reason
    two.close()
    one.close()


def test_a_writer_gets_its_turn(tmp_path: Path) -> None:
    path = str(tmp_path / "backlog.db")
    one = SqliteStore(path, "shop")
    held, done = threading.Event(), threading.Event()

    def other() -> None:
        two = SqliteStore(path, "shop")
        with two.writing() as tx:
            held.set()
            assert not done.wait(0.05)
            tx.run("INSERT INTO sequences (project, last) VALUES ('shop', 41)")
        two.close()

    thread = threading.Thread(target=other)
    thread.start()
    held.wait(30)
    with one.writing() as tx:
        done.set()
        assert tx.value("SELECT last FROM sequences") == 41
    thread.join(30)
    one.close()


def test_a_look_at_the_ready_set_uses_the_partial_index(tmp_path: Path) -> None:
    from plastic.store.schema import READY

    backlog = Backlog()
    with backlog.store.reading() as tx:
        plan = tx.all(
            f"EXPLAIN QUERY PLAN SELECT n FROM items WHERE project = ? AND region = ? AND {READY} "
            "ORDER BY priority, created, sort LIMIT 5",
            "shop",
            "local",
        )
    text = " ".join(str(one) for row in plan for one in row)
    assert "items_ready" in text
    assert "B-TREE" not in text


def test_the_database_has_a_clock_of_its_own() -> None:
    import time

    store = SqliteStore(":memory:", "shop")
    assert abs(store.now() - time.time()) < 60
    store.close()


def test_projects_do_not_see_each_other(tmp_path: Path) -> None:
    path = str(tmp_path / "backlog.db")
    one = Backlog(path)
    two = SqliteStore(path, "other", durability="relaxed", clock=one.clock)
    one.add("issue-1")
    assert two.items() == []
    assert two.ready().verdict == "drained"
    assert two.claim("issue-1", "w1").reason == "missing"
    assert two.audit() == []
    one.sound()
    two.close()
    one.store.close()


@pytest.mark.parametrize("part", ["", "-wal", "-journal"])
def test_a_pipe_in_the_place_of_a_file_is_said_at_once(tmp_path: Path, part: str) -> None:
    """SQLite would wait for the other end of it."""
    path = str(tmp_path / "backlog.db")
    os.mkfifo(f"{path}{part}")
    with pytest.raises(Broken, match="is no regular file"):
        SqliteStore(path, "shop")
    trouble = look(path)
    assert trouble is not None
    assert "is no regular file" in trouble.text


def test_a_schema_that_is_no_text_any_more(tmp_path: Path) -> None:
    """SQLite quotes the spoilt word, which nobody can decode."""
    path = tmp_path / "backlog.db"
    SqliteStore(str(path), "shop").close()
    data = path.read_bytes()
    assert b"CREATE TABLE items" in data
    path.write_bytes(data.replace(b"CREATE TABLE items", b"CREATE \xccABLE items"))
    with pytest.raises(Broken) as broken, SqliteStore(str(path), "shop").reading() as tx:
        tx.all("SELECT * FROM items")
    assert broken.value.code == "database-broken"
    trouble = look(str(path))
    assert trouble is not None
    assert trouble.kind == "broken"
