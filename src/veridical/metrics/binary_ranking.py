"""Metrics of a ranking: functions of the walk over thresholds, strictest first.

Notation: flagged at threshold t means score >= t; P positives, N negatives; TPR = TP / P,
FPR = FP / N.  The walk stops at each distinct score of a positive (see ``summaries.walk``).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from veridical.measures import integer, metric, number
from veridical.metrics import intervals
from veridical.metrics.outcomes import found, no_positives, observed_score, one_class
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.stats import resampled_walks as resampled
from veridical.stats.delong import auc_exact
from veridical.summaries import Ranking

__all__ = [
    "average_precision",
    "gini",
    "ks",
    "lift_top",
    "partial_auc",
    "precision_top",
    "recall_top",
    "roc_auc",
]

OPERATING_POINTS = ("binary.recall@fpr=0.0001", "binary.recall@fpr=0.001")


@metric(
    "binary",
    summary=Ranking,
    bounds=(0, 1),
    interval=intervals.delong,
    statistic=lambda *_, **__: resampled.auc,
    aliases=["auc", "roc_auc_score", "auroc", "c_statistic", "auc_roc"],
    companions=["binary.average_precision", *OPERATING_POINTS],
)
def roc_auc(table: Ranking) -> Result:
    """Chance that a random positive scores above a random negative, ties counting half.

    Formula
    -------
    (pairs ranked right + tied pairs / 2) / (P N), which is the trapezoid area under the ROC walk.

    When it is undefined
    --------------------
    A class is absent: skipped ``no_positives`` or ``no_negatives``.  Never reported alone: on rare
    events it stays high while precision is useless, so average precision and recall at fixed false
    positive rates stand beside it.

    References
    ----------
    Hanley and McNeil (1982), Radiology 143, doi:10.1148/radiology.143.1.7063747.

    Examples
    --------
    >>> import veridical as vd
    >>> vd.measure("binary.roc_auc", [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).value
    0.75
    """
    positives, negatives = table.total_positives, table.total_negatives
    if skipped := one_class(positives, negatives):
        return skipped
    return Measured(float(auc_exact(table.walk)), round(table.total), conditions=_prevalence(table))


@metric(
    "binary",
    summary=Ranking,
    bounds=(-1, 1),
    interval=intervals.delong_gini,
    statistic=lambda *_, **__: resampled.gini,
    aliases=["accuracy_ratio", "somers_d"],
)
def gini(table: Ranking) -> Result:
    """Gini coefficient (accuracy ratio) of a ranking.

    Formula
    -------
    2 ROC-AUC - 1

    When it is undefined
    --------------------
    As ROC-AUC.

    References
    ----------
    Engelmann, Hayden and Tasche (2003), Testing rating accuracy, Risk 16.

    Examples
    --------
    >>> import veridical as vd
    >>> vd.measure("binary.gini", [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).value
    0.5
    """
    positives, negatives = table.total_positives, table.total_negatives
    if skipped := one_class(positives, negatives):
        return skipped
    return Measured(2 * float(auc_exact(table.walk)) - 1, round(table.total))


@metric(
    "binary",
    summary=Ranking,
    bounds=(0, 1),
    interval=intervals.average_precision,
    statistic=lambda *_, **__: resampled.average_precision,
    aliases=["ap", "pr_auc", "average_precision_score", "auprc", "auc_pr"],
)
def average_precision(table: Ranking) -> Result:
    """Precision averaged over the positives, down the ranking; what we call PR-AUC.

    Formula
    -------
    sum over distinct thresholds of (R_n - R_{n-1}) P_n: not interpolated, and not the trapezoid.

    When it is undefined
    --------------------
    No positives: skipped ``no_positives``.  No negatives: 1, with a note.  A random ranking scores
    about the prevalence, the worst one about half of it; prevalence and lift stand beside it.

    References
    ----------
    Davis and Goadrich (2006), ICML, doi:10.1145/1143844.1143874; Boyd, Eng and Page (2013),
    doi:10.1007/978-3-642-40994-3_29.

    Examples
    --------
    >>> import veridical as vd
    >>> y, scores = [1, 0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    >>> vd.measure("binary.average_precision", y, scores).value
    0.7708333333333333
    """
    walk = table.walk
    positives, negatives = walk.total_positives, walk.total_negatives
    if skipped := no_positives(positives, negatives):
        return skipped
    precision = walk.tp / (walk.tp + walk.fp)
    precision *= walk.positives.numbers()
    value = min(1.0, float(precision.sum()) / float(positives))
    at = _prevalence(table)
    return Measured(
        value,
        round(table.total),
        conditions=at.found(lift=value / at["prevalence"]),
        notes=() if negatives else ("no_negatives",),
    )


@metric(
    "binary",
    summary=Ranking,
    bounds=(0, 1),
    interval=intervals.optimum,
    statistic=lambda *_, **__: resampled.ks,
    aliases=["ks_statistic", "kolmogorov_smirnov"],
)
def ks(table: Ranking) -> Result:
    """Largest distance between the score distributions of the two classes.

    Formula
    -------
    max over t of |TPR(t) - FPR(t)|

    When it is undefined
    --------------------
    A class is absent: skipped ``no_positives`` or ``no_negatives``.  Where the largest distance
    is FPR above TPR the note ``ranking_reversed`` says so and no threshold is given.

    References
    ----------
    Siddiqi (2006), Credit Risk Scorecards, chapter 6; scipy.stats.ks_2samp gives the same number.

    Examples
    --------
    >>> import veridical as vd
    >>> vd.measure("binary.ks", [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).value
    0.5
    """
    walk = table.walk
    positives, negatives = walk.total_positives, walk.total_negatives
    if skipped := one_class(positives, negatives):
        return skipped
    tpr = walk.tp / float(positives)
    ahead = tpr - walk.fp / float(negatives)
    # FPR leads most just before the next positives join.
    behind = walk.fp_before / float(negatives) - np.concatenate([[0.0], tpr[:-1]])
    best = int(np.argmax(ahead))
    if float(behind.max()) > float(ahead[best]):
        return Measured(float(behind.max()), round(table.total), notes=("ranking_reversed",))
    return Measured(
        float(ahead[best]),
        round(table.total),
        conditions=found(threshold=observed_score(walk.thresholds[best])),
        notes=("in_sample",),
    )


@metric(
    "binary",
    point="fpr",
    summary=Ranking,
    parameters=[number("fpr", 0.1, low=0, high=1)],
    bounds=(0, 1),
    interval=intervals.bootstrap,
    statistic=lambda _, fpr: resampled.partial_auc(fpr),
    aliases=["pauc"],
)
def partial_auc(table: Ranking, fpr: float = 0.1) -> Result:
    """ROC-AUC over false positive rates from 0 to ``fpr``, standardised so that random is 0.5.

    Formula
    -------
    (1 + (A - fpr^2 / 2) / (fpr - fpr^2 / 2)) / 2, A the trapezoid area up to ``fpr``.

    When it is undefined
    --------------------
    A class is absent: skipped ``no_positives`` or ``no_negatives``; ``fpr`` = 0: skipped
    ``zero_denominator``.

    References
    ----------
    McClish (1989), Medical Decision Making 9, doi:10.1177/0272989X8900900307.

    Examples
    --------
    >>> import veridical as vd
    >>> vd.measure("binary.partial_auc@fpr=1", [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).value
    0.75
    """
    walk = table.walk
    positives, negatives = walk.total_positives, walk.total_negatives
    if skipped := one_class(positives, negatives):
        return skipped
    if fpr == 0:
        return Skipped("zero_denominator", detail="the area from 0 to 0 is empty")
    # ROC corners: before and at every threshold, and the end (1, 1).
    x = np.stack([walk.fp_before, walk.fp], axis=1).ravel().astype(np.float64) / float(negatives)
    tp_before = walk.tp - walk.positives.numbers()
    y = np.stack([tp_before, walk.tp], axis=1).ravel().astype(np.float64) / float(positives)
    x, y = np.concatenate([[0.0], x, [1.0]]), np.concatenate([[0.0], y, [1.0]])
    stop = int(np.searchsorted(x, fpr, side="right"))
    edge = float(np.interp(fpr, x[stop - 1 : stop + 1], y[stop - 1 : stop + 1]))
    x, y = np.append(x[:stop], fpr), np.append(y[:stop], edge)
    area = float(np.sum(np.diff(x) * (y[1:] + y[:-1]))) / 2
    lowest, highest = fpr**2 / 2, fpr
    return Measured((1 + (area - lowest) / (highest - lowest)) / 2, round(table.total))


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


def _prevalence(table: Ranking) -> Conditions:
    share = float(Fraction(table.total_positives) / table.total)
    return found(
        prevalence=share,
        positives=table.total_positives if table.is_whole else float(table.total_positives),
    )
