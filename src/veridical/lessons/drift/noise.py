"""Section 3: what the index shows where nothing has drifted, and how many rows it needs."""

from __future__ import annotations

import math
from functools import cache

from veridical.errors import ParameterError
from veridical.lessons.drift.stability_index import moved_scores, psi

__all__ = [
    "chi_square_below",
    "chi_square_quantile",
    "expected_without_drift",
    "index_without_drift",
    "quantile_without_drift",
    "rows_needed",
    "traffic_light",
]

_STABLE, _SIGNIFICANT = 0.10, 0.25


def expected_without_drift(cells: int, n_reference: int, n_current: int) -> float:
    """Return the mean of the index of two samples of one and the same population, nearly.

    Parameters
    ----------
    cells
        That hold any row.
    n_reference, n_current
        Rows of each side, at least 1.

    Examples
    --------
    >>> round(expected_without_drift(10, 200, 200), 4)
    0.09
    """
    if min(cells, n_reference, n_current) < 1:
        raise ParameterError("there is at least one cell, and one row on each side")
    return (cells - 1) * (1 / n_reference + 1 / n_current)


@cache
def index_without_drift(n: int, bins: int = 10, replicates: int = 300) -> tuple[float, ...]:
    """Draw pairs of samples of one population, and return the index of each pair, in order of size.

    Parameters
    ----------
    n
        Rows of each side.
    bins
        As for ``psi``.
    replicates
        How many pairs; they have the seeds 0, 1, 2, ...

    Examples
    --------
    >>> drawn = index_without_drift(200)
    >>> round(sum(drawn) / len(drawn), 2), round(sum(one >= 0.10 for one in drawn) / len(drawn), 2)
    (0.09, 0.35)
    """
    return tuple(sorted(psi(*moved_scores(n, seed=seed), bins) for seed in range(replicates)))


def chi_square_below(x: float, freedom: int) -> float:
    """Return how often a sum of ``freedom`` squared bell-curve draws is below ``x``.

    The series of the incomplete gamma function; each term is made from the one before it.

    Examples
    --------
    >>> round(chi_square_below(3.841459, 1), 4), round(chi_square_below(16.918978, 9), 4)
    (0.95, 0.95)
    """
    half, a = x / 2, freedom / 2
    if half <= 0:
        return 0.0
    term = math.exp(a * math.log(half) - half - math.lgamma(a + 1))
    total, k = term, a
    while term > 1e-17 * total:
        k += 1
        term *= half / k
        total += term
    return total


def chi_square_quantile(share: float, freedom: int) -> float:
    """Return what such a sum stays below in that share of cases, by halving.

    Examples
    --------
    >>> round(chi_square_quantile(0.95, 9), 2)
    16.92
    """
    if not 0 < share < 1 or freedom < 1:
        raise ParameterError("a share lies between 0 and 1, and at least one square is added")
    low, high = 0.0, 1.0
    while chi_square_below(high, freedom) < share:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if chi_square_below(middle, freedom) < share:
            low = middle
        else:
            high = middle
    return high


def quantile_without_drift(cells: int, n_reference: int, n_current: int) -> float:
    """Return what the index exceeds once in twenty times, although nothing has drifted.

    Examples
    --------
    >>> round(quantile_without_drift(10, 200, 200), 3)
    0.169
    """
    scale = expected_without_drift(2, n_reference, n_current)  # 1 / n + 1 / m
    return chi_square_quantile(0.95, cells - 1) * scale if cells > 1 else 0.0


def rows_needed(limit: float = _STABLE, cells: int = 10) -> int:
    """Return how many rows each side needs so that noise exceeds ``limit`` once in twenty times.

    Examples
    --------
    >>> rows_needed(0.10), rows_needed(0.25), rows_needed(0.10, cells=20)
    (339, 136, 603)
    """
    if not limit > 0 or cells < 2:
        raise ParameterError("a limit is above 0, and there are at least two cells")
    return math.ceil(2 * chi_square_quantile(0.95, cells - 1) / limit)


def traffic_light(index: float, cells: int, n_reference: int, n_current: int) -> str:
    """Return what is usually made of an index, unless noise alone makes as much.

    Below 0.10 stable, up to 0.25 moderate, above it significant; insufficient data where an index
    of 0.10 would be noise, and this one is no more than noise.

    Examples
    --------
    >>> traffic_light(0.12, 10, 200, 200), traffic_light(0.12, 10, 20_000, 20_000)
    ('insufficient_data', 'moderate')
    """
    noise = quantile_without_drift(cells, n_reference, n_current)
    if noise >= _STABLE and index <= noise:
        return "insufficient_data"
    if index < _STABLE:
        return "stable"
    return "moderate" if index <= _SIGNIFICANT else "significant"
