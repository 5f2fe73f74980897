"""Section 2: the calibration error that right forecasts have by luck alone, and taking it away."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from veridical.errors import ParameterError
from veridical.lessons.calibration.reliability import ece, reliability_table
from veridical.lessons.metrics.checks import Labels, Scores

__all__ = ["ece_debiased", "ece_of_right_forecasts", "right_forecasts"]

_BELL = NormalDist()


def right_forecasts(n: int, seed: int = 0) -> tuple[Labels, Scores]:
    """Draw forecasts anywhere between 0 and 1, and let each come true as often as it says.

    Parameters
    ----------
    n
        How many rows, at least 1.
    seed
        Of ``numpy.random.default_rng``.

    Examples
    --------
    >>> y, p = right_forecasts(100)
    >>> round(ece(y, p), 3)
    0.086
    """
    if n < 1:
        raise ParameterError(f"{n} forecasts have no calibration error")
    draws = np.random.default_rng(seed)
    p = draws.random(n)
    return (draws.random(n) < p).astype(np.int64), p


@cache
def ece_of_right_forecasts(n: int, bins: int = 10, replicates: int = 200) -> float:
    """Return the mean ECE of samples whose forecasts are all right.

    Nothing is wrong with them: what is seen is the luck of the draw.

    Parameters
    ----------
    n
        Rows of a sample.
    bins
        As for ``ece``.
    replicates
        How many samples; they have the seeds 0, 1, 2, ...

    Examples
    --------
    >>> round(ece_of_right_forecasts(100), 2), round(ece_of_right_forecasts(100, bins=20), 2)
    (0.1, 0.14)
    """
    return sum(ece(*right_forecasts(n, seed), bins) for seed in range(replicates)) / replicates


def ece_debiased(y_true: npt.ArrayLike, p: npt.ArrayLike, bins: int = 10) -> float:
    """Return the ECE less what luck is likely to have added; never below 0.

    The rate of a bin scatters around its true one by a standard error.  Were the gap that is seen
    the true one, new samples would show a larger gap on average (luck goes both ways, but a gap
    has no sign).  By as much as that is larger, the gap that is seen is made smaller.

    Parameters
    ----------
    y_true, p, bins
        As for ``ece``.

    Examples
    --------
    >>> y, p = right_forecasts(100)
    >>> round(ece(y, p), 3), round(ece_debiased(y, p), 3)
    (0.086, 0.039)
    """
    n, total = 0, 0.0
    for one in reliability_table(y_true, p, bins):
        error = math.sqrt(one.rate * (1 - one.rate) / one.n)
        n += one.n
        total += one.n * (2 * one.gap - _mean_distance(one.gap, error))
    return max(0.0, total / n)


def _mean_distance(gap: float, error: float) -> float:
    """Return how far from 0 a bell curve around ``gap`` lies on average."""
    if error == 0:
        return gap
    height = 2 * error**2 * NormalDist(gap, error).pdf(0)
    return height + gap * (1 - 2 * _BELL.cdf(-gap / error))
