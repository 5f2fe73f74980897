"""Tests of a difference that need sums over the rows: of what a row adds to either model.

The best threshold of a cost or of KS is held fixed at each model's own, which to first order moves
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

import numpy as np

from veridical.comparison.contrasts import Contrast
from veridical.comparison.decisions import (
    Cells,
    bonett_price,
    decision_influence,
    distance_influence,
)
from veridical.comparison.pairs import Side
from veridical.comparison.questions import Question, SummedTest, Sums, Tested
from veridical.comparison.row_values import (
    AtSlots,
    BrierRatio,
    CostOf,
    Floats,
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
from veridical.results import Measured
from veridical.stats.delong import auc_exact, placements
from veridical.stats.influence import auc_at_slots, average_precision_at_slots
from veridical.stats.paired import mcnemar
from veridical.stats.row_sums import (
    ClassSums,
    delong_difference,
    influence_difference,
    tested_by_t,
)
from veridical.stats.standard_error import standard_error, unit_totals
from veridical.summaries import ConfusionCounts, Walk
from veridical.summaries.losses import Loss

__all__ = [
    "NOT_TESTED",
    "RIGHT",
    "auc",
    "average_precision",
    "brier_skill",
    "by_units",
    "cost",
    "decision",
    "is_reversed",
    "ks",
    "mean_loss",
    "same_denominator",
]

NOT_TESTED: Final = Tested("none", notes=("not_tested",))
"""The difference alone: no test of it is known to hold."""


def auc(asked: Question) -> SummedTest:
    """DeLong of ROC-AUC or Gini; influence values under weights or clusters."""
    scale = 2.0 if asked.measure.name == "gini" else 1.0
    (a, _), (b, _) = asked.sides
    if not asked.pair.independent:
        of_a, of_b = (_at_slots(side, "auc", lambda w: auc_at_slots(w).values) for side in (a, b))
        return _by_influence(asked, of_a, of_b, scale)
    of_a, of_b = (
        _at_slots(side, "placements", lambda w: np.concatenate(placements(w))) for side in (a, b)
    )
    exact = [auc_exact(side.part.evidence.ranking.walk) for side in (a, b)]
    difference = float(exact[0] - exact[1])

    def finish(sums: Sums) -> Tested:
        return Tested.of("delong", delong_difference(difference, *sums, asked.level), scale)

    contrast = Contrast(str(asked.measure), asked.pair.models, (of_a, of_b), difference)
    return SummedTest(contrast, finish)


def average_precision(asked: Question) -> SummedTest:
    """Influence values of average precision."""
    of_a, of_b = (
        _at_slots(side, "average_precision", lambda w: average_precision_at_slots(w).values)
        for side, _ in asked.sides
    )
    return _by_influence(asked, of_a, of_b)


def _at_slots(side: Side, name: str, values: Callable[[Walk], Floats]) -> AtSlots:
    """Return what a row in each slot adds; as long as the positives are many, so made once."""
    if name not in side.kept:
        walk = side.part.evidence.ranking.walk
        side.kept[name] = AtSlots(walk.thresholds, values(walk))
    found: AtSlots = side.kept[name]
    return found


def brier_skill(asked: Question) -> SummedTest:
    """Influence values of Brier / (rate (1 - rate))."""
    # Skill is 1 minus the ratio, so the difference turns round.
    of_a, of_b = (_brier_ratio(side) for side, _ in asked.sides)
    return _by_influence(asked, of_b, of_a, models=asked.pair.models[::-1])


def _brier_ratio(side: Side) -> BrierRatio:
    sums = side.part.evidence.losses("squared_error", 0.0)
    rows = sums.positives.n + sums.negatives.n
    return BrierRatio(sums.mean, float(Fraction(sums.positives.n, rows)))


def mean_loss(asked: Question) -> SummedTest:
    """Student's t of the difference of two losses."""
    loss: Loss = "squared_error" if asked.measure.name == "brier" else "log"
    clip = float(asked.measure.arguments().get("clip", 0.0))
    of_a, of_b = (LossOf(loss, clip, result.value) for _, result in asked.sides)
    return _by_influence(asked, of_a, of_b, centre=asked.difference)


