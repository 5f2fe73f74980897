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
from veridical.summaries import ScoreTable

__all__ = ["ConsistencyBand", "consistency_band", "debiased_ece"]

Values: TypeAlias = npt.NDArray[np.float64]

CELLS_PER_BIN = 256
"""Forecasts this close share one draw: the variance p(1 - p) differs by less than 1e-6 in them."""

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
    table: ScoreTable,
    index: npt.NDArray[np.intp],
    *,
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> ConsistencyBand:
    """Simulate labels from the forecasts themselves and measure their calibration error.

    Parameters
    ----------
    table
        Forecasts in [0, 1], whole counts, at least one row.
    index
        Bin of each distinct forecast, ascending integers from 0, shape (m,).
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
    doi:10.1175/WAF993.1

    Examples
    --------
    >>> from veridical.summaries.reliability import bin_index
    >>> forecasts = np.linspace(0.01, 0.99, 200)
    >>> table = ScoreTable.from_rows(forecasts > 0.5, forecasts)
    >>> band = consistency_band(table, bin_index(table.scores, 10))
    >>> band.ece_high < 0.15, band.ece_p_value
    (True, 0.000999000999000999)
    """
    check_level(level)
    if not table.is_whole or not len(table):
        raise ParameterError(
            "a consistency band needs rows of whole weight",
            fix="leave the weights out, or read the calibration error without its band",
        )
    rows, forecasts, bins = _cells(table, index)
    in_bin = np.bincount(bins, rows)
    expected = np.bincount(bins, rows * forecasts)
    observed_labels = np.bincount(index, table.positives.whole)
    observed = np.abs(observed_labels - expected).sum() / in_bin.sum()
    ece, mce = (
        np.concatenate(part)
        for part in zip(*_simulate(rows, forecasts, bins, replicates, seed), strict=True)
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


def _cells(
    table: ScoreTable, index: npt.NDArray[np.intp]
) -> tuple[npt.NDArray[np.int64], Values, npt.NDArray[np.intp]]:
    """Return rows, mean forecast and bin of cells in which forecasts are nearly equal."""
    rows = table.positives.whole + table.negatives.whole
    forecasts = table.scores.astype(np.float64)
    grid = (index.max() + 1) * CELLS_PER_BIN
    if len(table) <= grid:
        return rows, forecasts, index
    cell = index * (grid + 1) + np.floor(forecasts * grid).astype(np.intp)
    starts = np.flatnonzero(np.concatenate([[True], np.diff(cell) != 0]))
    in_cell = np.add.reduceat(rows, starts)
    mean = np.add.reduceat(rows * forecasts, starts) / in_cell
    return in_cell, np.clip(mean, 0.0, 1.0), index[starts]


def _simulate(
    rows: npt.NDArray[np.int64],
    forecasts: Values,
    bins: npt.NDArray[np.intp],
    replicates: int,
    seed: int,
) -> Iterator[tuple[Values, Values]]:
    """Yield chunks of the ECE and of the largest error of a bin under calibration."""
    generator = np.random.Generator(np.random.PCG64(seed))
    starts = np.flatnonzero(np.concatenate([[True], np.diff(bins) != 0]))
    in_bin = np.add.reduceat(rows, starts)
    expected = np.add.reduceat(rows * forecasts, starts)
    size = max(1, DRAWS_IN_MEMORY // len(rows))
    for done in range(0, replicates, size):
        shape = (min(size, replicates - done), len(rows))
        labels = np.add.reduceat(generator.binomial(rows, forecasts, shape), starts, axis=1)
        gaps = np.abs(labels - expected)
        yield gaps.sum(axis=1) / in_bin.sum(), (gaps / in_bin).max(axis=1)


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
        raise ParameterError("a calibration error needs at least one row")
    n, sum_p, sum_y = (column[n > 0] for column in (n, sum_p, sum_y))
    rate = sum_y / n
    gap, error = np.abs(rate - sum_p / n), np.sqrt(rate * (1 - rate) / n)
    in_errors = np.divide(gap, error, out=np.full_like(gap, np.inf), where=error > 0)
    density = np.exp(-np.square(in_errors) / 2) * math.sqrt(2 / math.pi)
    folded = error * density + gap * (1 - 2 * ndtr(-in_errors))
    return max(0.0, float(n @ (2 * gap - folded)) / total)
