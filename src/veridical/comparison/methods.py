"""Which test and which interval the difference of each metric gets.

=========================================  =====================================================
ROC-AUC, Gini                              DeLong; influence values under weights or clusters
average precision, Brier, Brier skill,     influence values: how far each row moves the difference
log loss, KS, costs
recall, specificity, FPR, accuracy         McNemar's exact test, Bonett-Price interval
other metrics of a decision                influence values
recall at an FPR                           bootstrap; beyond ``LARGE`` rows of the top alone
other points and tops of a ranking         bootstrap; beyond ``LARGE`` rows fewer replicates,
                                           whose standard deviation gives a normal interval
calibration in bins, logistic fits         the difference alone
=========================================  =====================================================

Simulation chose influence values over the bootstrap wherever both exist: under no difference they
find one in 3 to 6% of the samples, the percentile bootstrap of F1 or KS in up to 9%.  The best
threshold of a cost or of KS is held fixed at each model's own, which to first order moves nothing.
All but the bootstrap need a few sums over the rows and nothing else, so rows may come in batches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.comparison.contrasts import Contrast, PassSums
from veridical.comparison.decisions import (
    Cells,
    bonett_price,
    decision_influence,
    distance_influence,
)
from veridical.comparison.pairs import Pair, Side
from veridical.comparison.replicates import LARGE, Replicates, top_replicates
from veridical.comparison.row_values import (
    AtSlots,
    BrierRatio,
    CostOf,
    InCells,
    LossOf,
    ModelRows,
    RowValues,
    SavingOf,
)
from veridical.costs import Costs
from veridical.errors import ParameterError
from veridical.kernels.arrays import as_score
from veridical.measures import Measure
from veridical.metrics.cost import best_threshold
from veridical.reasons import SkipReason
from veridical.results import Interval, Measured, Skipped
from veridical.stats.delong import auc_exact, placements
from veridical.stats.influence import auc_at_slots, average_precision_at_slots
from veridical.stats.normal import normal_interval, two_sided_p
from veridical.stats.paired import mcnemar, paired_bootstrap
from veridical.stats.row_sums import (
    ClassSums,
    PairedDifference,
    delong_difference,
    influence_difference,
    tested_by_t,
)
from veridical.stats.standard_error import standard_error, unit_totals
from veridical.summaries import ConfusionCounts, Walk
from veridical.summaries.losses import Loss

__all__ = ["Question", "Tested", "announce", "resampled", "tested", "unavailable"]

Floats: TypeAlias = npt.NDArray[np.float64]
Sums: TypeAlias = tuple[ClassSums, ClassSums]


@dataclass(frozen=True, slots=True)
class Question:
    """One metric of two models on the same rows.

    Attributes
    ----------
    measure, pair
        What is compared.
    of_a, of_b
        The results of the two sides.
    replicates, sums
        Where bootstrap replicates, and sums over the rows, are kept.
    """

    measure: Measure
    pair: Pair
    of_a: Measured
    of_b: Measured
    replicates: Replicates
    sums: PassSums

    @property
    def name(self) -> str:
        """The metric without its parameters."""
        return f"{self.measure.family}.{self.measure.name}"

    @property
    def difference(self) -> float:
        """First minus second."""
        return self.of_a.value - self.of_b.value

    @property
    def sides(self) -> tuple[tuple[Side, Measured], tuple[Side, Measured]]:
        """Each side with its result."""
        return (self.pair.a, self.of_a), (self.pair.b, self.of_b)

    @property
    def level(self) -> float:
        """Coverage of the interval."""
        return self.pair.a.settings.level


@dataclass(frozen=True, slots=True)
class Tested:
    """The interval and the test of a difference.

    Attributes
    ----------
    method
        What the test is called; ``"none"`` where there is none.
    interval, p_value
        Of the difference; None where it cannot be had.
    observed, notes
        What to say beside them.
    """

    method: str
    interval: Interval | None = None
    p_value: float | None = None
    observed: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, method: str, paired: PairedDifference, scale: float = 1.0, **observed: Any
    ) -> Tested:
        """Read a paired difference, whose metric is ``scale`` times what was tested."""
        if isinstance(paired.interval, SkipReason):
            return cls(method, observed=observed, notes=("no_interval_degenerate",))
        low, high = scale * paired.interval.low, scale * paired.interval.high
        interval = Interval(low, high, paired.interval.level, method)
        return cls(method, interval, paired.p_value, observed)


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """A test that needs sums over the rows and nothing else.

    Attributes
    ----------
    contrast
        What is summed.
    finish
        From the sums of both classes to the answer.
    scale
        The metric's difference is this times what rows add.
    """

    contrast: Contrast
    finish: Callable[[Sums], Tested]
    scale: float = 1.0


def tested(asked: Question) -> Tested:
    """Return the interval and the test of a difference."""
    test = _test_of(asked)(asked)
    if isinstance(test, Tested):
        found = test
    elif asked.pair.independent:
        found = test.finish(asked.sums.of(test.contrast, asked.pair.rows))
    else:
        found = _by_units(asked, test)
    units = asked.pair.a.rows if asked.pair.in_memory else None
    if found.method == "none" or units is None or units.codes is None or not units.are_few:
        return found
    return replace(found, notes=(*found.notes, "few_clusters"))


def announce(asked: Question) -> None:
    """Have what a question needs summed in the same pass as what others need."""
    if unavailable(asked) is None and asked.pair.independent:
        of = _test_of(asked)
        # Tests by resampling, of which nothing is summed, would be run.
        if of not in _RESAMPLING:
            test = of(asked)
            if isinstance(test, Test):
                asked.sums.announce(test.contrast)


def unavailable(asked: Question) -> Skipped | None:
    """Return why a difference cannot be tested where its rows are, or None where it can."""
    resampled = _test_of(asked) in _RESAMPLING or (
        asked.name == "binary.ks" and _is_reversed(asked)
    )
    if asked.pair.in_memory or not resampled:
        return None
    return Skipped(
        "unsupported_by_engine",
        detail="it is compared by resampling rows, which are not in memory: read them with "
        'engine="memory"',
    )


def _test_of(asked: Question) -> Callable[[Question], Tested | Test]:
    definition = asked.measure.definition
    independent = asked.pair.independent
    if definition.point is None and asked.name in _BY_NAME:
        return _BY_NAME[asked.name]
    if definition.summary is ConfusionCounts:
        return _mcnemar if asked.name in _RIGHT and independent else _decision
    if definition.statistic is None:
        return _nothing
    is_large = asked.pair.in_memory and asked.pair.a.rows.n_units > LARGE
    if asked.name == "binary.recall" and definition.point == "fpr" and is_large and independent:
        return _top
    return _walks


def resampled(measures: Iterable[Measure]) -> list[Measure]:
    """Return the metrics whose difference is tested by resampling walks."""
    return [
        measure
        for measure in measures
        if measure.definition.statistic is not None
        and (measure.definition.point or f"{measure.family}.{measure.name}" not in _BY_NAME)
    ]


def _nothing(_asked: Question) -> Tested:
    return Tested("none", notes=("not_tested",))


def _auc(asked: Question) -> Test:
    scale = 2.0 if asked.measure.name == "gini" else 1.0
    walks = tuple(side.part.evidence.ranking.walk for side, _ in asked.sides)
    if not asked.pair.independent:
        of_a, of_b = (AtSlots(walk.thresholds, auc_at_slots(walk).values) for walk in walks)
        return _by_influence(asked, of_a, of_b, scale)
    of_a, of_b = (AtSlots(w.thresholds, np.concatenate(placements(w))) for w in walks)
    difference = float(auc_exact(walks[0]) - auc_exact(walks[1]))

    def finish(sums: Sums) -> Tested:
        return Tested.of("delong", delong_difference(difference, *sums, asked.level), scale)

    return Test(Contrast(str(asked.measure), asked.pair.models, (of_a, of_b), difference), finish)


def _average_precision(asked: Question) -> Test:
    of_a, of_b = (_average_precision_of(side.part.evidence.ranking.walk) for side, _ in asked.sides)
    return _by_influence(asked, of_a, of_b)


def _average_precision_of(walk: Walk) -> AtSlots:
    return AtSlots(walk.thresholds, average_precision_at_slots(walk).values)


def _brier_skill(asked: Question) -> Test:
    # Skill is 1 minus the ratio, so the difference turns round.
    of_a, of_b = (_brier_ratio(side) for side, _ in asked.sides)
    return _by_influence(asked, of_b, of_a, models=asked.pair.models[::-1])


def _brier_ratio(side: Side) -> BrierRatio:
    sums = side.part.evidence.losses("squared_error", 0.0)
    rows = sums.positives.n + sums.negatives.n
    return BrierRatio(sums.mean, float(Fraction(sums.positives.n, rows)))


def _mean_loss(asked: Question) -> Test:
    loss: Loss = "squared_error" if asked.measure.name == "brier" else "log"
    clip = float(asked.measure.arguments().get("clip", 0.0))
    of_a, of_b = (LossOf(loss, clip, result.value) for _, result in asked.sides)
    return _by_influence(asked, of_a, of_b, centre=asked.difference)


def _is_reversed(asked: Question) -> bool:
    """Whether negatives score above positives where a KS distance is; no threshold is given."""
    return any(result.conditions.get("threshold") is None for _, result in asked.sides)


def _ks(asked: Question) -> Test | Tested:
    if _is_reversed(asked):
        return _walks(asked)
    of_a, of_b = (_distance(side, result) for side, result in asked.sides)
    return _by_influence(asked, of_a, of_b)


def _distance(side: Side, result: Measured) -> InCells:
    threshold = float(result.conditions["threshold"])
    counts = _counts(side.part.evidence.ranking.walk, threshold)
    return InCells(threshold, distance_influence(counts))


def _counts(walk: Walk, threshold: float) -> ConfusionCounts:
    """Return the counts at a score of a positive."""
    ascending = walk.thresholds[::-1]
    at = len(walk) - 1 - int(np.searchsorted(ascending, as_score(threshold, ascending.dtype)))
    tp, fp = (Fraction(float(column[at])) for column in (walk.tp, walk.fp))
    return ConfusionCounts(tp, fp, walk.total_positives - tp, walk.total_negatives - fp)


def _cost(asked: Question) -> Test:
    total = float(asked.pair.a.part.evidence.ranking.total)
    of_a, of_b = (_cost_of(asked.measure.name, side, result, total) for side, result in asked.sides)
    return _by_influence(asked, of_a, of_b, scale=total, centre=asked.difference / total)


def _cost_of(name: str, side: Side, result: Measured, total: float) -> RowValues:
    """Return the cost of a row, or what it saves, at the thresholds that the result stands for."""
    costs, in_use = side.settings.costs, side.settings.threshold
    if costs is None:
        raise ParameterError("a cost needs prices")
    if name == "total":
        return CostOf(costs, in_use, result.value / total)
    if name == "best_threshold":
        return CostOf(costs, _cheapest(side, costs), result.value / total)
    against = {"threshold": in_use, "flag_nothing": None, "flag_all": -math.inf}
    baseline = against[result.conditions["against"]]
    mean = float(result.conditions["baseline_cost"]) / total
    return SavingOf(CostOf(costs, baseline, mean), CostOf(costs, _cheapest(side, costs), mean))


def _cheapest(side: Side, costs: Costs) -> float | None:
    """Return the threshold of the lowest cost; None flags nothing."""
    best = best_threshold.function(side.part.evidence.ranking, costs)
    threshold = best.conditions["threshold"]
    return None if threshold is None else float(threshold)


def _by_influence(
    asked: Question,
    of_a: RowValues,
    of_b: RowValues,
    scale: float = 1.0,
    *,
    centre: float = 0.0,
    models: tuple[str, str] | None = None,
) -> Test:
    contrast = Contrast(str(asked.measure), models or asked.pair.models, (of_a, of_b), centre)

    def finish(sums: Sums) -> Tested:
        found = influence_difference(
            asked.difference / scale, sums[0] + sums[1], contrast.scale, asked.level
        )
        return Tested.of("influence", found, scale)

    return Test(contrast, finish, scale)


def _by_units(asked: Question, test: Test) -> Tested:
    """Resolve a test where rows have weights, or units are clusters of rows."""
    pair, contrast = asked.pair, test.contrast
    units = {pair.a.name: pair.a.rows, pair.b.name: pair.b.rows}
    values = contrast.differences({name: ModelRows(rows) for name, rows in units.items()})
    error = standard_error(unit_totals(values, pair.a.rows.weight, pair.a.rows.codes))
    found = tested_by_t(asked.difference / test.scale, error, contrast.scale, asked.level)
    method = "influence" if pair.a.rows.codes is None else "influence-clusters"
    return Tested.of(method, found, test.scale)


def _decision(asked: Question) -> Test | Tested:
    cells = [_cells(asked.measure, side) for side, _ in asked.sides]
    of_a, of_b = (
        None if values is None else InCells(side.settings.threshold, values)
        for (side, _), values in zip(asked.sides, cells, strict=True)
    )
    return _nothing(asked) if of_a is None or of_b is None else _by_influence(asked, of_a, of_b)


def _cells(measure: Measure, side: Side) -> Cells | None:
    return decision_influence(measure, side.part.evidence.at(side.settings.threshold))


def _mcnemar(asked: Question) -> Test:
    right, classes = _RIGHT[asked.name]
    of_a, of_b = (InCells(side.settings.threshold, right) for side, _ in asked.sides)

    def finish(of_each: Sums) -> Tested:
        sums = sum((of_each[number] for number in classes), ClassSums())
        # Differences are 1, 0 or -1: their squares count those that are not 0.
        more, differing = sums.n * sums.mean, sums.n * (sums.spread + sums.mean**2)
        only_a, only_b = round((differing + more) / 2), round((differing - more) / 2)
        interval = bonett_price(only_a, only_b, sums.n, asked.level)
        observed = {"only_a": only_a, "only_b": only_b}
        return Tested("mcnemar-exact", interval, mcnemar(only_a, only_b).exact, observed)

    return Test(Contrast(str(asked.measure), asked.pair.models, (of_a, of_b)), finish)


_POSITIVES, _NEGATIVES = 0, 1
_RIGHT: Mapping[str, tuple[Cells, tuple[int, ...]]] = {
    "binary.recall": ((1.0, 0.0, 0.0, 0.0), (_POSITIVES,)),
    "binary.specificity": ((0.0, 0.0, 0.0, 1.0), (_NEGATIVES,)),
    "binary.fpr": ((0.0, 1.0, 0.0, 0.0), (_NEGATIVES,)),
    "binary.accuracy": ((1.0, 0.0, 0.0, 1.0), (_POSITIVES, _NEGATIVES)),
}
"""Proportions whose denominator is the same rows for both models: which cells count, of whom."""


def _top(asked: Question) -> Tested:
    settings, fpr = asked.pair.a.settings, float(asked.measure.arguments()["fpr"])
    values = top_replicates(asked.pair, asked.measure, fpr, settings.replicates, settings.seed)
    return _by_bootstrap(asked, *values)


def _walks(asked: Question) -> Tested:
    of_a, of_b = (asked.replicates.of(asked.measure, side) for side, _ in asked.sides)
    return _by_bootstrap(asked, of_a, of_b)


def _by_bootstrap(asked: Question, of_a: Floats, of_b: Floats) -> Tested:
    method = "bootstrap" if asked.pair.a.rows.codes is None else "bootstrap-clusters"
    paired, degenerate = paired_bootstrap(asked.difference, of_a, of_b, asked.level)
    observed = {"replicates": len(of_a), "degenerate_replicates": degenerate}
    if len(of_a) >= asked.pair.a.settings.replicates or paired.variance is None:
        return Tested.of(method, paired, **observed)
    # Few replicates know the spread of the difference, but not its tails.
    error = paired.variance**0.5
    interval = normal_interval(asked.difference, error, asked.level, f"{method}-normal")
    return Tested(f"{method}-normal", interval, two_sided_p(asked.difference / error), observed)


_RESAMPLING: Final = (_top, _walks)

_BY_NAME: Mapping[str, Callable[[Question], Tested | Test]] = {
    "binary.roc_auc": _auc,
    "binary.gini": _auc,
    "binary.average_precision": _average_precision,
    "binary.ks": _ks,
    "calibration.brier": _mean_loss,
    "calibration.log_loss": _mean_loss,
    "calibration.brier_skill": _brier_skill,
    "cost.total": _cost,
    "cost.best_threshold": _cost,
    "cost.saving": _cost,
}
