"""Races and kills: one winner, nothing half, and the next command works at once."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from plastic.disk import files, penlock
from plastic.disk.penplace import place_of
from tests.pen import other
from tests.pen.conftest import Tree
from tests.world import Done

POINTS = ("pen.locked", "pen.written", "pen.recorded")


def killed(tree: Tree, point: str, *argv: str) -> Done:
    done = tree.do(*argv, env={"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": point})
    assert done.rc == -signal.SIGKILL, done
    return done


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_in_a_turn(tree: Tree, point: str) -> None:
    """Case E62: old or new, never half; the lock of the killed one is nobody's."""
    tree.ok("claim", "ana")
    before = tree.file.read_text()
    killed(tree, point, "append", "ana", "--to", "bo", "--done", "tax")
    began = time.monotonic()
    if point == "pen.locked":
        assert tree.file.read_text() == before
        tree.ok("append", "ana", "--to", "bo", "--done", "tax")
    assert tree.block["state"] == "AWAITING_BO"
    assert [one["done"] for one in tree.turns.values()] == ["tax"]
    tree.ok("claim", "bo")
    assert time.monotonic() - began < penlock.PATIENCE, "it did not wait for a dead one"
    assert not (tree.folder / ".m8shift.lock").exists()


def test_e63_a_power_loss(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """The content is on the disk before the name points to it, and then the name is."""
    tree.ok("claim", "ana")
    seen: list[tuple[str, str]] = []
    sync, rename = os.fsync, os.rename

    def synced(fd: int) -> None:
        seen.append(("sync", os.readlink(f"/proc/self/fd/{fd}")))
        sync(fd)

    def renamed(old: str, new: str) -> None:
        seen.append((old, new))
        rename(old, new)

    monkeypatch.setattr("plastic.disk.files.posix.fsync", synced)
    monkeypatch.setattr("plastic.disk.files.posix.rename", renamed)
    tree.ok("append", "ana", "--to", "bo")
    at = next(n for n, (_, new) in enumerate(seen) if new == str(tree.file))
    assert seen[at - 1] == ("sync", seen[at][0])
    assert seen[at + 1] == ("sync", str(tree.folder))


@pytest.mark.parametrize("point", ["pen.locked", "pen.made"])
def test_a_kill_in_init(bare: Tree, point: str) -> None:
    killed(bare, point, "init", "--agents", "ana,bo")
    bare.ok("init", "--agents", "ana,bo")
    assert bare.block["agents"] == "ana,bo"


@pytest.mark.parametrize("point", ["pen.locked", "pen.archived"])
def test_a_kill_in_archive(tree: Tree, point: str) -> None:
    """Turns may be in both files then; they are read once, and moved once."""
    tree.relay("ana", "bo", "ana", "bo")
    killed(tree, point, "archive", "--keep", "1")
    assert [one["turn"] for one in tree.ok("log", "--all")["turns"]] == [1, 2, 3]
    tree.ok("archive", "--keep", "1")
    archive = (tree.folder / "M8SHIFT.archive.md").read_text()
    assert list(other.turns(archive)) == [1, 2]
    assert list(tree.turns) == [3]


@pytest.mark.parametrize("point", ["pen.locked", "pen.kept"])
def test_a_kill_in_repair(tree: Tree, point: str) -> None:
    tree.relay("ana", "bo")
    tree.file.write_text(tree.file.read_text().replace("holder:   bo", "holder:   cy"))
    killed(tree, point, "repair")
    tree.ok("repair")
    assert tree.block["state"] == "AWAITING_BO"


def test_e1_one_winner(tree: Tree) -> None:
    """Real processes, at IDLE: exactly one gets it, the others hear who."""
    with ThreadPoolExecutor(6) as pool:
        names = ("ana", "bo", "cy") * 2
        found = list(pool.map(lambda name: (name, tree.do("claim", name)), names))
    winners = {name for name, done in found if done.rc == 0}
    assert len(winners) == 1
    assert all("Traceback" not in done.err for _, done in found)
    assert {done.rc for _, done in found} <= {0, 1}
    assert tree.block["holder"] in winners
    assert not (tree.folder / ".m8shift.lock").exists()


def test_e28_one_by_force(tree: Tree) -> None:
    tree.ok("claim", "ana")
    other.expire(tree.file)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda name: tree.do("claim", name, "--force"), ("bo", "cy")))
    assert sorted(done.rc for done in found) == [0, 1]


def test_e77_none_lost(tree: Tree) -> None:
    with ThreadPoolExecutor(4) as pool:
        notes = pool.map(lambda n: tree.do("remember", "ana", f"note {n}"), range(4))
        tasks = pool.map(lambda n: tree.do("task", "add", "bo", f"task {n}"), range(4))
        assert {done.rc for done in (*notes, *tasks)} == {0}
    memory = (tree.folder / "M8SHIFT.memory.md").read_text()
    assert memory.count("# M8SHIFT") == 1
    assert all(memory.count(f"ana: note {n}\n") == 1 for n in range(4))
    assert sorted(one["id"] for one in tree.ok("task", "list")["tasks"]) == [1, 2, 3, 4]


