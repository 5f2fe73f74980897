"""Section 1: forecasts sorted into bins, and how far each bin's forecast is from what happened."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError, ParameterError, ScoreError
from veridical.lessons.metrics.checks import Labels, Scores, labels_and_scores

__all__ = [
    "Bin",
    "binned",
    "ece",
    "labels_and_forecasts",
    "mce",
    "overconfident_forecasts",
    "rain_example",
    "reliability_table",
]


@dataclass(frozen=True)
class Bin:
    """The rows whose forecasts lie near each other.

    Attributes
    ----------
    n
        How many.
    forecast
        Their mean forecast.
    rate
        The share of them in which the event happened.

    Examples
    --------
    >>> round(Bin(n=5, forecast=0.8, rate=0.6).gap, 2)
    0.2
    """

    n: int
    forecast: float
    rate: float

    @property
    def gap(self) -> float:
        """How far the forecast is from what happened."""
        return abs(self.rate - self.forecast)


def labels_and_forecasts(y_true: npt.ArrayLike, p: npt.ArrayLike) -> tuple[Labels, Scores]:
    """Return labels and forecasts as arrays of the same length, at least one row.

    Raises
    ------
    LabelError, ScoreError, InputError
        Labels are not 0 and 1, a forecast lies outside [0, 1], lengths differ, or no row is there.
    """
    y, forecasts = labels_and_scores(y_true, p)
    if not len(y):
        raise InputError("there is no forecast", fix="give at least one")
    if ((forecasts < 0) | (forecasts > 1)).any():
        raise ScoreError("a forecast is a probability, between 0 and 1")
    return y, forecasts


def binned(p: npt.ArrayLike, bins: int = 10) -> list[list[int]]:
    """Return which rows belong into each bin.

    Bin m of M holds what is above (m - 1) / M and at most m / M; the first holds 0 as well.

    Examples
    --------
    >>> binned([0.0, 0.3, 0.31, 1.0], bins=10)[2:4]
    [[1], [2]]
    """
    if bins < 1:
        raise ParameterError(f"there is at least 1 bin, not {bins}")
    rows: list[list[int]] = [[] for _ in range(bins)]
    for row, forecast in enumerate(np.asarray(p, dtype=float)):
        m = 1
        while forecast > m / bins:
            m += 1
        rows[m - 1].append(row)
    return rows


def reliability_table(y_true: npt.ArrayLike, p: npt.ArrayLike, bins: int = 10) -> list[Bin]:
    """Return the bins that hold a row, from the lowest forecasts to the highest.

    Parameters
    ----------
    y_true
        1 where the event happened, else 0; shape (n,).
    p
        The forecasts, in [0, 1]; shape (n,).
    bins
        How many bins of equal width.

    Examples
    --------
    >>> for one in reliability_table(*rain_example()):
    ...     print(one)
    Bin(n=5, forecast=0.2, rate=0.2)
    Bin(n=5, forecast=0.8, rate=0.6)
    """
    y, forecasts = labels_and_forecasts(y_true, p)
    table = []
    for rows in binned(forecasts, bins):
        if rows:
            n = len(rows)
            forecast, rate = sum(forecasts[rows]) / n, sum(y[rows]) / n
            table.append(Bin(n, float(forecast), float(rate)))
    return table


def ece(y_true: npt.ArrayLike, p: npt.ArrayLike, bins: int = 10) -> float:
    """Return the expected calibration error: the mean gap, each bin counted with its rows.

    Examples
    --------
    >>> round(ece(*rain_example()), 2), round(ece([1, 0], [0.95, 1.0]), 3)
    (0.1, 0.475)
    """
    table = reliability_table(y_true, p, bins)
    n, total = 0, 0.0
    for one in table:
        n += one.n
        total += one.n * one.gap
    return total / n


def mce(y_true: npt.ArrayLike, p: npt.ArrayLike, bins: int = 10) -> float:
    """Return the maximum calibration error: the largest gap of a bin, however few its rows.

    Examples
    --------
    >>> round(mce(*rain_example()), 2)
    0.2
    """
    return max(one.gap for one in reliability_table(y_true, p, bins))


def rain_example() -> tuple[list[int], list[float]]:
    """Return ten days: on five the forecast was 20% rain, on five it was 80%.

    It rained on one of the first five, and on three of the others.

    Examples
    --------
    >>> y, p = rain_example()
    >>> len(y), sum(y)
    (10, 4)
    """
    return [1, 0, 0, 0, 0, 1, 1, 1, 0, 0], [0.2] * 5 + [0.8] * 5


def overconfident_forecasts(
    n: int = 2_000, stretch: float = 2.0, seed: int = 0
) -> tuple[Labels, Scores]:
    """Draw forecasts that are too sure of themselves, and what happened.

    The log-odds of the truth come from a bell curve; the forecast has them times ``stretch``.

    Parameters
    ----------
    n
        How many rows.
    stretch
        1 is right, above 1 overconfident, below 1 timid.
    seed
        Of ``numpy.random.default_rng``.

    Examples
    --------
    >>> y, p = overconfident_forecasts()
    >>> round(ece(y, p), 3), round(ece(*overconfident_forecasts(stretch=1)), 3)
    (0.092, 0.02)
    """
    draws = np.random.default_rng(seed)
    log_odds = draws.normal(0, 1, n)
    happened = draws.random(n) < 1 / (1 + np.exp(-log_odds))
    return happened.astype(np.int64), 1 / (1 + np.exp(-stretch * log_odds))
