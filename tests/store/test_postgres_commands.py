"""`plastic backlog` on PostgreSQL as a team uses it, and every line that names what is wrong."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from plastic.disk.session import Caller
from plastic.store import postgres as engine
from plastic.work.doctor import backlog as doctor
from plastic.work.doctor.found import Patient
from tests.backlog.desk import Desk
from tests.backlog.test_printed import works
from tests.store.proxy import Proxy

if TYPE_CHECKING:
    from tests.world import World

SECRET = "s3cret"
# The refusals that the tests below paste.
SPECIAL = [
    ("store/postgresspeech.py", code)
    for code in (
        "database-broken",
        "database-busy",
        "database-encoding",
        "database-login",
        "database-read-only",
        "database-unreachable",
        "not-confirmed",
    )
]


@pytest.fixture
def desk(world: World, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A registered shop with an empty backlog."""
    return Desk(world, monkeypatch)


def use(desk: Desk, where: str) -> None:
    """From now on config.yml names this engine."""
    config = Path(desk.world.home.root, "config.yml")
    kept = [one for one in config.read_text().splitlines() if not one.startswith("engine:")]
    config.write_text("\n".join([*kept, f"engine: {where}", ""]))


def test_a_day_of_items(desk: Desk, postgres: str) -> None:
    use(desk, postgres)
    first = desk.add("One")
    second = desk.add("Two", "--blocked-by", first)
    assert desk.ready() == [first]
    got = desk.claim(first)
    assert got["granted"]
    assert desk("claim", first, "--owner", "o2", rc=3)["reason"] == "contended"
    token = str(got["fencing_token"])
    desk("renew", first, "--token", token)
    done = desk("complete", first, "--token", token, "--evidence", "HEAD")
    assert done["ready"] == [second]
    desk.park(second)
    desk("audit")  # which ends well where nothing differs
    assert not Path(desk.world.home.root, "backlog.db").exists()


def lines(desk: Desk) -> list[tuple[str, str]]:
    """What doctor says of the database."""
    home = desk.world.home
    found = doctor.database(Patient(home, {}, home.root, Caller("", "none")))
    return [(one.what, one.run) for one in found]


def refusal(desk: Desk, code: str, *argv: str) -> str:
    """A command that the database refuses: one line, a command that works, no password."""
    found = desk.refused(*(argv or ("ready",)), rc=5)
    error = found["error"]
    assert error["code"] == code, error
    assert SECRET not in str(found)
    assert "\n" not in error["reason"]
    if error["run"] == "plastic doctor" and lines(desk):
        told = desk.world.plastic("doctor", cwd=desk.world.repo)  # it says what to mend, and where
        assert " ".join(error["reason"].split()) in " ".join(told.out.split())
    else:
        works(desk, error["run"])
    return str(error["reason"])


def test_nobody_answers(desk: Desk) -> None:
    use(desk, f"postgresql://ada:{SECRET}@127.0.0.1:1/shop")
    said = refusal(desk, "database-unreachable")
    ((what, run),) = lines(desk)
    assert what == said
    subprocess.run(["/bin/sh", "-c", run], check=True, env={"EDITOR": "true", "PATH": "/bin"})


def test_the_login_is_refused(desk: Desk, cluster: str) -> None:
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS locked_too")
        connection.execute("CREATE ROLE locked_too LOGIN PASSWORD 'another' IN ROLE pg_monitor")
    use(desk, cluster.replace("plastic@", f"locked_too:{SECRET}@"))
    assert "PGPASSWORD" in refusal(desk, "database-login")


def test_no_writes_are_taken(desk: Desk, postgres: str) -> None:
    use(desk, postgres)
    desk.add("One")
    use(desk, f"{postgres}%20-c%20default_transaction_read_only%3Don")
    assert "takes no writes" in refusal(desk, "database-read-only", "add", "Two")
    assert desk.ready() == ["local-1"]


def test_another_encoding(desk: Desk, cluster: str) -> None:
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS odd_too")
        connection.execute("CREATE DATABASE odd_too ENCODING 'SQL_ASCII' TEMPLATE template0")
    use(desk, cluster.replace("/postgres", "/odd_too"))
    assert "ENCODING 'UTF8'" in refusal(desk, "database-encoding")


def test_tables_that_somebody_spoilt(desk: Desk, postgres: str) -> None:
    use(desk, postgres)
    desk.add("One")
    with psycopg.connect(postgres) as connection:
        connection.execute("DROP TABLE tally")
    assert "tally" in refusal(desk, "database-broken")


def test_somebody_writes_for_too_long(
    desk: Desk, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(desk, postgres)
    desk.add("One")
    other = engine.PostgresBase(postgres, "shop")
    monkeypatch.setattr(engine, "PATIENCE", 0.2)
    with other.writing():
        refusal(desk, "database-busy", "add", "Two")
    other.close()
    assert desk.add("Two") == "local-2"


def test_an_answer_that_did_not_come(desk: Desk, postgres: str) -> None:
    """What was asked is there: the printed command shows it."""
    use(desk, postgres)
    desk.add("One")
    port = psycopg.conninfo.conninfo_to_dict(postgres)["port"]
    proxy = Proxy(int(str(port)))
    use(desk, postgres.replace(f":{port}", f":{proxy.port}"))
    proxy.cut, proxy.deliver = b"COMMIT", True
    assert "look before you go on" in refusal(desk, "not-confirmed", "add", "Two")
    assert [one["id"] for one in desk("list")["items"]] == ["local-1", "local-2"]
    proxy.close()


def test_a_driver_that_is_not_installed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    use(desk, f"postgresql://ada:{SECRET}@127.0.0.1:1/shop")
    for name in ("psycopg", "plastic.store.postgres", "plastic.store.postgresstore"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    found = desk.refused("ready", rc=5)
    assert found["error"]["code"] == "database-driver"
    assert found["error"]["run"] == "pip install 'plastic-intents[postgres]'"
    assert lines(desk) == [(found["error"]["reason"], found["error"]["run"])]


def test_hooks_and_locks_do_without_the_driver(desk: Desk, postgres: str) -> None:
    """A gate never asks a server: it judges by what lies on this machine."""
    use(desk, postgres)
    desk.add("One")
    asks = "import sys, plastic.hook; print(sorted(m for m in sys.modules if 'psycopg' in m))"
    program = shutil.which(sys.executable) or sys.executable
    said = subprocess.run([program, "-c", asks], check=True, capture_output=True, text=True)
    assert said.stdout.strip() == "[]"
