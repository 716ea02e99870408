"""Many processes and one PostgreSQL: every token once, also when the server dies under them."""

from __future__ import annotations

import os
import time
import traceback
from typing import TYPE_CHECKING

import pytest

from plastic.rules.backlog.answers import Actor, Draft, Fence
from plastic.rules.backlog.completion import Evidence
from plastic.rules.backlog.grants import Terms
from plastic.store import postgres as engine
from plastic.store.postgresstore import PostgresStore
from plastic.words import Broken, Refusal
from tests.store.server import Server, binaries, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DONE = Evidence(commit="c0ffee", contained=True, checked=True)
PM = Actor("pm", role="pm")


def opened(where: str) -> PostgresStore:
    """A store on the server's own clock, for leases that outlast the test."""
    return PostgresStore(where, "shop", terms=Terms(3600, 7200))


def fill(where: str, count: int) -> None:
    """A chain of pairs: every second item waits for the one before it."""
    store = opened(where)
    for n in range(count):
        waits = (f"issue-{n - 1}",) if n % 2 else ()
        store.add(
            Draft(id=f"issue-{n}", title="T", priority="P2", phase="implementation", region="local",
                  base="main", blocked_by=waits), PM, admitted=True,
        )  # fmt: skip
    store.close()


def at_once(count: int, act: Callable[[int], None]) -> None:
    """So many processes of our own, started together; every one must end well."""
    gate, go = os.pipe()
    children = []
    for n in range(count):
        child = os.fork()
        if child == 0:
            os.close(go)
            os.read(gate, 1)  # until the parent closes its end
            try:
                act(n)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        children.append(child)
    os.close(gate)
    os.close(go)
    ends = [os.waitpid(child, 0)[1] for child in children]
    assert ends == [0] * count


def drain(where: str, name: str, book: Path) -> None:
    """Claim and complete until nothing is left; whatever breaks, look and go on."""
    store: PostgresStore | None = None
    end = time.monotonic() + 60
    mine: tuple[str, int] | None = None
    while time.monotonic() < end:
        try:
            store = store or opened(where)
            if mine is None:
                mine = kept(store, name)  # what was done before an answer was lost
            if mine is None:
                got = store.claim(None, name)
                if not got.granted:
                    if not store.ready().pending:
                        return
                    time.sleep(0.002)
                    continue
                mine = (got.id, got.token or 0)
            with open(book, "a") as log:
                log.write(f"{mine[0]} {mine[1]} {name}\n")
            store.complete(mine[0], Fence(mine[1]), Actor(name), DONE)
            mine = None
        except Broken:
            if store is not None:
                store.close()
            store, mine = None, None
            time.sleep(0.02)
    raise AssertionError(f"{name} has not come to an end")


def kept(store: PostgresStore, name: str) -> tuple[str, int] | None:
    """The claim that the database has under this name."""
    for item in store.items():
        grip = item.grip
        if item.state == "live" and grip.claimed and grip.owner == name:
            return item.id, grip.token
    return None


def proven(where: str, book: Path, count: int) -> None:
    """Every item complete, every grant to one owner, everything kept equals everything computed."""
    store = opened(where)
    assert store.audit() == []
    items = store.items()
    assert [one.state for one in items] == ["complete"] * count
    for one in items:
        assert [grant.token for grant in store.grants(one.id)] == [1]
    worked = {tuple(line.split()) for line in book.read_text().splitlines()}
    owners = {id: grant.owner for id in (one.id for one in items) for grant in store.grants(id)}
    assert worked == {(id, "1", owner) for id, owner in owners.items()}
    store.close()


def test_sixteen_processes_drain_a_queue(postgres: str, tmp_path: Path) -> None:
    fill(postgres, 48)
    book = tmp_path / "book"
    book.touch()
    at_once(16, lambda n: drain(postgres, f"w{n}", book))
    proven(postgres, book, 48)


def test_sixteen_processes_want_one_item(postgres: str, tmp_path: Path) -> None:
    fill(postgres, 1)
    assert winners(postgres, tmp_path) == ["1"]


def test_without_the_lock_of_writers_others_come_between(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Non-vacuity: the same race without one writer at a time."""
    monkeypatch.setattr(engine, "_WRITE", f"{engine._NOW} FROM (SELECT %s) AS nobody")
    fill(postgres, 1)
    assert "broken" in winners(postgres, tmp_path, pause=0.05)


def winners(where: str, folder: Path, pause: float = 0.0) -> list[str]:
    """What those were told who were not refused."""

    def want(n: int) -> None:
        store = opened(where)
        store.point = lambda sql: time.sleep(pause) if sql == "COMMIT" else None
        try:
            got = store.claim("issue-0", f"w{n}")
        except Broken:
            (folder / f"w{n}").write_text("broken")
        else:
            if got.granted:
                (folder / f"w{n}").write_text(str(got.token))
        store.close()

    at_once(16, want)
    return [one.read_text() for one in folder.glob("w*")]


def test_a_server_killed_among_workers(tmp_path: Path) -> None:
    """kill -9, started again: nobody works under a token that another has too."""
    server = Server(binaries()[-1])
    book = tmp_path / "book"
    book.touch()
    try:
        where = server.address()
        fill(where, 40)
        killer = os.fork()
        if killer == 0:
            try:
                while len(book.read_text().splitlines()) < 8:
                    time.sleep(0.001)
                server.kill()
                server.start()
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        at_once(6, lambda n: drain(where, f"w{n}", book))
        assert os.waitpid(killer, 0)[1] == 0
        wait_for(where)
        proven(where, book, 40)
    finally:
        server.stop()


def test_a_claim_in_the_middle_when_the_server_dies(tmp_path: Path) -> None:
    """Before its COMMIT nothing is there; the next claim has the same token, once."""
    server = Server(binaries()[0])
    try:
        fill(server.address(), 1)
        store = opened(server.address())

        def die(sql: str) -> None:
            if sql.startswith("INSERT INTO grants"):
                server.kill()

        store.point = die
        with pytest.raises(Refusal) as broken:
            store.claim("issue-0", "w1")
        assert broken.value.code in ("database-unreachable", "not-confirmed")
        server.start()
        again = opened(server.address())
        assert again.grants("issue-0") == []
        got = again.claim("issue-0", "w2")
        assert (got.granted, got.token) == (True, 1)
        assert again.audit() == []
        again.close()
        store.close()
    finally:
        server.stop()
