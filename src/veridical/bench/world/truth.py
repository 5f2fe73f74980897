"""The balance that policy asks for, from the facts alone."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from veridical.bench.world.facts import Account, Line

__all__ = ["counts", "true_balance"]


def counts(line: Line, end: date) -> bool:
    """Say whether a line is booked by the end of the period, on the account's calendar."""
    return not line.pending and line.booked <= end


def true_balance(account: Account, end: date) -> Decimal:
    """Return opening plus every line that counts: exact, not rounded."""
    return account.opening + sum(
        (line.amount for line in account.lines if counts(line, end)), Decimal(0)
    )
