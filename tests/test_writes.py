"""The proof of the one door is not empty: it finds writes, and nothing that writes no file."""

from __future__ import annotations

import ast

import pytest

from tests.writes import writes

PLANTED = [
    "import os\nos.rename('a', 'b')",
    "import os\nos.replace('a', 'b')",
    "import posix\nposix.unlink('a')",
    "import os as system\nsystem.mkdir('a')",
    "from os import rmdir\nrmdir('a')",
    "from os import rmdir as drop\ndrop('a')",
    "from posix import *",
    "import os\n[os.unlink][0]('a')",
    "import os\ndef f(act=os.chmod):\n  act('a', 0)",
    "import os\nos.utime('a')",
    "import os\ngetattr(os, 'un' + 'link')('a')",
    "import shutil\nshutil.rmtree('a')",
    "from shutil import copyfile",
    "def f():\n  import tempfile",
    "from pathlib import Path",
    "import pathlib",
    "import ctypes",
    "import gzip",
    "import compileall",
    "import logging.handlers",
    "open('a', 'w')",
    "open('a', mode='ab')",
    "open('a', 'r+')",
    "open('a', 'xb')",
    "def f(how):\n  open('a', how)",
    "import io\nio.open('a', 'w')",
    "import io\nio.FileIO('a', 'w')",
    "import codecs\ncodecs.open('a', 'w')",
    "import builtins\nbuiltins.open('a', 'w')",
    "import os\nos.fdopen(3, 'w')",
    "import os\nos.open('a', os.O_WRONLY)",
    "import posix\nposix.open('a', posix.O_RDWR | posix.O_CLOEXEC)",
    "import os\nflags = os.O_CREAT | os.O_EXCL\nos.open('a', flags)",
    "from os import O_APPEND\nimport os\nos.open('a', O_APPEND)",
    "import os\nos.open('a', 0o101)",
    "import os\nos.open('a', flags=1)",
    "import posix\nposix.write(5, b'')",
    "import os\nos.pwrite(5, b'', 0)",
    "import os\nos.ftruncate(5, 0)",
    "def f(path):\n  path.write_text('x')",
    "def f(path):\n  (path / 'x').touch()",
    "def f(path):\n  path.parent.mkdir()",
    # Beside the null device there may be a file.
    "import os\nos.open(os.devnull, os.O_WRONLY)\nos.open('a', os.O_WRONLY)",
    "import os\nopens = [('/dev/null', 1), os.O_WRONLY]",
]
HARMLESS = [
    "import os\nos.stat('a')",
    "import posix\nposix.open('a', posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC, 0o666)",
    "import os\nos.open('a', os.O_RDONLY | os.O_DIRECTORY)",
    "import os\nos.open('a', 0)",
    "open('a')",
    "open('a', 'rb')",
    "open('a', encoding='utf-8')",
    "import os\nopen(os.devnull, 'w')",
    "import os\nos.dup2(os.open(os.devnull, os.O_WRONLY), 1)",
    "import posix\nmoves = [(posix.POSIX_SPAWN_OPEN, 2, '/dev/null', posix.O_WRONLY, 0)]",
    "'a'.replace('a', 'b')",
    "[].remove(1)",
    "def f(door):\n  door.open('a', 'w')",
    "from plastic.disk import trash\ntrash.unlink('a')",
    "from plastic.disk.files import remove, replace\nremove('a')\nreplace('a', b'')",
    "import sys\nsys.stdout.write('x')",
    "from pathlib import PurePosixPath",
    "from shutil import which\nwhich('git')",
    "TYPE_CHECKING = False\nif TYPE_CHECKING:\n  from pathlib import Path",
    "CALLS = {'os.unlink': 'r', '.write_text': 'w'}",
]


@pytest.mark.parametrize("text", PLANTED)
def test_a_write_is_found(text: str) -> None:
    assert writes(ast.parse(text)) != []


@pytest.mark.parametrize("text", HARMLESS)
def test_what_writes_no_file_is_not(text: str) -> None:
    assert writes(ast.parse(text)) == []


def test_the_place_is_told() -> None:
    text = "import os\n\n\ndef f():\n    def g():\n        pass\n    os.unlink('a')\n"
    (one,) = writes(ast.parse(text))
    assert one == (7, "f", "os.unlink")
