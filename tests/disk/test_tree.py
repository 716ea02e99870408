"""What commands alone change: directories, trees, copies, modes, times and exchanged names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plastic.disk import tree


def test_a_directory_is_made_once(tmp_path: Path) -> None:
    assert tree.make_dir(str(tmp_path / "x"), 0o700)
    assert not tree.make_dir(str(tmp_path / "x"))
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o700
    with pytest.raises(FileNotFoundError):
        tree.make_dir(str(tmp_path / "gone" / "x"))


def test_a_scratch_directory_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    one, other = tree.make_scratch("plastic-x-"), tree.make_scratch("plastic-x-")
    assert one != other
    assert os.stat(one).st_mode & 0o777 == 0o700
    assert Path(one).name.startswith("plastic-x-")


def test_only_an_empty_folder_goes(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    (tmp_path / "link").symlink_to("empty")
    names = ("full", "link", "empty", "empty", "full/file")
    assert [tree.remove_empty(str(tmp_path / name)) for name in names] == [
        False,
        False,
        True,
        False,
        False,
    ]
    assert (tmp_path / "full" / "file").read_text() == "x"


def test_a_tree_goes_without_what_its_links_lead_to(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("x")
    for remove in (tree.remove_tree, tree.remove_closed_tree):
        (tmp_path / "a/b").mkdir(parents=True)
        (tmp_path / "a/b/link").symlink_to(tmp_path / "kept")
        assert not remove(str(tmp_path / "a"))
        assert os.listdir(tmp_path) == ["kept"]


@pytest.mark.usefixtures("permissions")
def test_read_only_directories_go_when_they_may(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/file").write_text("x")
    (tmp_path / "a/b").chmod(0o500)
    with pytest.raises(PermissionError):
        tree.remove_tree(str(tmp_path / "a"))
    assert tree.remove_closed_tree(str(tmp_path / "a")) == []
    assert not (tmp_path / "a").exists()


@pytest.mark.usefixtures("permissions")
def test_what_stays_is_told_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/file").write_text("x")
    (tmp_path / "a").chmod(0o500)

    def refuse(path: str, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted", path)

    with monkeypatch.context() as patched:
        patched.setattr("os.chmod", refuse)
        stuck = tree.remove_closed_tree(str(tmp_path / "a"))
    (tmp_path / "a").chmod(0o700)
    assert stuck
    assert "EPERM" in stuck[0]
    assert (tmp_path / "a/file").exists()


def test_a_copy_has_content_mode_and_time(tmp_path: Path) -> None:
    source, goal = tmp_path / "a", tmp_path / "b"
    source.write_bytes(b"\0" * (1 << 20) + b"end")
    source.chmod(0o444)
    os.utime(source, ns=(5_000_000_001, 7_000_000_001))
    tree.copy_file(str(source), str(goal), 0o444)
    assert goal.read_bytes() == source.read_bytes()
    seen = goal.stat()
    assert (seen.st_mode & 0o777, seen.st_mtime_ns) == (0o444, 7_000_000_001)
    with pytest.raises(FileExistsError):
        tree.copy_file(str(source), str(goal), 0o644)
    (tmp_path / "link").symlink_to(source)
    with pytest.raises(OSError, match="Too many levels"):
        tree.copy_file(str(tmp_path / "link"), str(tmp_path / "c"), 0o644)
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("content", "end", "left"),
    [(b"one\ntwo\n", b"two\n", b"one\n"), (b"two", b"two", b""), (b"o", b"two", None)],
)
def test_only_the_expected_end_is_cut(
    tmp_path: Path, content: bytes, end: bytes, left: bytes | None
) -> None:
    path = tmp_path / "f"
    path.write_bytes(content)
    assert tree.cut(str(path), end) is (left is not None)
    assert path.read_bytes() == (content if left is None else left)
    path.write_bytes(content + b"more")
    assert not tree.cut(str(path), end)
    assert path.read_bytes() == content + b"more"


def test_bytecode_lies_beside_its_source(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("x = 1\n")
    (tmp_path / "bad.py").write_text("x = (\n")
    tree.compile_tree(str(tmp_path))
    made = [name.split(".")[0] for name in os.listdir(tmp_path / "__pycache__")]
    assert made == ["good"]


def test_modes_by_path_and_by_descriptor(tmp_path: Path) -> None:
    tree.set_mode(str(tmp_path), 0o750)
    assert tmp_path.stat().st_mode & 0o777 == 0o750
    fd = os.open(tmp_path, os.O_RDONLY)
    tree.set_mode(fd, 0o700)
    os.close(fd)
    assert tmp_path.stat().st_mode & 0o777 == 0o700


def test_times_are_those_of_the_name_itself(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    (tmp_path / "link").symlink_to("f")
    before = (tmp_path / "f").stat().st_mtime_ns
    tree.set_mtime(str(tmp_path / "link"), 12.5)
    assert (tmp_path / "link").lstat().st_mtime_ns == 12_500_000_000
    tree.set_times(str(tmp_path / "link"), 3, 1_000_000_007)
    assert (tmp_path / "link").lstat().st_mtime_ns == 1_000_000_007
    assert (tmp_path / "f").stat().st_mtime_ns == before
    with pytest.raises(FileNotFoundError):
        tree.set_mtime(str(tmp_path / "new"), 1.0)


def test_a_second_name(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    tree.hard_link(str(tmp_path / "f"), str(tmp_path / "g"))
    assert (tmp_path / "g").stat().st_nlink == 2


@pytest.mark.skipif(sys.platform != "linux", reason="strace-free proof of renameat2")
def test_names_are_really_exchanged_here(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    assert tree.exchange(str(tmp_path / "a"), str(tmp_path / "b"))
    assert (tmp_path / "a").read_text() == "b"
    assert not tree.exchange(str(tmp_path / "a"), str(tmp_path / "gone"))


def test_what_is_slow_is_loaded_by_those_who_need_it() -> None:
    code = (
        "import sys, plastic.disk.tree; print({'shutil', 'tempfile', 'ctypes'} & set(sys.modules))"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path[:0] = [sys.argv[1]]; {code}",
            ".",
        ],
        cwd=Path(__file__).parent.parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "set()\n"