def is_reversed(asked: Question) -> bool:
    """Whether negatives score above positives where a KS distance is; no threshold is given."""
    return any(result.conditions.get("threshold") is None for _, result in asked.sides)


def ks(asked: Question) -> SummedTest:
    """Influence values of TPR - FPR where it is largest."""
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


def cost(asked: Question) -> SummedTest:
    """Student's t of the difference of two costs, or savings."""
    total = float(asked.pair.a.part.evidence.ranking.total)
    of_a, of_b = (_cost_of(asked.measure.name, side, result, total) for side, result in asked.sides)
    return _by_influence(asked, of_a, of_b, scale=total, centre=asked.difference / total)


def _cost_of(name: str, side: Side, result: Measured, total: float) -> RowValues:
    """Return the cost of a row, or what it saves, at the thresholds that the result stands for."""
    costs, in_use = side.settings.costs, side.settings.threshold
    if costs is None:
        raise ParameterError("a cost needs prices", fix="give costs=Costs(fn=..., fp=...)")
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
) -> SummedTest:
    contrast = Contrast(str(asked.measure), models or asked.pair.models, (of_a, of_b), centre)

    def finish(sums: Sums) -> Tested:
        found = influence_difference(
            asked.difference / scale, sums[0] + sums[1], contrast.scale, asked.level
        )
        return Tested.of("influence", found, scale)

    return SummedTest(contrast, finish, scale)


def by_units(asked: Question, test: SummedTest) -> Tested:
    """Resolve a test where rows have weights, or units are clusters of rows."""
    pair, contrast = asked.pair, test.contrast
    units = {pair.a.name: pair.a.rows, pair.b.name: pair.b.rows}
    values = contrast.differences({name: ModelRows(rows) for name, rows in units.items()})
    error = standard_error(unit_totals(values, pair.a.rows.weight, pair.a.rows.codes))
    found = tested_by_t(asked.difference / test.scale, error, contrast.scale, asked.level)
    method = "influence" if pair.a.rows.codes is None else "influence-clusters"
    return Tested.of(method, found, test.scale)


def decision(asked: Question) -> SummedTest | Tested:
    """Influence values of a metric of the four counts."""
    cells = [_cells(asked.measure, side) for side, _ in asked.sides]
    of_a, of_b = (
        None if values is None else InCells(side.settings.threshold, values)
        for (side, _), values in zip(asked.sides, cells, strict=True)
    )
    return NOT_TESTED if of_a is None or of_b is None else _by_influence(asked, of_a, of_b)


def _cells(measure: Measure, side: Side) -> Cells | None:
    return decision_influence(measure, side.part.evidence.at(side.settings.threshold))


def same_denominator(asked: Question) -> SummedTest:
    """McNemar of two proportions among the same rows, with the interval of Bonett and Price."""
    right, classes = RIGHT[asked.name]
    of_a, of_b = (InCells(side.settings.threshold, right) for side, _ in asked.sides)

    def finish(of_each: Sums) -> Tested:
        sums = sum((of_each[number] for number in classes), ClassSums())
        # Differences are 1, 0 or -1: their squares count those that are not 0.
        more, differing = sums.n * sums.mean, sums.n * (sums.spread + sums.mean**2)
        only_a, only_b = round((differing + more) / 2), round((differing - more) / 2)
        interval = bonett_price(only_a, only_b, sums.n, asked.level)
        observed = {"only_a": only_a, "only_b": only_b}
        return Tested("mcnemar-exact", interval, mcnemar(only_a, only_b).exact, observed)

    return SummedTest(Contrast(str(asked.measure), asked.pair.models, (of_a, of_b)), finish)


_POSITIVES, _NEGATIVES = 0, 1
RIGHT: Mapping[str, tuple[Cells, tuple[int, ...]]] = {
    "binary.recall": ((1.0, 0.0, 0.0, 0.0), (_POSITIVES,)),
    "binary.specificity": ((0.0, 0.0, 0.0, 1.0), (_NEGATIVES,)),
    "binary.fpr": ((0.0, 1.0, 0.0, 0.0), (_NEGATIVES,)),
    "binary.accuracy": ((1.0, 0.0, 0.0, 1.0), (_POSITIVES, _NEGATIVES)),
}
"""Proportions whose denominator is the same rows for both models: which cells count, of whom."""
