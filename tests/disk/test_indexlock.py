"""Our hold on a checkout's index: complete when it appears, ours alone, and honest about time."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from plastic.disk import indexlock
from plastic.disk.indexlock import Marker
from plastic.words import Broken
from tests.world import World

MARKER = Marker("7", "a" * 40, "b" * 40)


def test_the_lock_is_complete_and_exclusive(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert indexlock.found(folder) is None
    assert indexlock.take(folder, MARKER, 0.0)
    assert (tmp_path / "index.lock").read_text() == f"plastic 7 {'a' * 40} {'b' * 40}\n"
    assert indexlock.found(folder) == MARKER
    assert not indexlock.take(folder, Marker("8", "c" * 40, "d" * 40), 0.0)
    assert indexlock.found(folder) == MARKER
    assert os.listdir(folder) == ["index.lock"]
    indexlock.clear(folder)
    assert os.listdir(folder) == []


def test_waiting_for_a_short_git(tmp_path: Path) -> None:
    lock = tmp_path / "index.lock"
    lock.write_bytes(b"DIRC")
    timer = threading.Timer(0.1, lock.unlink)
    timer.start()
    assert indexlock.take(str(tmp_path), MARKER, 30.0)
    timer.join()


STRANGE = {
    "empty": b"",
    "git's own": b"DIRC\0\0\0\2" + b"\0" * 100,
    "other words": b"plastic 7 only-three\n",
    "binary": b"\xff\xfe plastic a b c",
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_lock_of_somebody_else_is_never_removed(tmp_path: Path, name: str) -> None:
    (tmp_path / "index.lock").write_bytes(STRANGE[name])
    (tmp_path / "plastic-index").write_bytes(b"left over")
    assert indexlock.found(str(tmp_path)) is None
    indexlock.clear(str(tmp_path))
    assert (tmp_path / "index.lock").read_bytes() == STRANGE[name]
    assert not (tmp_path / "plastic-index").exists()


def test_a_fifo_or_a_link_in_its_place_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "index.lock")
    assert indexlock.found(str(tmp_path)) is None
    (tmp_path / "index.lock").unlink()
    os.symlink(tmp_path / "elsewhere", tmp_path / "index.lock")
    (tmp_path / "elsewhere").write_text(MARKER.line())
    assert indexlock.found(str(tmp_path)) is None


def test_the_copy_is_as_old_as_the_original(world: World) -> None:
    """An entry as young as its index may hide an edit of the same moment: git then looks twice."""
    repo = world.make_repo()
    folder = f"{repo}/.git"
    for name, value in (("core.trustctime", "false"), ("core.checkStat", "minimal")):
        world.git("config", name, value)
    moment = (10**18, 10**18)
    os.utime(repo / "app.py", ns=moment)
    world.git("update-index", "--refresh")
    os.utime(f"{folder}/index", ns=moment)
    (repo / "app.py").write_text("TAX = 0.9\n")
    os.utime(repo / "app.py", ns=moment)
    assert indexlock.copy_index(folder)
    private = {"GIT_INDEX_FILE": f"{folder}/plastic-index"}
    assert world.run("git", "diff-files", "--quiet", cwd=repo, env=private).rc == 1
    # Non-vacuity: a younger copy of the same bytes calls the edited file unchanged.
    os.utime(f"{folder}/plastic-index")
    assert world.run("git", "diff-files", "--quiet", cwd=repo, env=private).rc == 0


def test_no_index_no_copy(tmp_path: Path) -> None:
    assert not indexlock.copy_index(str(tmp_path))
    assert os.listdir(tmp_path) == []


def test_a_copy_takes_the_place_of_what_a_kill_left(world: World) -> None:
    repo = world.make_repo()
    folder = f"{repo}/.git"
    for name in ("plastic-index", "plastic-index.lock"):
        Path(folder, name).write_bytes(b"torn")
    os.chmod(f"{folder}/index", 0o640)
    assert indexlock.copy_index(folder)
    world.git("update-index", "--refresh", cwd=repo)
    done = world.run(
        "git",
        "update-index",
        "--refresh",
        cwd=repo,
        env={"GIT_INDEX_FILE": f"{folder}/plastic-index"},
    )
    assert done.rc == 0, done.err
    indexlock.install(folder)
    assert not os.path.exists(f"{folder}/plastic-index")
    assert world.git("status", "--porcelain") == ""


def test_one_writer_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexlock, "WAIT", 0.1)
    with indexlock.writing(str(tmp_path)):
        with pytest.raises(Broken) as caught, indexlock.writing(str(tmp_path)):
            pass
        assert caught.value.code == "checkout-busy"
    with indexlock.writing(str(tmp_path)) as held:
        assert os.get_inheritable(held) is False
