"""Bootstrap replicates: of rows through slot counts, and of whole units.

Drawing n rows with replacement gives multinomial counts in the slots of a walk.  Drawing those
counts directly is therefore the same bootstrap, at a cost that depends on the positives only.
Where rows are not exchangeable one by one (clusters), or carry fractional weights or price
columns, whole units are drawn instead.  All draws are determined by the seed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.errors import ParameterError
from veridical.results import Interval
from veridical.stats.normal import check_level
from veridical.stats.resampled_walks import ResampledWalks, Statistic
from veridical.summaries import ConfusionCounts, Walk

__all__ = [
    "CELLS_IN_MEMORY",
    "bootstrap",
    "confusion_replicates",
    "percentile_interval",
    "row_slots",
    "slots_between",
    "unit_replicates",
    "unit_sums",
    "walk_replicates",
]

Values: TypeAlias = npt.NDArray[np.float64]

CELLS_IN_MEMORY = 1_000_000
"""Replicates times slots that are held at once; a statistic needs about 60 bytes for each."""


def _chunks(replicates: int, cells: int) -> Iterator[int]:
    """Yield chunk sizes that add up to ``replicates`` and keep memory bounded."""
    size = max(1, CELLS_IN_MEMORY // max(1, cells))
    for done in range(0, replicates, size):
        yield min(size, replicates - done)


def _generators(seed: int, n: int) -> list[np.random.Generator]:
    """Return independent generators, so that no stream depends on the size of a chunk."""
    return [
        np.random.Generator(np.random.PCG64(child))
        for child in np.random.SeedSequence(seed).spawn(n)
    ]


def _multinomial(
    generator: np.random.Generator, counts: npt.NDArray[np.int64], replicates: int
) -> npt.NDArray[np.int64]:
    """Return the counts of rows drawn with replacement, shape (replicates, len(counts))."""
    drawn = np.zeros((replicates, len(counts)), dtype=np.int64)
    present = np.flatnonzero(counts)
    if len(present):
        total = int(counts.sum())
        drawn[:, present] = generator.multinomial(total, counts[present] / total, size=replicates)
    return drawn


def walk_replicates(
    walk: Walk, replicates: int, seed: int, *, stratified: bool = False
) -> Iterator[ResampledWalks]:
    """Resample the rows behind a walk, in chunks.

    Parameters
    ----------
    walk
        Whole counts (integer weights count as repeated rows), no price columns.
    replicates
        How many, >= 1.
    seed
        Determines every draw; the size of the chunks does not.
    stratified
        Draw P positives and N negatives separately.  This freezes the prevalence: right for
        recall at a false-positive rate, wrong for anything that depends on the prevalence.

    Yields
    ------
    ResampledWalks
        Chunks that add up to ``replicates``.

    Raises
    ------
    ParameterError
        With fractional weights or price columns: use ``unit_replicates``.

    Examples
    --------
    >>> from veridical.summaries import ScoreTable
    >>> labels, scores = np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1])
    >>> walk = ScoreTable.from_rows(labels, scores).walk
    >>> [len(chunk) for chunk in walk_replicates(walk, 200, seed=0)]
    [200]
    """
    if not (walk.positives.is_whole and walk.tied.is_whole and walk.between.is_whole):
        raise ParameterError(
            "rows of fractional weight cannot be resampled by their slot counts",
            fix="resample the rows themselves (unit_replicates)",
        )
    if walk.fn_cost or walk.fp_cost_tied or walk.review_cost_tied:
        raise ParameterError(
            "rows with their own prices cannot be resampled by their slot counts",
            fix="resample the rows themselves (unit_replicates)",
        )
    m = len(walk)
    positives, negatives = (
        walk.positives.whole,
        np.concatenate([walk.tied.whole, walk.between.whole]),
    )
    of_positives, of_negatives = _generators(seed, 2)
    for size in _chunks(replicates, 3 * m + 1):
        if stratified:
            drawn_positives = _multinomial(of_positives, positives, size)
            drawn_negatives = _multinomial(of_negatives, negatives, size)
        else:
            both = _multinomial(of_positives, np.concatenate([positives, negatives]), size)
            drawn_positives, drawn_negatives = both[:, :m], both[:, m:]
        yield ResampledWalks(
            walk.thresholds, drawn_positives, drawn_negatives[:, :m], drawn_negatives[:, m:]
        )


def row_slots(
    walk: Walk, positive: npt.NDArray[np.bool_], scores: npt.NDArray[np.floating]
) -> npt.NDArray[np.intp]:
    """Return the slot of each row of a walk over m thresholds.

    j for a positive at threshold j, m + j for a negative tied with it, 2m + j for a negative
    above it and below the one before.
    """
    return slots_between(walk.thresholds, positive, scores)


def slots_between(
    thresholds: npt.NDArray[np.floating],
    positive: npt.NDArray[np.bool_],
    scores: npt.NDArray[np.floating],
) -> npt.NDArray[np.intp]:
    """Return the slot of each row, as ``row_slots``; ``thresholds`` descend."""
    m = len(thresholds)
    if m == 0:
        return np.zeros(len(scores), dtype=np.intp)
    ascending = np.ascontiguousarray(thresholds[::-1])
    not_above = np.searchsorted(ascending, scores, "right")
    # One search tells both: whether the threshold just passed is the score itself.
    tied = (ascending[np.maximum(not_above, 1) - 1] == scores) & (not_above > 0)
    above = m - not_above
    return np.where(positive, above, np.where(tied, m + above, 2 * m + above))


def _unit_draws(units: int, seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield without end how often each unit is drawn in a replicate, shape (units,)."""
    (generator,) = _generators(seed, 1)
    while True:
        yield np.bincount(generator.integers(0, units, size=units), minlength=units)


