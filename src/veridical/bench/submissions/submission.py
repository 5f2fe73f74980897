"""What an agent reports: balances, flags, confidence."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

__all__ = ["CONFIDENCES", "AccountAnswer", "Flag", "Submission"]

CONFIDENCES: Final = ("high", "medium", "low")


@dataclass(frozen=True, slots=True)
class AccountAnswer:
    """The closing balance that is reported for one account, with all its digits."""

    account_id: str
    closing_balance: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Flag:
    """One problem that is reported; any type parses, whether the vocabulary has it or not."""

    type: str
    account_id: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """A submission that parsed.

    Attributes
    ----------
    accounts
        In the order given; may be empty, and may name an account twice.
    flags
        In the order given.
    confidence
        ``high``, ``medium`` or ``low``.
    notes
        Read by nobody.
    """

    accounts: tuple[AccountAnswer, ...]
    flags: tuple[Flag, ...]
    confidence: str
    notes: str | None = None

    @property
    def flag_types(self) -> frozenset[str]:
        """The types that were raised."""
        return frozenset(flag.type for flag in self.flags)
