"""Temporary directories, and files set back in time: for demos and try-outs."""

from __future__ import annotations

import os
import time

from plastic.disk.tree import make_scratch, set_mtime


def directory(prefix: str) -> str:
    """A new private directory, real and absolute."""
    return os.path.realpath(make_scratch(prefix))


def set_back(path: str, seconds: float) -> None:
    """Make a file, or every file below a directory, look this much older."""
    then = time.time() - seconds
    set_mtime(path, then)
    for folder, _, names in os.walk(path):
        for name in names:
            set_mtime(os.path.join(folder, name), then)
