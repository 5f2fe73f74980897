"""Metrics of the top of a ranking: what is found among the k highest scores.

Notation: P positives; where k cuts a group of tied scores, every order of the group counts alike.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from veridical.measures import integer, metric
from veridical.metrics import intervals
from veridical.metrics.outcomes import found, no_positives
from veridical.results import Measured, Result, Skipped
from veridical.stats import resampled_walks as resampled
from veridical.summaries import Ranking

__all__ = ["lift_top", "precision_top", "recall_top"]


def _hits_in_top(table: Ranking, k: int) -> tuple[float, float, float, float]:
    """Return expected, lowest and highest positives among the k best scores, and k as used."""
    walk = table.walk
    used = min(float(k), float(table.total))
    reached = walk.tp + walk.fp
    stop = int(np.searchsorted(reached, used, side="left"))
    above = float(walk.tp[stop - 1]) if stop else 0.0
    if stop == len(walk) or used <= above + float(walk.fp_before[stop]):
        return above, above, above, used  # k ends among negatives that no positive ties with
    in_group, other = float(walk.positives.numbers()[stop]), float(walk.tied.numbers()[stop])
    size = in_group + other
    left = used - (above + float(walk.fp_before[stop]))
    # Sums of fractional weights are rounded: no share of them may come out above 1 by that.
    high = min(above + left, float(walk.tp[stop]), used)
    low = min(above + max(0.0, left - other), high)
    return min(max(above + left * in_group / size, low), high), low, high, used


def _top(table: Ranking, k: int, unit: float, n: float) -> Measured:
    """Return the positives in the top k over ``unit``, bracketed over tie orders."""
    expected, low, high, used = _hits_in_top(table, k)
    at: dict[str, Any] = {"low": low / unit, "high": high / unit} if low != high else {}
    notes = (("ties_at_k",) if at else ()) + (("k_exceeds_rows",) if used < k else ())
    return Measured(expected / unit, round(n), conditions=found(**at), notes=notes)


@metric(
    "binary",
    summary=Ranking,
    parameters=[integer("k", low=1)],
    main="k",
    bounds=(0, 1),
    interval=intervals.bootstrap,
    statistic=lambda _, k: resampled.precision_in_top(k),
    aliases=["precision_at_top", "precision_top_k"],
)
def precision_top(table: Ranking, k: int) -> Result:
    """Share of positives among the ``k`` highest scores: the yield of k alerts.

    Formula
    -------
    expected positives in the top k / k; where k cuts a group of ties, the mean over their orders,
    with the lowest and highest beside it.

    When it is undefined
    --------------------
    No row: skipped ``no_rows``.  With fewer than k rows, all rows are the top (``k_exceeds_rows``).

    References
    ----------
    McSherry and Najork (2008), ECIR, doi:10.1007/978-3-540-78646-7_38.

    Examples
    --------
    >>> import veridical as vd
    >>> result = vd.measure("binary.precision_top@2", [1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5])
    >>> result.value, result.conditions["low"], result.conditions["high"]
    (0.25, 0.0, 0.5)
    """
    if table.total == 0:
        return Skipped("no_rows")
    used = min(float(k), float(table.total))
    return _top(table, k, used, used)


@metric(
    "binary",
    summary=Ranking,
    parameters=[integer("k", low=1)],
    main="k",
    bounds=(0, 1),
    interval=intervals.bootstrap,
    statistic=lambda _, k: resampled.recall_in_top(k),
    aliases=["gain_top", "recall_at_top", "recall_top_k", "capture_rate"],
)
def recall_top(table: Ranking, k: int) -> Result:
    """Share of all positives that are among the ``k`` highest scores (cumulative gain).

    Formula
    -------
    expected positives in the top k / P, ties as for ``precision_top``.

    When it is undefined
    --------------------
    No positives: skipped ``no_positives``.

    References
    ----------
    McSherry and Najork (2008), ECIR, doi:10.1007/978-3-540-78646-7_38.

    Examples
    --------
    >>> import veridical as vd
    >>> vd.measure("binary.recall_top@2", [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).value
    0.5
    """
    positives = table.total_positives
    if skipped := no_positives(positives, table.total_negatives):
        return skipped
    return _top(table, k, float(positives), float(positives))


def _lift_statistic(_table: Ranking, k: int) -> resampled.Statistic:
    """Return lift in the top k as a function of resampled walks."""

    def statistic(walks: resampled.ResampledWalks) -> resampled.Values:
        rows = walks.total_positives + walks.total_negatives
        return resampled.precision_in_top(k)(walks) * resampled.ratio(rows, walks.total_positives)

    return statistic


@metric(
    "binary",
    summary=Ranking,
    parameters=[integer("k", low=1)],
    main="k",
    bounds=(0, None),
    interval=intervals.bootstrap,
    statistic=_lift_statistic,
    aliases=["lift_at_top", "lift", "lift_top_k"],
)
def lift_top(table: Ranking, k: int) -> Result:
    """How many times denser in positives the top ``k`` is than the whole.

    Formula
    -------
    precision in the top k / prevalence

    When it is undefined
    --------------------
    No positives: skipped ``no_positives``.

    References
    ----------
    Ling and Li (1998), KDD, Data Mining for Direct Marketing.

    Examples
    --------
    >>> import veridical as vd
    >>> vd.measure("binary.lift_top@1", [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).value
    2.0
    """
    positives = table.total_positives
    if skipped := no_positives(positives, table.total_negatives):
        return skipped
    used = min(float(k), float(table.total))
    prevalence = float(Fraction(positives) / table.total)
    return _top(table, k, used * prevalence, used)
