"""Section 2: gaps where it is known what would have been right; positive is the favourable outcome.

The counts are those of the lesson on metrics: ``tp`` are favourable decisions that were right.
"""

from __future__ import annotations

from veridical.errors import ParameterError
from veridical.lessons.fairness.rates import Share, difference
from veridical.lessons.metrics.confusion_matrix import Confusion

__all__ = [
    "equal_opportunity_difference",
    "equalized_odds_difference",
    "fpr_difference",
    "precision_at",
    "predictive_parity_difference",
    "selected",
    "two_base_rates",
]


def selected(group: Confusion) -> Share:
    """Return how many were decided favourably.

    Examples
    --------
    >>> selected(Confusion(tp=40, fp=5, fn=10, tn=45))
    Share(hits=45, n=100)
    """
    return Share(group.tp + group.fp, group.n)


def equal_opportunity_difference(group: Confusion, reference: Confusion) -> float:
    """Return the gap of recall: how many get it, of those who deserve the favourable decision.

    Examples
    --------
    >>> equal_opportunity_difference(Confusion(3, 0, 1, 0), Confusion(1, 0, 1, 0))
    0.25
    """
    return difference(
        Share(group.tp, group.tp + group.fn), Share(reference.tp, reference.tp + reference.fn)
    )


def fpr_difference(group: Confusion, reference: Confusion) -> float:
    """Return the gap of false positives: how many get it, of those who do not deserve it.

    Examples
    --------
    >>> fpr_difference(Confusion(0, 1, 0, 3), Confusion(0, 1, 0, 1))
    -0.25
    """
    return difference(
        Share(group.fp, group.fp + group.tn), Share(reference.fp, reference.fp + reference.tn)
    )


def equalized_odds_difference(group: Confusion, reference: Confusion) -> float:
    """Return the larger of both gaps, without its sign: 0 where the groups fare alike.

    Examples
    --------
    >>> equalized_odds_difference(Confusion(3, 1, 1, 3), Confusion(1, 1, 1, 1))
    0.25
    """
    return max(
        abs(equal_opportunity_difference(group, reference)), abs(fpr_difference(group, reference))
    )


def predictive_parity_difference(group: Confusion, reference: Confusion) -> float:
    """Return the gap of precision: how many deserve it, of those who get it.

    Examples
    --------
    >>> predictive_parity_difference(Confusion(3, 1, 0, 0), Confusion(1, 1, 0, 0))
    0.25
    """
    return difference(
        Share(group.tp, group.tp + group.fp), Share(reference.tp, reference.tp + reference.fp)
    )


def precision_at(base_rate: float, recall: float, fpr: float) -> float:
    """Return what precision follows from a base rate and from both kinds of errors.

    Parameters
    ----------
    base_rate
        The share that deserves the favourable decision, in (0, 1).
    recall, fpr
        The share of those who get it, and of the others; not both 0.

    Examples
    --------
    >>> round(precision_at(0.5, 0.8, 0.1), 3), round(precision_at(0.2, 0.8, 0.1), 3)
    (0.889, 0.667)
    """
    if not 0 < base_rate < 1 or recall + fpr == 0:
        raise ParameterError("precision needs a base rate in (0, 1), and somebody selected")
    right, wrong = base_rate * recall, (1 - base_rate) * fpr
    return right / (right + wrong)


def two_base_rates() -> tuple[Confusion, Confusion]:
    """Return two groups of 100 of which 20 and 50 deserve it; the same recall 0.8 and FPR 0.1.

    Examples
    --------
    >>> [(group.recall, group.fpr) for group in two_base_rates()]
    [(0.8, 0.1), (0.8, 0.1)]
    """
    return Confusion(tp=16, fp=8, fn=4, tn=72), Confusion(tp=40, fp=5, fn=10, tn=45)
