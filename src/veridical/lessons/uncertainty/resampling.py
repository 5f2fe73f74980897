"""Section 2: the interval of any number by drawing the data again, and what one must draw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.errors import InputError
from veridical.lessons.uncertainty.shares import Ends

__all__ = ["asked_ten_times", "bootstrap_means", "middle", "one_by_one"]

Units = Sequence[Sequence[float]]
"""What is drawn: each a list of the values that belong together."""


def bootstrap_means(units: Units, replicates: int = 1_000, seed: int = 0) -> list[float]:
    """Return the mean of samples that might have been.

    Each is drawn from the units themselves, as many as there are, with replacement: some units
    come twice, others not at all.  A unit comes with all its values.

    Parameters
    ----------
    units
        One list of values for each customer, question or document; of one value each where
        nothing belongs together (``one_by_one``).
    replicates
        How many samples.
    seed
        Of ``numpy.random.default_rng``.

    Examples
    --------
    >>> bootstrap_means(one_by_one([1, 1, 1, 0]), replicates=5)
    [0.75, 1.0, 0.5, 0.75, 0.75]
    """
    if not any(len(unit) for unit in units):
        raise InputError("there is no value to draw", fix="give at least one unit with a value")
    draws = np.random.default_rng(seed)
    means: list[float] = []
    while len(means) < replicates:
        total, n = 0.0, 0
        for index in draws.integers(0, len(units), len(units)):
            total += sum(units[index])
            n += len(units[index])
        if n:
            means.append(total / n)
    return means


def one_by_one(values: Sequence[float]) -> list[list[float]]:
    """Return each value as a unit of its own.

    Examples
    --------
    >>> one_by_one([1, 0])
    [[1], [0]]
    """
    return [[value] for value in values]


def middle(means: Sequence[float], level: float = 0.95) -> Ends:
    """Return what the middle share of the values lies between: the percentile interval.

    Examples
    --------
    >>> middle([float(i) for i in range(101)], level=0.5)
    (25.0, 75.0)
    """
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def asked_ten_times() -> list[list[float]]:
    """Return 20 questions that were asked ten times each, of a model that never wavers.

    15 questions are answered rightly, always; 5 wrongly, always.

    Examples
    --------
    >>> questions = asked_ten_times()
    >>> len(questions), sum(map(len, questions)), sum(map(sum, questions))
    (20, 200, 150.0)
    """
    return [[1.0] * 10] * 15 + [[0.0] * 10] * 5
