"""Which bins of a lossy summary leave a metric open, so that reading them again settles it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.costs import Costs
from veridical.kernels.arrays import as_score
from veridical.summaries import ScoreBins
from veridical.summaries.fixed_point import FixedArray

__all__ = [
    "OPEN_BINS",
    "Descent",
    "Question",
    "crossing",
    "largest_distances",
    "prices",
    "running_totals",
    "tolerance",
]

Floats: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]

_HALF_BITS: Final = 26
_HALF_MASK: Final = (1 << _HALF_BITS) - 1


def running_totals(column: FixedArray) -> Floats:
    """Return the cumulative sums, each within one unit in the last place; exact below 2**53.

    Adding floats one after another would lose a digit every few thousand bins.
    """
    whole = np.cumsum(column.whole)
    if column.fraction is None:
        return whole.astype(np.float64)
    high = np.cumsum(column.fraction >> _HALF_BITS)
    low = np.cumsum(column.fraction & _HALF_MASK)
    high += low >> _HALF_BITS
    fraction = ((high & _HALF_MASK) << _HALF_BITS) + (low & _HALF_MASK)
    return (whole + (high >> _HALF_BITS)) + np.ldexp(fraction.astype(np.float64), -52)


def tolerance(bins: ScoreBins) -> float:
    """Return how far a rate may be off where fractional weights are added up; 0 for counts.

    Each addition of floats, two a bin, rounds by at most 2**-53 of the sum.
    """
    return 0.0 if bins.is_whole else (len(bins) + 64) * 2.0**-51


@dataclass(frozen=True, eq=False)
class Descent:
    """The bins from the highest score down, and what stands above each.

    Attributes
    ----------
    bins
        The bins, descending.
    p, n
        Positives and negatives in each bin, float64, shape (m,).
    tp, fp
        Positives and negatives above each bin, float64, shape (m,).
    P, N
        All of them.
    """

    bins: ScoreBins
    p: Floats
    n: Floats
    tp: Floats
    fp: Floats
    P: float
    N: float

    @classmethod
    def of(cls, bins: ScoreBins) -> Descent:
        """Turn ascending bins round."""
        bins = bins.chosen(np.arange(len(bins))[::-1])
        tp, fp = running_totals(bins.positives), running_totals(bins.negatives)
        p, n = bins.positives.to_float(), bins.negatives.to_float()
        tp_above, fp_above = (np.concatenate([[0.0], total])[:-1] for total in (tp, fp))
        return cls(bins, p, n, tp_above, fp_above, float(tp[-1]), float(fp[-1]))

    @property
    def whole(self) -> bool:
        """Whether counts are counts of rows."""
        return self.bins.is_whole

    @property
    def known_ends(self) -> bool:
        """Whether a row is known to stand at each end of a bin, so that two do not tie."""
        return self.bins.is_whole and self.bins.attained

    @property
    def tolerance(self) -> float:
        """``tolerance`` of the bins."""
        return tolerance(self.bins)


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What is asked of the bins, and the answers of the worst and the best ranking.

    Attributes
    ----------
    arguments
        The parameters of the measure.
    costs, threshold
        Settings, or None.
    worst, best
        The value that the pessimistic and the optimistic ranking give.
    worst_costs, best_costs
        For metrics of cost, the lowest cost and the cost to compare it with, in either ranking.
    """

    arguments: Mapping[str, Any]
    costs: Costs | None
    threshold: float | None
    worst: float
    best: float
    worst_costs: tuple[float, float] = (0.0, 0.0)
    best_costs: tuple[float, float] = (0.0, 0.0)


def _mixed(descent: Descent, _: Question) -> Mask:
    """Pairs of a positive and a negative inside a bin may be ranked either way."""
    return descent.bins.mixed


def _mixed_below_fpr(descent: Descent, question: Question) -> Mask:
    """Only the part of the ROC curve up to the false positive rate counts."""
    fpr: float = question.arguments["fpr"]
    return descent.bins.mixed & (descent.fp < fpr * descent.N)


def _unequal_credit(descent: Descent, _: Question) -> Mask:
    """Average precision also asks whether positives tie, once negatives stand above them."""
    # Two positives alone in a split bin are known not to tie; three may.
    fewest = 3 if descent.known_ends else 2
    some_tie: Mask = descent.p >= fewest if descent.whole else descent.p > 0
    alone: Mask = descent.bins.split & (descent.n == 0) & (descent.fp > 0)
    return descent.bins.mixed | (alone & some_tie)


def _between_recalls(descent: Descent, question: Question) -> Mask:
    """Between the recall that is certain and the highest that is possible."""
    low, high = (value * descent.P for value in (question.worst, question.best))
    # Half a row of room makes the comparison of counts immune to the division by P.
    room = 0.5 if descent.whole else descent.tolerance * descent.P
    inside: Mask = (descent.tp > low - room) & (descent.tp < high - room) & (low < high)
    return descent.bins.mixed & inside