def unit_replicates(
    walk: Walk,
    positive: npt.NDArray[np.bool_],
    scores: npt.NDArray[np.floating],
    replicates: int,
    seed: int,
    *,
    units: npt.NDArray[np.intp] | None = None,
    weight: Values | None = None,
    fn_cost: Values | None = None,
    fp_cost: Values | None = None,
    review_cost: Values | None = None,
) -> Iterator[ResampledWalks]:
    """Resample whole units (clusters, or single rows) with replacement, in chunks.

    Which units a replicate draws depends on the seed and the number of units alone, so two score
    columns of the same rows that are given the same seed are resampled together: the difference
    of their replicates is the paired bootstrap.

    Parameters
    ----------
    walk
        The walk of these rows.
    positive, scores
        The rows, shape (n,).
    replicates, seed
        As for ``walk_replicates``.
    units
        Unit of each row as an integer in [0, units), shape (n,); None makes every row a unit.
    weight, fn_cost, fp_cost, review_cost
        Non-negative, shape (n,), or None.  A row of weight w counts as w rows, and so do its
        costs.

    Yields
    ------
    ResampledWalks
        Chunks that add up to ``replicates``; float64 counts, with the price columns given.
    """
    slots = row_slots(walk, positive, scores)
    m, size_of_walk = len(walk), 3 * len(walk) + 1
    units = np.arange(len(scores)) if units is None else units
    ones = np.ones(len(scores)) if weight is None else weight
    # A row of weight 0 is absent; its score may not even be a threshold.
    slots = np.where(ones > 0, slots, 3 * m)
    columns = {"count": ones}
    for name, cost, rows in (
        ("fn", fn_cost, positive),
        ("fp", fp_cost, ~positive),
        ("review", review_cost, np.ones_like(positive)),
    ):
        if cost is not None:
            columns[name] = np.where(rows, cost * ones, 0.0)
    draws = _unit_draws(int(units.max(initial=-1)) + 1, seed)
    for size in _chunks(replicates, size_of_walk * len(columns)):
        sums = {name: np.empty((size, size_of_walk)) for name in columns}
        for replicate in range(size):
            times = next(draws)[units]
            for name, amount in columns.items():
                sums[name][replicate] = np.bincount(slots, times * amount, size_of_walk)
        yield _walks_from_sums(walk, **sums)


def _walks_from_sums(
    walk: Walk,
    count: Values,
    fn: Values | None = None,
    fp: Values | None = None,
    review: Values | None = None,
) -> ResampledWalks:
    m = len(walk)
    at, tied, between = slice(m), slice(m, 2 * m), slice(2 * m, None)
    return ResampledWalks(
        walk.thresholds,
        count[:, at],
        count[:, tied],
        count[:, between],
        None if fn is None else fn[:, at],
        None if fp is None else fp[:, tied],
        None if fp is None else fp[:, between],
        # Both classes are reviewed at a threshold.
        None if review is None else review[:, at] + review[:, tied],
        None if review is None else review[:, between],
    )


