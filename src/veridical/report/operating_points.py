"""Operating points: everything that the threshold slider shows, computed once and in Python.

A score column of a million rows has up to a million distinct thresholds; a screen has a thousand
columns of pixels.  The choice made here keeps the shape of every curve: no point that is left out
lies further than one grid step from a kept one, in recall and in false-positive rate alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.costs import Costs
from veridical.errors import ParameterError
from veridical.kernels.arrays import as_score
from veridical.report.payload import OperatingPoint, Rate, ReliabilityBin
from veridical.stats.proportions import wilson
from veridical.summaries import ConfusionCounts, ReliabilityTable, ScoreBins, ScoreTable, Walk
from veridical.summaries.confusion import Count
from veridical.summaries.fixed_point import FRACTION_BITS, FixedArray, exact_number
from veridical.summaries.reliability import bin_edges

__all__ = ["operating_points", "reliability_bins", "table_of_bins", "table_of_stops"]

Cuts = npt.NDArray[np.intp]


def operating_points(
    table: ScoreTable,
    *,
    limit: int = 2000,
    costs: Costs | None = None,
    keep: Iterable[float | None] = (),
    level: float | None = 0.95,
) -> list[OperatingPoint]:
    """Return at most ``limit`` operating points, from flag nothing to flag everything.

    Parameters
    ----------
    table
        The scores; where a price is a column, its sums.
    limit
        The largest number of points, at least 2 more than ``keep`` names.  All distinct scores
        are used when they fit; otherwise points are spaced evenly in recall and in
        false-positive rate.
    costs
        Prices; without them ``cost`` is None.
    keep
        Thresholds that must be among the points, observed scores or not; None (flag nothing) is
        always among them.
    level
        Nominal coverage of the Wilson intervals, in (0, 1); None for none.

    Returns
    -------
    list of OperatingPoint
        Flag nothing first (``threshold`` None), then descending thresholds.

    Raises
    ------
    ParameterError
        A threshold to keep is NaN, or ``limit`` has no room for them.

    Examples
    --------
    >>> scores = np.array([0.9, 0.6, 0.4, 0.1])
    >>> table = ScoreTable.from_rows(np.array([True, False, True, False]), scores)
    >>> points = operating_points(table, costs=Costs(fn=10, fp=1))
    >>> [(p["threshold"], p["tp"], p["fp"], p["cost"]) for p in points[:3]]
    [(None, 0, 0, 20.0), (0.9, 1, 0, 10.0), (0.6, 1, 1, 11.0)]
    """
    wanted = sorted({float(t) for t in keep if t is not None}, reverse=True)
    if any(math.isnan(t) for t in wanted):
        raise ParameterError("a threshold to keep is NaN", fix="leave it out")
    if limit < len(wanted) + 2:
        raise ParameterError(
            f"{limit} points have no room for {len(wanted)} named thresholds and the two ends",
            fix="raise limit=",
        )
    cuts = _spaced_cuts(table, limit - len(wanted))
    thresholds = _thresholds(table, cuts)
    at_cut = {t: int(cut) for t, cut in zip(thresholds, cuts[1:], strict=True)}
    at_cut |= {t: _cut_at(table, t) for t in wanted}
    counts, prices = _counts_and_costs(table, sorted({0, *at_cut.values()}), costs)
    order: list[tuple[float | None, int]] = [(None, 0), *sorted(at_cut.items(), reverse=True)]
    return [
        _point(threshold, counts[cut], prices[cut], level if table.is_whole else None)
        for threshold, cut in order
    ]


def reliability_bins(
    table: ReliabilityTable, *, level: float | None = 0.95
) -> list[ReliabilityBin]:
    """Return the bins that hold forecasts, with the event rate and its Wilson interval.

    Parameters
    ----------
    table
        Forecasts in equal-width bins.
    level
        Nominal coverage of the intervals, in (0, 1); None for none.

    Examples
    --------
    >>> table = ReliabilityTable.from_rows(np.array([True, False]), np.array([0.95, 1.0]))
    >>> [(b["n"], b["mean_forecast"], b["event_rate"]["value"]) for b in reliability_bins(table)]
    [(2, 0.975, 0.5)]
    """
    edges = bin_edges(table.bins).tolist()
    found: list[ReliabilityBin] = []
    one = 1 << 104  # the sums are integers in units of 2**-104
    for m in range(table.bins):
        n, events = Fraction(table.n[m], one), Fraction(table.sum_y[m], one)
        if n == 0:
            continue
        whole = n.denominator == events.denominator == 1
        found.append(
            ReliabilityBin(
                start=edges[m],
                stop=edges[m + 1],
                n=_number(n),
                mean_forecast=table.sum_p[m] / table.n[m],
                event_rate=_defined_rate(events, n, level if whole else None),
            )
        )
    return found


def table_of_bins(bins: ScoreBins, known: tuple[float, ConfusionCounts] | None) -> ScoreTable:
    """Return the table of the same rows, as far as bins of scores tell them apart.

    All rows of a bin stand at its lowest score: whoever flags from there on flags them all, so the
    counts at every score of the table are those of the rows.

    Parameters
    ----------
    bins
        Bins of scores.
    known
        A threshold inside one of them and the exact counts there, or None.

    Examples
    --------
    >>> scores = np.array([0.1, 0.4, 0.6, 0.9])
    >>> table = ScoreTable.from_rows(np.array([True, False, True, False]), scores)
    >>> _, two = ScoreBins.from_table(table).gathered(np.array([0, 0, 1, 1]))
    >>> table_of_bins(two, None).scores.tolist()
    [0.1, 0.6]
    >>> table_of_bins(two, (0.8, table.at(0.8))).negatives.units() == [1 << 52, 0, 1 << 52]
    True
    """
    lowest = bins.lowest
    if known is None:
        return ScoreTable(lowest, bins.positives, bins.negatives, bins.rows)
    threshold, counts = as_score(known[0], lowest.dtype), known[1]
    at = int(np.searchsorted(lowest, threshold, "left"))  # the first bin that is flagged whole
    if at == 0 or threshold > bins.highest[at - 1]:
        return table_of_bins(bins, None)
    scores: Any = np.insert(lowest, at, threshold)
    return ScoreTable(
        scores,
        _parted(bins.positives, at, counts.tp),
        _parted(bins.negatives, at, counts.fp),
        bins.rows,
    )


def _parted(column: FixedArray, at: int, flagged: Count) -> FixedArray:
    """Take what is flagged of the bin before ``at`` out of it, and put it there."""
    units = column.units()
    above = int(Fraction(flagged) * (1 << FRACTION_BITS)) - sum(units[at:])
    return FixedArray.from_units([*units[: at - 1], units[at - 1] - above, above, *units[at:]])


def table_of_stops(walk: Walk) -> ScoreTable:
    """Return the table of the same rows, as far as the stops of a walk tell them apart.

    At every stop its counts are those of the rows.  Negatives between two stops stand at the lower
    one, those below the last at minus infinity: more is not known of them.

    Parameters
    ----------
    walk
        Whole counts, no price columns.

    Examples
    --------
    >>> scores = np.array([0.9, 0.6, 0.4, 0.1])
    >>> walk = ScoreTable.from_rows(np.array([True, False, True, False]), scores).walk
    >>> table = table_of_stops(walk)
    >>> table.scores.tolist(), table.negatives.whole.tolist()
    ([-inf, 0.4, 0.9], [1, 1, 0])
    """
    positives = np.append(walk.positives.whole, 0)
    negatives = walk.between.whole + np.append(walk.tied.whole, 0)
    scores: Any = np.append(walk.thresholds, -np.inf).astype(walk.thresholds.dtype)
    held = np.flatnonzero(positives + negatives)[::-1]
    return ScoreTable(
        scores[held],
        FixedArray(positives[held]),
        FixedArray(negatives[held]),
        rows=int(walk.total),
    )


def _spaced_cuts(table: ScoreTable, limit: int) -> Cuts:
    """Choose how many of the distinct scores, counted from the top, each point flags."""
    m = len(table)
    if m + 1 <= limit:
        return np.arange(m + 1)
    # Two grids share the ends, so 2 * steps points always fit.
    steps = limit // 2
    chosen = [np.array([0, m])]
    for column in (table.positives, table.negatives):
        flagged = np.concatenate([[0.0], np.cumsum(column.to_float()[::-1])])
        grid = flagged[-1] * np.arange(1, steps) / steps
        chosen.append(np.searchsorted(flagged, grid, side="left"))
    return np.unique(np.concatenate(chosen))


def _thresholds(table: ScoreTable, cuts: Cuts) -> list[float]:
    """Return the lowest flagged score of every cut but the first, which flags nothing."""
    return [float(score) for score in table.scores[len(table) - cuts[1:]]]


def _cut_at(table: ScoreTable, threshold: float) -> int:
    scores = table.scores
    return len(table) - int(np.searchsorted(scores, as_score(threshold, scores.dtype), side="left"))


def _counts_and_costs(
    table: ScoreTable, cuts: list[int], costs: Costs | None
) -> tuple[dict[int, ConfusionCounts], dict[int, float | None]]:
    p, n = table.total_positives, table.total_negatives
    tp, fp = _flagged(table.positives, cuts), _flagged(table.negatives, cuts)
    counts = {c: ConfusionCounts(tp[c], fp[c], p - tp[c], n - fp[c]) for c in cuts}
    if costs is None:
        return counts, dict.fromkeys(cuts)
    missed = _missed_cost(table, counts, costs)
    alarms = _flagged_cost(table.fp_cost, costs.fp, {c: counts[c].fp for c in cuts})
    reviews = _flagged_cost(table.review_cost, costs.review, {c: counts[c].flagged for c in cuts})
    return counts, {c: float(missed[c] + alarms[c] + reviews[c]) for c in cuts}


def _missed_cost(
    table: ScoreTable, counts: dict[int, ConfusionCounts], costs: Costs
) -> dict[int, Count]:
    if table.fn_cost is None:
        return {cut: Fraction(costs.fn) * c.fn for cut, c in counts.items()}
    total = exact_number(table.fn_cost.total())
    caught = _flagged(table.fn_cost, list(counts))
    return {cut: total - caught[cut] for cut in counts}


def _flagged_cost(
    column: FixedArray | None, price: object, counts: dict[int, Count]
) -> dict[int, Count]:
    if column is not None:
        return _flagged(column, list(counts))
    return {cut: Fraction(price) * count for cut, count in counts.items()}  # type: ignore[call-overload]


def _flagged(column: FixedArray, cuts: list[int]) -> dict[int, Count]:
    """Return the exact sum over the ``cut`` highest scores, for each of the ascending cuts."""
    sums: dict[int, Count] = {}
    total, above = 0, 0
    for cut in cuts:
        total += column[slice(len(column) - cut, len(column) - above)].total()
        sums[cut] = exact_number(total)
        above = cut
    return sums


def _point(
    threshold: float | None, counts: ConfusionCounts, cost: float | None, level: float | None
) -> OperatingPoint:
    return OperatingPoint(
        threshold=threshold,
        flag_nothing=threshold is None,
        tp=_number(counts.tp),
        fp=_number(counts.fp),
        fn=_number(counts.fn),
        tn=_number(counts.tn),
        recall=_rate(counts.tp, counts.positives, level),
        fpr=_rate(counts.fp, counts.negatives, level),
        precision=_rate(counts.tp, counts.flagged, level),
        cost=cost,
    )


def _rate(part: Count, whole: Count, level: float | None) -> Rate | None:
    return None if whole == 0 else _defined_rate(part, whole, level)


def _defined_rate(part: Count, whole: Count, level: float | None) -> Rate:
    value = float(part / whole)
    if level is None:
        return Rate(value=value, low=None, high=None)
    interval = wilson(int(part), int(whole), level)
    return Rate(value=value, low=interval.low, high=interval.high)


def _number(count: Count) -> float:
    """Return an int where the count is whole, else the nearest float."""
    return int(count) if count == int(count) else float(count)
