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
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.comparison.decisions import (
    bonett_price,
    cost_influence,
    decision_influence,
    discordant,
    distance_influence,
    flagged,
)
from veridical.comparison.pairs import Pair, Side
from veridical.comparison.replicates import LARGE, Replicates, top_replicates
from veridical.costs import Costs
from veridical.errors import ParameterError
from veridical.measures import Measure
from veridical.metrics.cost import best_threshold
from veridical.metrics.intervals import Units
from veridical.reasons import SkipReason
from veridical.results import Interval, Measured
from veridical.stats.delong import PairedDifference, paired_delong
from veridical.stats.influence import (
    Influence,
    auc_influence,
    average_precision_influence,
    brier_ratio_influence,
    mean_influence,
)
from veridical.stats.normal import normal_interval, two_sided_p
from veridical.stats.paired import mcnemar, paired_bootstrap, paired_influence
from veridical.summaries import ConfusionCounts
from veridical.summaries.losses import Loss, losses_of

__all__ = ["Question", "Tested", "resampled", "tested"]

Floats: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Question:
    """One metric of two models on the same rows.

    Attributes
    ----------
    measure, pair
        What is compared.
    of_a, of_b
        The results of the two sides.
    replicates
        Where bootstrap replicates are kept.
    """

    measure: Measure
    pair: Pair
    of_a: Measured
    of_b: Measured
    replicates: Replicates

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


def tested(asked: Question) -> Tested:
    """Return the interval and the test of a difference."""
    found = _test_of(asked)(asked)
    units = asked.pair.a.rows
    if found.method == "none" or units.codes is None or not units.are_few:
        return found
    return replace(found, notes=(*found.notes, "few_clusters"))


def _test_of(asked: Question) -> Callable[[Question], Tested]:
    definition = asked.measure.definition
    independent = asked.pair.independent
    if definition.point is None and asked.name in _BY_NAME:
        return _BY_NAME[asked.name]
    if definition.summary is ConfusionCounts:
        return _mcnemar if asked.name in _RIGHT and independent else _decision
    if definition.statistic is None:
        return _nothing
    is_large = asked.pair.a.rows.n_units > LARGE
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


def _auc(asked: Question) -> Tested:
    a, b = asked.pair.a.rows, asked.pair.b.rows
    scale = 2.0 if asked.measure.name == "gini" else 1.0
    if asked.pair.independent:
        paired = paired_delong(a.positive, a.scores, b.scores, asked.level)
        return Tested.of("delong", paired, scale)
    of_a, of_b = (auc_influence(s.positive, s.scores, s.weight) for s in (a, b))
    return _by_influence(asked, of_a, of_b, scale)


def _average_precision(asked: Question) -> Tested:
    sides = (asked.pair.a.rows, asked.pair.b.rows)
    of_a, of_b = (average_precision_influence(s.positive, s.scores, s.weight) for s in sides)
    return _by_influence(asked, of_a, of_b)


def _brier_skill(asked: Question) -> Tested:
    sides = (asked.pair.a.rows, asked.pair.b.rows)
    # Skill is 1 minus the ratio, so the difference turns round.
    of_a, of_b = (brier_ratio_influence(s.positive, s.scores, s.weight) for s in sides)
    return _by_influence(asked, of_b, of_a)


def _mean_loss(asked: Question) -> Tested:
    loss: Loss = "squared_error" if asked.measure.name == "brier" else "log"
    clip = float(asked.measure.arguments().get("clip", 0.0))

    def influence(side: Units) -> Influence:
        if_positive, if_negative = losses_of(loss, side.scores, clip)
        return mean_influence(np.where(side.positive, if_positive, if_negative), side.weight)

    return _by_influence(asked, influence(asked.pair.a.rows), influence(asked.pair.b.rows))


def _ks(asked: Question) -> Tested:
    found = []
    for side, result in asked.sides:
        threshold = result.conditions.get("threshold")
        if threshold is None:  # negatives score above positives, where no threshold is given
            return _walks(asked)
        found.append(distance_influence(side.rows, float(threshold)))
    of_a, of_b = found
    return _by_influence(asked, of_a, of_b)


def _cost(asked: Question) -> Tested:
    of_a, of_b = (_cost_of(asked.measure.name, side, result) for side, result in asked.sides)
    rows = asked.pair.a.rows
    total = len(rows.scores) if rows.weight is None else float(rows.weight.sum())
    return _by_influence(asked, of_a, of_b, scale=total)


def _cost_of(name: str, side: Side, result: Measured) -> Influence:
    """Return the cost of a row, or what it saves, at the thresholds that the result stands for."""
    costs, in_use = side.settings.costs, side.settings.threshold
    if costs is None:
        raise ParameterError("a cost needs prices")
    if name == "total":
        return cost_influence(side.rows, costs, in_use)
    best = cost_influence(side.rows, costs, _cheapest(side, costs))
    if name == "best_threshold":
        return best
    against = {"threshold": in_use, "flag_nothing": None, "flag_all": -math.inf}
    baseline = cost_influence(side.rows, costs, against[result.conditions["against"]])
    return Influence(baseline.estimate - best.estimate, baseline.values - best.values)


def _cheapest(side: Side, costs: Costs) -> float | None:
    """Return the threshold of the lowest cost; None flags nothing."""
    best = best_threshold.function(side.part.evidence.ranking, costs)
    threshold = best.conditions["threshold"]
    return None if threshold is None else float(threshold)


def _by_influence(asked: Question, of_a: Influence, of_b: Influence, scale: float = 1.0) -> Tested:
    rows = asked.pair.a.rows
    found = paired_influence(of_a, of_b, asked.level, weight=rows.weight, units=rows.codes)
    return Tested.of("influence" if rows.codes is None else "influence-clusters", found, scale)


def _decision(asked: Question) -> Tested:
    of_a, of_b = (
        decision_influence(asked.measure, side.rows, side.settings.threshold)
        for side, _ in asked.sides
    )
    return _nothing(asked) if of_a is None or of_b is None else _by_influence(asked, of_a, of_b)


def _mcnemar(asked: Question) -> Tested:
    among, right = _RIGHT[asked.name]
    chosen = among(asked.pair.a.rows.positive)
    of_a, of_b = (
        right(side.rows.positive, flagged(side.rows, side.settings.threshold))[chosen]
        for side, _ in asked.sides
    )
    only_a, only_b = discordant(of_a, of_b)
    interval = bonett_price(only_a, only_b, int(chosen.sum()), asked.level)
    observed = {"only_a": only_a, "only_b": only_b}
    return Tested("mcnemar-exact", interval, mcnemar(only_a, only_b).exact, observed)


def _everyone(positive: Mask) -> Mask:
    return np.ones_like(positive)


def _flag(_positive: Mask, flag: Mask) -> Mask:
    return flag


def _no_flag(_positive: Mask, flag: Mask) -> Mask:
    return ~flag


def _agreement(positive: Mask, flag: Mask) -> Mask:
    return ~(positive ^ flag)


_RIGHT: Mapping[str, tuple[Callable[[Mask], Mask], Callable[[Mask, Mask], Mask]]] = {
    "binary.recall": (np.asarray, _flag),
    "binary.specificity": (np.logical_not, _no_flag),
    "binary.fpr": (np.logical_not, _flag),
    "binary.accuracy": (_everyone, _agreement),
}
"""Proportions whose denominator is the same rows for both models: which rows, and what counts."""


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


_BY_NAME: Mapping[str, Callable[[Question], Tested]] = {
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
