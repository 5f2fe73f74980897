"""How the interval of each metric is made.

An interval method is a function ``(result, request) -> Outcome``.  A definition names one; a
third-party metric may use any of these or bring its own.  Which method belongs to which metric was
decided by simulation (design/interval-coverage.md).  Where rows are not independent (clusters) or
weigh fractions, every method goes by whole units.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.kernels.arrays import as_score
from veridical.metrics.interval_request import Method, Outcome, Request, Units
from veridical.metrics.outcomes import observed_score
from veridical.reasons import SkipReason
from veridical.results import Interval, Measured
from veridical.stats import bootstrap as resampling
from veridical.stats import calibration_band, influence, resampled_costs
from veridical.stats import intervals as chosen
from veridical.stats.delong import auc_interval
from veridical.stats.normal import normal_interval
from veridical.stats.proportions import wilson as wilson_interval
from veridical.stats.resampled_walks import ResampledWalks
from veridical.stats.standard_error import (
    ROUNDING,
    StandardError,
    standard_error,
    standard_error_from_moments,
    unit_totals,
)
from veridical.summaries import ConfusionCounts, LossSums, Ranking
from veridical.summaries.confusion import Count
from veridical.summaries.losses import Loss, losses_of

__all__ = [
    "Method",
    "Outcome",
    "Request",
    "Units",
    "average_precision",
    "best_threshold",
    "bootstrap",
    "brier_skill",
    "consistency_band",
    "delong",
    "delong_gini",
    "logistic_wald",
    "mean_loss",
    "no_interval",
    "optimum",
    "recall_at_fpr",
    "wilson",
]

Floats: TypeAlias = npt.NDArray[np.float64]


def no_interval(_result: Measured, _request: Request) -> Outcome:
    """None: no method is known to cover."""
    return Outcome(None, notes=("no_interval_known",))


def wilson(result: Measured, request: Request) -> Outcome:
    """Wilson's score interval of a proportion whose denominator is the result's ``n``."""
    if request.units is not None:
        return bootstrap(result, request)
    hits = round(result.value * result.n)
    return Outcome(wilson_interval(hits, result.n, request.level))


def delong(_result: Measured, request: Request) -> Outcome:
    """DeLong's interval of the AUC on the logit scale."""
    units = request.units
    if units is None:
        return _outcome(auc_interval(request.evidence.ranking.walk, request.level), request)
    at = influence.auc_influence(units.positive, units.scores, units.weight)
    return _by_units(at, request)


def delong_gini(result: Measured, request: Request) -> Outcome:
    """DeLong's interval of the AUC, carried to 2 AUC - 1."""
    outcome = delong(result, request)
    auc = outcome.interval
    if auc is None:
        return outcome
    gini = Interval(2 * auc.low - 1, 2 * auc.high - 1, auc.level, auc.method)
    return Outcome(gini, outcome.observed, outcome.notes)


def average_precision(_result: Measured, request: Request) -> Outcome:
    """Interval from the influence of each row on average precision, on the logit scale."""
    units = request.units
    if units is None:
        walk = request.evidence.ranking.walk
        return _outcome(chosen.average_precision_interval(walk, request.level), request)
    at = influence.average_precision_influence(units.positive, units.scores, units.weight)
    return _by_units(at, request)


def _by_units(at: influence.Influence, request: Request) -> Outcome:
    units = request.units
    assert units is not None  # noqa: S101 - only called where units are resampled
    interval = chosen.influence_interval(at, request.level, weight=units.weight, units=units.codes)
    return _outcome(interval, request)


def _outcome(interval: Interval | SkipReason, request: Request) -> Outcome:
    if isinstance(interval, SkipReason) or _is_point(interval):
        return Outcome(None, notes=("no_interval_degenerate",))
    method, (low, high) = interval.method, request.definition.bounds
    if request.units is not None:
        method += "-clusters" if request.units.codes is not None else "-weighted"
    within = Interval(
        interval.low if low is None else max(low, interval.low),
        interval.high if high is None else min(high, interval.high),
        interval.level,
        method,
    )
    return Outcome(within, notes=_few(request))


def _is_point(interval: Interval) -> bool:
    """Whether an interval is as wide as rounding makes it: the variance was not estimated."""
    return interval.width <= ROUNDING * max(abs(interval.low), abs(interval.high))


def _few(request: Request) -> tuple[str, ...]:
    units = request.units
    few = units is not None and units.codes is not None and units.are_few
    return ("few_clusters",) if few else ()


