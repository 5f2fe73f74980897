"""Operating points: the best threshold under a constraint, and what it attains.

Each form is bound to the rate that is held fixed (``recall@fpr=0.001``).  The threshold is always
an observed score, never interpolated; flagging nothing is a legal answer.
"""

from __future__ import annotations

import numpy as np

from veridical.measures import choice, number
from veridical.metrics import intervals
from veridical.metrics.binary_counts import precision, recall
from veridical.metrics.outcomes import found, no_positives, observed_score, one_class
from veridical.results import Measured, Result
from veridical.stats import resampled_walks as resampled
from veridical.stats.proportions import clopper_pearson_upper
from veridical.summaries import Ranking
from veridical.summaries.walk import Walk

__all__ = [
    "precision_at_recall",
    "recall_at_fpr",
    "recall_at_fpr_statistic",
    "recall_at_precision",
]


def recall_at_fpr_statistic(
    table: Ranking, fpr: float, mode: str = "observed", level: float = 0.95
) -> resampled.Statistic:
    """Return recall at a false positive rate as a function of resampled walks."""
    if mode == "observed":
        return resampled.recall_at_fpr(fpr)
    # With N fixed, a certified rate is a largest number of false positives.
    n = float(table.total_negatives)
    most = _most_certified(n, fpr, level)
    return resampled.recall_at_fpr(most / n) if most >= 0 else (lambda walks: np.zeros(len(walks)))


@recall.form(
    "fpr",
    summary=Ranking,
    parameters=[
        number("fpr", low=0, high=1),
        choice("mode", ["observed", "certified"], "observed"),
    ],
    settings=["level"],
    bounds=(0, 1),
    interval=intervals.recall_at_fpr,
    statistic=recall_at_fpr_statistic,
    aliases=["recall@fpr", "tpr@fpr"],
)
def recall_at_fpr(
    table: Ranking, fpr: float, mode: str = "observed", level: float = 0.95
) -> Result:
    """Highest recall whose false positive rate is at most ``fpr``.

    Formula
    -------
    max over t of TP(t) / P with FP(t) / N <= fpr; the threshold is the highest observed score that
    attains it, or none (flag nothing).

    When it is undefined
    --------------------
    A class is absent: skipped ``no_positives`` or ``no_negatives``.  The rate on a sample is no
    guarantee: its one-sided Clopper-Pearson upper bound is given, and ``mode=certified`` takes the
    lowest threshold whose upper bound is at most ``fpr``.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26, doi:10.1093/biomet/26.4.404.

    Examples
    --------
    >>> import veridical as vd
    >>> y, scores = [1, 0, 1, 0, 1, 0], [0.9, 0.9, 0.5, 0.5, 0.1, 0.1]
    >>> result = vd.measure("binary.recall@fpr=0.7", y, scores)
    >>> round(result.value, 4), result.conditions["threshold"]
    (0.6667, 0.5)
    """
    walk = table.walk
    positives, negatives = walk.total_positives, walk.total_negatives
    if skipped := one_class(positives, negatives):
        return skipped
    n = float(negatives)
    # The attained rate as a double against the double asked for: 29/100 <= 0.29 holds.
    if mode == "observed":
        allowed = int(np.searchsorted(walk.fp / n, fpr, side="right"))
    else:
        allowed = int(np.searchsorted(walk.fp, _most_certified(n, fpr, level), side="right"))
    tp, fp = (float(walk.tp[allowed - 1]), float(walk.fp[allowed - 1])) if allowed else (0.0, 0.0)
    upper = clopper_pearson_upper(fp, n, level)
    notes = _point_notes(allowed) + (("fpr_resolution",) if n * fpr < 3 else ())
    return Measured(
        tp / float(positives),
        round(positives),
        conditions=found(**_threshold(walk, allowed), attained_fpr=fp / n, fpr_upper_bound=upper),
        notes=notes,
    )


