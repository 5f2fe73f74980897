"""The interval that simulation chose for each metric (design/interval-coverage.md).

Each was the one, of those tried, whose measured coverage stayed nearest to the nominal.  None of
them draws random numbers.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import betainc

from veridical.errors import ParameterError
from veridical.reasons import SkipReason
from veridical.results import Interval
from veridical.stats.influence import Influence, average_precision_at_slots
from veridical.stats.normal import normal_interval
from veridical.stats.proportions import wilson
from veridical.stats.standard_error import (
    StandardError,
    scaled_interval,
    standard_error,
    unit_totals,
)
from veridical.summaries import Walk

__all__ = [
    "average_precision_interval",
    "bias_corrected_bootstrap_interval",
    "influence_interval",
    "mean_loss_interval",
    "proportion_interval_from_variance",
    "recall_at_fpr_interval",
    "recall_at_fpr_variance",
    "skill_interval",
]

Values: TypeAlias = npt.NDArray[np.float64]


def average_precision_interval(walk: Walk, level: float = 0.95) -> Interval | SkipReason:
    """Interval of average precision from its influence values, on the logit scale.

    The estimate is first freed from the bias of counting each positive at its own threshold; the
    quantile is Student's, on the degrees of freedom of the variance estimate.

    Parameters
    ----------
    walk
        Whole counts (integer weights count as repeated rows), at least one positive.
    level
        Confidence level, in (0, 1).

    Returns
    -------
    Interval or SkipReason
        ``degenerate_variance`` with fewer than two positives, without negatives, or for a perfect
        ranking.

    Examples
    --------
    >>> from veridical.summaries import ScoreTable
    >>> scores = np.arange(40) / 40
    >>> table = ScoreTable.from_rows(np.sin(scores * 90) + 3 * scores > 1.5, scores)
    >>> interval = average_precision_interval(table.walk)
    >>> round(interval.low, 3), round(interval.high, 3), interval.method
    (0.717, 0.952, 'influence-logit')
    """
    at = average_precision_at_slots(walk)
    if walk.total_positives < 2:
        return SkipReason.DEGENERATE_VARIANCE
    counts = np.concatenate([c.to_float() for c in (walk.positives, walk.tied, walk.between)])
    return _logit(at, standard_error(at.values, counts), level)


def influence_interval(
    influence: Influence,
    level: float = 0.95,
    *,
    weight: Values | None = None,
    units: npt.NDArray[np.intp] | None = None,
) -> Interval | SkipReason:
    """Interval of a metric in (0, 1) under weights or clusters, on the logit scale.

    Parameters
    ----------
    influence
        From ``average_precision_influence`` or ``auc_influence``, of the weighted rows.
    level
        Confidence level, in (0, 1).
    weight, units
        As for ``unit_totals``.

    Returns
    -------
    Interval or SkipReason
        ``degenerate_variance`` with fewer than two units, or at 0 and 1.
    """
    return _logit(influence, standard_error(unit_totals(influence.values, weight, units)), level)


def _logit(
    influence: Influence, error: StandardError | None, level: float
) -> Interval | SkipReason:
    if not 0 < influence.estimate < 1:
        return SkipReason.DEGENERATE_VARIANCE
    centre = influence.estimate - influence.bias
    interval = scaled_interval(centre, error, level, "influence-logit", scale="logit")
    if isinstance(interval, SkipReason) or influence.estimate in interval:
        return interval
    # A correction larger than the interval is wide must not exclude what was measured.
    return Interval(interval.low, influence.estimate, level, interval.method)


def mean_loss_interval(
    estimate: float, error: StandardError | None, level: float = 0.95
) -> Interval | SkipReason:
    """Interval of a mean of non-negative losses (Brier score, log loss), on the log scale.

    Parameters
    ----------
    estimate
        The mean loss, >= 0.
    error
        From ``standard_error`` of the losses or of ``unit_totals`` of their influence values.
    level
        Confidence level, in (0, 1).

    Returns
    -------
    Interval or SkipReason
        ``degenerate_variance`` when all losses are equal, or there are fewer than two.

    Examples
    --------
    >>> losses = np.array([0.01, 0.04, 0.09, 0.81])
    >>> interval = mean_loss_interval(0.2375, standard_error(losses))
    >>> round(interval.low, 4), interval.method
    (0.0182, 'influence-log')
    """
    return scaled_interval(estimate, error, level, "influence-log", scale="log")


def skill_interval(
    ratio: float, error: StandardError | None, level: float = 0.95
) -> Interval | SkipReason:
    """Interval of a skill 1 - ratio, where ratio >= 0 is a loss over that of a reference.

    Parameters
    ----------
    ratio
        Loss of the model over loss of the reference, from ``brier_ratio_influence``.
    error
        Of the ratio.
    level
        Confidence level, in (0, 1).

    Returns
    -------
    Interval or SkipReason
        ``degenerate_variance`` without a standard error, or for a perfect model.

    Examples
    --------
    >>> interval = skill_interval(0.9, StandardError(0.05))
    >>> round(interval.low, 3), round(interval.high, 3)
    (-0.004, 0.193)
    """
    interval = scaled_interval(ratio, error, level, "influence-log", scale="log")
    if isinstance(interval, SkipReason):
        return interval
    return Interval(1.0 - interval.high, 1.0 - interval.low, level, interval.method)


def recall_at_fpr_variance(walk: Walk, fpr: float) -> float:
    """Return the variance that the stratified bootstrap of recall at ``fpr`` has, exactly.

    With k the false positives allowed, a replicate flags down to just above its (k + 1)-th
    highest negative.  As a share of the N negatives, the rank of that negative is
    Beta(k + 1, N - k), so the chance of every threshold is a difference of two incomplete beta
    functions; the recall above a threshold is binomial.

    Parameters
    ----------
    walk
        Whole counts, both classes present.
    fpr
        The limit, in [0, 1].

    Raises
    ------
    ParameterError
        If a class is empty.

    Examples
    --------
    Two thresholds, both always allowed: nothing varies but the positives, and all are found.

    >>> from veridical.summaries import ScoreTable
    >>> table = ScoreTable.from_rows(np.array([True, True, False]), np.array([0.9, 0.8, 0.1]))
    >>> recall_at_fpr_variance(table.walk, 1.0)
    0.0
    """
    positives, negatives = int(walk.total_positives), int(walk.total_negatives)
    if not (positives and negatives):
        raise ParameterError(
            "recall at a false-positive rate needs both classes", fix="give rows of both classes"
        )
    recall = np.concatenate([[0.0], walk.tp / positives])
    allowed = int(fpr * negatives)
    allowed += (allowed + 1) / negatives <= fpr
    allowed -= allowed / negatives > fpr
    if allowed >= negatives:
        return float(recall[-1] * (1 - recall[-1]) / positives)
    # A threshold is flagged down to when its false positives are ranked above that negative.
    reached = 1.0 - betainc(allowed + 1, negatives - allowed, walk.fp / negatives)
    chance = -np.diff(np.concatenate([[1.0], reached, [0.0]]))
    mean = float(chance @ recall)
    within = float(chance @ (recall * (1 - recall))) / positives
    return within + float(chance @ (recall - mean) ** 2)


def recall_at_fpr_interval(recall: float, walk: Walk, fpr: float, level: float = 0.95) -> Interval:
    """Interval of recall at a false-positive rate: Wilson's, widened for the threshold.

    The threshold is estimated from the negatives, which the binomial does not know.  The
    bootstrap variance does, and gives the number of positives that would vary as much.

    Below about three allowed false positives (fpr * N < 3) no method covers: the threshold itself
    is hardly estimated.

    Parameters
    ----------
    recall
        The measured recall.
    walk
        Whole counts, both classes present.
    fpr
        The limit, in [0, 1].
    level
        Confidence level, in (0, 1).

    Raises
    ------
    ParameterError
        If a class is empty.
    """
    variance = recall_at_fpr_variance(walk, fpr)
    return proportion_interval_from_variance(
        recall, variance, float(walk.total_positives), level, "bootstrap-wilson"
    )


def proportion_interval_from_variance(
    proportion: float, variance: float, n: float, level: float, method: str
) -> Interval:
    """Wilson's interval with the effective number of trials that a variance implies.

    Parameters
    ----------
    proportion
        In [0, 1].
    variance
        Estimated by any means, >= 0.
    n
        The actual number of trials, which the effective one never exceeds.
    level
        Confidence level, in (0, 1).
    method
        What the interval is called.

    Examples
    --------
    >>> binomial = proportion_interval_from_variance(0.5, 0.25 / 40, 100, 0.95, "bootstrap-wilson")
    >>> binomial.width == wilson(20, 40).width
    True
    """
    spread = proportion * (1 - proportion)
    effective = min(n, spread / variance) if variance > 0 and spread > 0 else n
    interval = wilson(min(proportion * effective, effective), effective, level)
    return Interval(interval.low, interval.high, level, method)


def bias_corrected_bootstrap_interval(
    estimate: float,
    replicates: Values,
    level: float = 0.95,
    *,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> tuple[Interval | None, int]:
    """Normal bootstrap interval: twice the estimate minus the mean replicate, plus and minus z sd.

    For an optimum over thresholds (cost, saving, KS), which looks better on the rows it was
    searched on than it is: replicates repeat that optimism, and it is subtracted once.

    Parameters
    ----------
    estimate
        The metric on all rows.
    replicates
        Shape (B,); NaN is a replicate without a value.
    level
        Confidence level, in (0, 1).
    bounds
        The range of the metric.

    Returns
    -------
    interval
        None when most replicates have no value, or all are equal.
    degenerate
        How many replicates have no value.

    References
    ----------
    A. C. Davison and D. V. Hinkley (1997), Bootstrap Methods and their Application, section 5.2.

    Examples
    --------
    >>> interval, degenerate = bias_corrected_bootstrap_interval(5.0, np.arange(4.0, 9.0))
    >>> round((interval.low + interval.high) / 2, 6), degenerate
    (4.0, 0)
    """
    valid = replicates[~np.isnan(replicates)]
    degenerate = len(replicates) - len(valid)
    if len(valid) < 2 or len(valid) <= degenerate:
        return None, degenerate
    error, centre = float(valid.std(ddof=1)), 2 * estimate - float(valid.mean())
    if error <= 1e-12 * abs(centre):
        return None, degenerate
    centre = min(max(centre, bounds[0]), bounds[1])
    interval = normal_interval(centre, error, level, "bootstrap-normal", bounds=bounds)
    return interval, degenerate
