"""Removes folders that we made, as long as nobody put anything into them."""

from __future__ import annotations

import os


def remove_empty(path: str) -> bool:
    """Remove a folder; False when it is not there or holds something."""
    try:
        os.rmdir(path)
    except OSError:
        return False
    return True
