"""Removes folders that we made, as long as nobody put anything into them."""

from __future__ import annotations

import os

from plastic.disk.tree import remove_empty


def prune(path: str) -> bool:
    """Remove a directory that holds nothing but directories; False when anything else is there."""
    if not os.path.isdir(path) or os.path.islink(path):
        return not os.path.lexists(path)
    return all(prune(f"{path}/{name}") for name in os.listdir(path)) and remove_empty(path)
