"""Section 3: targets that cannot fail at the rates at hand."""

from __future__ import annotations

from veridical.errors import ParameterError
from veridical.lessons.fairness.rates import Share

__all__ = ["difference_cannot_fail", "farthest_apart", "per_10_000", "ratio_cannot_fail"]


def per_10_000(gap: float) -> float:
    """Return a difference of rates as so many people of 10,000.

    Examples
    --------
    >>> per_10_000(0.02)
    200.0
    """
    return 10_000 * gap


def farthest_apart(group: Share, reference: Share) -> float:
    """Return how far apart two rates can be that stay within the highest and the lowest seen.

    Rates that nowhere exceed the highest one differ by it at most; rates nowhere below the lowest
    one, by what that lacks to 1.

    Examples
    --------
    >>> farthest_apart(Share(2, 100), Share(4, 100)), farthest_apart(Share(48, 100), Share(50, 100))
    (0.04, 0.5)
    """
    rates = group.rate, reference.rate
    return min(max(rates), 1 - min(rates))


def difference_cannot_fail(group: Share, reference: Share, limit: float = 0.05) -> bool:
    """Return whether the most unequal decisions at such rates meet the limit of a difference, too.

    Examples
    --------
    >>> difference_cannot_fail(Share(0, 100), Share(4, 100))
    True
    >>> difference_cannot_fail(Share(48, 100), Share(50, 100))
    False
    """
    if not 0 < limit < 1:
        raise ParameterError(f"the limit of a difference lies between 0 and 1, not at {limit}")
    return farthest_apart(group, reference) <= limit


def ratio_cannot_fail(group: Share, reference: Share) -> bool:
    """Return whether rates are so high that even the lowest is four fifths of everybody.

    Examples
    --------
    >>> ratio_cannot_fail(Share(96, 100), Share(98, 100))
    True
    >>> ratio_cannot_fail(Share(40, 100), Share(50, 100))
    False
    """
    lowest = min(group, reference, key=lambda share: share.rate)
    return 5 * lowest.hits >= 4 * lowest.n
