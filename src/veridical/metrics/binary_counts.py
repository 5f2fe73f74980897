"""Metrics of a decision: functions of the four confusion counts.

Notation: TP, FP, FN, TN; P = TP + FN positives, N = FP + TN negatives.
"""

from __future__ import annotations

import math
from fractions import Fraction

from veridical.measures import metric, number
from veridical.metrics import intervals
from veridical.metrics.outcomes import found, ratio, weighted
from veridical.results import Measured, Result, Skipped
from veridical.summaries import ConfusionCounts

__all__ = [
    "accuracy",
    "balanced_accuracy",
    "f1",
    "fbeta",
    "fpr",
    "mcc",
    "npv",
    "precision",
    "recall",
    "specificity",
]

RARE = Fraction(1, 10)


@metric(
    "binary",
    summary=ConfusionCounts,
    settings=["threshold"],
    bounds=(0, 1),
    interval=intervals.wilson,
    aliases=["tpr", "sensitivity", "hit_rate", "true_positive_rate"],
)
def recall(counts: ConfusionCounts) -> Result:
    """Share of the positives that are flagged.

    Formula
    -------
    TP / (TP + FN)

    When it is undefined
    --------------------
    No positive row: skipped ``no_positives``.  Recall 0 of 5 is 0.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, section 8.3.

    Examples
    --------
    >>> recall.function(ConfusionCounts(tp=6, fp=2, fn=4, tn=88)).value
    0.6
    """
    return ratio(counts.tp, counts.positives, empty="no_positives", of="positives")


@metric(
    "binary",
    summary=ConfusionCounts,
    settings=["threshold"],
    bounds=(0, 1),
    interval=intervals.wilson,
    aliases=["ppv", "positive_predictive_value"],
)
def precision(counts: ConfusionCounts) -> Result:
    """Share of the flagged rows that are positive.

    Formula
    -------
    TP / (TP + FP)

    When it is undefined
    --------------------
    Nothing flagged: skipped ``nothing_flagged``; it is 0/0, neither 0 nor 1.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, section 8.3.

    Examples
    --------
    >>> precision.function(ConfusionCounts(tp=6, fp=2, fn=4, tn=88)).value
    0.75
    """
    return ratio(counts.tp, counts.flagged, empty="nothing_flagged", of="flagged rows")


@metric(
    "binary",
    summary=ConfusionCounts,
    settings=["threshold"],
    bounds=(0, 1),
    interval=intervals.wilson,
    aliases=["tnr", "true_negative_rate"],
)
def specificity(counts: ConfusionCounts) -> Result:
    """Share of the negatives that are left alone.

    Formula
    -------
    TN / (FP + TN)

    When it is undefined
    --------------------
    No negative row: skipped ``no_negatives``.

    References
    ----------
    Altman and Bland (1994), BMJ 308:1552, doi:10.1136/bmj.308.6943.1552.

    Examples
    --------
    >>> specificity.function(ConfusionCounts(tp=6, fp=2, fn=4, tn=88)).value
    0.9777777777777777
    """
    return ratio(counts.tn, counts.negatives, empty="no_negatives", of="negatives")


@metric(
    "binary",
    summary=ConfusionCounts,
    settings=["threshold"],
    bounds=(0, 1),
    interval=intervals.wilson,
    aliases=["negative_predictive_value"],
)
def npv(counts: ConfusionCounts) -> Result:
    """Share of the rows left alone that are negative.

    Formula
    -------
    TN / (FN + TN)

    When it is undefined
    --------------------
    Everything flagged: skipped ``no_predicted_negative``.

    References
    ----------
    Altman and Bland (1994), BMJ 309:102, doi:10.1136/bmj.309.6947.102.

    Examples
    --------
    >>> round(npv.function(ConfusionCounts(tp=6, fp=2, fn=4, tn=88)).value, 4)
    0.9565
    """
    return ratio(counts.tn, counts.unflagged, empty="no_predicted_negative", of="unflagged rows")


@metric(
    "binary",
    summary=ConfusionCounts,
    settings=["threshold"],
    better="lower",
    bounds=(0, 1),
    interval=intervals.wilson,
    aliases=["false_positive_rate", "fall_out"],
)
def fpr(counts: ConfusionCounts) -> Result:
    """Share of the negatives that are flagged: the false positive rate.

    Formula
    -------
    FP / (FP + TN)

    When it is undefined
    --------------------
    No negative row: skipped ``no_negatives``.

    References
    ----------
    Fawcett (2006), Pattern Recognition Letters 27, doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> round(fpr.function(ConfusionCounts(tp=6, fp=2, fn=4, tn=88)).value, 4)
    0.0222
    """
    return ratio(counts.fp, counts.negatives, empty="no_negatives", of="negatives")


@metric(
    "binary",
    summary=ConfusionCounts,
    settings=["threshold"],
    bounds=(0, 1),
    interval=intervals.bootstrap,
    aliases=["f1_score", "f_measure", "dice"],
)
def f1(counts: ConfusionCounts) -> Result:
    """Harmonic mean of precision and recall, from the counts.

    Formula
    -------
    2 TP / (2 TP + FP + FN)

    When it is undefined
    --------------------
    TP = FP = FN = 0: skipped ``all_counts_zero``.  With misses and nothing flagged it is 0,
    although precision is then undefined.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, chapter 7.

    Examples
    --------
    >>> round(f1.function(ConfusionCounts(tp=6, fp=2, fn=4, tn=88)).value, 3)
    0.667
    """
    return _f(counts, Fraction(1))


