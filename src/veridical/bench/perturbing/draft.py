"""A case in the making, and what one change of it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import TypeAlias

from veridical.bench.drawing import Draw
from veridical.bench.rendering.statement import Row, Statement
from veridical.bench.world.building import Numbers
from veridical.bench.world.facts import Account, LedgerEntry, Line, StandingOrder, World
from veridical.bench.world.templates import AccountPlan

__all__ = ["Change", "Display", "Draft", "Facts", "NoRoomError"]


class NoRoomError(Exception):
    """The world that was drawn has no place for a change: another one is drawn."""


@dataclass(slots=True)
class Draft:
    """A case in the making.

    Attributes
    ----------
    statements
        By account id; empty until the facts are complete.
    touched
        Ids of lines that a change has taken; no other change takes them.
    candidates
        Balances that agree with the files, where these allow more than one.
    distances
        The same, from the truth, of changes that do not yet know it.
    """

    world: World
    numbers: Numbers
    statements: dict[str, Statement] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    candidates: dict[str, tuple[Decimal, ...]] = field(default_factory=dict)
    distances: dict[str, tuple[Decimal, ...]] = field(default_factory=dict)

    def entries(self, reference: str) -> list[LedgerEntry]:
        """Return the ledger entries of a reference."""
        return [one for one in self.world.ledger if one.reference == reference]

    def free_lines(self, account_id: str) -> list[Line]:
        """Return the lines that one ledger entry explains, and no change has taken."""
        single: dict[str, int] = {}
        for entry in self.world.ledger:
            single[entry.reference] = single.get(entry.reference, 0) + 1
        return [
            line
            for line in self.world.account(account_id).lines
            if line.id not in self.touched
            and not line.pending
            and single.get(line.reference) == 1
            and self.world.start < line.booked < self.world.end
        ]

    def take(self, account_id: str, draw: Draw, *, credit: bool | None = None) -> Line:
        """Return one such line, a credit or a debit where that is asked, and take it."""
        options = [
            line
            for line in self.free_lines(account_id)
            if credit is None or credit == (line.amount > 0)
        ]
        if not options:
            raise NoRoomError
        line = draw.pick(options)
        self.touched.add(line.id)
        return line

    def add(self, account: Account, line: Line) -> Line:
        """Add a line, and take it."""
        account.lines.append(line)
        self.touched.add(line.id)
        return line

    def explain(self, account: Account, line: Line, memo: str = "") -> LedgerEntry:
        """Add the ledger entry of a line."""
        return self.enter(account, line.booked, line.amount, line.payee, line.reference, memo)

    def vary(self, account: Account, line: Line) -> None:
        """Add a standing order without an amount that explains a line."""
        self.world.orders.append(
            StandingOrder(
                id=self.numbers.entry_id(),
                account_id=account.id,
                counterparty=line.payee,
                amount=None,
                reference=line.reference,
            )
        )

    def enter(
        self,
        account: Account,
        day: date,
        amount: Decimal,
        counterparty: str,
        reference: str,
        memo: str = "",
    ) -> LedgerEntry:
        """Add a ledger entry."""
        entry = LedgerEntry(
            id=self.numbers.entry_id(),
            day=day,
            account_id=account.id,
            amount=amount,
            counterparty=counterparty,
            reference=reference,
            memo=memo,
        )
        self.world.ledger.append(entry)
        return entry

    def amount(self, account: Account, draw: Draw, low: int, high: int) -> Decimal:
        """Return an amount from ``low`` to ``high`` hundredths that the case has not used."""
        if account.currency == "JPY":
            low, high = low * 100, high * 100
        elif account.whole:
            high = min(high, 89_900)
        return self.numbers.amount(draw, low, high, whole=account.whole)

    def day(self, draw: Draw) -> date:
        """Return a day well within the period."""
        return self.world.start + timedelta(
            days=draw.between(3, (self.world.end - self.world.start).days - 3)
        )

    def row(self, account_id: str, line_id: str) -> Row:
        """Return the row that shows a line."""
        return next(row for row in self.statements[account_id].rows if row.id == line_id)


Facts: TypeAlias = Callable[[Draft, str, Draw], tuple[str, ...]]
Display: TypeAlias = Callable[[Draft, str, Draw, tuple[str, ...]], tuple[str, ...]]
_FORMATS = frozenset({"csv", "ofx", "mt940", "camt053", "bai2"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One perturbation, or its benign look-alike.

    Attributes
    ----------
    id, variant
        ``twin`` only looks like one; the others are its kinds, ``a`` first.
    facts
        Changes what happened or the ledger; returns the lines concerned.
    display
        Changes what a statement shows; is given those lines and returns its own.
    flag
        What it calls for.
    bites
        The naive sum must be wrong.
    claims
        Properties of an account of which two changes cannot both dispose.
    formats, preamble, whole
        Which accounts it fits: formats; of CSV only with a preamble; whether whole amounts do.
    small
        It needs an account of small whole amounts.
    """

    id: str
    variant: str = "a"
    facts: Facts | None = None
    display: Display | None = None
    flag: str | None = None
    bites: bool = False
    determinable: bool = True
    claims: frozenset[str] = frozenset()
    formats: frozenset[str] = _FORMATS
    preamble: bool = False
    whole: bool = True
    small: bool = False

    @property
    def name(self) -> str:
        """Id and variant in one word."""
        return f"{self.id}:{self.variant}"

    def fits(self, plan: AccountPlan) -> bool:
        """Say whether it can be made to an account."""
        if plan.format not in self.formats or (plan.whole and not self.whole):
            return False
        return not (self.preamble and plan.format == "csv" and plan.dialect == "bare")
