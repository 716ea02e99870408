"""Times as files, people and JSON want them."""

from __future__ import annotations

import time


def now() -> float:
    """Seconds since the epoch."""
    return time.time()


def iso(seconds: float | None = None) -> str:
    """UTC in ISO 8601 with `Z`, whole seconds."""
    moment = time.gmtime(time.time() if seconds is None else seconds)
    return (
        f"{moment.tm_year:04d}-{moment.tm_mon:02d}-{moment.tm_mday:02d}"
        f"T{moment.tm_hour:02d}:{moment.tm_min:02d}:{moment.tm_sec:02d}Z"
    )


def seconds(text: object) -> float | None:
    """What `iso` wrote, as seconds since the epoch; None for anything else."""
    import calendar

    try:
        return float(calendar.timegm(time.strptime(str(text), "%Y-%m-%dT%H:%M:%SZ")))
    except ValueError:
        return None


def both(seconds: float) -> str:
    """Local time with its zone, and UTC: what human text shows."""
    here = time.localtime(seconds)
    zone = here.tm_zone or "local"
    if zone in ("UTC", "GMT"):
        return iso(seconds)
    return f"{time.strftime('%Y-%m-%d %H:%M:%S', here)} {zone} ({iso(seconds)})"


def day(seconds: float | None = None) -> str:
    """The local date, YYYY-MM-DD."""
    return time.strftime("%Y-%m-%d", time.localtime(time.time() if seconds is None else seconds))
