"""The PostgreSQL engine: how it moves forward, what a user is told, and what is not confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg
import pytest

from plastic.store import postgres as engine
from plastic.store.postgresspeech import address, unfit
from plastic.store.postgresstore import PostgresStore
from plastic.store.schema import VERSION
from plastic.words import Broken
from tests.store.proxy import Proxy
from tests.store.world import Backlog

if TYPE_CHECKING:
    from plastic.store.protocol import Store

SECRET = "s3cret"


def refused(where: str) -> Broken:
    """How opening it fails; whatever it says, the password is not in it."""
    with pytest.raises(Broken) as broken:
        PostgresStore(where, "shop")
    said = broken.value
    assert SECRET not in f"{said.reason} {said.run} {said.facts} {said.__cause__}"
    assert "\n" not in said.reason
    assert said.run
    return said


def as_role(where: str, role: str) -> str:
    """The same address for somebody else, with a password."""
    return where.replace("plastic@", f"{role}:{SECRET}@")


def test_it_is_a_store_that_may_be_opened_again(postgres: str) -> None:
    store: Store = PostgresStore(postgres, "shop")
    store.close()
    store = PostgresStore(postgres, "shop")
    assert store.ready().pending == 0
    store.close()


def test_the_clock_is_the_servers_at_the_time_of_the_statement(postgres: str) -> None:
    store = PostgresStore(postgres, "shop")
    with store.writing() as tx:
        began = tx.value("SELECT extract(epoch FROM now())::float8")
        tx.run("SELECT pg_sleep(0.01)")
        later = tx.value("SELECT extract(epoch FROM clock_timestamp())::float8")
    assert began <= tx.now < later
    store.close()


def test_two_projects_share_a_database(postgres: str) -> None:
    one = Backlog(postgres)
    one.add("issue-1")
    two = PostgresStore(postgres, "other", clock=one.clock)
    assert two.items() == []
    with one.store.writing(), two.writing():
        pass  # neither waits for the other
    two.close()
    one.store.close()


def test_a_newer_schema_is_left_alone(postgres: str) -> None:
    PostgresStore(postgres, "shop").close()
    with psycopg.connect(postgres) as connection:
        connection.execute("INSERT INTO plastic_schema VALUES (%s)", (VERSION + 1,))
    assert refused(postgres).code == "schema-newer"


def test_a_migration_that_fails_leaves_nothing(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(engine, "STEPS", (engine.STEPS[0], ("CREATE TABLE half (n BIGINT)", "no")))
        assert refused(postgres).code == "database-broken"
    with psycopg.connect(postgres) as connection:
        assert connection.execute("SELECT max(version) FROM plastic_schema").fetchone() == (1,)
        assert connection.execute("SELECT to_regclass('half')").fetchone() == (None,)
    PostgresStore(postgres, "shop").close()


def test_nobody_listens() -> None:
    said = refused(f"postgresql://ada:{SECRET}@127.0.0.1:1/shop")
    assert said.code == "database-unreachable"
    assert "postgresql://ada@127.0.0.1:1/shop cannot be reached" in said.reason


@pytest.mark.parametrize(
    "where",
    [
        f"postgresql://ada:{SECRET}@127.0.0.1:port/shop",
        f"postgresql://ada:{SECRET}@127.0.0.1:1/shop?nothing=like+that",
        f"postgresql://ada:{SECRET}%zz@127.0.0.1:1/shop",
        f"postgresql://127.0.0.1:1/shop?password={SECRET}",
    ],
)
def test_an_address_that_is_none(where: str) -> None:
    assert refused(where).code == "database-unreachable"


def test_a_wrong_password(cluster: str) -> None:
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS locked")
        connection.execute("CREATE ROLE locked LOGIN PASSWORD 'another'")
    said = refused(as_role(cluster, "locked"))
    assert said.code == "database-login"
    assert "refuses the login" in said.reason


def test_a_server_that_takes_no_writes(postgres: str) -> None:
    with_it = f"{postgres}%20-c%20default_transaction_read_only%3Don"
    assert refused(with_it).code == "database-read-only"
    PostgresStore(postgres, "shop").close()
    store = PostgresStore(with_it, "shop")  # a look is possible
    assert store.items() == []
    store.close()


def test_a_database_of_another_encoding(cluster: str) -> None:
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS odd")
        connection.execute("CREATE DATABASE odd ENCODING 'SQL_ASCII' TEMPLATE template0")
    said = refused(cluster.replace("/postgres", "/odd"))
    assert said.code == "database-encoding"
    assert "SQL_ASCII" in said.reason


@pytest.mark.parametrize(("version", "code"), [(120022, "database-old"), (130000, None)])
def test_the_oldest_server(version: int, code: str | None) -> None:
    no = unfit(address("postgresql://h/d"), version, "UTF8")
    assert (no.code if no else None) == code


def test_somebody_else_writes_for_too_long(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = PostgresStore(postgres, "shop")
    monkeypatch.setattr(engine, "PATIENCE", 0.2)
    two = PostgresStore(postgres, "shop")
    with one.writing():
        with pytest.raises(Broken) as broken, two.writing():
            pass
        assert broken.value.code == "database-busy"
        assert two.items() == [], "who only looks waits for nobody"
    two.close()
    one.close()


def test_a_commit_that_no_standby_confirms_is_not_confirmed(postgres: str) -> None:
    """The server waits without end, and calls it a success when it is cancelled."""
    one = Backlog(postgres)
    one.add("issue-1")
    lone = PostgresStore(f"{postgres}%20-c%20synchronous_commit%3Don", "shop", clock=one.clock)
    lone.patience = 0.2
    with pytest.raises(Broken) as broken:
        lone.claim("issue-1", "w1")
    assert broken.value.code == "not-confirmed"
    assert broken.value.run == "plastic backlog list"
    assert one.store.status("issue-1").token == 1, "a failover may lose it"
    lone.close()
    one.store.close()


def test_without_the_watch_it_would_be_taken_for_done(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Non-vacuity: deaf to the warning, the same cancel reads as a grant."""
    one = Backlog(postgres)
    one.add("issue-1")
    monkeypatch.setattr(PostgresStore, "_heard", lambda *_: None)
    monkeypatch.setattr(engine, "unconfirmed", lambda *_: AssertionError("noticed by the watch"))
    lone = PostgresStore(f"{postgres}%20-c%20synchronous_commit%3Don", "shop", clock=one.clock)
    lone.patience = 0.2
    with pytest.raises(AssertionError, match="noticed"):
        lone.claim("issue-1", "w1")
    lone.close()
    one.store.close()


@pytest.mark.parametrize("deliver", [True, False])
def test_the_wire_breaks_at_the_commit(postgres: str, *, deliver: bool) -> None:
    """Nobody knows whether it was done: the next look proves it, and a new try goes on from it."""
    one = Backlog(postgres)
    one.add("issue-1")
    port = urlsplit(postgres).port or 0
    proxy = Proxy(port)
    through = PostgresStore(postgres.replace(f":{port}", f":{proxy.port}"), "shop", clock=one.clock)
    proxy.cut, proxy.deliver = b"COMMIT", deliver
    with pytest.raises(Broken) as broken:
        through.claim("issue-1", "w1")
    assert broken.value.code == "not-confirmed"
    with pytest.raises(Broken) as after:
        through.status("issue-1")
    assert after.value.code == "database-unreachable"
    again = PostgresStore(postgres, "shop", clock=one.clock)
    status = again.status("issue-1")
    assert (status.token, status.owner) == ((1, "w1") if deliver else (None, None))
    got = again.claim("issue-1", "w1")
    if deliver:
        assert (got.granted, got.holder, got.holder_token) == (False, "w1", 1)
    else:
        assert (got.granted, got.token) == (True, 1)
    proxy.close()
    again.close()
    one.store.close()
