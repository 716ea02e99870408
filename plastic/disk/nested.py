"""Finds repositories inside of a work tree, ignored directories included."""

from __future__ import annotations

import os


def nested(root: str) -> list[str]:
    """Directories below `root` that hold a `.git` of their own, relative; none inside of those."""
    found = []
    for folder, below, names in os.walk(root):
        if folder == root:
            below[:] = sorted(one for one in below if one != ".git")
        elif ".git" in below or ".git" in names:
            found.append(os.path.relpath(folder, root))
            below.clear()
        else:
            below.sort()
    return found
