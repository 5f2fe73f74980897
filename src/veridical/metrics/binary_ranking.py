"""Metrics of a whole ranking: functions of the walk over thresholds, strictest first.

Notation: flagged at threshold t means score >= t; P positives, N negatives; TPR = TP / P,
FPR = FP / N.  The walk stops at each distinct score of a positive (see ``summaries.walk``).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from veridical.measures import metric, number
from veridical.metrics import intervals
from veridical.metrics.outcomes import found, no_positives, observed_score, one_class
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.stats import resampled_walks as resampled
from veridical.stats.delong import auc_exact
from veridical.summaries import Ranking

__all__ = ["average_precision", "gini", "ks", "partial_auc", "roc_auc"]

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


def _prevalence(table: Ranking) -> Conditions:
    share = float(Fraction(table.total_positives) / table.total)
    return found(
        prevalence=share,
        positives=table.total_positives if table.is_whole else float(table.total_positives),
    )
