"""A statement as it will be printed, before a format writes it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal

from veridical.bench.money import q
from veridical.bench.world.facts import Account, Foreign, Line

__all__ = ["CannotCarryError", "Row", "Statement", "minor_units", "ordered", "shown"]


class CannotCarryError(Exception):
    """A format has no place for a text: such a pair is refused, never written without it."""


@dataclass(slots=True, kw_only=True)
class Row:
    """One printed line.

    Attributes
    ----------
    amount
        As printed, with the printed sign.
    text
        Printed in place of the amount's digits, where they are not the usual ones.
    notation
        Of this row's numbers; None is that of the statement.
    running
        The balance beside it; None prints nothing.
    extra
        Further text by place: ``reference``, ``payee`` or ``memo``.
    """

    id: str
    booked: date
    value_date: date
    moment: datetime | None
    amount: Decimal
    payee: str
    reference: str
    memo: str
    pending: bool = False
    reversal: bool = False
    foreign: Foreign | None = None
    running: Decimal | None = None
    text: str | None = None
    notation: str | None = None
    extra: dict[str, str] = field(default_factory=dict)

    def field(self, place: str) -> str:
        """Return ``reference``, ``payee`` or ``memo`` with what was added to it."""
        own: str = getattr(self, place)
        return own + self.extra.get(place, "")


@dataclass(slots=True, kw_only=True)
class Statement:
    """One printed statement.

    Attributes
    ----------
    currency
        As its head names it.
    closing, available
        None prints nothing.
    lost
        How many lines the printed number of lines has beyond those that are there.
    notation
        How numbers are written in a CSV file.
    notes, comments
        Further lines of the preamble; comments of an XML file.
    heading
        Text added to the last heading of a CSV file.
    suffix
        Text added to the file's name.
    overlap
        Where the rows of a second file begin, and those of the first end; None is one file.
    """

    account: Account
    start: date
    end: date
    currency: str
    opening: Decimal
    rows: list[Row]
    closing: Decimal | None
    available: Decimal | None = None
    lost: int = 0
    notation: str = "dot"
    newest_first: bool = False
    byte_order_mark: bool = False
    show_running: bool = True
    notes: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    heading: str = ""
    suffix: str = ""
    overlap: tuple[int, int] | None = None

    def parts(self) -> list[Statement]:
        """Return the files it is printed in: one, or two that overlap."""
        if self.overlap is None:
            return [self]
        begins, ends = self.overlap
        # A pending line moves no balance: the one before it stands.
        before = [row.running for row in self.rows[:begins] if row.running is not None]
        until = [row.running for row in self.rows[:ends] if row.running is not None]
        first = replace(
            self,
            rows=self.rows[:ends],
            end=self.rows[ends - 1].booked,
            closing=until[-1],
            available=None,
            suffix=f"{self.suffix}_1",
            overlap=None,
        )
        second = replace(
            self,
            rows=self.rows[begins:],
            start=self.rows[begins].booked,
            opening=before[-1],
            notes=[],
            heading="",
            suffix=f"{self.suffix}_2",
            overlap=None,
        )
        return [first, second]

    @property
    def name(self) -> str:
        """The file's name."""
        ending = {"csv": "csv", "ofx": "ofx", "mt940": "sta", "camt053": "xml", "bai2": "bai"}
        stem = f"{self.account.id}_{self.start:%Y-%m}{self.suffix}"
        return f"{stem}.{ending[self.account.format]}"

    @property
    def stamps(self) -> str:
        """What is shown of times."""
        return self.account.stamps

    @property
    def count(self) -> int:
        """The printed number of lines, where a format prints one."""
        return len(self.rows) + self.lost

    @property
    def has_preamble(self) -> bool:
        """Whether it is a CSV file with lines above the table."""
        return self.account.format == "csv" and self.account.dialect != "bare"


def shown(account: Account, start: date, end: date) -> Statement:
    """Return the statement that shows an account as it is."""
    rows = []
    running = account.opening
    for line in sorted(account.lines, key=_order):
        if not line.pending:
            running += line.amount
        rows.append(_row(line, None if line.pending else q(running)))
    pending = sum((line.amount for line in account.lines if line.pending), Decimal(0))
    return Statement(
        account=account,
        start=start,
        end=end,
        currency=account.currency,
        opening=account.opening,
        rows=rows,
        closing=q(running),
        available=q(running + pending) if pending else None,
    )


def _order(line: Line) -> tuple[date, datetime, int]:
    return line.booked, line.moment or datetime.min, int(line.id)  # noqa: DTZ901


def _row(line: Line, running: Decimal | None) -> Row:
    return Row(
        id=line.id,
        booked=line.booked,
        value_date=line.value_date,
        moment=line.moment,
        amount=line.foreign.amount if line.foreign else line.amount,
        payee=line.payee,
        reference=line.reference,
        memo=line.memo,
        pending=line.pending,
        reversal=line.reversal,
        foreign=line.foreign,
        running=running,
    )


def minor_units(amount: Decimal, currency: str) -> int:
    """Return an amount in the smallest unit of its currency, which must hold it."""
    units = amount if currency == "JPY" else amount * 100
    if units != int(units):
        raise CannotCarryError("the format has no place for fractions of the smallest unit")
    return int(units)


def ordered(statement: Statement) -> list[Row]:
    """Return the rows in the order of print."""
    return statement.rows[::-1] if statement.newest_first else statement.rows
