"""From the lines of statements to amounts on days of the account's calendar (rules 1, 2, 3, 7)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from veridical.bench.money import exact
from veridical.bench.readers.case_files import Master
from veridical.bench.readers.shown import Shown, ShownLine
from veridical.errors import MissingExtraError

__all__ = ["Booked", "booked_lines", "is_doubtful", "local_day", "printed_order"]

_FARTHEST: Final = timedelta(hours=14)
"""No place on earth is further from UTC."""


@dataclass(slots=True, kw_only=True)
class Booked:
    """A booked line, once.

    Attributes
    ----------
    amounts
        In the account's currency: one, several where the figure reads several ways, none where it
        cannot be known from the line.
    day
        On the account's calendar.
    """

    line: ShownLine
    amounts: tuple[Decimal, ...]
    day: date

    @property
    def amount(self) -> Decimal:
        """The likeliest reading; 0 where there is none."""
        return self.amounts[0] if self.amounts else Decimal(0)


def printed_order(shown: Shown) -> list[ShownLine]:
    """Return the lines of a statement, oldest first, also where it prints the newest first."""
    lines = shown.lines
    if lines and lines[0].day > lines[-1].day:
        return lines[::-1]
    return list(lines)


def booked_lines(account: Master, statements: list[Shown]) -> tuple[list[Booked], bool]:
    """Return the booked lines of an account, and whether any was shown more than once.

    Ids that are equal but for leading zeros are one id.
    """
    found: list[Booked] = []
    seen: set[str] = set()
    twice = False
    for shown in statements:
        for line in printed_order(shown):
            if line.pending:
                continue
            identity = line.line_id.lstrip("0")
            if identity and identity in seen:
                twice = True
                continue
            seen.add(identity)
            amounts = _in_account_currency(account, shown, line)
            found.append(Booked(line=line, amounts=amounts, day=local_day(line, account.zone)))
    return found, twice


def _in_account_currency(account: Master, shown: Shown, line: ShownLine) -> tuple[Decimal, ...]:
    if line.currency in {None, account.currency, shown.currency}:
        return line.amounts
    pair = (line.rate_from, line.rate_to)
    if line.rate is not None and pair == (line.currency, account.currency):
        return tuple(amount * line.rate for amount in line.amounts)
    if line.rate and pair == (account.currency, line.currency):
        return tuple(exact.divide(amount, line.rate) for amount in line.amounts)
    return ()


def local_day(line: ShownLine, zone: str) -> date:
    """Return the day on the account's calendar, as far as it can be told."""
    moment = line.moment
    if moment is None or moment.tzinfo is None or not zone:
        return line.day
    try:
        return moment.astimezone(ZoneInfo(zone)).date()
    except ZoneInfoNotFoundError as error:
        raise MissingExtraError(
            f"this machine knows no time zone {zone!a}", fix="pip install tzdata"
        ) from error


def is_doubtful(line: ShownLine, zone: str, end: date) -> bool:
    """Return whether a line may fall on either side of the end, for all that is known."""
    if line.moment is None or zone:
        return False
    midnight = datetime.combine(end + timedelta(days=1), time.min, UTC)
    moment = line.moment.replace(tzinfo=UTC) if line.moment.tzinfo is None else line.moment
    return abs(moment - midnight) <= _FARTHEST
