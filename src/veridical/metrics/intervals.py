"""How the interval of each metric is made.

An interval method is a function ``(result, request) -> Outcome``.  A definition names one; a
third-party metric may use any of these or bring its own.  Where rows are not independent (clusters)
or weigh fractions, every method gives way to a bootstrap over whole units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.measures import Definition
from veridical.results import Interval, Measured
from veridical.stats import bootstrap as resampling
from veridical.stats.delong import auc_interval
from veridical.stats.normal import normal_interval
from veridical.stats.proportions import wilson as wilson_interval
from veridical.stats.resampled_walks import ResampledWalks
from veridical.summaries import ConfusionCounts, ScoreTable
from veridical.summaries.confusion import Count

__all__ = [
    "Method",
    "Outcome",
    "Request",
    "Units",
    "bootstrap",
    "brier_skill",
    "delong",
    "delong_gini",
    "logistic_wald",
    "mean_loss",
    "no_interval",
    "stratified_bootstrap",
    "wilson",
]

Floats: TypeAlias = npt.NDArray[np.float64]
Losses: TypeAlias = Callable[[Floats], tuple[Floats, Floats]]

WALKS_KEPT = 2_000_000
FEW_UNITS = 30


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The rows themselves, for when whole units are resampled instead of rows.

    Attributes
    ----------
    positive, scores, weight
        Shape (n,); ``weight`` may be None.
    codes
        Unit of each row, integers from 0, shape (n,); None makes every row a unit.
    costs
        Price columns ``fn_cost``, ``fp_cost``, ``review_cost``, each of shape (n,).
    """

    positive: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.floating]
    weight: Floats | None = None
    codes: npt.NDArray[np.intp] | None = None
    costs: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def n_units(self) -> int:
        """How many units there are."""
        return len(self.scores) if self.codes is None else int(self.codes.max(initial=-1)) + 1

    def sums(self, columns: list[Floats], replicates: int, seed: int) -> Floats:
        """Return weighted column sums of each replicate, shape (replicates, len(columns))."""
        weight = np.ones(len(self.scores)) if self.weight is None else self.weight
        codes = np.arange(len(self.scores)) if self.codes is None else self.codes
        weighted = np.stack([column * weight for column in columns], axis=1)
        return resampling.unit_sums(codes, weighted, replicates, seed)


@dataclass(frozen=True, eq=False)
class Request:
    """What an interval method may use.

    Attributes
    ----------
    definition, arguments
        The metric, its parameters and settings as its function was called with.
    table
        The score table that everything follows from.
    level, seed, replicates
        Coverage asked for; what determines all random draws; how many bootstrap replicates.
    units
        The rows, where whole units must be resampled; else None.
    """

    definition: Definition
    arguments: Mapping[str, Any]
    table: ScoreTable
    level: float = 0.95
    seed: int = 0
    replicates: int = 1000
    units: Units | None = None
    _walks: dict[bool, list[ResampledWalks]] = field(default_factory=dict)

    def walks(self, *, stratified: bool = False) -> Iterator[ResampledWalks]:
        """Return resampled walks; small ones are drawn once for all metrics of the table."""
        threshold = self.arguments.get("threshold")
        walk = self.table.walk
        if threshold is not None:
            walk = self.table.walk_at(threshold)
        if self.units is not None:
            return resampling.unit_replicates(
                walk,
                self.units.positive,
                self.units.scores,
                self.replicates,
                self.seed,
                units=self.units.codes,
                weight=self.units.weight,
                **self.units.costs,
            )
        drawn = resampling.walk_replicates(walk, self.replicates, self.seed, stratified=stratified)
        if threshold is not None or len(walk) * self.replicates > WALKS_KEPT:
            return drawn
        if stratified not in self._walks:
            self._walks[stratified] = list(drawn)
        return iter(self._walks[stratified])


@dataclass(frozen=True, slots=True)
class Outcome:
    """An interval, or none, and what to say about it."""

    interval: Interval | None
    observed: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


Method: TypeAlias = Callable[[Measured, Request], Outcome]


def no_interval(_result: Measured, _request: Request) -> Outcome:
    """Give no interval."""
    return Outcome(None)


def wilson(result: Measured, request: Request) -> Outcome:
    """Wilson's score interval of a proportion whose denominator is the result's ``n``."""
    if request.units is not None:
        return bootstrap(result, request)
    hits = round(result.value * result.n)
    return Outcome(wilson_interval(hits, result.n, request.level))


def delong(_result: Measured, request: Request) -> Outcome:
    """DeLong's interval of the AUC on the logit scale."""
    if request.units is not None:
        return bootstrap(_result, request)
    interval = auc_interval(request.table.walk, request.level)
    if isinstance(interval, Interval):
        return Outcome(interval)
    return Outcome(None, notes=("no_interval_degenerate",))


def delong_gini(result: Measured, request: Request) -> Outcome:
    """DeLong's interval of the AUC, carried to 2 AUC - 1."""
    outcome = delong(result, request)
    auc = outcome.interval
    if auc is None or request.units is not None:
        return outcome
    return Outcome(Interval(2 * auc.low - 1, 2 * auc.high - 1, auc.level, auc.method))


def bootstrap(result: Measured, request: Request) -> Outcome:
    """Percentile bootstrap over rows (or over whole units)."""
    return _percentiles(_values(request, stratified=False), request, "bootstrap-percentile")


