"""UTC timestamps of a pen file as numbers and back: pure, because rules know no clock."""

from __future__ import annotations

LENGTH = 20  # of 2026-06-22T18:00:00Z
_DAY = 86_400
_MARKS = {4: "-", 7: "-", 10: "T", 13: ":", 16: ":", 19: "Z"}


def seconds(text: str) -> int | None:
    """Seconds since the epoch of a canonical timestamp; None for any other text."""
    if len(text) != LENGTH or not text.isascii():
        return None
    if any(text[at] != mark for at, mark in _MARKS.items()):
        return None
    parts = (text[:4], text[5:7], text[8:10], text[11:13], text[14:16], text[17:19])
    if not all(part.isdigit() for part in parts):
        return None
    year, month, day, hour, minute, second = (int(part) for part in parts)
    found = _days(year, month, day) * _DAY + hour * 3600 + minute * 60 + second
    # Only a real date and time of day comes back as it went in.
    return found if stamp(found) == text else None


def stamp(moment: int) -> str:
    """The canonical timestamp of seconds since the epoch."""
    days, rest = divmod(moment, _DAY)
    year, month, day = _civil(days)
    hour, rest = divmod(rest, 3600)
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{rest // 60:02d}:{rest % 60:02d}Z"


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the Gregorian calendar; years begin in March, leap days end them."""
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def _civil(days: int) -> tuple[int, int, int]:
    era, of_era = divmod(days + 719_468, 146_097)
    year = (of_era - of_era // 1_460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    day = of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + 3 if shifted < 10 else shifted - 9
    return era * 400 + year + (month <= 2), month, day
