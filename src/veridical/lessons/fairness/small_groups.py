"""Section 4: what luck does to small groups."""

from __future__ import annotations

import math

from veridical.errors import ParameterError
from veridical.lessons.fairness.rates import Share, difference
from veridical.lessons.uncertainty.shares import Ends, wilson

__all__ = ["chances", "difference_interval", "fails_by_luck"]


def chances(n: int, p: float) -> list[float]:
    """Return how likely 0, 1, ..., n favourable decisions of n are, at a true rate of p.

    Examples
    --------
    >>> chances(2, 0.5)
    [0.25, 0.5, 0.25]
    """
    if n < 1 or not 0 < p < 1:
        raise ParameterError("a group has at least one person, and a true rate between 0 and 1")
    return [math.comb(n, hits) * p**hits * (1 - p) ** (n - hits) for hits in range(n + 1)]


def fails_by_luck(p: float, n_group: int, n_reference: int) -> float:
    """Return how often the four fifths are missed by two groups that are treated exactly alike.

    Every result that there can be, with its chance.

    Parameters
    ----------
    p
        The true rate of both.
    n_group, n_reference
        How many people they have, a few hundred at most.

    Examples
    --------
    >>> round(fails_by_luck(0.3, 20, 20), 2), round(fails_by_luck(0.3, 400, 400), 2)
    (0.62, 0.04)
    """
    of_reference = chances(n_reference, p)
    passed = 0.0
    for hits, chance in enumerate(chances(n_group, p)):
        # Rounded up and down: so many of the reference lie from 4/5 to 5/4 of the group's rate.
        fewest = -(-4 * hits * n_reference // (5 * n_group))
        most = 5 * hits * n_reference // (4 * n_group)
        passed += chance * sum(of_reference[fewest : most + 1])
    return 1 - passed


def difference_interval(group: Share, reference: Share) -> Ends:
    """Return Newcombe's 95% interval of a difference, from Wilson's of both rates.

    Each end lies as far out as the one rate may be lower and the other higher, together: by
    Pythagoras, since it is unlikely that both are as unlucky as they may be.

    References
    ----------
    Newcombe (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I

    Examples
    --------
    >>> [round(end, 4) for end in difference_interval(Share(56, 70), Share(48, 80))]
    [0.0524, 0.3339]
    """
    gap = difference(group, reference)
    mine, other = wilson(*group), wilson(*reference)
    below = math.hypot(group.rate - mine[0], other[1] - reference.rate)
    above = math.hypot(mine[1] - group.rate, reference.rate - other[0])
    return gap - below, gap + above
