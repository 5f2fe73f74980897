"""The facts of a case, before anything is shown of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

__all__ = ["Account", "Foreign", "LedgerEntry", "Line", "StandingOrder", "World"]


@dataclass(frozen=True, slots=True)
class Foreign:
    """A line that is stated in another currency.

    Attributes
    ----------
    currency, amount
        As the statement shows them.
    rate
        Its digits.
    inverse
        False: one unit of ``currency`` is ``rate`` of the account's.  True: the other way round.
    """

    currency: str
    amount: Decimal
    rate: Decimal | None
    inverse: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing that happened to an account.

    Attributes
    ----------
    id
        The bank's; digits, and no two are equal as numbers.
    booked
        The day on the account's own calendar.
    moment
        In UTC, without an offset; None where the bank keeps no time.
    amount
        Signed, in the account's currency, exact.
    reference
        Shared with the ledger entry or the standing order that explains the line.
    pending
        It was not booked.
    reversal
        The bank took back an entry.
    """

    id: str
    booked: date
    amount: Decimal
    payee: str
    reference: str
    memo: str = ""
    value_date: date
    moment: datetime | None = None
    pending: bool = False
    reversal: bool = False
    foreign: Foreign | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """What the holder of the accounts wrote down."""

    id: str
    day: date
    account_id: str
    amount: Decimal
    counterparty: str
    reference: str
    memo: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingOrder:
    """A payment that comes of its own; without an amount where that varies."""

    id: str
    account_id: str
    counterparty: str
    amount: Decimal | None
    reference: str


@dataclass(slots=True, kw_only=True)
class Account:
    """One account: what the master says of it, and what happened.

    Attributes
    ----------
    format
        Of its statement: ``csv``, ``ofx``, ``mt940``, ``camt053`` or ``bai2``.
    dialect
        Of a CSV file.
    whole
        Amounts are whole numbers and shown as such.
    previous
        The last lines of the previous statement.
    correction
        A line dated after the previous statement's closing balance.
    stamps
        What its statement shows of times: ``date`` (nothing), ``utc`` (with Z) or ``bare`` (a
        clock without an offset).
    """

    id: str
    nickname: str
    number: str
    currency: str
    zone: str
    format: Literal["csv", "ofx", "mt940", "camt053", "bai2"]
    dialect: str = "plain"
    whole: bool = False
    opening: Decimal
    previous_closing: Decimal
    previous: list[Line] = field(default_factory=list)
    correction: tuple[date, Decimal] | None = None
    stamps: Literal["date", "utc", "bare"] = "date"
    lines: list[Line] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class World:
    """All the facts of a case."""

    template_id: str
    start: date
    end: date
    accounts: list[Account]
    ledger: list[LedgerEntry] = field(default_factory=list)
    orders: list[StandingOrder] = field(default_factory=list)

    def account(self, account_id: str) -> Account:
        """Return the account of this id."""
        return next(one for one in self.accounts if one.id == account_id)
