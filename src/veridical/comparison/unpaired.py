"""Two models on different rows: the interval of a difference of independent numbers."""

from __future__ import annotations

import math
from statistics import NormalDist

from veridical.comparison.questions import Tested
from veridical.results import Interval, Measured
from veridical.stats.normal import z

__all__ = ["p_value_of", "unpaired"]


def unpaired(of_a: Measured, of_b: Measured) -> Tested:
    """Return the interval of a - b from the intervals of two independent results.

    Each side contributes the distance from its value to the end of its interval that matters
    (square-and-add, or MOVER).

    Parameters
    ----------
    of_a, of_b
        Measured on independent rows.

    Returns
    -------
    Tested
        Without a test; without an interval where a side has none.

    References
    ----------
    G. Y. Zou and A. Donner (2008), Construction of confidence limits about effect measures.
    doi:10.1002/sim.3095

    Examples
    --------
    >>> a = Measured(0.8, interval=Interval(0.7, 0.9, 0.95, "wilson"))
    >>> b = Measured(0.5, interval=Interval(0.3, 0.7, 0.95, "wilson"))
    >>> found = unpaired(a, b).interval
    >>> round(found.low, 4), round(found.high, 4)
    (0.0764, 0.5236)
    """
    a, b = of_a.interval, of_b.interval
    if a is None or b is None or a.level != b.level:
        return Tested("none", notes=("unpaired", "not_tested"))
    difference = of_a.value - of_b.value
    low = difference - math.hypot(of_a.value - a.low, b.high - of_b.value)
    high = difference + math.hypot(a.high - of_a.value, of_b.value - b.low)
    noted = {*of_a.notes, *of_b.notes}
    few = [note for note in ("few_replicates", "few_clusters", "few_units") if note in noted]
    interval = Interval(low, high, a.level, "square-and-add")
    return Tested("square-and-add", interval, notes=("unpaired", *few))


def p_value_of(difference: Measured) -> float | None:
    """Return the p-value that belongs to an interval: below 1 - level where 0 is outside."""
    interval, value = difference.interval, difference.value
    if interval is None:
        return None
    half = value - interval.low if value > 0 else interval.high - value
    if half <= 0:
        return 1.0 if value == 0 else None
    return 2 * NormalDist().cdf(-abs(value) / half * z(interval.level))
