"""The values of projects.yml and config.yml as last compiled: YAML costs more than a look.

Only what had no fault is kept, with the stamps of both files; whoever finds others reads the files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk.compiled import stamps
from plastic.disk.files import read, replace
from plastic.quickjson import dumps, loads

if TYPE_CHECKING:
    from plastic.disk.home import Home

FORMAT = 1


def keep(home: Home, seen: list[list[int] | None], projects: Any, config: Any) -> None:
    """Write what both files say; `seen` are their stamps from before they were read."""
    out = {"format": FORMAT, "stamps": seen, "projects": projects, "config": config}
    replace(_path(home), dumps(out).encode())


def kept(home: Home, which: str) -> dict[str, Any] | None:
    """The values of `projects` or `config`; None when they are not those of the files."""
    try:
        data = read(_path(home), 1024 * 1024)
        raw = None if data is None else loads(data)
        if not isinstance(raw, dict) or raw.get("format") != FORMAT:
            return None
        found = raw.get(which)
        return found if isinstance(found, dict) and raw.get("stamps") == stamps(home) else None
    except (OSError, ValueError):
        return None


def _path(home: Home) -> str:
    return f"{home.run}/values.json"