def test_e58_another_program_is_writing(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is waited for, reads are not held up, and its lock is never taken away young."""
    monkeypatch.setattr(penlock, "PATIENCE", 0.1)
    lock = tree.folder / ".m8shift.lock"
    lock.write_text(f"{os.getpid()}:1")
    assert tree.no("claim", "ana")["code"] == "busy"
    for line in (["status"], ["wait", "ana", "--once"], ["peek", "ana"], ["log"]):
        tree.ok(*line)
    monkeypatch.setattr(penlock, "PATIENCE", 60.0)
    threading.Timer(0.2, lock.unlink).start()
    tree.ok("claim", "ana")


def test_e59_an_abandoned_lock(tree: Tree) -> None:
    lock = tree.folder / ".m8shift.lock"
    lock.write_text("1:1")
    os.utime(lock, (time.time() - 70, time.time() - 70))
    tree.ok("claim", "ana")
    assert not lock.exists()
    assert not lock.with_name(".m8shift.lock.takeover").exists()


def test_e59_an_empty_one_is_nobodys(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed, or out of room, between making it and writing into it; a young one may be at that."""
    monkeypatch.setattr(penlock, "PATIENCE", 0.1)
    lock = tree.folder / ".m8shift.lock"
    lock.touch()
    assert tree.no("claim", "ana")["code"] == "busy"
    os.utime(lock, (time.time() - 3, time.time() - 3))
    tree.ok("claim", "ana")
    assert not lock.exists()


def test_e59_a_successor_keeps_its_lock(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look and the removal another one has made it anew."""
    lock = tree.folder / ".m8shift.lock"
    lock.write_text("1:1")
    os.utime(lock, (time.time() - 70, time.time() - 70))

    def slow(path: str, *more: object, **how: object) -> None:
        if path.endswith(".takeover"):
            lock.unlink()
            lock.write_text("2:2")
        files.put(path, *more, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(penlock, "put", slow)
    monkeypatch.setattr(penlock, "PATIENCE", 0.1)
    with pytest.raises(penlock.Busy), penlock.hold(place_of(str(tree.folder), {})):
        raise AssertionError("not reached")
    assert lock.read_text() == "2:2"


def test_e61_a_lock_that_was_lost(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Taken away while the machine slept: the last look finds it, and nothing is written."""
    tree.ok("claim", "ana")
    lock = tree.folder / ".m8shift.lock"

    def sleeping(name: str) -> None:
        if name == "pen.locked":
            lock.unlink()
            lock.write_text("7:7")

    monkeypatch.setattr("plastic.disk.penlock.point", sleeping)
    for line in (
        ["append", "ana", "--to", "bo"],
        ["pause", "ana", "--reason", "x"],
        ["done", "ana"],
    ):
        assert tree.no(*line)["code"] == "busy"
        assert lock.read_text() == "7:7", "it is another's"
        lock.unlink()
    assert not list(tree.folder.glob(".delivery.*"))


def test_an_edit_by_hand_meanwhile_is_not_lost(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor asks no lock: what it saved between our look and our rename stays."""
    tree.ok("claim", "ana")
    write = files._write_temp

    def slow(path: str, *more: object) -> str:
        temp = write(path, *more)  # type: ignore[arg-type]
        if path == str(tree.file):
            tree.file.write_text(tree.file.read_text() + "by hand\n")
        return temp

    monkeypatch.setattr(files, "_write_temp", slow)
    done = tree.do("append", "ana", "--to", "bo", "--json")
    assert done.json["error"]["code"] == "changed"
    assert tree.file.read_text().endswith("by hand\n")
    assert tree.block["turn"] == "0"
    assert not list(tree.folder.glob(".delivery.*"))
    monkeypatch.undo()
    tree.ok("append", "ana", "--to", "bo")
    assert "by hand\n" in tree.file.read_text()


def test_a_directory_in_place_of_the_lock(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(penlock, "PATIENCE", 0.1)
    (tree.folder / ".m8shift.lock").mkdir()
    assert tree.no("claim", "ana")["code"] == "busy"


def test_ours_is_seen_by_the_other(tree: Tree) -> None:
    """While we write, its lock file is there; afterwards it is gone."""
    place = place_of(str(tree.folder), {})
    lock = tree.folder / ".m8shift.lock"
    with penlock.hold(place):
        assert lock.read_text().endswith(":plastic")
        assert lock.stat().st_mode & 0o777 == 0o600
        with pytest.raises(FileExistsError):
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    assert not lock.exists()


@pytest.mark.soak
def test_many_claims(tree: Tree) -> None:
    """Processes that claim again and again, with forced ends between: one winner each round."""
    code = (
        "import sys; from plastic.cli.entry import plastic\n"
        "sys.argv[1:] = ['pen', 'claim', sys.argv[1]]\nsys.exit(plastic())"
    )
    for _ in range(50):
        with ThreadPoolExecutor(8) as pool:
            found = list(
                pool.map(
                    lambda name: (
                        tree.world.run(sys.executable, "-c", code, name, cwd=tree.folder).rc
                    ),
                    ("ana", "bo", "cy", "ana", "bo", "cy", "ana", "bo"),
                )
            )
        winner = tree.block["holder"]
        assert found.count(0) == ("ana", "bo", "cy", "ana", "bo", "cy", "ana", "bo").count(winner)
        tree.ok("done", winner)
        tree.ok("init", "--force")
