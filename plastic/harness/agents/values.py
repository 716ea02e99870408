"""Reads the rows of an agent's stream, whatever stands in them."""

from __future__ import annotations

import json
from typing import Any

SHOWN = 400  # characters of a line of progress


def row_of(line: bytes) -> dict[str, Any]:
    """One line as an object; an empty one for everything else."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def text(row: dict[str, Any], key: str) -> str:
    """A text, "" for everything else."""
    value = row.get(key)
    return value if isinstance(value, str) else ""


def inner(row: dict[str, Any], key: str) -> dict[str, Any]:
    """An object, an empty one for everything else."""
    value = row.get(key)
    return value if isinstance(value, dict) else {}


def rows(row: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects of a list."""
    value = row.get(key)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def number(row: dict[str, Any], key: str) -> float:
    """A number that is none too few, 0 for everything else."""
    value = row.get(key)
    good = isinstance(value, int | float) and not isinstance(value, bool)
    return max(0.0, float(value)) if good else 0.0  # type: ignore[arg-type]
