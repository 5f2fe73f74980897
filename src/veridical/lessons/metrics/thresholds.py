"""Sections 2 and 3: scores, every threshold at once, and the threshold that costs least.

A row is flagged at threshold t where its score is at least t.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from veridical.lessons.metrics.checks import Labels, Scores, labels_and_scores
from veridical.lessons.metrics.confusion_matrix import Confusion, confusion, share

__all__ = [
    "auc_trapezoid",
    "best_threshold_by_cost",
    "pr_curve",
    "roc_auc",
    "roc_auc_rank",
    "roc_curve",
    "synthetic_scores",
]

Curve = tuple[Scores, Scores, Scores]


def roc_curve(y_true: npt.ArrayLike, scores: npt.ArrayLike) -> Curve:
    """Return false-positive rate and recall at every threshold, the strictest first.

    Parameters
    ----------
    y_true
        Labels, 0 or 1; shape (n,).
    scores
        Higher is more suspicious; shape (n,).

    Returns
    -------
    fpr, tpr, thresholds : numpy.ndarray
        The first threshold is +inf, which flags nothing; then one for each distinct score,
        descending.

    Examples
    --------
    >>> fpr, tpr, thresholds = roc_curve([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
    >>> fpr.tolist(), tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    y, s = labels_and_scores(y_true, scores)
    thresholds = [math.inf, *_distinct_descending(s)]
    fpr, tpr = [], []
    for threshold in thresholds:
        at = confusion(y, s >= threshold)
        fpr.append(at.fpr)
        tpr.append(at.recall)
    return np.array(fpr), np.array(tpr), np.array(thresholds)


def _distinct_descending(s: Scores) -> list[float]:
    return sorted({float(score) for score in s}, reverse=True)


def auc_trapezoid(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Return the area under a line through points, sorted by ``x``.

    Between two points it is a trapezoid: its width times the mean of its two heights.

    Examples
    --------
    >>> auc_trapezoid([0, 0.5, 1], [0, 1, 1])
    0.75
    """
    xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    area = 0.0
    for i in range(1, len(xs)):
        area += (xs[i] - xs[i - 1]) * (ys[i] + ys[i - 1]) / 2
    return float(area)


def roc_auc(y_true: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """Return the area under the ROC curve; 0 where a class is empty.

    Examples
    --------
    >>> roc_auc([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
    0.75
    """
    fpr, tpr, _ = roc_curve(y_true, scores)
    return auc_trapezoid(fpr, tpr)


def roc_auc_rank(y_true: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """Return the share of pairs of a positive and a negative in which the positive scores higher.

    A tie counts half.  It is the same number as ``roc_auc``; 0 where there is no pair.

    References
    ----------
    Hanley and McNeil (1982), Radiology 143, doi:10.1148/radiology.143.1.7063747

    Examples
    --------
    >>> roc_auc_rank([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
    0.75
    """
    y, s = labels_and_scores(y_true, scores)
    positives, negatives = s[y == 1], s[y == 0]
    won = 0.0
    for score in positives:
        won += np.sum(score > negatives) + 0.5 * np.sum(score == negatives)
    return float(share(won, len(positives) * len(negatives)))


def pr_curve(y_true: npt.ArrayLike, scores: npt.ArrayLike) -> Curve:
    """Return precision and recall at every threshold, the strictest first.

    Returns
    -------
    precision, recall, thresholds : numpy.ndarray
        One point for each distinct score, descending.  Flagging nothing has no precision, and so
        no point.

    Examples
    --------
    >>> precision, recall, thresholds = pr_curve([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
    >>> recall.tolist(), thresholds.tolist()
    ([0.5, 0.5, 1.0, 1.0], [0.9, 0.6, 0.4, 0.1])
    """
    y, s = labels_and_scores(y_true, scores)
    thresholds = _distinct_descending(s)
    at = [confusion(y, s >= threshold) for threshold in thresholds]
    precision, recall = [c.precision for c in at], [c.recall for c in at]
    return np.array(precision), np.array(recall), np.array(thresholds)


def best_threshold_by_cost(
    y_true: npt.ArrayLike, scores: npt.ArrayLike, cost_fn: float, cost_fp: float
) -> tuple[float, float, Confusion]:
    """Return the threshold at which errors cost least, that cost, and the counts there.

    Parameters
    ----------
    y_true, scores
        As in ``roc_curve``.
    cost_fn
        What a miss costs.
    cost_fp
        What a false alarm costs.

    Returns
    -------
    threshold : float
        Of the distinct scores, ascending, and then +inf, the first with the least cost.
    cost : float
    counts : Confusion

    Examples
    --------
    >>> best_threshold_by_cost([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], cost_fn=10, cost_fp=1)
    (0.4, 1, Confusion(tp=2, fp=1, fn=0, tn=1))
    """
    y, s = labels_and_scores(y_true, scores)
    candidates = [*reversed(_distinct_descending(s)), math.inf]
    tried = []
    for threshold in candidates:
        counts = confusion(y, s >= threshold)
        tried.append((threshold, cost_fn * counts.fn + cost_fp * counts.fp, counts))
    return min(tried, key=lambda one: one[1])  # of several the first


def synthetic_scores(
    n_pos: int = 50, n_neg: int = 450, separation: float = 1.5, seed: int = 0
) -> tuple[Labels, Scores]:
    """Draw scores of frauds and of others from two bell curves.

    Parameters
    ----------
    n_pos, n_neg
        How many of both; the positives are drawn first, and stand first.
    separation
        How far the mean of the positives lies above that of the negatives; both curves have a
        standard deviation of 1.
    seed
        Of ``numpy.random.default_rng``.

    Returns
    -------
    y, s : numpy.ndarray
        Labels and scores, shape (n_pos + n_neg,).

    Examples
    --------
    >>> y, s = synthetic_scores()
    >>> len(y), int(y.sum()), round(roc_auc(y, s), 4)
    (500, 50, 0.8895)
    """
    draws = np.random.default_rng(seed)
    s = np.concatenate([draws.normal(separation, 1, n_pos), draws.normal(0, 1, n_neg)])
    return np.array([1] * n_pos + [0] * n_neg), s