def stratified_bootstrap(result: Measured, request: Request) -> Outcome:
    """Percentile bootstrap that keeps the number of positives and of negatives."""
    if request.units is not None:
        return bootstrap(result, request)
    values = _values(request, stratified=True)
    return _percentiles(values, request, "bootstrap-stratified-percentile")


def _values(request: Request, *, stratified: bool) -> Floats:
    """Return the metric of every replicate; NaN where it is undefined."""
    if request.definition.summary is ConfusionCounts:
        return _confusion_values(request)
    statistic = request.definition.statistic
    if statistic is None:
        return np.full(request.replicates, math.nan)
    chosen = statistic(request.table, **request.arguments)
    walks = request.walks(stratified=stratified)
    return resampling.bootstrap(walks, {"value": chosen})["value"]


def _confusion_values(request: Request) -> Floats:
    threshold = request.arguments["threshold"]
    arguments = {k: v for k, v in request.arguments.items() if k != "threshold"}
    if request.units is None:
        cells = resampling.confusion_replicates(
            request.table.at(threshold), request.replicates, request.seed
        ).astype(np.float64)
    else:
        positive = request.units.positive
        flagged = request.units.scores >= request.table.scores.dtype.type(threshold)
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


def _percentiles(values: Floats, request: Request, method: str) -> Outcome:
    if request.units is not None and request.units.codes is not None:
        method = "bootstrap-clusters"
    elif request.units is not None and request.units.weight is not None:
        method = "bootstrap-weighted"
    interval, degenerate = resampling.percentile_interval(values, request.level, method=method)
    observed = {"replicates": len(values), "degenerate_replicates": degenerate}
    few = request.units is not None and request.units.n_units < FEW_UNITS
    notes: tuple[str, ...] = ("few_clusters",) if few else ()
    if interval is None:
        notes += ("no_interval_replicates",)
    return Outcome(interval, observed, notes)


def mean_loss(losses: Losses) -> Method:
    """Make the method for a mean over rows of a loss of forecast and outcome.

    Parameters
    ----------
    losses
        Forecasts -> the loss of each if its row is positive, and if it is negative.
    """

    def method(result: Measured, request: Request) -> Outcome:
        if request.units is not None:
            if_positive, if_negative = _finite(losses, request.units.scores, request)
            loss = np.where(request.units.positive, if_positive, if_negative)
            sums = request.units.sums([loss, np.ones_like(loss)], request.replicates, request.seed)
            return _percentiles(sums[:, 0] / sums[:, 1], request, "bootstrap-percentile")
        if_positive, if_negative = _finite(losses, request.table.scores, request)
        positives, negatives = (
            request.table.positives.to_float(),
            request.table.negatives.to_float(),
        )
        n = float(request.table.total)
        squares = positives @ (if_positive - result.value) ** 2
        squares += negatives @ (if_negative - result.value) ** 2
        if n < 2 or squares == 0:
            return Outcome(None, notes=("no_interval_degenerate",))
        error = math.sqrt(float(squares) / (n - 1) / n)
        return Outcome(
            normal_interval(result.value, error, request.level, "normal", bounds=(0.0, math.inf))
        )

    return method


def _finite(
    losses: Losses, scores: npt.NDArray[np.floating], request: Request
) -> tuple[Floats, Floats]:
    """Return both losses of each forecast; infinite ones belong to rows that do not exist."""
    forecasts = scores.astype(np.float64)
    if clip := request.arguments.get("clip"):
        forecasts = np.clip(forecasts, clip, 1 - clip)
    if_positive, if_negative = losses(forecasts)
    finite = (np.where(np.isfinite(loss), loss, 0.0) for loss in (if_positive, if_negative))
    return tuple(finite)  # type: ignore[return-value]


def brier_skill(result: Measured, request: Request) -> Outcome:
    """Bootstrap of 1 - Brier / (ybar (1 - ybar)) through the sums of loss and outcome."""
    if request.units is not None:
        forecasts, y = request.units.scores.astype(np.float64), request.units.positive.astype(float)
        sums = request.units.sums(
            [(forecasts - y) ** 2, y, np.ones_like(y)], request.replicates, request.seed
        )
        loss, rate = sums[:, 0] / sums[:, 2], sums[:, 1] / sums[:, 2]
    else:
        forecasts = request.table.scores.astype(np.float64)
        ones, zeros = np.ones_like(forecasts), np.zeros_like(forecasts)
        means = resampling.table_mean_replicates(
            request.table,
            {"loss": ((1 - forecasts) ** 2, forecasts**2), "rate": (ones, zeros)},
            request.replicates,
            request.seed,
        )
        loss, rate = means["loss"], means["rate"]
    spread = rate * (1 - rate)
    skill = 1 - np.divide(loss, spread, out=np.full_like(loss, math.nan), where=spread > 0)
    return _percentiles(skill, request, "bootstrap-percentile")


def logistic_wald(result: Measured, request: Request) -> Outcome:
    """Wald interval from the standard error of a logistic fit."""
    if request.units is not None:
        return Outcome(None, notes=("no_interval_clustered_fit",))
    error = result.conditions["standard_error"]
    return Outcome(normal_interval(result.value, error, request.level, "wald"))


def consistency_band(_result: Measured, _request: Request) -> Outcome:
    """Give no interval but the band that a calibrated model would show."""
    return Outcome(None, notes=("no_interval_binned",))
