"""Local time of a few zones in 2026, from their rules: no release of a database changes it."""

from __future__ import annotations

from datetime import date, datetime, timedelta

__all__ = ["ZONES", "local", "utc"]

# Hours from UTC in winter, and whose rule of summer time is kept.
ZONES: dict[str, tuple[int, str]] = {
    "Europe/London": (0, "eu"),
    "Europe/Berlin": (1, "eu"),
    "Europe/Stockholm": (1, "eu"),
    "Europe/Zurich": (1, "eu"),
    "America/New_York": (-5, "us"),
    "America/Chicago": (-6, "us"),
    "Asia/Tokyo": (9, ""),
}


def _sunday(year: int, month: int, nth: int) -> date:
    """Return the nth Sunday of a month, or its last one for -1."""
    if nth > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(6 - first.weekday()) % 7 + 7 * (nth - 1))
    last = date(year, month + 1, 1) - timedelta(days=1)
    return last - timedelta(days=(last.weekday() + 1) % 7)


def _summer(moment: datetime, hours: int, rule: str) -> bool:
    year = moment.year
    if rule == "eu":  # at 01:00 UTC everywhere
        begins = datetime.combine(_sunday(year, 3, -1), datetime.min.time()) + timedelta(hours=1)
        ends = datetime.combine(_sunday(year, 10, -1), datetime.min.time()) + timedelta(hours=1)
        return begins <= moment < ends
    if rule == "us":  # at 02:00 local time
        begins = datetime.combine(_sunday(year, 3, 2), datetime.min.time())
        ends = datetime.combine(_sunday(year, 11, 1), datetime.min.time())
        winter = timedelta(hours=-hours)
        return (
            begins + timedelta(hours=2) + winter
            <= moment
            < ends + timedelta(hours=2) + winter - timedelta(hours=1)
        )
    return False


def local(moment: datetime, zone: str) -> datetime:
    """Return a moment in UTC as the clock of the zone shows it; neither carries an offset.

    Examples
    --------
    >>> local(datetime(2026, 3, 31, 23, 30), "Europe/London")
    datetime.datetime(2026, 4, 1, 0, 30)
    """
    hours, rule = ZONES[zone]
    return moment + timedelta(hours=hours + _summer(moment, hours, rule))


def utc(clock: datetime, zone: str) -> datetime:
    """Return the moment at which the clock of the zone shows this.

    Examples
    --------
    >>> utc(datetime(2026, 4, 1, 0, 30), "Europe/London")
    datetime.datetime(2026, 3, 31, 23, 30)
    """
    hours, _ = ZONES[zone]
    winter = clock - timedelta(hours=hours)
    earlier = winter - timedelta(hours=1)
    return earlier if local(earlier, zone) == clock else winter
