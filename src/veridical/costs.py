"""``Costs``: what each kind of error costs."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final, TypeAlias

from veridical.errors import ParameterError

__all__ = ["Costs", "Price"]

Price: TypeAlias = int | float | str | Decimal
"""An amount of money, or the name of a column that holds each row's own amount."""

SMALLEST_PRICE: Final = Decimal("1e-30")
LARGEST_PRICE: Final = Decimal("1e30")
"""Squares of these, over 2**63 rows, are still finite and above zero in float64."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Prices of a missed positive, a false alarm, and the review of any flagged row.

    Parameters
    ----------
    fn
        Cost of a false negative: an amount >= 0, or a column name (a fraud costs its own amount).
    fp
        Cost of a false positive, on top of its review.
    review
        Cost of every flagged row, right or wrong.
    currency
        Printed beside amounts, for example ``"USD"``.

    Raises
    ------
    ParameterError
        A negative or non-finite amount, one so large or small that sums of it are no numbers, or
        a currency that is no text.

    Examples
    --------
    >>> bank = Costs(fn=850, fp=25, review=5, currency="USD")
    >>> bank.false_alarm
    Decimal('30')
    """

    fn: Price
    fp: Price
    review: Price = 0
    currency: str | None = None

    def __post_init__(self) -> None:
        for name in ("fn", "fp", "review"):
            object.__setattr__(self, name, _checked(name, getattr(self, name)))
        if self.currency is not None and not isinstance(self.currency, str):
            raise ParameterError(
                f"costs.currency is a text such as USD, not {str(self.currency)[:80]}",
                fix="correct it",
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """The prices that are columns, in the order fn, fp, review."""
        return tuple(p for p in (self.fn, self.fp, self.review) if isinstance(p, str))

    @property
    def false_alarm(self) -> Decimal | None:
        """What one false positive costs in all, ``fp + review``; None where one is a column."""
        if isinstance(self.fp, Decimal) and isinstance(self.review, Decimal):
            return self.fp + self.review
        return None

    def amount(self, name: str) -> float | None:
        """Return the price called ``name`` as a float, or None where it is a column."""
        price = getattr(self, name)
        return float(price) if isinstance(price, Decimal) else None

    @property
    def bayes_threshold(self) -> float | None:
        """(fp + review) / (fn + fp): the best threshold if the scores are true probabilities.

        Flagging a row with probability p of being positive is worth it when its expected cost,
        ``(1 - p) fp + review``, is at most ``p fn``.  None where a price is a column or the
        denominator is zero.
        """
        alarm = self.false_alarm
        if alarm is None or not isinstance(self.fn, Decimal) or not isinstance(self.fp, Decimal):
            return None
        denominator = self.fn + self.fp
        return float(alarm / denominator) if denominator else None

    def to_dict(self) -> dict[str, Any]:
        """Return the prices as JSON: amounts as decimal strings, columns as ``column:NAME``."""
        prices = {name: getattr(self, name) for name in ("fn", "fp", "review")}
        written = {
            k: f"column:{v}" if isinstance(v, str) else format(v, "f") for k, v in prices.items()
        }
        return written | ({"currency": self.currency} if self.currency else {})


def _checked(name: str, price: Any) -> Decimal | str:
    if isinstance(price, str):
        return price
    whole_or_decimal = isinstance(price, (int, Decimal))  # exact, and of any number of digits
    try:
        amount = Decimal(price if whole_or_decimal else str(price))
    except InvalidOperation:
        amount = None
    if isinstance(price, bool):
        amount = None
    if amount is None or not amount.is_finite() or amount < 0:
        shown = repr(price) if amount is None else str(amount)
        raise ParameterError(
            f"costs.{name} is an amount of at least 0 or a column name, not {shown[:80]}",
            fix="give what one such error costs",
        )
    if amount and not SMALLEST_PRICE <= amount <= LARGEST_PRICE:
        raise ParameterError(
            f"costs.{name} is 0, or lies between {SMALLEST_PRICE:g} and {LARGEST_PRICE:g}; "
            f"{str(amount)[:80]} does not",
            why="sums and squares of such an amount are no numbers",
            fix="give all prices in another unit",
        )
    return amount.normalize() if amount else Decimal(0)
