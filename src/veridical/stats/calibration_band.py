"""How large a calibration error would be at this n if the forecasts were right, and without bias.

Binned calibration error is never negative, so noise alone makes it positive: a bootstrap interval
of it covers nothing.  What can be said is whether the observed error is larger than a perfectly
calibrated model's would be on the same forecasts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from veridical.errors import ParameterError
from veridical.stats.normal import check_level
from veridical.summaries import ReliabilityTable

__all__ = ["ConsistencyBand", "consistency_band", "debiased_ece"]

Values: TypeAlias = npt.NDArray[np.float64]

DRAWS_IN_MEMORY = 1_000_000


@dataclass(frozen=True, slots=True)
class ConsistencyBand:
    """Calibration errors that a perfectly calibrated model would show on the same forecasts.

    Attributes
    ----------
    ece_mean, ece_high
        Mean of the simulated ECE, and the value that a share ``level`` of them stays below.
    mce_mean, mce_high
        The same for the largest error of a bin.
    level
        In (0, 1).
    replicates
        How many label vectors were simulated.
    ece_p_value
        Share of simulations (the observed one counted) with at least the observed ECE.
    """

    ece_mean: float
    ece_high: float
    mce_mean: float
    mce_high: float
    level: float
    replicates: int
    ece_p_value: float


def consistency_band(
    table: ReliabilityTable,
    *,
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> ConsistencyBand:
    """Simulate labels from the forecasts themselves and measure their calibration error.

    The labels of a bin add up to a number that varies around the sum of its forecasts, with
    variance sum p (1 - p).  A binomial number with this mean and this variance is drawn for it, so
    that the sums of the forecasts are enough and nothing is kept of single ones.

    Parameters
    ----------
    table
        Forecasts of rows of whole weight, at least one.
    level
        Coverage of the band, in (0, 1).
    replicates, seed
        How many label vectors; what determines them.

    Raises
    ------
    ParameterError
        With fractional weights (what varies is then unknown), or without rows.

    References
    ----------
    J. Bröcker and L. A. Smith (2007), Increasing the reliability of reliability diagrams.
    doi:10.1175/WAF993.1;
    W. Ehm (1991), Binomial approximation to the Poisson binomial distribution.
    doi:10.1016/0167-7152(91)90170-V

    Examples
    --------
    >>> forecasts = np.linspace(0.01, 0.99, 200)
    >>> table = ReliabilityTable.from_rows(forecasts > 0.5, forecasts)
    >>> band = consistency_band(table)
    >>> band.ece_high < 0.15, band.ece_p_value
    (True, 0.000999000999000999)
    """
    check_level(level)
    n, sum_p, sum_p2, sum_y = (table.column(name) for name in ("n", "sum_p", "sum_p2", "sum_y"))
    if not n.any() or (n != np.floor(n)).any():
        raise ParameterError(
            "a consistency band needs rows of whole weight",
            fix="leave the weights out, or read the calibration error without its band",
        )
    sums = _Sums.of(*(column[n > 0] for column in (n, sum_p, sum_p2)))
    observed = np.abs(sum_y - sum_p).sum() / n.sum()
    ece, mce = (
        np.concatenate(part) for part in zip(*_simulate(sums, replicates, seed), strict=True)
    )
    return ConsistencyBand(
        float(ece.mean()),
        float(np.quantile(ece, level)),
        float(mce.mean()),
        float(np.quantile(mce, level)),
        level,
        replicates,
        (1 + int((ece >= observed * (1 - 1e-12)).sum())) / (replicates + 1),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """Binomial numbers with the mean and the variance of the labels of each bin, shape (M,).

    Of labels or of their opposites, whichever are fewer: |labels - expected| is the same.

    Attributes
    ----------
    n, mean
        Rows; expected labels.
    trials, more
        Trials, and the chance that there is one more: so many that the variances agree.
    """

    n: Values
    mean: Values
    trials: npt.NDArray[np.int64]
    more: Values

    @classmethod
    def of(cls, n: Values, sum_p: Values, sum_p2: Values) -> _Sums:
        many = sum_p > n / 2
        mean = np.where(many, n - sum_p, sum_p)
        squares = np.where(many, n - 2 * sum_p + sum_p2, sum_p2)
        # The variance, mean - mean**2 / trials, is mean - squares; there are at most n labels.
        fits = np.divide(mean**2, squares, out=n.copy(), where=squares > 0)
        fits = np.clip(fits, np.maximum(1.0, np.ceil(mean)), n)
        trials = np.floor(fits)
        more = (1 / trials - 1 / fits) / (1 / trials - 1 / (trials + 1))
        return cls(n, mean, trials.astype(np.int64), np.clip(more, 0.0, 1.0))


def _simulate(sums: _Sums, replicates: int, seed: int) -> Iterator[tuple[Values, Values]]:
    """Yield chunks of the ECE and of the largest error of a bin under calibration."""
    # One generator for each kind of draw, so that no stream depends on the size of a chunk.
    of_trials, of_labels = (
        np.random.Generator(np.random.PCG64(child))
        for child in np.random.SeedSequence(seed).spawn(2)
    )
    size = max(1, DRAWS_IN_MEMORY // len(sums.n))
    for done in range(0, replicates, size):
        shape = (min(size, replicates - done), len(sums.n))
        trials = sums.trials + (of_trials.random(shape) < sums.more)
        labels = of_labels.binomial(trials, np.minimum(1.0, sums.mean / trials))
        gaps = np.abs(labels - sums.mean)
        yield gaps.sum(axis=1) / sums.n.sum(), (gaps / sums.n).max(axis=1)


def debiased_ece(n: Values, sum_p: Values, sum_y: Values) -> float:
    """Return the ECE with the excess that noise gives each bin subtracted.

    Given its labels' variance v, the observed gap d of a bin is nearly normal around the true one,
    and the mean of |normal(d, v)| exceeds |d| by about as much as |d| exceeds the truth.  That
    excess (a folded normal mean, in closed form) is subtracted once, and the sum cut off at 0.

    Parameters
    ----------
    n, sum_p, sum_y
        Rows, sum of forecasts and sum of labels of each bin, shape (M,); empty bins are ignored.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ParameterError
        Without rows.

    References
    ----------
    A. Kumar, P. Liang, T. Ma (2019), Verified uncertainty calibration, NeurIPS (the resampling
    debiasing of its library for the l1 error, with the resampling done in closed form).

    Examples
    --------
    Six of ten labels where five were forecast: half of the gap of 0.1 is what noise adds.

    >>> round(debiased_ece(np.array([10.0]), np.array([5.0]), np.array([6.0])), 4)
    0.0515
    """
    total = float(n.sum())
    if not total:
        raise ParameterError(
            "a calibration error needs at least one row", fix="give at least one row"
        )
    n, sum_p, sum_y = (column[n > 0] for column in (n, sum_p, sum_y))
    rate = sum_y / n
    gap, error = np.abs(rate - sum_p / n), np.sqrt(rate * (1 - rate) / n)
    in_errors = np.divide(gap, error, out=np.full_like(gap, np.inf), where=error > 0)
    density = np.exp(-np.square(in_errors) / 2) * math.sqrt(2 / math.pi)
    folded = error * density + gap * (1 - 2 * ndtr(-in_errors))
    return max(0.0, float(n @ (2 * gap - folded)) / total)
