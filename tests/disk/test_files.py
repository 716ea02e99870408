"""Files are read without surprises and changed as one step."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from plastic.disk import files


def test_read_says_none_only_for_absence(tmp_path: Path) -> None:
    assert files.read(f"{tmp_path}/gone") is None
    assert files.read(f"{tmp_path}/gone/deeper") is None
    (tmp_path / "a").write_bytes(b"x\n")
    assert files.read(f"{tmp_path}/a") == b"x\n"
    assert files.read(f"{tmp_path}/a/below") is None


@pytest.mark.parametrize("kind", ["fifo", "link", "directory", "dangling"])
def test_read_refuses_what_is_no_regular_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x"
    (tmp_path / "target").write_text("t")
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    else:
        path.symlink_to("target" if kind == "link" else "nowhere")
    with pytest.raises(OSError, match=r"regular|Too many") as caught:
        files.read(str(path))
    assert caught.value.errno in (errno.EINVAL, errno.ELOOP)


def test_read_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * 101)
    assert files.read(f"{tmp_path}/big", 101) == b"x" * 101
    with pytest.raises(OSError, match="too large") as caught:
        files.read(f"{tmp_path}/big", 100)
    assert (caught.value.errno, caught.value.filename) == (errno.EFBIG, f"{tmp_path}/big")


def test_bytes_that_are_no_utf8_survive(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"a\xffb")
    text = files.read_text(f"{tmp_path}/x")
    assert text is not None
    files.append(f"{tmp_path}/y", text)
    assert (tmp_path / "y").read_bytes() == b"a\xffb"


def test_replace_keeps_the_mode_and_makes_a_new_inode(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    path.chmod(0o640)
    before = path.stat()
    files.replace(str(path), b"new")
    assert path.read_text() == "new"
    assert path.stat().st_mode == before.st_mode
    assert [one.name for one in tmp_path.iterdir()] == ["x"]


def test_replace_refuses_to_turn_a_link_into_a_file(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("t")
    (tmp_path / "link").symlink_to("target")
    with pytest.raises(OSError, match="not a regular file"):
        files.replace(f"{tmp_path}/link", b"x")
    assert (tmp_path / "target").read_text() == "t"


@pytest.mark.usefixtures("permissions")
def test_a_directory_without_rights_leaves_the_old_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "x").write_text("old")
    folder.chmod(0o555)
    try:
        with pytest.raises(PermissionError):
            files.replace(f"{folder}/x", b"new")
        assert (folder / "x").read_text() == "old"
    finally:
        folder.chmod(0o755)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_failing_write_leaves_no_temp_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x").write_text("old")

    def full(_fd: int, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("posix.write", full)
    for call in (files.replace, files.publish):
        with pytest.raises(OSError, match="No space") as caught:
            call(f"{tmp_path}/x", b"new")
        assert caught.value.filename == f"{tmp_path}/x"
    assert [one.name for one in tmp_path.iterdir()] == ["x"]
    assert (tmp_path / "x").read_text() == "old"


def test_publish_has_one_winner(tmp_path: Path) -> None:
    won: list[int] = []
    gate = threading.Barrier(8)

    def racer(number: int) -> None:
        gate.wait()
        if files.publish(f"{tmp_path}/lock", str(number).encode()):
            won.append(number)

    racers = [threading.Thread(target=racer, args=(number,)) for number in range(8)]
    for one in racers:
        one.start()
    for one in racers:
        one.join()
    assert len(won) == 1
    assert (tmp_path / "lock").read_text() == str(won[0])
    assert [one.name for one in tmp_path.iterdir()] == ["lock"]


def test_publish_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_old: str, _new: str) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr("posix.link", refuse)
    assert files.publish(f"{tmp_path}/lock", b"first")
    assert not files.publish(f"{tmp_path}/lock", b"second")
    assert (tmp_path / "lock").read_text() == "first"
    assert [one.name for one in tmp_path.iterdir()] == ["lock"]


def test_append_completes_a_line_that_a_crashed_editor_left(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("no newline")
    files.append(f"{tmp_path}/x", "next\n")
    assert (tmp_path / "x").read_text() == "no newline\nnext\n"


def test_append_waits_for_a_line_that_somebody_is_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line across two pages is seen half for a moment: it needs no end from anybody else.

    Appends that met there left an empty line in the ledger.
    """
    path = tmp_path / "x"
    path.write_text("one\ntw")
    rest = ["o\nthr", "ee\n"]  # a third writer begins before the look that follows

    def touch(fd: int) -> None:
        with path.open("a") as file:
            file.write(rest.pop(0))

    monkeypatch.setattr(files, "touch", touch)
    files.append(str(path), "four\n")
    assert path.read_text() == "one\ntwo\nthree\nfour\n"
    assert rest == []


