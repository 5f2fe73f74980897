"""Amounts of money: exact decimals, compared at one hundredth, half away from zero."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Final

__all__ = ["QUANTUM", "exact", "q"]

QUANTUM: Final = Decimal("0.01")
"""For every currency; version 1 has none of three decimals."""

exact: Final = Context(prec=200, rounding=ROUND_HALF_UP)
"""More digits than any amount here has, whatever context the caller has set."""


def q(amount: Decimal) -> Decimal:
    """Return an amount to one hundredth, half away from zero; there is no minus zero.

    Both sides of every comparison go through it.

    Parameters
    ----------
    amount
        Finite, of at most 150 digits.

    Examples
    --------
    >>> [str(q(Decimal(text))) for text in ("2.675", "-2.675", "1.005", "-0.004", "100")]
    ['2.68', '-2.68', '1.01', '0.00', '100.00']
    """
    rounded = amount.quantize(QUANTUM, context=exact)
    return rounded or rounded.copy_abs()
