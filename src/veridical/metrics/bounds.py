"""Certified bounds: the least and the most that a metric can be, given bins of scores.

A histogram forgets the order of rows inside a bin.  Of all orders the worst has a bin's negatives
first, the best its positives; the ROC curve of the truth runs between those two, and so does every
metric that a better curve improves.  Average precision also asks for ties: a bin's positives earn
least when they are distinct and come after its negatives, and most when they tie and come first
("first and distinct" is no upper bound, for step-wise average precision rewards ties).

The bounds are attained: some rows with the same histogram have that value.  (Exceptions, where they
hold but may be wide: fractional weights, price columns, and a Kolmogorov-Smirnov distance of less
than one row of a class.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.metrics.open_bins import Descent, Question, crossing, largest_distances

__all__ = ["BOUNDS", "WIDTHS", "between_extremes", "distinct_credit", "tied_credit"]

Floats: TypeAlias = npt.NDArray[np.float64]
Range: TypeAlias = tuple[float, float]

_ONE_BY_ONE: Final = 16


def between_extremes(_: Descent, question: Question) -> Range:
    """Return the values of the worst and the best ranking, the lower first."""
    return min(question.worst, question.best), max(question.worst, question.best)


def _average_precision(descent: Descent, question: Question) -> Range:
    # The best ranking lets a bin's positives tie, but for one of those that stand alone in it.
    return float(_least_credit(descent).sum()) / descent.P, question.best


def _least_credit(descent: Descent) -> Floats:
    """Return what each bin adds at least to P times average precision."""
    tp, fp, p = descent.tp, descent.fp + descent.n, descent.p
    distinct = distinct_credit(tp, fp, p) if descent.whole else _infinitesimal(tp, fp, p)
    return np.where(descent.bins.split, distinct, tied_credit(tp, fp, p))


def _pairs_left_open(descent: Descent) -> Floats:
    return descent.p / descent.P * (descent.n / descent.N)


def _credit_left_open(descent: Descent) -> Floats:
    most = tied_credit(descent.tp, descent.fp, descent.p)
    return (most - _least_credit(descent)) / descent.P


def _infinitesimal(tp: Floats, fp: Floats, p: Floats) -> Floats:
    """Return the integral of (tp + x) / (tp + x + fp) over x from 0 to p.

    Positives of fractional weight may be any number of rows; ever smaller ones earn ever less.
    """
    above = tp + fp
    ratio = np.divide(p, above, out=np.zeros_like(p), where=above > 0)
    return p - fp * np.log1p(ratio)


def _ks(descent: Descent, _: Question) -> Range:
    at_edges, inside = largest_distances(descent)
    return at_edges, max(at_edges, float(inside.max()))


def _precision_at_recall(descent: Descent, question: Question) -> Range:
    recall = float(question.arguments["recall"])
    ends = [
        _precision_in_bin(descent, int(index), recall)
        for index in np.flatnonzero(crossing(descent, recall))
    ]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _precision_in_bin(descent: Descent, index: int, recall: float) -> Range:
    """Return the least and the most that precision can be where a bin first reaches the recall."""
    tp, fp, p, n = (float(a[index]) for a in (descent.tp, descent.fp, descent.p, descent.n))
    if not descent.bins.split[index]:
        exact = (tp + p) / (tp + p + fp + n)
        return exact, exact
    fewest = _fewest(descent, tp, recall)
    most = tp + p
    if descent.known_ends and n == 0 and fewest == tp + 1:
        most -= 1  # of positives known not to tie, the first that suffices is not the last
    flagged = fewest + fp + n
    return (fewest / flagged if flagged else 0.0), most / (most + fp)


def _fewest(descent: Descent, tp: float, recall: float) -> float:
    """Return the fewest positives above ``tp`` that attain the recall."""
    if not descent.whole:
        return max(tp, (recall - descent.tolerance) * descent.P)
    fewest = max(tp + 1, math.floor(recall * descent.P))
    # The rate as a double against the double asked for, as the metric compares them.
    return fewest if fewest / descent.P >= recall else fewest + 1


def _saving(_: Descent, question: Question) -> Range:
    (highest_low, baseline_high), (low, baseline_low) = question.worst_costs, question.best_costs
    return max(0.0, baseline_low - highest_low), baseline_high - low


def distinct_credit(tp: Floats, fp: Floats, p: Floats) -> Floats:
    """Return sum over j = 1..p of (tp + j) / (tp + j + fp), at least and within a rounding.

    What ``p`` positives add to P times average precision when each has a score of its own, ``tp``
    positives and ``fp`` negatives being above them all.

    The first terms are added one by one.  The rest is the difference of two digamma functions,
    written with log1p so that nothing cancels: psi(x + 1/2) = ln x + 1/(24 x^2) - 7/(960 x^4) + ...

    Parameters
    ----------
    tp, fp, p
        Whole numbers >= 0 as float64, shape (m,).

    References
    ----------
    Abramowitz and Stegun (1964), Handbook of Mathematical Functions, section 6.3.

    Examples
    --------
    >>> distinct_credit(np.array([0.0]), np.array([3.0]), np.array([2.0]))
    array([0.65])
    """
    credit = np.zeros_like(p)
    for j in range(1, _ONE_BY_ONE + 1):
        credit += np.where(p >= j, (tp + j) / (tp + j + fp), 0.0)
    rest = np.maximum(p - _ONE_BY_ONE, 0.0)
    first = tp + fp + (_ONE_BY_ONE + 0.5)
    logarithm = np.log1p(rest / first)
    return credit + rest - fp * (logarithm + _beyond_log(first + rest) - _beyond_log(first))


def _beyond_log(x: Floats) -> Floats:
    """Return psi(x + 1/2) - ln x for x >= 16: the next term of the series is below 2**-53."""
    y = 1.0 / (x * x)
    return y * (1 / 24 + y * (-7 / 960 + y * (31 / 8064 + y * (-127 / 30720 + y * 511 / 67584))))


def tied_credit(tp: Floats, fp: Floats, p: Floats) -> Floats:
    """Return p (tp + p) / (tp + p + fp): the same when the ``p`` positives tie.

    Examples
    --------
    >>> tied_credit(np.array([0.0]), np.array([3.0]), np.array([2.0]))
    array([0.8])
    """
    reached = tp + p
    return p * np.divide(reached, reached + fp, out=np.zeros_like(p), where=reached > 0)


BOUNDS: Final[Mapping[str, Callable[[Descent, Question], Range]]] = {
    "binary.average_precision": _average_precision,
    "binary.ks": _ks,
    "binary.precision@recall=": _precision_at_recall,
    "cost.saving": _saving,
}
"""Where the extreme rankings do not tell: by the id of a definition."""


WIDTHS: Final[Mapping[str, Callable[[Descent], Floats]]] = {
    "binary.roc_auc": _pairs_left_open,
    "binary.gini": lambda descent: 2 * _pairs_left_open(descent),
    "binary.average_precision": _credit_left_open,
}
"""How much of the width of the bounds is due to each bin, at most; for metrics of all bins."""