def crossing(descent: Descent, recall: float) -> Mask:
    """Return where the walk down first reaches a recall; several where rounding leaves it open."""
    before, after = descent.tp / descent.P, (descent.tp + descent.p) / descent.P
    slack = descent.tolerance
    not_before: Mask = (before < recall + slack) | (descent.tp == 0)
    reached: Mask = (descent.p > 0) & (after >= recall - slack)
    return not_before & reached


def _crossing(descent: Descent, question: Question) -> Mask:
    """The bin where the recall is reached, unless its one positive stands there alone."""
    return descent.bins.split & crossing(descent, question.arguments["recall"])


def largest_distances(descent: Descent) -> tuple[float, Floats]:
    """Return the largest |TPR - FPR| at an edge of a bin, and the largest possible inside each."""
    before = descent.tp / descent.P - descent.fp / descent.N
    after = (descent.tp + descent.p) / descent.P - (descent.fp + descent.n) / descent.N
    ahead = (descent.tp + descent.p) / descent.P - descent.fp / descent.N
    behind = (descent.fp + descent.n) / descent.N - descent.tp / descent.P
    edges = np.maximum(np.abs(before), np.abs(after))
    return float(edges.max()), np.where(descent.bins.mixed, np.maximum(ahead, behind), edges)


def _farther_apart(descent: Descent, _: Question) -> Mask:
    """Where the classes may lie farther apart than at any edge."""
    at_edges, inside = largest_distances(descent)
    return descent.bins.mixed & (inside > at_edges + 2.0**-51)


def _cut_by_top(descent: Descent, question: Question) -> Mask:
    """The bin that is only partly in the top k."""
    above = descent.tp + descent.fp
    k = float(question.arguments["k"])
    return descent.bins.mixed & (above < k) & (k < above + descent.p + descent.n)


def _at_threshold(descent: Descent, question: Question) -> Mask:
    """The bin that the threshold cuts."""
    bins = descent.bins
    if question.threshold is None:
        return np.zeros_like(bins.split)
    threshold = as_score(question.threshold, bins.lowest.dtype)
    return bins.split & (bins.lowest < threshold) & (threshold <= bins.highest)


def _cheaper_inside(descent: Descent, question: Question) -> Mask:
    """Where some threshold may cost less than all those whose cost is known."""
    saved, alarms, review = prices(descent, question)
    # Nothing says how a column is shared between the rows of a bin: at best all to negatives.
    by_column = descent.bins.review_cost is not None
    of_positives = 0.0 if by_column else review * descent.p / (descent.p + descent.n)
    steps = alarms + review - saved
    before = saved.sum() + np.concatenate([[0.0], np.cumsum(steps)])[:-1]
    room = (2.0**-46 + len(descent.p) * 2.0**-51) * (saved.sum() + alarms.sum() + review.sum())
    inside = (before - saved + of_positives < question.worst_costs[0] - room) & (descent.p > 0)
    mask: Mask = descent.bins.split & inside
    return mask


def prices(descent: Descent, question: Question) -> tuple[Floats, Floats, Floats]:
    """Return what each bin's misses, false alarms and reviews cost."""
    costs, bins = question.costs, descent.bins

    def priced(name: str, counts: Floats) -> Floats:
        column, price = getattr(bins, f"{name}_cost"), getattr(costs, name)
        return counts * float(price) if isinstance(price, Decimal) else column.to_float()

    return (
        priced("fn", descent.p),
        priced("fp", descent.n),
        priced("review", descent.p + descent.n),
    )


def _saving(descent: Descent, question: Question) -> Mask:
    cheaper = _cheaper_inside(descent, question)
    return cheaper if question.threshold is None else cheaper | _at_threshold(descent, question)


OPEN_BINS: Final[Mapping[str, Callable[[Descent, Question], Mask]]] = {
    "binary.roc_auc": _mixed,
    "binary.gini": _mixed,
    "binary.partial_auc": _mixed_below_fpr,
    "binary.average_precision": _unequal_credit,
    "binary.ks": _farther_apart,
    "binary.recall@fpr=": _between_recalls,
    "binary.recall@precision=": _between_recalls,
    "binary.precision@recall=": _crossing,
    **dict.fromkeys(
        ("binary.precision_top@k", "binary.recall_top@k", "binary.lift_top@k"), _cut_by_top
    ),
    **dict.fromkeys(
        (
            "binary.accuracy", "binary.balanced_accuracy", "binary.f1", "binary.fbeta",
            "binary.fpr", "binary.mcc", "binary.npv", "binary.precision", "binary.recall",
            "binary.specificity", "cost.total",
        ),
        _at_threshold,
    ),
    "cost.best_threshold": _cheaper_inside,
    "cost.saving": _saving,
}  # fmt: skip