def recall_at_fpr(result: Measured, request: Request) -> Outcome:
    """Wilson's interval, widened because the threshold was estimated from the negatives."""
    if request.units is not None:
        return bootstrap(result, request)
    limit = float(request.arguments["fpr"])
    if request.arguments["mode"] == "certified":
        # The certified threshold allows a fixed number of false positives.
        limit = result.conditions["attained_fpr"]
        if result.conditions["flag_nothing"]:
            return Outcome(wilson_interval(0, result.n, request.level))
    walk = request.evidence.ranking.walk
    return Outcome(chosen.recall_at_fpr_interval(result.value, walk, limit, request.level))


def bootstrap(result: Measured, request: Request) -> Outcome:
    """Percentile bootstrap over rows (or over whole units); none where replicates do not vary."""
    values = _values(result, request)
    interval, degenerate = resampling.percentile_interval(
        values, request.level, method=_named("bootstrap-percentile", request)
    )
    outcome = _resampled(interval, degenerate, request)
    if interval is not None and _is_point(interval):
        return replace(outcome, interval=None, notes=("no_interval_degenerate",))
    return replace(outcome, replicates=len(values) - degenerate)


def optimum(result: Measured, request: Request) -> Outcome:
    """Normal bootstrap interval of a best value, freed from the optimism of the search."""
    low, high = request.definition.bounds
    interval, degenerate = chosen.bias_corrected_bootstrap_interval(
        result.value,
        _values(result, request),
        request.level,
        bounds=(-math.inf if low is None else low, math.inf if high is None else high),
    )
    if interval is not None:
        method = _named(interval.method, request)
        interval = Interval(interval.low, interval.high, interval.level, method)
    return _resampled(interval, degenerate, request)


def best_threshold(result: Measured, request: Request) -> Outcome:
    """Normal bootstrap interval of a best value; beside it, percentiles of the best threshold.

    An end is None where that replicate of the data flags nothing.
    """
    outcome = optimum(result, request)
    price = request.arguments["costs"].amount
    statistic = resampled_costs.best_threshold(
        resampled_costs.Prices(price("fn"), price("fp"), price("review"))
    )
    values = resampling.bootstrap(request.walks(), {"threshold": statistic})["threshold"]
    # A threshold is an observed score, so the quantile is one too.
    tails = [(1 - request.level) / 2, (1 + request.level) / 2]
    ends = np.quantile(values, tails, method="nearest").tolist()
    low, high = (observed_score(end) if end < math.inf else None for end in ends)
    observed = {**outcome.observed, "threshold_low": low, "threshold_high": high}
    return Outcome(outcome.interval, observed, outcome.notes)


def _named(method: str, request: Request) -> str:
    if request.units is None:
        by_walk = request.definition.summary is Ranking
        return f"{method}-coarsened" if by_walk and request.is_coarse else method
    if request.units.codes is not None:
        return f"{method}-clusters"
    return f"{method}-weighted" if request.units.weight is not None else method


def _resampled(interval: Interval | None, degenerate: int, request: Request) -> Outcome:
    observed = {"replicates": request.replicates, "degenerate_replicates": degenerate}
    missing = ("no_interval_replicates",) if interval is None else ()
    return Outcome(interval, observed, (*_few(request), *missing))


def _values(result: Measured, request: Request) -> Floats:
    """Return the metric of every replicate; NaN where it is undefined."""
    if request.definition.summary is ConfusionCounts:
        return _confusion_values(request)
    if request.definition.statistic is None:
        return np.full(request.replicates, math.nan)
    statistic = request.definition.statistic(request.evidence.ranking, **request.arguments)
    values = resampling.bootstrap(request.walks(), {"value": statistic})["value"]
    if request.is_coarse:
        # Fewer stops shift a metric, but every replicate alike.
        values += result.value - statistic(ResampledWalks.of(request.resampled))[0]
    return values


def _confusion_values(request: Request) -> Floats:
    threshold = request.arguments["threshold"]
    arguments = {k: v for k, v in request.arguments.items() if k != "threshold"}
    if request.units is None:
        cells = resampling.confusion_replicates(
            request.evidence.at(threshold), request.replicates, request.seed
        ).astype(np.float64)
    else:
        positive = request.units.positive
        flagged = request.units.scores >= as_score(threshold, request.units.scores.dtype)
        masks = (positive & flagged, ~positive & flagged, positive & ~flagged, ~positive & ~flagged)
        columns = [mask.astype(np.float64) for mask in masks]
        cells = request.units.sums(columns, request.replicates, request.seed)
    distinct, at = np.unique(cells, axis=0, return_inverse=True)
    counts = (ConfusionCounts(*(_count(cell) for cell in row)) for row in distinct.tolist())
    results = (request.definition.function(c, **arguments) for c in counts)
    values = np.array([r.value if isinstance(r, Measured) else math.nan for r in results])
    return values[at.ravel()]


