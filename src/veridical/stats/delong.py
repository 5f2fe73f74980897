"""The area under the ROC curve: exactly, with DeLong's variance, and for two paired models.

From a walk all of it takes time proportional to the positives, for any number of negatives.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from veridical.errors import ParameterError
from veridical.reasons import SkipReason
from veridical.results import Interval
from veridical.stats.row_sums import ClassSums, PairedDifference, delong_difference
from veridical.stats.standard_error import StandardError, scaled_interval, standard_error
from veridical.summaries import Walk
from veridical.summaries.fixed_point import PRODUCT_BITS, dot_exactly

__all__ = [
    "auc_exact",
    "auc_interval",
    "delong",
    "paired_delong",
    "placements",
]

Floats = npt.NDArray[np.float64]


def auc_exact(walk: Walk) -> Fraction:
    """Return the area under the ROC curve as an exact ratio: pairs ranked right, ties half.

    Parameters
    ----------
    walk
        With at least one positive and one negative.

    Raises
    ------
    ParameterError
        If a class is empty: the share of no pairs is undefined.

    Examples
    --------
    >>> from veridical.summaries import ScoreTable
    >>> labels, scores = np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1])
    >>> auc_exact(ScoreTable.from_rows(labels, scores).walk)
    Fraction(3, 4)
    """
    positives, negatives = walk.total_positives, walk.total_negatives
    if not (positives and negatives):
        raise ParameterError(
            "the AUC needs a positive and a negative row", fix="give rows of both classes"
        )
    half_pairs = Fraction(_half_pairs_ranked_right(walk))
    return half_pairs / (2 * positives * negatives)


def _half_pairs_ranked_right(walk: Walk) -> Fraction | int:
    """Return the sum over positives of 2 * (negatives below) + (negatives tied)."""
    if _is_whole(walk) and walk.total_negatives < 1 << 61:
        at, total = walk.positives.whole, int(walk.total_positives)
        above = _dot(at, np.asarray(walk.fp, dtype=np.int64), total=total)
        ties = _dot(at, walk.tied.whole, total=total)
        return 2 * (total * int(walk.total_negatives) - above) + ties
    # Fractional weights: in units of 2**-104, exact at any size.
    positives, tied, between = walk.positives, walk.tied, walk.between
    reached = [one.cumulative() for one in (tied, between[: len(positives)])]
    above = sum(dot_exactly(positives, one) for one in reached)
    pairs = positives.total() * (tied.total() + between.total())
    return Fraction(2 * (pairs - above) + dot_exactly(positives, tied), 1 << PRODUCT_BITS)


def _is_whole(walk: Walk) -> bool:
    return walk.positives.is_whole and walk.tied.is_whole and walk.between.is_whole


def _dot(weights: npt.NDArray[np.int64], values: npt.NDArray[np.int64], *, total: int) -> int:
    """Return ``sum(weights * values)`` of non-negative integers without overflow.

    ``total`` is the sum of the weights.
    """
    largest, room = int(values.max(initial=0)), 63 - total.bit_length()
    if largest.bit_length() <= room:
        return int(np.dot(weights, values))
    if room < 8:
        return sum(w * v for w, v in zip(weights.tolist(), values.tolist(), strict=True))
    # A limb of `room` bits times the sum of the weights still fits an int64.
    mask = (1 << room) - 1
    return sum(
        int(np.dot(weights, (values >> shift) & mask)) << shift
        for shift in range(0, largest.bit_length(), room)
    )


def placements(walk: Walk) -> tuple[Floats, Floats, Floats]:
    """Return DeLong's structural components at the slots of a walk.

    Returns
    -------
    of_positives
        Share of negatives below a positive at each threshold, ties half, shape (m,).
    of_tied, of_between
        Share of positives above a negative at, shape (m,), and between, shape (m + 1,), the
        thresholds, ties half.
    """
    n_negatives, n_positives = float(walk.total_negatives), float(walk.total_positives)
    tp = np.concatenate([[0.0], walk.tp.astype(np.float64)])
    fp, tied = walk.fp.astype(np.float64), walk.tied.to_float()
    of_positives = (2.0 * (n_negatives - fp) + tied) / (2.0 * n_negatives)
    of_tied = (tp[:-1] + tp[1:]) / (2.0 * n_positives)
    return of_positives, of_tied, tp / n_positives


def delong(walk: Walk) -> tuple[float, float | None]:
    """Return the AUC and DeLong's estimate of its variance.

    Parameters
    ----------
    walk
        Whole counts, at least one positive and one negative.

    Returns
    -------
    auc
        In [0, 1], correctly rounded.
    variance
        >= 0; None with fewer than two positives or two negatives, where it cannot be estimated.

    Raises
    ------
    ParameterError
        If a class is empty, or weights are fractional: the variance then depends on the weight
        of each row, which a walk no longer has (see ``influence`` and ``bootstrap``).

    References
    ----------
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988). doi:10.2307/2531595

    Examples
    --------
    >>> from veridical.summaries import ScoreTable
    >>> labels, scores = np.array([1, 1, 0, 0, 1]) == 1, np.array([0.9, 0.4, 0.5, 0.2, 0.5])
    >>> auc, variance = delong(ScoreTable.from_rows(labels, scores).walk)
    >>> auc, round(variance * 12, 12)
    (0.75, 1.0)
    """
    auc = float(auc_exact(walk))
    if not _is_whole(walk):
        raise ParameterError(
            "DeLong's variance is not defined for fractional weights",
            fix="resample the weighted rows, or use their influence values",
        )
    if min(walk.total_positives, walk.total_negatives) < 2:
        return auc, None
    parts = _class_errors(walk)
    return auc, sum(part.value**2 for part in parts if part is not None)


def _class_errors(walk: Walk) -> tuple[StandardError | None, StandardError | None]:
    """Return the standard error of the AUC from either class; None where it does not vary."""
    of_positives, of_tied, of_between = placements(walk)
    of_negatives = np.concatenate([of_tied, of_between])
    counts = np.concatenate([walk.tied.to_float(), walk.between.to_float()])
    return (
        standard_error(of_positives, walk.positives.to_float()),
        standard_error(of_negatives, counts),
    )


def auc_interval(walk: Walk, level: float = 0.95) -> Interval | SkipReason:
    """Return the interval of the AUC: DeLong's variance on the logit scale.

    The quantile is Student's.  With few positives, or an AUC near 1, a handful of rows carry the
    variance; the degrees of freedom of its two parts, added as Satterthwaite does, say how well
    it is known.  With many rows they are many, and the quantile is the normal one.

    With perfect separation the variance is estimated as 0 and [1, 1] would be claimed.  The lower
    bound is then ``(a / 2) ** (1 / min(P, N))`` with ``a = 1 - level``: were the true AUC smaller,
    that many independent pairs would not all have been ranked right.  AUC = 0 is its mirror.

    Parameters
    ----------
    walk
        Whole counts, at least one positive and one negative.
    level
        Confidence level, in (0, 1).

    Returns
    -------
    Interval or SkipReason
        ``degenerate_variance`` when the variance cannot be estimated (a class with one row) or is
        0 between the extremes (all scores tied).

    Raises
    ------
    ParameterError
        As for ``delong``.

    References
    ----------
    M. S. Pepe (2003), The Statistical Evaluation of Medical Tests, section 5.2.2 (logit scale);
    F. E. Satterthwaite (1946). doi:10.2307/3002019

    Examples
    --------
    >>> from veridical.summaries import ScoreTable
    >>> labels = np.arange(20) >= 10
    >>> interval = auc_interval(ScoreTable.from_rows(labels, np.arange(20.0)).walk)
    >>> round(interval.low, 4), interval.high, interval.method
    (0.6915, 1.0, 'perfect-separation')
    """
    auc, variance = delong(walk)
    if auc in (0.0, 1.0):
        pairs = min(int(walk.total_positives), int(walk.total_negatives))
        bound = ((1.0 - level) / 2.0) ** (1.0 / pairs)
        low, high = (bound, 1.0) if auc == 1.0 else (0.0, 1.0 - bound)
        return Interval(low, high, level, "perfect-separation")
    if not variance:
        return SkipReason.DEGENERATE_VARIANCE
    parts = [part for part in _class_errors(walk) if part is not None]
    freedom = variance**2 / sum(part.value**4 / part.degrees_of_freedom for part in parts)
    error = StandardError(math.sqrt(variance), freedom)
    return scaled_interval(auc, error, level, "delong-logit", scale="logit")


def paired_delong(
    positive: npt.NDArray[np.bool_],
    scores_a: npt.NDArray[np.floating],
    scores_b: npt.NDArray[np.floating],
    level: float = 0.95,
) -> PairedDifference:
    """Compare the AUC of two models on the same rows, in O(n log n).

    Parameters
    ----------
    positive
        bool, shape (n,), both classes present.
    scores_a, scores_b
        Floats without NaN, shape (n,).
    level
        Confidence level of the interval of the difference, in (0, 1).

    Returns
    -------
    PairedDifference
        ``interval`` is ``degenerate_variance`` when a class has a single row or the two models
        rank every row alike.

    Raises
    ------
    ParameterError
        If a class is empty.

    References
    ----------
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988). doi:10.2307/2531595;
    X. Sun and W. Xu (2014), Fast implementation of DeLong's algorithm.
    doi:10.1109/LSP.2014.2337313

    Examples
    --------
    >>> labels = np.array([1, 1, 1, 0, 0, 0]) == 1
    >>> a, b = np.array([6, 5, 3, 4, 2, 1.0]), np.array([3, 5, 1, 4, 2, 6.0])
    >>> result = paired_delong(labels, a, b)
    >>> round(result.difference, 4), round(result.p_value, 3)
    (0.5556, 0.025)
    """
    n_positives = int(np.count_nonzero(positive))
    n_negatives = len(positive) - n_positives
    if not (n_positives and n_negatives):
        raise ParameterError(
            "the AUC needs a positive and a negative row", fix="give rows of both classes"
        )
    positives_a, negatives_a = _row_placements(positive, scores_a)
    positives_b, negatives_b = _row_placements(positive, scores_b)
    on_positives, on_negatives = positives_a - positives_b, negatives_a - negatives_b
    difference = float(on_positives.mean())
    # About the difference, which both classes have as their mean, nothing cancels in the squares.
    of_positives = ClassSums.of(on_positives - difference)
    of_negatives = ClassSums.of(on_negatives - difference)
    return delong_difference(difference, of_positives, of_negatives, level)


def _row_placements(
    positive: npt.NDArray[np.bool_], scores: npt.NDArray[np.floating]
) -> tuple[Floats, Floats]:
    """Return each positive's share of negatives below, and each negative's of positives above."""
    positives, negatives = scores[positive], scores[~positive]

    def twice_below(of: npt.NDArray[np.floating], among: npt.NDArray[np.floating]) -> Floats:
        ranked = np.sort(among)
        below, not_above = (np.searchsorted(ranked, of, side) for side in ("left", "right"))
        return (below + not_above).astype(np.float64)

    twice_n, twice_p = 2.0 * len(negatives), 2.0 * len(positives)
    of_positives = twice_below(positives, negatives) / twice_n
    return of_positives, (twice_p - twice_below(negatives, positives)) / twice_p