def unit_sums(
    units: npt.NDArray[np.intp], columns: npt.NDArray[np.floating], replicates: int, seed: int
) -> Values:
    """Return the column sums of each replicate when whole units are drawn with replacement.

    Any metric that is a function of sums over rows (Brier, log loss, counts at a threshold)
    follows from these.

    Parameters
    ----------
    units
        Unit of each row as an integer in [0, units), shape (n,).
    columns
        What is summed, shape (n, c).
    replicates, seed
        As for ``unit_replicates``; the same seed draws the same units.

    Returns
    -------
    numpy.ndarray
        float64, shape (replicates, c).

    Examples
    --------
    >>> sums = unit_sums(np.array([0, 0, 1]), np.array([[1.0], [2.0], [3.0]]), 100, seed=0)
    >>> sorted(set(sums[:, 0].tolist()))
    [6.0]
    """
    n_units = int(units.max(initial=-1)) + 1
    per_unit = np.stack([np.bincount(units, c, minlength=n_units) for c in columns.T], axis=1)
    draws = _unit_draws(n_units, seed)
    return np.stack([next(draws) @ per_unit for _ in range(replicates)])


def confusion_replicates(
    counts: ConfusionCounts, replicates: int, seed: int
) -> npt.NDArray[np.int64]:
    """Resample the rows behind four confusion counts.

    Parameters
    ----------
    counts
        Whole numbers.
    replicates, seed
        As for ``walk_replicates``.

    Returns
    -------
    numpy.ndarray
        int64, shape (replicates, 4): tp, fp, fn, tn.

    Raises
    ------
    ParameterError
        With fractional counts: use ``unit_sums``.

    Examples
    --------
    >>> replicates = confusion_replicates(ConfusionCounts(tp=3, tn=7), 50, seed=1)
    >>> set(replicates.sum(axis=1).tolist())
    {10}
    """
    cells = [counts.tp, counts.fp, counts.fn, counts.tn]
    if not all(isinstance(cell, int) for cell in cells):
        raise ParameterError(
            "rows of fractional weight cannot be resampled by their counts",
            fix="resample the rows themselves (unit_sums)",
        )
    (generator,) = _generators(seed, 1)
    return _multinomial(generator, np.array(cells, dtype=np.int64), replicates)


def bootstrap(
    walks: Iterator[ResampledWalks], statistics: Mapping[str, Statistic]
) -> dict[str, Values]:
    """Compute several statistics on every replicate, chunk by chunk.

    Returns
    -------
    dict
        Name to values of shape (replicates,); NaN where a replicate has no value.

    Examples
    --------
    >>> from veridical.stats import resampled_walks
    >>> from veridical.summaries import ScoreTable
    >>> labels, scores = np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1])
    >>> walk = ScoreTable.from_rows(labels, scores).walk
    >>> values = bootstrap(walk_replicates(walk, 500, seed=0), {"auc": resampled_walks.auc})
    >>> undefined = np.isnan(values["auc"]).mean()  # one class only: expected in 2 / 2**4
    >>> round(float(undefined), 1)
    0.1
    """
    parts = [{name: of(chunk) for name, of in statistics.items()} for chunk in walks]
    return {name: np.concatenate([part[name] for part in parts]) for name in statistics}


def percentile_interval(
    values: Values, level: float = 0.95, *, method: str = "bootstrap-percentile"
) -> tuple[Interval | None, int]:
    """Return the central ``level`` of bootstrap replicates, and how many were degenerate.

    Parameters
    ----------
    values
        Replicates, shape (B,).  NaN is a replicate without a value: it is left out and counted.
        Infinities are values (flag nothing is a threshold of +inf).
    level
        Confidence level, in (0, 1).
    method
        What the interval is called.

    Returns
    -------
    interval
        None when most replicates have no value, or an end is not finite.
    degenerate
        How many replicates have no value.

    Examples
    --------
    >>> interval, degenerate = percentile_interval(np.append(np.arange(101.0), np.nan), 0.5)
    >>> interval.low, interval.high, degenerate
    (25.0, 75.0, 1)
    """
    check_level(level)
    valid = values[~np.isnan(values)]
    degenerate = len(values) - len(valid)
    if len(valid) <= degenerate:
        return None, degenerate
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if np.isfinite(valid).all():
        low, high = np.quantile(valid, tails).tolist()
    else:  # between a number and infinity there is nothing to interpolate
        low, high = np.quantile(valid, tails, method="nearest").tolist()
    if not (math.isfinite(low) and math.isfinite(high)):
        return None, degenerate
    return Interval(low, high, level, method), degenerate
