"""Ledger and bank, reference by reference: what differs, what nothing explains (rules 6, 10)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

from veridical.bench.agents.reference.booking import Booked
from veridical.bench.money import q
from veridical.bench.readers.case_files import CaseFiles, Item
from veridical.bench.readers.shown import ShownLine

__all__ = ["Ledger", "fee_of", "is_returned"]

_PART: Final = re.compile(r"([A-Z]+-[0-9]+)(?:/[0-9]+)?", re.ASCII)
_CAME_BACK: Final = re.compile(
    r"return|charge[- ]?back|charged back|reject|bounce|unpaid|dishonou?r", re.IGNORECASE
)
_FEE: Final = re.compile(r"\bfee for ([A-Z]+-[0-9]+)", re.ASCII)


class Ledger:
    """The ledger of one account, and its standing orders.

    Parameters
    ----------
    files
        Of the case.
    account_id
        Whose.
    """

    def __init__(self, files: CaseFiles, account_id: str) -> None:
        self.items: Mapping[str, Item] = {
            reference: item
            for (owner, reference), item in files.items.items()
            if owner == account_id
        }
        self._orders = {reference for owner, reference in files.orders if owner == account_id}

    def reference_of(self, line: ShownLine) -> str:
        """Return the reference that a line belongs to; text that follows it is no part of it."""
        whole = line.reference.strip()
        if whole in self.items or whole in self._orders:
            return whole
        match = _PART.match(whole)
        return match[1] if match else whole

    def is_ordered(self, line: ShownLine) -> bool:
        """Return whether a standing order explains a line."""
        return self.reference_of(line) in self._orders

    def contradicts(self, line: Booked) -> bool:
        """Return whether the ledger has the amount of a line with the other sign.

        A line that the bank marks as a reversal has the sign that it should have.
        """
        if line.line.reversal:
            return False
        item = self.items.get(self.reference_of(line.line))
        return item is not None and bool(item.amount) and q(item.amount) == q(-line.amount)

    def missing(self, shown: Iterable[ShownLine]) -> list[Item]:
        """Return the items of which no line, booked or pending, is shown."""
        seen = {self.reference_of(line) for line in shown}
        return [one for key, one in self.items.items() if key not in seen and one.amount]

    def differing(self, lines: Iterable[Booked]) -> bool:
        """Return whether any item differs from the sum of its lines."""
        sums: dict[str, Decimal] = {}
        for line in lines:
            key = self.reference_of(line.line)
            sums[key] = sums.get(key, Decimal(0)) + line.amount
        return any(
            key in self.items and q(self.items[key].amount) != q(amount)
            for key, amount in sums.items()
        )

    def unexplained(self, lines: Iterable[Booked]) -> list[Booked]:
        """Return the lines that neither an item nor a standing order explains."""
        return [
            line
            for line in lines
            if self.reference_of(line.line) not in self.items and not self.is_ordered(line.line)
        ]


def is_returned(line: Booked, ledger: Ledger, others: Iterable[Booked]) -> bool:
    """Return whether a line takes back another one that the bank had booked."""
    memo = line.line.memo
    if line.amount >= 0 or not _CAME_BACK.search(memo):
        return False
    references = {ledger.reference_of(one.line) for one in others if one.amount > 0}
    return any(match[1] in references for match in _PART.finditer(memo))


def fee_of(line: Booked) -> str | None:
    """Return the reference of what a line charges a fee for; None where it charges none."""
    match = _FEE.search(line.line.memo)
    return match[1] if match and line.amount < 0 else None