def _most_certified(n: float, fpr: float, level: float) -> int:
    """Return the most false positives of n whose upper bound is within ``fpr``; -1 for none."""
    # The bound grows with the count, so the last one within it is found by bisection.
    low, high = -1, int(n * fpr)
    while low < high:
        middle = (low + high + 1) // 2
        if clopper_pearson_upper(middle, n, level) <= fpr:
            low = middle
        else:
            high = middle - 1
    return low


@recall.form(
    "precision",
    summary=Ranking,
    parameters=[number("precision", low=0, high=1)],
    bounds=(0, 1),
    interval=intervals.bootstrap,
    statistic=lambda _, precision: resampled.recall_at_precision(precision),
    aliases=["recall@precision"],
)
def recall_at_precision(table: Ranking, precision: float) -> Result:
    """Highest recall whose precision is at least ``precision``.

    Formula
    -------
    max over t of TP(t) / P with TP(t) / (TP(t) + FP(t)) >= precision; 0 where no threshold attains
    it (flag nothing).

    When it is undefined
    --------------------
    No positives: skipped ``no_positives``.

    References
    ----------
    Davis and Goadrich (2006), ICML, doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import veridical as vd
    >>> result = vd.measure("binary.recall@precision=0.6", [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> result.value, result.conditions["threshold"]
    (1.0, 0.4)
    """
    walk = table.walk
    positives, negatives = walk.total_positives, walk.total_negatives
    if skipped := no_positives(positives, negatives):
        return skipped
    attained = walk.tp / (walk.tp + walk.fp)
    fitting = np.flatnonzero(attained >= precision)
    allowed = int(fitting[-1]) + 1 if len(fitting) else 0
    at = _threshold(walk, allowed)
    if allowed:
        at["attained_precision"] = float(attained[allowed - 1])
    value = float(walk.tp[allowed - 1]) / float(positives) if allowed else 0.0
    return Measured(value, round(positives), conditions=found(**at), notes=_point_notes(allowed))


@precision.form(
    "recall",
    summary=Ranking,
    parameters=[number("recall", low=0, high=1)],
    bounds=(0, 1),
    interval=intervals.bootstrap,
    statistic=lambda _, recall: resampled.precision_at_recall(recall),
    aliases=["precision@recall"],
)
def precision_at_recall(table: Ranking, recall: float) -> Result:
    """Precision at the highest threshold whose recall is at least ``recall``.

    Formula
    -------
    TP(t) / (TP(t) + FP(t)) at the highest t, of the scores of positives, with TP(t) / P >= recall

    When it is undefined
    --------------------
    No positives: skipped ``no_positives``.

    References
    ----------
    Davis and Goadrich (2006), ICML, doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import veridical as vd
    >>> result = vd.measure("binary.precision@recall=0.8", [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> round(result.value, 4), result.conditions["threshold"]
    (0.6667, 0.4)
    """
    walk = table.walk
    positives, negatives = walk.total_positives, walk.total_negatives
    if skipped := no_positives(positives, negatives):
        return skipped
    attained = walk.tp / float(positives)
    at = min(int(np.searchsorted(attained, recall, side="left")), len(walk) - 1)
    flagged = float(walk.tp[at] + walk.fp[at])
    return Measured(
        float(walk.tp[at]) / flagged,
        round(flagged),
        conditions=found(**_threshold(walk, at + 1), attained_recall=float(attained[at])),
        notes=_point_notes(at + 1),
    )


def _threshold(walk: Walk, allowed: int) -> dict[str, float | bool | str | None]:
    """Return the threshold of the last allowed point, or that nothing is flagged."""
    if not allowed:
        return {"threshold": None, "flag_nothing": True}
    return {"threshold": observed_score(walk.thresholds[allowed - 1]), "flag_nothing": False}


def _point_notes(allowed: int) -> tuple[str, ...]:
    return ("in_sample",) if allowed else ("in_sample", "only_flag_nothing")
