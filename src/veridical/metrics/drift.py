"""Drift: how far a column has moved since the reference.

Notation: p_b and q_b are the shares of the reference and of the current rows in cell b; n and m
are their numbers of rows.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.measures import choice, integer, metric, number
from veridical.metrics.drift_intervals import resampled_cells, resampled_squares
from veridical.metrics.drift_tests import chi_square_test, smirnov_test
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.stats.no_drift import no_drift_in
from veridical.summaries.shifted_cells import ShiftedCells, TwoSamples

__all__ = [
    "chi2",
    "hellinger",
    "index_terms",
    "js_distance",
    "jsd",
    "ks",
    "psi",
    "wasserstein",
]

Floats = npt.NDArray[np.float64]
BINS = integer("bins", 10, low=2, high=10_000)
EPS = 1e-7

_of_cells = partial(metric, "drift", summary=ShiftedCells, better="lower")
_of_samples = partial(metric, "drift", summary=TwoSamples, better="lower")


def index_terms(reference: Floats, current: Floats, eps: float) -> Floats:
    """Return what each cell adds to the index, from shares of shape (..., cells)."""
    terms: Floats = (current - reference) * np.log((current + eps) / (reference + eps))
    return terms


def _indices(reference: Floats, current: Floats, arguments: dict[str, Any]) -> Floats:
    terms: Floats = index_terms(reference, current, arguments["eps"])
    return np.asarray(terms.sum(axis=-1))


@_of_cells(
    parameters=[BINS, number("eps", EPS, low=1e-300, high=1)],
    bounds=(0, None),
    interval=resampled_cells,
    statistic=_indices,
    aliases=["population_stability_index"],
)
def psi(cells: ShiftedCells, bins: int = 10, eps: float = EPS) -> Result:
    """Population stability index: how far the shares of the cells have moved.

    Formula
    -------
    sum_b (q_b - p_b) ln((q_b + eps)/(p_b + eps)); eps stands in the logarithm only.  Cells are the
    ``bins`` quantiles of the reference, (e_(b-1), e_b] with open ends; an edge shared by several
    quantiles is a cell of its own; missing values are one.

    When it is undefined
    --------------------
    One side has no row: skipped ``no_rows``.  Below 0.10 is usually called stable, above 0.25
    significant; these are conventions, and on few rows noise alone exceeds them: read
    ``expected_without_drift`` beside it.

    References
    ----------
    Siddiqi (2006), Credit Risk Scorecards; Yurdakul and Naranjo (2020),
    doi:10.21314/JRMV.2020.227.

    Examples
    --------
    >>> cells = ShiftedCells(np.array([50, 50, 0]), np.array([50, 40, 10]))
    >>> round(psi.function(cells).value, 6)
    1.403866
    """
    if (empty := _empty(cells)) is not None:
        return empty
    p, q = _shares(cells)
    terms = index_terms(p, q, eps)
    total = math.fsum(terms)
    one_sided = math.fsum(terms[(cells.reference == 0) != (cells.current == 0)])
    noise = no_drift_in(
        cells.reference, cells.current, lambda p, q: index_terms(p, q, eps).sum(axis=-1)
    )
    observed = {
        **_sizes(cells),
        "contributions": terms,
        "share_from_one_sided_cells": one_sided / total if total > 0 else 0.0,
        "eps_1e-6": math.fsum(index_terms(p, q, 1e-6)),
        "eps_1e-4": math.fsum(index_terms(p, q, 1e-4)),
        "laplace": math.fsum(index_terms(*_smoothed(cells), 0.0)),
        "expected_without_drift": noise.expected,
        "quantile_without_drift": noise.quantile,
        "share_below_reference": cells.below / cells.n_current,
        "share_above_reference": cells.above / cells.n_current,
    }
    # (a - b) ln(a/b) is never negative; the sum of roundings could be.
    return Measured(max(total, 0.0), cells.n_current, conditions=_of(observed))


def _divergences(reference: Floats, current: Floats, arguments: dict[str, Any]) -> Floats:
    mixture = (reference + current) / 2
    halves = [_relative_entropy(side, mixture) for side in (reference, current)]
    found: Floats = (halves[0] + halves[1]) / 2 / _unit(arguments["base"])
    return np.clip(found, 0.0, 1.0 if arguments["base"] == "2" else math.log(2))


@_of_cells(
    parameters=[BINS, choice("base", ["2", "e"], "2")],
    bounds=(0, 1),
    interval=resampled_cells,
    statistic=_divergences,
    aliases=["jensen_shannon_divergence"],
)
def jsd(cells: ShiftedCells, bins: int = 10, base: str = "2") -> Result:
    """Jensen-Shannon divergence of the shares of the cells; symmetric, without any eps.

    Formula
    -------
    1/2 KL(p || M) + 1/2 KL(q || M) with M = (p + q)/2; logarithms to base 2 (at most 1 bit), or
    natural (at most ln 2).  Cells as for ``drift.psi``.

    When it is undefined
    --------------------
    One side has no row: skipped ``no_rows``.

    References
    ----------
    Lin (1991), IEEE Transactions on Information Theory 37, doi:10.1109/18.61115.

    Examples
    --------
    >>> jsd.function(ShiftedCells(np.array([10, 0]), np.array([0, 7]))).value
    1.0
    """
    return _of_shares(cells, _divergences, {"base": base})


def _distances(reference: Floats, current: Floats, arguments: dict[str, Any]) -> Floats:
    return np.sqrt(_divergences(reference, current, arguments))


@_of_cells(
    parameters=[BINS, choice("base", ["2", "e"], "2")],
    bounds=(0, 1),
    interval=resampled_squares,
    statistic=_distances,
    aliases=["jensen_shannon_distance"],
)
def js_distance(cells: ShiftedCells, bins: int = 10, base: str = "2") -> Result:
    """Square root of the Jensen-Shannon divergence, which is a distance.

    Formula
    -------
    sqrt(drift.jsd)

    When it is undefined
    --------------------
    One side has no row: skipped ``no_rows``.

    References
    ----------
    Endres and Schindelin (2003), doi:10.1109/TIT.2003.813506.

    Examples
    --------
    >>> round(js_distance.function(ShiftedCells(np.array([1, 1]), np.array([1, 3]))).value, 6)
    0.220896
    """
    return _of_shares(cells, _distances, {"base": base})


def _hellinger(reference: Floats, current: Floats, arguments: dict[str, Any]) -> Floats:
    apart = np.sqrt(reference) - np.sqrt(current)
    found: Floats = np.sqrt((apart * apart).sum(axis=-1) / 2)
    return np.minimum(found, 1.0)


@_of_cells(
    parameters=[BINS],
    bounds=(0, 1),
    interval=resampled_squares,
    statistic=_hellinger,
)
def hellinger(cells: ShiftedCells, bins: int = 10) -> Result:
    """Hellinger distance of the shares of the cells.

    Formula
    -------
    sqrt(1/2 sum_b (sqrt p_b - sqrt q_b)^2).  Cells as for ``drift.psi``.

    When it is undefined
    --------------------
    One side has no row: skipped ``no_rows``.

    References
    ----------
    Hellinger (1909), doi:10.1515/crll.1909.136.210.

    Examples
    --------
    >>> hellinger.function(ShiftedCells(np.array([10, 0]), np.array([0, 7]))).value
    1.0
    """
    return _of_shares(cells, _hellinger, {})


@_of_cells(
    parameters=[BINS],
    bounds=(0, None),
    aliases=["chi_square", "chi_squared"],
)
def chi2(cells: ShiftedCells, bins: int = 10) -> Result:
    """Chi-square statistic of the hypothesis that both samples have the same shares.

    Formula
    -------
    sum over cells and sides of (observed - expected)^2 / expected, with cells - 1 degrees of
    freedom.  It grows with the number of rows: its p-value says whether there is drift, and not
    how much.

    When it is undefined
    --------------------
    One side has no row: skipped ``no_rows``.  All rows are in one cell: skipped ``no_variation``.

    References
    ----------
    Pearson (1900), doi:10.1080/14786440009463897.

    Examples
    --------
    >>> chi2.function(ShiftedCells(np.array([50, 50]), np.array([40, 60]))).value.__round__(4)
    2.0202
    """
    if (empty := _empty(cells)) is not None:
        return empty
    if _occupied(cells) < 2:
        return Skipped("no_variation", cells.n_current, detail="all rows are in one cell")
    found = chi_square_test(cells.reference, cells.current)
    observed = {
        **_sizes(cells),
        "degrees_of_freedom": found.freedom,
        "p_value": found.p_value,
        "smallest_expected": found.smallest_expected,
    }
    return Measured(found.statistic, cells.n_current, conditions=_of(observed))


@_of_samples(
    bounds=(0, 1),
    aliases=["kolmogorov_smirnov"],
)
def ks(samples: TwoSamples) -> Result:
    """Largest distance of the two empirical distribution functions.

    Formula
    -------
    max_x |F_reference(x) - F_current(x)|, both counted after the whole group of ties at x.

    When it is undefined
    --------------------
    One side has no number: skipped ``no_rows``.  Missing values are left out and counted; where
    their share moves, ``drift.psi`` shows it.

    References
    ----------
    Smirnov (1948), doi:10.1214/aoms/1177730256.

    Examples
    --------
    >>> ks.function(TwoSamples.of(np.array([1.0, 1, 1, 2]), np.array([1.0, 2, 2, 2]))).value
    0.5
    """
    n, m = samples.n_reference, samples.n_current
    if not n or not m:
        return _no_rows("reference" if not n else "current", m)
    # Whole numbers: sums of shares would round.
    apart = np.abs(np.cumsum(samples.reference) * m - np.cumsum(samples.current) * n)
    value = int(apart.max()) / (n * m)
    observed = {"n_reference": n, "n_current": m, "p_value": smirnov_test(value, n, m)}
    return Measured(value, m, conditions=_of(observed))


@_of_samples(
    bounds=(0, None),
    aliases=["earth_movers_distance"],
)
def wasserstein(samples: TwoSamples) -> Result:
    """How far the numbers have moved on average, in the unit of the column.

    Formula
    -------
    integral of |F_reference(x) - F_current(x)| dx

    When it is undefined
    --------------------
    One side has no number: skipped ``no_rows``.  Missing values are left out and counted.

    References
    ----------
    Vallender (1974), Theory of Probability and its Applications 18, doi:10.1137/1118101.

    Examples
    --------
    >>> wasserstein.function(TwoSamples.of(np.array([0.0, 1, 3]), np.array([5.0, 6, 8]))).value
    5.0
    """
    n, m = samples.n_reference, samples.n_current
    if not n or not m:
        return _no_rows("reference" if not n else "current", m)
    apart = np.abs(np.cumsum(samples.reference) / n - np.cumsum(samples.current) / m)
    value = math.fsum(np.diff(samples.values) * apart[:-1])
    return Measured(value, m, conditions=_of({"n_reference": n, "n_current": m}))


def _of_shares(cells: ShiftedCells, statistic: Any, arguments: dict[str, Any]) -> Result:
    if (empty := _empty(cells)) is not None:
        return empty
    value = float(statistic(*_shares(cells), arguments))
    return Measured(value, cells.n_current, conditions=_of(_sizes(cells)))


def _empty(cells: ShiftedCells) -> Skipped | None:
    if cells.n_reference and cells.n_current:
        return None
    return _no_rows("current" if cells.n_reference else "reference", cells.n_current)


def _no_rows(side: str, n_current: int) -> Skipped:
    return Skipped("no_rows", n_current, detail=f"the {side} data have no rows")


def _shares(cells: ShiftedCells) -> tuple[Floats, Floats]:
    return cells.reference / cells.n_reference, cells.current / cells.n_current


def _smoothed(cells: ShiftedCells) -> tuple[Floats, Floats]:
    """Return shares with half a row more in each cell that either side has rows in."""
    occupied = (cells.reference + cells.current) > 0
    sides = (cells.reference[occupied] + 0.5, cells.current[occupied] + 0.5)
    return sides[0] / sides[0].sum(), sides[1] / sides[1].sum()


def _occupied(cells: ShiftedCells) -> int:
    return int(np.count_nonzero(cells.reference + cells.current))


def _relative_entropy(side: Floats, mixture: Floats) -> Floats:
    """Return sum_b s_b ln(s_b / M_b); a cell without rows of this side adds nothing."""
    ratio = np.divide(side, mixture, out=np.ones_like(side), where=side > 0)
    return np.asarray((side * np.log(ratio)).sum(axis=-1))


def _unit(base: str) -> float:
    return math.log(2) if base == "2" else 1.0


def _sizes(cells: ShiftedCells) -> dict[str, Any]:
    sizes: dict[str, Any] = {"n_reference": cells.n_reference, "n_current": cells.n_current}
    if cells.partition is not None:
        sizes["cells"] = cells.partition.names
    return sizes


def _of(observed: dict[str, Any]) -> Conditions:
    listed = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in observed.items()}
    return Conditions(observed=listed)
