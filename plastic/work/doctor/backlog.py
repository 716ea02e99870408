"""Check of the backlog's database: it can be read, written, and is of a schema that we know."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from plastic.disk.files import exists
from plastic.disk.projects import settings
from plastic.words import Broken
from plastic.work.doctor.found import Found

if TYPE_CHECKING:
    from plastic.work.doctor.found import Patient


def database(patient: Patient) -> list[Found]:
    """Nothing is healed: what is left of a broken file may be worth more than a new one."""
    engine = str(settings(patient.home).get("engine", "sqlite"))
    if engine != "sqlite":
        return _server(patient, engine)
    path = f"{patient.home.root}/backlog.db"
    if not exists(path):
        return []
    from plastic.store.health import look

    wrong = look(path)
    if wrong is None:
        return []
    run = {
        "room": f"df -h {shlex.quote(path)}",
        "rights": f"ls -ld {shlex.quote(patient.home.root)} {shlex.quote(path)}",
        "newer": "pip install --upgrade plastic-intents",
    }.get(wrong.kind, _aside(path))
    return [Found(wrong.text, run)]


def _server(patient: Patient, engine: str) -> list[Found]:
    """A server is somebody else's to mend: what it says, and where its address stands."""
    try:
        from plastic.store.postgresstore import PostgresStore

        PostgresStore(engine, "").close()
    except Broken as broken:
        config = shlex.quote(patient.home.config_yml)
        own = broken.run if (broken.run or "plastic doctor") != "plastic doctor" else None
        return [Found(broken.reason, own or f"${{EDITOR:-vi}} {config}")]
    return []


def _aside(path: str) -> str:
    """Put a broken database aside, whole: the next command makes a new one to import into."""
    files = [one for one in (path, f"{path}-wal", f"{path}-shm") if exists(one)]
    folder = shlex.quote(f"{path}.broken")
    return f"mkdir {folder} && mv {shlex.join(files)} {folder}/"
