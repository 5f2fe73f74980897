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
from veridical.metrics.evidence import Evidence, LacksSummaryError
from veridical.results import Interval, Measured
from veridical.stats import bootstrap as resampling
from veridical.stats import calibration_band
from veridical.stats.delong import auc_interval
from veridical.stats.normal import normal_interval
from veridical.stats.proportions import wilson as wilson_interval
from veridical.stats.resampled_walks import ResampledWalks
from veridical.summaries import ConfusionCounts
from veridical.summaries.confusion import Count
from veridical.summaries.losses import Loss, losses_of
from veridical.summaries.reliability import bin_index

__all__ = [
    "Method",
    "Outcome",
    "Request",
    "Units",
    "bootstrap",
    "brier_skill",
    "consistency_band",
    "delong",
    "delong_gini",
    "logistic_wald",
    "mean_loss",
    "no_interval",
    "stratified_bootstrap",
    "wilson",
]

Floats: TypeAlias = npt.NDArray[np.float64]

WALKS_KEPT = 2_000_000
FEW_UNITS = 30
MOST_REPEATED = 10_000_000
FEWEST_ROWS = 2


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

    def repeated(self) -> Units:
        """Return each row as often as its whole-number weight says, up to ten million rows."""
        if self.weight is None or self.weight.sum() > MOST_REPEATED:
            return self
        times = self.weight.astype(np.int64)
        return Units(
            np.repeat(self.positive, times),
            np.repeat(self.scores, times),
            codes=None if self.codes is None else np.repeat(self.codes, times),
            costs={name: np.repeat(column, times) for name, column in self.costs.items()},
        )

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
    evidence
        The summaries that everything follows from.
    level, seed, replicates
        Coverage asked for; what determines all random draws; how many bootstrap replicates.
    units
        The rows, where whole units must be resampled; else None.
    """

    definition: Definition
    arguments: Mapping[str, Any]
    evidence: Evidence
    level: float = 0.95
    seed: int = 0
    replicates: int = 1000
    units: Units | None = None
    _walks: dict[tuple[bool, float | None], list[ResampledWalks]] = field(default_factory=dict)

    def walks(self, *, stratified: bool = False) -> Iterator[ResampledWalks]:
        """Return resampled walks; small ones are drawn once for all metrics of the table."""
        threshold = self.arguments.get("threshold")
        ranking = self.evidence.ranking
        walk = ranking.walk if threshold is None else ranking.walk_at(threshold)
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
        if len(walk) * self.replicates > WALKS_KEPT:
            return drawn
        key = (stratified, threshold)
        if key not in self._walks:
            self._walks[key] = list(drawn)
        return iter(self._walks[key])


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
    interval = auc_interval(request.evidence.ranking.walk, request.level)
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
    chosen = statistic(request.evidence.ranking, **request.arguments)
    walks = request.walks(stratified=stratified)
    return resampling.bootstrap(walks, {"value": chosen})["value"]


def _confusion_values(request: Request) -> Floats:
    threshold = request.arguments["threshold"]
    arguments = {k: v for k, v in request.arguments.items() if k != "threshold"}
    if request.units is None:
        cells = resampling.confusion_replicates(
            request.evidence.at(threshold), request.replicates, request.seed
        ).astype(np.float64)
    else:
        positive = request.units.positive
        flagged = request.units.scores >= request.units.scores.dtype.type(threshold)
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


def mean_loss(loss: Loss) -> Method:
    """Make the method for a mean over rows of a loss of forecast and outcome.

    Its standard error follows from the sums of the loss and of its square.
    """

    def method(result: Measured, request: Request) -> Outcome:
        clip = request.arguments.get("clip", 0.0)
        if request.units is not None:
            units = request.units
            if_positive, if_negative = losses_of(loss, units.scores, clip)
            losses = np.where(units.positive, if_positive, if_negative)
            sums = units.sums([losses, np.ones_like(losses)], request.replicates, request.seed)
            return _percentiles(sums[:, 0] / sums[:, 1], request, "bootstrap-percentile")
        sums_of = request.evidence.losses(loss, clip)
        n, variance = float(sums_of.n), sums_of.variance
        if n < FEWEST_ROWS or variance == 0:
            return Outcome(None, notes=("no_interval_degenerate",))
        error = math.sqrt(variance / (n - 1))
        bounds = (0.0, request.definition.bounds[1] or math.inf)
        return Outcome(normal_interval(result.value, error, request.level, "normal", bounds=bounds))

    return method


def brier_skill(result: Measured, request: Request) -> Outcome:
    """Normal interval of 1 - Brier / (ybar (1 - ybar)) from the influence of each row on it."""
    if request.units is not None:
        return _brier_skill_of_units(request.units, request)
    sums = request.evidence.losses("squared_error", 0.0)
    n, rate = float(sums.n), float(Fraction(sums.positives.n, sums.positives.n + sums.negatives.n))
    spread = rate * (1 - rate)
    brier = sums.mean
    # d skill = -(loss - brier) / spread + brier (1 - 2 rate) (y - rate) / spread^2, row by row.
    variance = 0.0
    for of_class, y in ((sums.positives, 1), (sums.negatives, 0)):
        shift = brier + brier * (1 - 2 * rate) * (y - rate) / spread
        count, total = Fraction(of_class.n, 1 << 52), Fraction(of_class.total, 1 << 104)
        squares = Fraction(of_class.squares, 1 << 104)
        exact = squares - 2 * Fraction(shift) * total + Fraction(shift) ** 2 * count
        variance += float(exact)
    if n < FEWEST_ROWS or variance <= 0:
        return Outcome(None, notes=("no_interval_degenerate",))
    error = math.sqrt(variance / n / (n - 1)) / spread
    bounds = (-math.inf, 1.0)
    return Outcome(normal_interval(result.value, error, request.level, "influence", bounds=bounds))


def _brier_skill_of_units(units: Units, request: Request) -> Outcome:
    forecasts, y = units.scores.astype(np.float64), units.positive.astype(np.float64)
    columns = [(forecasts - y) ** 2, y, np.ones_like(y)]
    sums = units.sums(columns, request.replicates, request.seed)
    loss, rate = sums[:, 0] / sums[:, 2], sums[:, 1] / sums[:, 2]
    spread = rate * (1 - rate)
    skill = 1 - np.divide(loss, spread, out=np.full_like(loss, math.nan), where=spread > 0)
    return _percentiles(skill, request, "bootstrap-percentile")


def logistic_wald(result: Measured, request: Request) -> Outcome:
    """Wald interval from the standard error of a logistic fit."""
    if request.units is not None:
        return Outcome(None, notes=("no_interval_clustered_fit",))
    error = result.conditions["standard_error"]
    return Outcome(normal_interval(result.value, error, request.level, "wald"))


def consistency_band(result: Measured, request: Request) -> Outcome:
    """Give no interval, but the error that a perfectly calibrated model would show at this n.

    Also the estimate freed from the bias that noise gives it.
    """
    bins = int(request.arguments["bins"])
    try:
        table = request.evidence.table
    except LacksSummaryError:
        return Outcome(None, notes=("no_interval_binned",))
    if not table.is_whole:
        return Outcome(None, notes=("no_interval_binned",))
    band = calibration_band.consistency_band(
        table,
        bin_index(table.scores, bins),
        level=request.level,
        replicates=request.replicates,
        seed=request.seed,
    )
    ece = request.definition.name == "ece"
    high = band.ece_high if ece else band.mce_high
    observed = {
        "calibrated_mean": band.ece_mean if ece else band.mce_mean,
        "calibrated_high": high,
        "band_level": request.level,
    }
    if ece:
        reliability = request.evidence.reliability(bins)
        columns = (reliability.column(name) for name in ("n", "sum_p", "sum_y"))
        observed["debiased"] = calibration_band.debiased_ece(*columns)
        observed["calibration_p_value"] = band.ece_p_value
    within = ("consistent_with_calibration",) if result.value <= high else ()
    return Outcome(None, observed, ("no_interval_binned", *within))
