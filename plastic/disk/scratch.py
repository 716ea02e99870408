"""Temporary directories, their removal, and files set back in time: for demos and try-outs."""

from __future__ import annotations

import os
import shutil
import tempfile
import time


def directory(prefix: str) -> str:
    """A new private directory, real and absolute."""
    return os.path.realpath(tempfile.mkdtemp(prefix=prefix))


def remove_tree(path: str) -> None:
    """Delete a directory that `directory` made, links not followed."""
    shutil.rmtree(path)


def set_back(path: str, seconds: float) -> None:
    """Make a file, or every file below a directory, look this much older."""
    then = time.time() - seconds
    os.utime(path, (then, then))
    for folder, _, names in os.walk(path):
        for name in names:
            os.utime(os.path.join(folder, name), (then, then), follow_symlinks=False)
