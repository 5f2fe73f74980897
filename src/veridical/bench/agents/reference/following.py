"""Balances against lines: what was lost, what has the wrong sign, what nothing explains (4, 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import combinations
from typing import Final

from veridical.bench.agents.reference.booking import Booked
from veridical.bench.money import q
from veridical.bench.readers.case_files import Item

__all__ = ["Follower"]

_PENNY: Final = Decimal("0.01")
_MOST_CAUSES: Final = 4


@dataclass(frozen=True, slots=True)
class _Cause:
    """Something that may have moved a balance, and by how much."""

    amount: Decimal
    item: Item | None = None
    line: Booked | None = None


class Follower:
    """Goes through the lines of an account with a balance in mind, and explains every jump.

    Parameters
    ----------
    opening
        Of the statement.
    missing
        Ledger items that no line shows.
    contradicted
        Whether the ledger has a line with the other sign.
    end
        Of the period.

    Attributes
    ----------
    lost
        Ledger items whose lines the statement lacks, and whether they fall into the period.
    flipped
        Lines that were shown with the wrong sign; their amounts are put right.
    gaps
        Jumps that nothing explains.
    """

    def __init__(
        self,
        opening: Decimal,
        missing: Iterable[Item],
        contradicted: Callable[[Booked], bool],
        end: date,
    ) -> None:
        self._balance = opening
        self._missing = list(missing)
        self._contradicted = contradicted
        self._end = end
        self._since: list[Booked] = []
        self.lost: list[tuple[Item, bool]] = []
        self.flipped: list[Booked] = []
        self.gaps: list[Decimal] = []

    def follow(self, lines: Iterable[Booked], closing: tuple[Decimal, ...]) -> None:
        """Take the lines, oldest first, each once, and then the printed closing balance, if any.

        Amounts that a balance settles are settled, and wrong signs turned, in place.
        """
        for line in lines:
            self._since.append(line)
            if len(line.amounts) == 1:
                self._balance += line.amount
            if line.line.running:
                self._reach(line.line.running, line.day)
        if closing:
            self._reach(closing, None)

    def _reach(self, printed: tuple[Decimal, ...], day: date | None) -> None:
        """Compare with a printed balance; what nothing explains moves all that follow."""
        self._settle_open_amount(printed)
        gap = self._gap(printed)
        if gap:
            causes = self._causes(gap)
            if causes is None:
                self.gaps.append(gap)
            for cause in causes or ():
                self._take(cause, day)
        self._since = []

    def _take(self, cause: _Cause, day: date | None) -> None:
        self._balance += cause.amount
        if cause.item is not None:
            self._missing.remove(cause.item)
            self.lost.append((cause.item, (day or cause.item.day) <= self._end))
        if cause.line is not None:
            cause.line.amounts = (-cause.line.amount,)
            self.flipped.append(cause.line)

    def _expected(self, printed: Decimal) -> Decimal:
        """Return a printed balance without the jumps that nothing explained."""
        return printed - sum(self.gaps, Decimal(0))

    def _settle_open_amount(self, printed: tuple[Decimal, ...]) -> None:
        """Let a printed balance settle the amount before it that is open, if there is but one."""
        unknown = [one for one in self._since if len(one.amounts) != 1]
        if len(unknown) != 1 or len(printed) != 1:
            return
        (line,) = unknown
        needed = self._expected(printed[0]) - self._balance
        fitting = [one for one in line.amounts if abs(one - needed) <= _PENNY]
        if fitting or not line.amounts:
            line.amounts = (fitting[0] if fitting else needed,)
            self._balance += line.amount

    def _gap(self, printed: tuple[Decimal, ...]) -> Decimal:
        """Return by how much a printed balance is off; 0 where one of its readings is not."""
        if any(len(one.amounts) != 1 for one in self._since):
            return Decimal(0)
        gaps = [self._expected(one) - q(self._balance) for one in printed]
        return Decimal(0) if Decimal(0) in gaps else gaps[0]

    def _causes(self, gap: Decimal) -> tuple[_Cause, ...] | None:
        """Return the fewest causes that make up a jump, or None where there are none."""
        turned = [one for one in self._since if self._contradicted(one)]
        possible = [_Cause(-2 * one.amount, line=one) for one in turned]
        possible += [_Cause(item.amount, item=item) for item in self._missing]
        for n in range(1, _MOST_CAUSES + 1):
            chosen = min(combinations(possible, n), key=_off(gap), default=())
            if chosen and _off(gap)(chosen) <= _PENNY:
                return chosen
        return None


def _off(gap: Decimal) -> Callable[[Sequence[_Cause]], Decimal]:
    return lambda causes: abs(sum((one.amount for one in causes), -gap))
