"""No change of the world without a failpoint: the doors hold only calls that the hook hears of."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from plastic.disk import effects, failpoints
from tests.writes import writes

DISK = Path(effects.__file__).parent
# What the doors call, and as what the interpreter announces it.
HEARD = {
    "chmod": "os.chmod",
    "link": "os.link",
    "mkdir": "os.mkdir",
    "rename": "os.rename",
    "rmdir": "os.rmdir",
    "symlink": "os.symlink",
    "unlink": "os.remove",
    "utime": "os.utime",
    "open": "open",
}
# Through a descriptor or a library that was heard when it opened, made or removed something.
WITHIN = {
    "posix.write": "a descriptor of an open",
    "os.write": "a descriptor of an open",
    "import shutil": "its calls are those of os",
    "import tempfile": "mkdir",
    "import compileall": "bytecode, which says nothing",
    "import ctypes": "renameat2, heard when it is looked up",
    "shutil.rmtree": "rmdir and unlink",
    "shutil.copyfileobj": "two descriptors of opens",
    "shutil.copystat": "chmod and utime",
    ".truncate": "the descriptor of an open",
    ".write": "the descriptor of an open",
}


@pytest.mark.parametrize("door", ["files.py", "tree.py"])
def test_each_call_of_the_doors_is_heard(door: str) -> None:
    for one in writes(ast.parse((DISK / door).read_text())):
        last = one.what.rpartition(".")[2]
        is_flag = last.startswith("O_")  # of an open, which is heard with its flags
        assert is_flag or one.what in WITHIN or last in HEARD, one


@pytest.mark.parametrize("name", sorted({*HEARD.values(), "subprocess.Popen"}))
def test_what_is_heard_counts(name: str) -> None:
    args = {
        "open": ("/a", None, os.O_WRONLY),
        "subprocess.Popen": ("git", ["git", "-C", "/r", "update-ref"], None, None),
    }
    assert effects.named(name, args.get(name, ("/a", "/b")))


@pytest.mark.parametrize(
    ("event", "args"),
    [
        ("open", ("/a", None, os.O_RDONLY | os.O_CLOEXEC)),
        ("open", ("/dev/null", None, os.O_WRONLY)),
        ("open", (3, "w", os.O_WRONLY)),
        ("open", ("/x/__pycache__/a.pyc", None, os.O_WRONLY)),
        ("subprocess.Popen", ("git", ["git", "-C", "/r", "rev-parse", "HEAD"], None, None)),
        ("subprocess.Popen", ("git", ["env", "-u", "A", "git", "version"], None, None)),
        ("os.listdir", ("/a",)),
        ("ctypes.dlsym", (None, "prctl")),
    ],
)
def test_what_only_looks_does_not(event: str, args: tuple[object, ...]) -> None:
    assert effects.named(event, args) is None


@pytest.mark.parametrize(("turn", "left"), [(1, []), (2, ["a"]), (3, ["a", "b"])])
def test_a_process_dies_before_its_effect_of_that_number(
    tmp_path: Path, turn: int, left: list[str]
) -> None:
    code = (
        "from plastic.disk import effects, files; effects.watch()\n"
        "for name in 'abc': files.make_dirs(name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": f"effect:{turn}:kill"},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert sorted(os.listdir(tmp_path)) == left


def test_it_hears_nothing_unless_a_test_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "addaudithook", lambda _: pytest.fail("a hook cannot be taken back"))
    effects.watch()
    monkeypatch.setenv("PLASTIC_TEST", "1")
    monkeypatch.setenv("PLASTIC_FAILPOINT", "start.armed:kill")
    effects.watch()
    assert not failpoints.wants("effect")
