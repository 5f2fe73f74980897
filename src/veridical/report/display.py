"""Numbers and names as the report prints them."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "bounds_text",
    "count_text",
    "money_text",
    "name_text",
    "rate_text",
    "round_number_above",
    "threshold_text",
    "value_text",
]

_SMALL = 0.001
_MOVED = 1e-6
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def rate_text(rate: float) -> str:
    """Return a rate with four decimals, or two significant digits where four would hide it.

    Examples
    --------
    >>> rate_text(0.5), rate_text(0.000123), rate_text(-0.25)
    ('0.5000', '0.00012', '-0.2500')
    """
    if rate == 0 or abs(rate) >= _SMALL:
        return f"{rate:.4f}"
    if abs(rate) < 1e-6:
        return f"{rate:.1e}"
    return f"{rate:.{1 - math.floor(math.log10(abs(rate)))}f}"


def value_text(value: float, *, money: bool = False, rate: bool = True) -> str:
    """Return a metric's value: money with separators, a rate, or five significant digits.

    Examples
    --------
    >>> value_text(83475.0, money=True), value_text(12.3456789, rate=False)
    ('83,475', '12.346')
    """
    if money:
        return money_text(value)
    return rate_text(value) if rate else f"{value:,.5g}"


def money_text(amount: float) -> str:
    """Return an amount without decimals where it is whole, else with two.

    Examples
    --------
    >>> money_text(1234567.0), money_text(0.5)
    ('1,234,567', '0.50')
    """
    amount = round(amount, 2)
    return f"{amount:,.0f}" if amount == int(amount) else f"{amount:,.2f}"


def bounds_text(low: float, high: float, *, money: bool = False) -> str:
    """Return certified bounds, rounded outward: what is shown still holds the exact value.

    What floating point may have moved (less than 1e-8 of a unit) does not cost a shown digit.

    Examples
    --------
    >>> bounds_text(0.82182, 0.82191), bounds_text(1234.0, 1240.005, money=True)
    ('[0.8218, 0.8220]', '[1,234, 1,240.01]')
    >>> bounds_text(0.5 - 2**-46, 1.0)
    '[0.5000, 1.0000]'
    """
    digits = 2 if money else 4
    unit = 10.0**digits
    ends = math.floor(low * unit + _MOVED) / unit, math.ceil(high * unit - _MOVED) / unit
    told = money_text if money else "{:,.4f}".format
    return "[{}, {}]".format(*map(told, ends))


def count_text(count: float | Fraction) -> str:
    """Return a number of rows; weighted ones with at most two decimals.

    Examples
    --------
    >>> count_text(12345), count_text(2.50)
    ('12,345', '2.5')
    """
    if isinstance(count, int):
        return f"{count:,}"
    count = round(float(count), 2)
    return f"{count:,.0f}" if count == int(count) else f"{count:,.2f}".rstrip("0")


def threshold_text(threshold: float | str | None) -> str:
    """Return a threshold in full, so that it can be used as it stands.

    Conditions hold an infinite one as text.

    Examples
    --------
    >>> threshold_text(0.1 + 0.2), threshold_text(2.0), threshold_text(None)
    ('0.30000000000000004', '2', 'flag nothing')
    >>> threshold_text("inf")
    '∞'
    """
    if threshold is None:
        return "flag nothing"
    threshold = float(threshold)
    if math.isinf(threshold):
        return "\N{INFINITY}" if threshold > 0 else "\N{MINUS SIGN}\N{INFINITY}"
    return repr(threshold).removesuffix(".0")


def name_text(name: str) -> str:
    r"""Return a name without lone surrogates, which no file can hold.

    Examples
    --------
    >>> name_text("p\ud800") == "p\N{REPLACEMENT CHARACTER}"
    True
    """
    return _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", name)


def round_number_above(x: float) -> float:
    """Return the next round number at or above ``x``, for the end of an axis; 0 where x <= 0.

    Examples
    --------
    >>> round_number_above(1234.0), round_number_above(64000.0), round_number_above(-1.0)
    (1500.0, 100000.0, 0.0)
    """
    if x <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(x))
    steps = (1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
    # 0.3 / 0.1 is a little above 3 in binary: it must not take the next step.
    return next((s * power for s in steps if s * power >= x * (1 - 1e-9)), 10 * power)