def _count(cell: float) -> Count:
    return int(cell) if cell.is_integer() else Fraction(cell)


def mean_loss(loss: Loss) -> Method:
    """Make the method for a mean over rows of a loss of forecast and outcome.

    Its standard error follows from sums of powers of the loss; the interval is made on the log
    scale, where the mean of skewed losses is nearer to normal.
    """

    def method(result: Measured, request: Request) -> Outcome:
        """Interval of a mean loss from the moments of the loss, on the log scale."""
        clip = request.arguments.get("clip", 0.0)
        units = request.units
        if units is None:
            error = _of_sums(request.evidence.losses(loss, clip), (0.0, 0.0))
        else:
            if_positive, if_negative = losses_of(loss, units.scores, clip)
            losses = np.where(units.positive, if_positive, if_negative)
            error = _of_units(influence.mean_influence(losses, units.weight), units)
        return _outcome(chosen.mean_loss_interval(result.value, error, request.level), request)

    return method


def _of_sums(sums: LossSums, shifts: tuple[float, float]) -> StandardError | None:
    """Return the standard error of the mean of loss + shift of the class."""
    if not sums.n:
        return None
    second, fourth = sums.moments(shifts)
    # Squares are rounded to 2**-52, so that a variance below a few of these is none.
    if second <= 2.0**-50 * max(1.0, sums.mean) ** 2:
        return None
    return standard_error_from_moments(float(sums.n), second, fourth, scale=sums.mean)


def _of_units(at: influence.Influence, units: Units) -> StandardError | None:
    return standard_error(unit_totals(at.values, units.weight, units.codes))


def brier_skill(result: Measured, request: Request) -> Outcome:
    """Interval from the influence of each row on Brier / (ybar (1 - ybar)), on the log scale."""
    units, ratio = request.units, 1 - result.value
    if units is not None:
        forecasts = units.scores.astype(np.float64)
        at = influence.brier_ratio_influence(units.positive, forecasts, units.weight)
        error = _of_units(at, units)
    else:
        sums = request.evidence.losses("squared_error", 0.0)
        rate = float(Fraction(sums.positives.n, sums.positives.n + sums.negatives.n))
        spread = rate * (1 - rate)
        # A row moves the ratio by (loss - ratio (1 - 2 rate) y + constant) / spread.
        error = _of_sums(sums, (-ratio * (1 - 2 * rate), 0.0))
        error = error and StandardError(error.value / spread, error.degrees_of_freedom)
    return _outcome(chosen.skill_interval(ratio, error, request.level), request)


def logistic_wald(result: Measured, request: Request) -> Outcome:
    """Wald interval from the standard error of a logistic fit."""
    if request.units is not None:
        return Outcome(None, notes=("no_interval_clustered_fit",))
    error = result.conditions["standard_error"]
    return Outcome(normal_interval(result.value, error, request.level, "wald"))


def consistency_band(result: Measured, request: Request) -> Outcome:
    """None, but the error that a perfectly calibrated model would show at this n.

    Also the estimate freed from the bias that noise gives it.
    """
    weight = None if request.units is None else request.units.weight
    if weight is not None and not np.array_equal(weight, np.floor(weight)):
        return Outcome(None, notes=("no_interval_binned",))
    reliability = request.evidence.reliability(int(request.arguments["bins"]))
    band = calibration_band.consistency_band(
        reliability, level=request.level, replicates=request.replicates, seed=request.seed
    )
    ece = request.definition.name == "ece"
    high = band.ece_high if ece else band.mce_high
    observed = {
        "calibrated_mean": band.ece_mean if ece else band.mce_mean,
        "calibrated_high": high,
        "band_level": request.level,
    }
    if ece:
        columns = (reliability.column(name) for name in ("n", "sum_p", "sum_y"))
        observed["debiased"] = calibration_band.debiased_ece(*columns)
        observed["calibration_p_value"] = band.ece_p_value
    within = ("consistent_with_calibration",) if result.value <= high else ()
    return Outcome(None, observed, ("no_interval_binned", *within))
