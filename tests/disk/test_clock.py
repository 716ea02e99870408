"""Times for files, for people and for the law's texts."""

from __future__ import annotations

import time

import pytest

from plastic.disk import clock


def test_iso_is_utc_with_z() -> None:
    assert clock.iso(0) == "1970-01-01T00:00:00Z"
    assert clock.iso(1796068800.9) == "2026-11-30T20:00:00Z"


def test_both_shows_local_time_and_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        assert clock.both(1796068800) == "2026-11-30 21:00:00 CET (2026-11-30T20:00:00Z)"
        assert clock.day(1796083200) == "2026-12-01"
    finally:
        monkeypatch.setenv("TZ", "UTC")
        time.tzset()
    assert clock.both(1796068800) == "2026-11-30T20:00:00Z"


@pytest.mark.parametrize("text", ["", None, 7, "2026-11-30", "2026-13-01T00:00:00Z", "x" * 99])
def test_what_is_no_time(text: object) -> None:
    assert clock.seconds(text) is None


def test_seconds_reads_what_iso_writes() -> None:
    assert clock.seconds(clock.iso(1796068800.9)) == 1796068800