@metric(
    "binary",
    summary=ConfusionCounts,
    parameters=[number("beta", 1.0, low=0)],
    main="beta",
    settings=["threshold"],
    bounds=(0, 1),
    interval=intervals.bootstrap,
    aliases=["fbeta_score"],
)
def fbeta(counts: ConfusionCounts, beta: float = 1.0) -> Result:
    """Weighted harmonic mean of precision and recall; ``beta`` > 1 favours recall.

    Formula
    -------
    (1 + beta^2) TP / ((1 + beta^2) TP + FP + beta^2 FN)

    When it is undefined
    --------------------
    As F1; with ``beta`` = 0 it is precision and skipped when nothing is flagged.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, chapter 7.

    Examples
    --------
    >>> round(fbeta.function(ConfusionCounts(tp=6, fp=2, fn=4, tn=88), beta=2).value, 4)
    0.625
    """
    if beta == 0:
        return ratio(counts.tp, counts.flagged, empty="nothing_flagged", of="flagged rows")
    return _f(counts, Fraction(beta) ** 2)


def _f(counts: ConfusionCounts, b2: Fraction) -> Result:
    n = counts.positives + counts.fp
    if n == 0:
        return Skipped("all_counts_zero")
    hits = (1 + b2) * counts.tp
    value = hits / (hits + counts.fp + b2 * counts.fn)
    return Measured(float(value), round(n), conditions=weighted(n))


@metric(
    "binary",
    summary=ConfusionCounts,
    settings=["threshold"],
    bounds=(0, 1),
    interval=intervals.bootstrap,
    aliases=["bacc", "balanced_accuracy_score"],
)
def balanced_accuracy(counts: ConfusionCounts) -> Result:
    """Mean of recall and specificity.

    Formula
    -------
    (TP / P + TN / N) / 2

    When it is undefined
    --------------------
    A class is absent: skipped ``no_positives`` or ``no_negatives``.

    References
    ----------
    Brodersen et al. (2010), ICPR, doi:10.1109/ICPR.2010.764.

    Examples
    --------
    >>> round(balanced_accuracy.function(ConfusionCounts(tp=6, fp=2, fn=4, tn=88)).value, 4)
    0.7889
    """
    halves = (
        ratio(counts.tp, counts.positives, empty="no_positives", of="positives"),
        ratio(counts.tn, counts.negatives, empty="no_negatives", of="negatives"),
    )
    for half in halves:
        if isinstance(half, Skipped):
            return half
    value = sum(float(half) for half in halves) / 2
    return Measured(value, round(counts.n), conditions=weighted(counts.n))


@metric(
    "binary",
    summary=ConfusionCounts,
    settings=["threshold"],
    bounds=(-1, 1),
    interval=intervals.bootstrap,
    aliases=["matthews_corrcoef", "phi"],
)
def mcc(counts: ConfusionCounts) -> Result:
    """Matthews correlation coefficient: the correlation of labels and decisions.

    Formula
    -------
    (TP TN - FP FN) / sqrt((TP + FP)(TP + FN)(TN + FP)(TN + FN))

    When it is undefined
    --------------------
    Any margin is empty (a class absent, nothing or everything flagged): skipped ``no_positives``,
    ``no_negatives``, ``nothing_flagged`` or ``no_predicted_negative``.

    References
    ----------
    Matthews (1975), doi:10.1016/0005-2795(75)90109-9.

    Examples
    --------
    >>> round(mcc.function(ConfusionCounts(tp=6, fp=2, fn=4, tn=88)).value, 4)
    0.6389
    """
    c = counts
    margins = {
        "no_positives": c.positives,
        "no_negatives": c.negatives,
        "nothing_flagged": c.flagged,
        "no_predicted_negative": c.unflagged,
    }
    for reason, margin in margins.items():
        if margin == 0:
            return Skipped(reason, detail=f"a margin of the table is empty ({reason})")
    # Exact products, then square roots of two factors each: 10^9 rows overflow a double's digits.
    covariance = Fraction(c.tp * c.tn - c.fp * c.fn)
    scale = math.sqrt(c.flagged * c.unflagged) * math.sqrt(c.positives * c.negatives)
    value = max(-1.0, min(1.0, float(covariance) / scale))
    return Measured(value, round(c.n), conditions=weighted(c.n))


@metric(
    "binary",
    summary=ConfusionCounts,
    settings=["threshold"],
    bounds=(0, 1),
    interval=intervals.wilson,
    aliases=["accuracy_score"],
)
def accuracy(counts: ConfusionCounts) -> Result:
    """Share of the rows that are decided rightly; misleading where one class is rare.

    Formula
    -------
    (TP + TN) / n

    When it is undefined
    --------------------
    No row: skipped ``no_rows``.  Under 10% or over 90% positives the accuracy of always answering
    the majority class stands beside it (``majority_class_accuracy``).

    References
    ----------
    Provost, Fawcett and Kohavi (1998), The Case Against Accuracy Estimation, ICML.

    Examples
    --------
    >>> result = accuracy.function(ConfusionCounts(tp=1, fp=2, fn=4, tn=93))
    >>> result.value, result.conditions["majority_class_accuracy"]
    (0.94, 0.95)
    """
    result = ratio(counts.tp + counts.tn, counts.n, empty="no_rows")
    if isinstance(result, Skipped):
        return result
    prevalence = Fraction(counts.positives) / counts.n
    if RARE <= prevalence <= 1 - RARE:
        return result
    majority = float(max(prevalence, 1 - prevalence))
    return Measured(
        result.value,
        result.n,
        conditions=found(**result.conditions, majority_class_accuracy=majority),
        notes=("majority_baseline",),
    )
