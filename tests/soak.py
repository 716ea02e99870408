"""Collects what the soak tests measured and writes references/reliability.md from it."""

from __future__ import annotations

import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from tests.plan import tables

PAGE = Path(__file__).parent.parent / "references/reliability.md"
HEAD = """# Reliability

Written by `pytest -m soak`: the races of the test suite with their big numbers, real processes on a
real file system. The small ones (8 processes, 50 rounds) run in every test run; the proof over all
interleavings is `tests/model`, and `tests/races/test_kills.py` kills every lock command at every
point. `tests/faults` kills commands before each change of the world that the interpreter announces,
or lets that change fail; S1 is judged by a checker that reads files and git only.

"""
FIGURES = """## The figures

| what | how often | result | seconds | on |
| --- | --- | --- | --- | --- |
"""
ROW = re.compile(r"^\| (?!what |---)(?P<what>[^|]+) \|.*\|$")


def machine() -> str:
    """Kernel, file system and interpreter in a few words."""
    kind = subprocess.run(
        ["stat", "-f", "-c", "%T", "."], capture_output=True, text=True, check=False
    ).stdout.strip()
    return (
        f"{platform.system()} {platform.release()}, {kind or 'unknown file system'}, "
        f"Python {platform.python_version()}"
    )


def record(what: str, how_often: str, result: str, seconds: float) -> None:
    """Put one row into the page, dated; the rows of other soak tests stay."""
    today = datetime.now(UTC).date().isoformat()
    often = f"{how_often[:-1]}, {today})" if how_often.endswith(")") else f"{how_often} ({today})"
    rows = rows_of(PAGE.read_text() if PAGE.exists() else "")
    rows[what] = f"| {what} | {often} | {result} | {seconds:.0f} | {machine()} |"
    PAGE.write_text(page(rows))


def rows_of(text: str) -> dict[str, str]:
    """The rows of figures in a page, by what they are about."""
    lines = text.partition("| what | how often")[2].splitlines()
    return {found["what"]: line for line in lines if (found := ROW.match(line))}


def page(rows: dict[str, str]) -> str:
    """The whole page."""
    return HEAD + tables(rows) + FIGURES + "".join(f"{rows[name]}\n" for name in sorted(rows))
