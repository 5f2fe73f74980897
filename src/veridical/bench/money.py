"""Amounts of money: exact decimals, compared at one hundredth, half away from zero."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Final

__all__ = ["QUANTUM", "decimal_text", "exact", "q"]

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


def decimal_text(amount: Fraction, places: int | None = None) -> str:
    """Return a quotient of amounts as a decimal.

    Parameters
    ----------
    amount
        Any.
    places
        How many decimals are written; None for as many as it has, of 12 at most.

    Examples
    --------
    >>> decimal_text(Fraction(1, 250)), decimal_text(Fraction(1, 250), 6), decimal_text(Fraction(9))
    ('0.004', '0.004000', '9')
    """
    value = exact.divide(Decimal(amount.numerator), Decimal(amount.denominator))
    rounded = value.quantize(Decimal(1).scaleb(-(12 if places is None else places)), context=exact)
    text = f"{rounded:f}"
    return text if places is not None else text.rstrip("0").rstrip(".")
