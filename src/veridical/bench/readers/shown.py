"""What a statement shows, whatever its format."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

__all__ = ["Shown", "ShownLine", "UnreadableError"]


class UnreadableError(ValueError):
    """A file is not what it looks like, or says nothing that can be used."""


@dataclass(slots=True, kw_only=True)
class ShownLine:
    """One line of a statement.

    Attributes
    ----------
    amounts
        Signed, in ``currency``: one reading, or all that the figure allows.
    printed, side
        The figure as it stands there, and the sign that its column or mark gives it: 1, -1, or 0
        where the figure has its own.
    currency
        None where the line names none.
    rate
        As ``one unit of rate_from is rate of rate_to``; None where none is stated.
    booked
        The booking date as it stands there; None where there is a time instead.
    moment
        The booking time: with an offset, or bare.
    running
        The balance beside it; several readings where the figure allows them.
    """

    line_id: str
    amounts: tuple[Decimal, ...]
    printed: str = ""
    side: int = 0
    payee: str = ""
    reference: str = ""
    memo: str = ""
    currency: str | None = None
    rate: Decimal | None = None
    rate_from: str = ""
    rate_to: str = ""
    booked: date | None = None
    moment: datetime | None = None
    pending: bool = False
    reversal: bool = False
    running: tuple[Decimal, ...] = ()

    @property
    def day(self) -> date:
        """The calendar day that stands there."""
        if self.moment is not None:
            return self.moment.date()
        if self.booked is None:
            raise UnreadableError("a line has no date")
        return self.booked


@dataclass(slots=True, kw_only=True)
class Shown:
    """One statement.

    Attributes
    ----------
    currency
        As its head names it; None where it names none.
    opening, closing
        As printed; empty where they are not, several readings where the figure allows them.
    opening_printed
        The figure as it stands there.
    stated_lines
        How many lines it says that it has.
    broken_controls
        Counts and totals of the format that do not add up.
    corrections
        Amounts below the lines of a statement that are not in its closing balance.
    """

    file: str
    currency: str | None = None
    opening: tuple[Decimal, ...] = ()
    opening_printed: str = ""
    closing: tuple[Decimal, ...] = ()
    lines: list[ShownLine] = field(default_factory=list)
    stated_lines: int | None = None
    broken_controls: list[str] = field(default_factory=list)
    corrections: list[Decimal] = field(default_factory=list)
