"""Influence values: how much each row moves a metric, and the standard error that follows.

To first order a metric on n rows differs from its true value by the mean of the rows' influence
values, so its variance is their mean square over n.  That takes one pass, where the bootstrap
takes a thousand; sums within clusters give clustered errors, and differences of two models'
values on the same rows give paired ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.errors import ParameterError
from veridical.stats.bootstrap import row_slots
from veridical.stats.delong import auc_exact, placements
from veridical.summaries import ScoreTable, Walk

__all__ = [
    "Influence",
    "auc_at_slots",
    "auc_influence",
    "average_precision_at_slots",
    "average_precision_influence",
    "brier_ratio_influence",
    "mean_influence",
]

Values: TypeAlias = npt.NDArray[np.float64]
Scores: TypeAlias = npt.NDArray[np.float64] | npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Influence:
    """A metric and the influence value of each row (or slot).

    Attributes
    ----------
    estimate
        The metric on all rows.
    values
        Influence values, weighted mean 0, shape (n,).
    bias
        Expected excess of ``estimate`` over its true value, where it is known; else 0.
    """

    estimate: float
    values: Values
    bias: float = 0.0


def mean_influence(losses: Values, weight: Values | None = None) -> Influence:
    """Return a mean and its influence values, the deviations from it.

    Parameters
    ----------
    losses
        Shape (n,), finite, n >= 1.
    weight
        Shape (n,), or None.

    Examples
    --------
    >>> mean_influence(np.array([1.0, 3.0])).values.tolist()
    [-1.0, 1.0]
    """
    estimate = float(np.average(losses, weights=weight))
    return Influence(estimate, losses - estimate)


def brier_ratio_influence(
    positive: npt.NDArray[np.bool_], forecasts: Scores, weight: Values | None = None
) -> Influence:
    """Return Brier / (ybar (1 - ybar)), which is 1 - Brier skill, and its influence values.

    Parameters
    ----------
    positive, forecasts
        Shape (n,), both classes present.
    weight
        Shape (n,), or None.

    Raises
    ------
    ParameterError
        If a class is empty: the reference score is then 0.

    Examples
    --------
    >>> labels, forecasts = np.array([True, False]), np.array([0.5, 0.5])
    >>> brier_ratio_influence(labels, forecasts).estimate
    1.0
    """
    y = positive.astype(np.float64)
    losses = np.square(forecasts.astype(np.float64) - y)
    brier, rate = (float(np.average(column, weights=weight)) for column in (losses, y))
    uncertainty = rate * (1 - rate)
    if uncertainty == 0:
        raise ParameterError(
            "Brier skill needs a positive and a negative row", fix="give rows of both classes"
        )
    ratio = brier / uncertainty
    return Influence(ratio, (losses - brier - ratio * (1 - 2 * rate) * (y - rate)) / uncertainty)


def average_precision_at_slots(walk: Walk) -> Influence:
    """Return average precision and the influence of a row in each slot.

    With T the positives and F all rows flagged down to a threshold, average precision is the mean
    of T/F over positives.  A row adds 1/F (if positive) and -T/F**2 at its own and every lower
    threshold, and a positive also counts its own T/F.

    A positive is one of the T at its own threshold.  On new data it would not be, so T/F exceeds
    the true precision there by about (1 - T/F)/F; the mean of that is the bias.

    Parameters
    ----------
    walk
        With at least one positive.

    Returns
    -------
    Influence
        ``values`` in the order of ``bootstrap.row_slots``, shape (3m + 1,).

    Examples
    --------
    >>> labels, scores = np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1])
    >>> at = average_precision_at_slots(ScoreTable.from_rows(labels, scores).walk)
    >>> round(at.estimate, 4), at.values.round(3).tolist()
    (0.8333, [0.556, -0.111, -2.444, -0.444, -2.444, -0.444, 0.0])
    """
    positives, tied, between = (c.to_float() for c in (walk.positives, walk.tied, walk.between))
    total = positives.sum()
    if not total:
        raise ParameterError(
            "average precision needs a positive row", fix="give at least one positive row"
        )
    tp = np.cumsum(positives)
    flagged = tp + np.cumsum(tied + between[:-1])
    precision = tp / flagged
    estimate = float(positives @ precision / total)
    gained = _from_here_down(positives / flagged)
    diluted = _from_here_down(positives * precision / flagged)
    on_positives = precision + gained - diluted - estimate
    prevalence = total / (total + tied.sum() + between.sum())
    values = np.concatenate([on_positives, -diluted, np.append(-diluted, 0.0)]) / prevalence
    bias = float(positives @ ((1 - precision) / flagged) / total)
    return Influence(estimate, values, bias)


def _from_here_down(values: Values) -> Values:
    return np.cumsum(values[::-1])[::-1]


def _on_rows(
    at: Influence, walk: Walk, positive: npt.NDArray[np.bool_], scores: Scores
) -> Influence:
    return Influence(at.estimate, at.values[row_slots(walk, positive, scores)], at.bias)


def average_precision_influence(
    positive: npt.NDArray[np.bool_], scores: Scores, weight: Values | None = None
) -> Influence:
    """Return average precision and the influence value of each row.

    Parameters
    ----------
    positive, scores
        Shape (n,), at least one positive.
    weight
        Shape (n,), or None.

    Raises
    ------
    ParameterError
        Without a positive row.

    Examples
    --------
    >>> labels, scores = np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1])
    >>> average_precision_influence(labels, scores).values.round(3).tolist()
    [0.556, -0.444, -0.111, 0.0]
    """
    walk = ScoreTable.from_rows(positive, scores, weight=weight).walk
    return _on_rows(average_precision_at_slots(walk), walk, positive, scores)


def auc_influence(
    positive: npt.NDArray[np.bool_], scores: Scores, weight: Values | None = None
) -> Influence:
    """Return the area under the ROC curve and the influence value of each row.

    The values are DeLong's structural components, centred and divided by the share of the class.

    Parameters
    ----------
    positive, scores
        Shape (n,), both classes present.
    weight
        Shape (n,), or None.

    Raises
    ------
    ParameterError
        If a class is empty.

    Examples
    --------
    >>> labels, scores = np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1])
    >>> auc_influence(labels, scores).values.tolist()
    [0.5, -0.5, -0.5, 0.5]
    """
    walk = ScoreTable.from_rows(positive, scores, weight=weight).walk
    return _on_rows(auc_at_slots(walk), walk, positive, scores)


def auc_at_slots(walk: Walk) -> Influence:
    """Return the area under the ROC curve and the influence of a row in each slot.

    Parameters
    ----------
    walk
        With at least one positive and one negative.

    Returns
    -------
    Influence
        ``values`` in the order of ``bootstrap.row_slots``, shape (3m + 1,).
    """
    auc = float(auc_exact(walk))
    of_positives, of_tied, of_between = placements(walk)
    total, negatives = float(walk.total_positives), float(walk.total_negatives)
    on_negatives = np.concatenate([of_tied, of_between]) - auc
    shares = total / (total + negatives), negatives / (total + negatives)
    values = np.concatenate([(of_positives - auc) / shares[0], on_negatives / shares[1]])
    return Influence(auc, values)
