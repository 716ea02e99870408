"""Where the installed scripts start: Windows is refused before anything needs POSIX."""

from __future__ import annotations

import sys


def plastic() -> int:
    """`plastic`; the return value is the exit code."""
    _refuse_windows("plastic")
    from plastic.cli.main import plastic as run

    return run()


def plastic_lock() -> int:
    """`plastic-lock`; the return value is the exit code."""
    _refuse_windows("plastic-lock")
    from plastic.cli.main import plastic_lock as run

    return run()


def _refuse_windows(name: str) -> None:
    if sys.platform == "win32":
        sys.exit(f"{name}: Windows is not supported; run it in WSL")