def test_appends_of_many_writers_stay_whole(tmp_path: Path) -> None:
    lines = [f"{number} {'x' * 300}\n" for number in range(200)]
    writers = [
        threading.Thread(target=files.append, args=(f"{tmp_path}/x", line)) for line in lines
    ]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert sorted((tmp_path / "x").read_text().splitlines(keepends=True)) == sorted(lines)


def test_append_does_not_hang_on_a_fifo(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x")
    with pytest.raises(OSError, match="not a regular"):
        files.append(f"{tmp_path}/x", "line\n")


def test_fs_now_leaves_nothing(tmp_path: Path) -> None:
    before = os.stat(tmp_path).st_mtime
    assert files.fs_now(str(tmp_path)) >= before - 5
    assert list(tmp_path.iterdir()) == []


def test_reason_names_errno_and_file() -> None:
    error = OSError(errno.EROFS, os.strerror(errno.EROFS), "/x/y")
    assert files.reason(error) == "Read-only file system (EROFS): /x/y"


def test_make_dirs_refuses_a_file_in_the_way(tmp_path: Path) -> None:
    files.make_dirs(f"{tmp_path}/a/b/c")
    files.make_dirs(f"{tmp_path}/a/b/c")
    assert (tmp_path / "a/b/c").is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"exists|directory"):
        files.make_dirs(f"{tmp_path}/file")


def test_put_writes_in_place(tmp_path: Path) -> None:
    path = tmp_path / "f"
    files.put(str(path), b"long content", 0o600)
    inode = path.stat().st_ino
    files.put(str(path), b"short", 0o644)
    seen = path.stat()
    assert (path.read_bytes(), seen.st_ino, seen.st_mode & 0o777) == (b"short", inode, 0o600)
    with pytest.raises(FileExistsError):
        files.put(str(path), b"", new=True)
    assert path.read_bytes() == b"short"
    (tmp_path / "link").symlink_to("f")
    for new in (False, True):
        with pytest.raises(OSError, match=r"Too many levels|exists"):
            files.put(str(tmp_path / "link"), b"", new=new)
    assert path.read_bytes() == b"short"


def test_descriptors_to_append_and_to_lock_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "f"
    for opened in (files.open_append, files.open_guard):
        os.close(opened(str(path)))
        path.write_bytes(b"kept")
        fd = opened(str(path))
        assert os.get_inheritable(fd) is False
        os.close(fd)
        assert path.read_bytes() == b"kept"
        path.unlink()
        path.symlink_to("elsewhere")
        with pytest.raises(OSError, match="Too many levels"):
            opened(str(path))
        path.unlink()


def test_touch_dates_the_file_that_is_open(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("x")
    os.utime(path, (5, 5))
    fd = os.open(path, os.O_RDONLY)
    path.unlink()
    path.write_text("another")
    os.utime(path, (7, 7))
    files.touch(fd)
    assert os.fstat(fd).st_mtime > 7
    assert path.stat().st_mtime == 7
    os.close(fd)


def test_names_move_and_empty_directories_go(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    files.move(str(tmp_path / "a"), str(tmp_path / "b"))
    assert (tmp_path / "b").read_text() == "a"
    (tmp_path / "d").mkdir()
    files.move(str(tmp_path / "b"), str(tmp_path / "d" / "b"))
    with pytest.raises(OSError, match="not empty"):
        files.remove_dir(str(tmp_path / "d"))
    files.remove(str(tmp_path / "d" / "b"))
    files.remove_dir(str(tmp_path / "d"))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("write", [files.replace, files.publish])
def test_a_name_that_cannot_be_made_is_told_as_it_was_given(
    tmp_path: Path, write: Callable[[str, bytes], object]
) -> None:
    """Of a folder that is closed or gone the temporary name says nothing to anybody."""
    path = f"{tmp_path}/gone/a"
    with pytest.raises(FileNotFoundError) as caught:
        write(path, b"x")
    assert caught.value.filename == path
