"""Prices of errors from the command line."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from veridical.errors import ParameterError

if TYPE_CHECKING:
    from veridical.costs import Costs

__all__ = ["costs_of"]

_COLUMN_PREFIX = "column:"


def costs_of(
    fn: str | None, fp: str | None, review: str | None, currency: str | None = None
) -> Costs | None:
    """Return the prices that the options spell, or None where none was given.

    Parameters
    ----------
    fn, fp, review
        An amount, or the name of a column (``column:1`` where the name looks like an amount).
    currency
        Printed beside amounts.

    Raises
    ------
    ParameterError
        One of the two errors has no price.
    """
    given = {"--cost-fn": fn, "--cost-fp": fp}
    absent = [name for name, price in given.items() if price is None]
    if len(absent) == len(given) and review is None:
        return None
    if absent:
        raise ParameterError(
            f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} missing",
            why="a threshold has a cost only when both kinds of error have a price",
            fix=f"add {absent[0]} PRICE; 0 is a price too",
        )
    from veridical.costs import Costs

    return Costs(_price(fn), _price(fp), _price(review or "0"), currency=currency)


def _price(text: str | None) -> Any:
    word = text or ""
    if word.startswith(_COLUMN_PREFIX):
        return word.removeprefix(_COLUMN_PREFIX)
    try:
        return Decimal(word)
    except InvalidOperation:
        return word
