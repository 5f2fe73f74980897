"""Which test and which interval the difference of each metric gets.

========================================  =======================================================
ROC-AUC, Gini                             DeLong; influence values under weights or clusters
Brier, Brier skill, log loss              influence values (for a mean: the row-wise differences)
recall, specificity, FPR, accuracy        McNemar's exact test, Bonett-Price interval
other metrics of a decision               bootstrap of the eight cells of two decisions and a label
average precision                         bootstrap; influence values beyond ``LARGE`` rows
recall at an FPR                          bootstrap; beyond ``LARGE`` rows of the top alone
other metrics of a ranking, costs         bootstrap; beyond ``LARGE`` rows fewer replicates, whose
                                          standard deviation gives a normal interval
calibration in bins, logistic fits        the difference alone
========================================  =======================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.comparison.decisions import (
    bonett_price,
    cell_values,
    discordant,
    flagged,
    replicated_cells,
)
from veridical.comparison.pairs import Pair
from veridical.comparison.replicates import LARGE, Replicates, replicates_for, top_replicates
from veridical.measures import Measure
from veridical.metrics.intervals import Units
from veridical.reasons import SkipReason
from veridical.results import Interval
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

__all__ = ["Tested", "tested"]

Floats: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]

FEW_UNITS = 30


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
        low, high = sorted((scale * paired.interval.low, scale * paired.interval.high))
        interval = Interval(low, high, paired.interval.level, method)
        return cls(method, interval, paired.p_value, observed)


def tested(measure: Measure, pair: Pair, difference: float, replicates: Replicates) -> Tested:
    """Return the interval and the test of ``difference`` between the two sides of a pair."""
    test = _test_of(measure, pair)
    found = test(measure, pair, difference, replicates)
    units = pair.a.rows
    if found.method == "none" or units.codes is None or units.n_units >= FEW_UNITS:
        return found
    return Tested(
        found.method, found.interval, found.p_value, found.observed, (*found.notes, "few_clusters")
    )


_Test: TypeAlias = Callable[[Measure, Pair, float, Replicates], Tested]


def _test_of(measure: Measure, pair: Pair) -> _Test:
    definition = measure.definition
    name = f"{measure.family}.{measure.name}"
    large = pair.a.rows.n_units > LARGE
    if name in _BY_NAME and definition.point is None:
        return _BY_NAME[name]
    if definition.summary is ConfusionCounts:
        right = _RIGHT.get(name)
        return _mcnemar if right is not None and pair.independent else _cells
    if name == "binary.average_precision" and large:
        return _average_precision
    if name == "binary.recall" and definition.point == "fpr" and large and pair.independent:
        return _top
    return _walks if definition.statistic is not None else _nothing


def _nothing(_measure: Measure, _pair: Pair, _difference: float, _: Replicates) -> Tested:
    return Tested("none", notes=("not_tested",))


def _auc(measure: Measure, pair: Pair, _difference: float, _: Replicates) -> Tested:
    a, b, level = pair.a.rows, pair.b.rows, pair.a.settings.level
    scale = 2.0 if measure.name == "gini" else 1.0
    if pair.independent:
        return Tested.of("delong", paired_delong(a.positive, a.scores, b.scores, level), scale)
    of_a, of_b = (auc_influence(s.positive, s.scores, s.weight) for s in (a, b))
    return _by_influence(pair, of_a, of_b, scale)


def _average_precision(_measure: Measure, pair: Pair, _difference: float, _: Replicates) -> Tested:
    sides = (pair.a.rows, pair.b.rows)
    of_a, of_b = (average_precision_influence(s.positive, s.scores, s.weight) for s in sides)
    return _by_influence(pair, of_a, of_b)


def _brier_skill(_measure: Measure, pair: Pair, _difference: float, _: Replicates) -> Tested:
    sides = (pair.a.rows, pair.b.rows)
    # Skill is 1 minus the ratio, so the difference turns round.
    of_a, of_b = (brier_ratio_influence(s.positive, s.scores, s.weight) for s in sides)
    return _by_influence(pair, of_b, of_a)


def _mean_loss(measure: Measure, pair: Pair, _difference: float, _: Replicates) -> Tested:
    clip = float(measure.arguments().get("clip", 0.0))

    def influence(side: Units) -> Influence:
        loss: Loss = "squared_error" if measure.name == "brier" else "log"
        if_positive, if_negative = losses_of(loss, side.scores, clip)
        return mean_influence(np.where(side.positive, if_positive, if_negative), side.weight)

    return _by_influence(pair, influence(pair.a.rows), influence(pair.b.rows))


def _by_influence(pair: Pair, of_a: Influence, of_b: Influence, scale: float = 1.0) -> Tested:
    rows, level = pair.a.rows, pair.a.settings.level
    found = paired_influence(of_a, of_b, level, weight=rows.weight, units=rows.codes)
    return Tested.of("influence" if rows.codes is None else "influence-clusters", found, scale)


def _mcnemar(measure: Measure, pair: Pair, _difference: float, _: Replicates) -> Tested:
    a, b = pair.a.rows, pair.b.rows
    among, right = _RIGHT[f"{measure.family}.{measure.name}"]
    chosen = among(a.positive)
    first, second = (
        right(side.positive, flagged(side, _threshold(settings)))[chosen]
        for side, settings in ((a, pair.a.settings), (b, pair.b.settings))
    )
    only_a, only_b = discordant(first, second)
    interval = bonett_price(only_a, only_b, int(chosen.sum()), pair.a.settings.level)
    observed = {"only_a": only_a, "only_b": only_b}
    return Tested("mcnemar-exact", interval, mcnemar(only_a, only_b).exact, observed)


def _threshold(settings: Any) -> float:
    return float(settings.threshold)


def _everyone(positive: Mask) -> Mask:
    return np.ones_like(positive)


def _hit(_positive: Mask, flag: Mask) -> Mask:
    return flag


def _passed(_positive: Mask, flag: Mask) -> Mask:
    return ~flag


def _agrees(positive: Mask, flag: Mask) -> Mask:
    return ~(positive ^ flag)


_RIGHT: Mapping[str, tuple[Callable[[Mask], Mask], Callable[[Mask, Mask], Mask]]] = {
    "binary.recall": (np.asarray, _hit),
    "binary.specificity": (np.logical_not, _passed),
    "binary.fpr": (np.logical_not, _hit),
    "binary.accuracy": (_everyone, _agrees),
}
"""Proportions whose denominator is the same rows for both models: which rows, and what counts."""


def _cells(measure: Measure, pair: Pair, difference: float, _: Replicates) -> Tested:
    settings = pair.a.settings
    replicates = settings.replicates
    if not pair.independent:
        replicates = replicates_for(pair.a.rows.n_units, replicates)
    thresholds = (_threshold(settings), _threshold(pair.b.settings))
    cells = replicated_cells(pair, thresholds, replicates, settings.seed)
    values = tuple(cell_values(measure, side) for side in cells)
    return _by_bootstrap(pair, difference, *values)


def _top(measure: Measure, pair: Pair, difference: float, _: Replicates) -> Tested:
    settings = pair.a.settings
    fpr = float(measure.arguments()["fpr"])
    values = top_replicates(pair, measure, fpr, settings.replicates, settings.seed)
    return _by_bootstrap(pair, difference, *values)


def _walks(measure: Measure, pair: Pair, difference: float, replicates: Replicates) -> Tested:
    return _by_bootstrap(
        pair, difference, replicates.of(measure, pair.a), replicates.of(measure, pair.b)
    )


def _by_bootstrap(pair: Pair, difference: float, of_a: Floats, of_b: Floats) -> Tested:
    level = pair.a.settings.level
    method = "bootstrap" if pair.a.rows.codes is None else "bootstrap-clusters"
    paired, degenerate = paired_bootstrap(difference, of_a, of_b, level)
    observed = {"replicates": len(of_a), "degenerate_replicates": degenerate}
    if len(of_a) >= pair.a.settings.replicates or paired.variance is None:
        return Tested.of(method, paired, **observed)
    # Few replicates know the spread of the difference, but not its tails.
    error = paired.variance**0.5
    interval = normal_interval(difference, error, level, f"{method}-normal")
    return Tested(f"{method}-normal", interval, two_sided_p(difference / error), observed)


_BY_NAME: Mapping[str, _Test] = {
    "binary.roc_auc": _auc,
    "binary.gini": _auc,
    "calibration.brier": _mean_loss,
    "calibration.log_loss": _mean_loss,
    "calibration.brier_skill": _brier_skill,
}
