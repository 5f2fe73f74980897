"""Efron's bias-corrected and accelerated bootstrap interval of a mean over clustered rows."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.results import Interval
from veridical.stats.bootstrap import unit_sums
from veridical.stats.normal import check_level
from veridical.stats.standard_error import ROUNDING

__all__ = ["bca_mean"]

Values: TypeAlias = npt.NDArray[np.float64]


def bca_mean(
    values: Values,
    units: npt.NDArray[np.intp],
    level: float = 0.95,
    *,
    replicates: int = 2000,
    seed: int = 0,
) -> Interval | None:
    """Return the interval of the mean when whole units are drawn.

    Skewed values, of which a few carry the mean, get an interval that reaches further on their
    side.

    Parameters
    ----------
    values
        One a row, shape (n,), finite.
    units
        Unit of each row as an integer from 0, each of them present, shape (n,).
    level
        Confidence level, in (0, 1).
    replicates, seed
        How many draws, and what determines them.

    Returns
    -------
    Interval or None
        None with fewer than two units, or where no replicate differs from the others.

    References
    ----------
    B. Efron (1987), Better bootstrap confidence intervals.  doi:10.1080/01621459.1987.10478410

    Examples
    --------
    >>> values = np.array([0.0, 0.0, 1.0, 2.0, 30.0])
    >>> interval = bca_mean(values, np.arange(5))
    >>> bool(interval.low < values.mean() < interval.high), interval.method
    (True, 'bootstrap-bca')
    """
    check_level(level)
    n_units = int(units.max(initial=-1)) + 1
    if n_units < 2:
        return None
    columns = np.stack([values, np.ones(len(values))], axis=1)
    sums = unit_sums(units, columns, replicates, seed)
    means = sums[:, 0] / sums[:, 1]
    rounding = ROUNDING * np.abs(means).max()
    if np.ptp(means) <= rounding:
        return None
    normal = NormalDist()
    observed = float(values.mean())
    # A replicate that draws every unit once is a tie, whatever the order of addition made of it.
    off = means - observed
    below = (np.count_nonzero(off < -rounding) + np.count_nonzero(off <= rounding)) / 2
    # Half a replicate on either side: a quantile of 0 or 1 would have no place.
    share = min(max(below, 0.5), replicates - 0.5) / replicates
    bias, acceleration = normal.inv_cdf(share), _acceleration(values, units, n_units)
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        shifted = bias + normal.inv_cdf(tail)
        stretch = 1 - acceleration * shifted
        ends.append(normal.cdf(bias + shifted / stretch) if stretch > 0 else float(shifted > 0))
    low, high = np.quantile(means, ends).tolist()
    return Interval(min(low, observed), max(high, observed), level, "bootstrap-bca")


def _acceleration(values: Values, units: npt.NDArray[np.intp], n_units: int) -> float:
    """Return a sixth of the skewness of the means that leave one unit out."""
    totals = np.bincount(units, values, n_units)
    sizes = np.bincount(units, minlength=n_units)
    without = (totals.sum() - totals) / (sizes.sum() - sizes)
    centred = without.mean() - without
    spread = float((centred**2).sum())
    return float((centred**3).sum()) / (6 * math.pow(spread, 1.5)) if spread > 0 else 0.0
