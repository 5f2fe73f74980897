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
find one in 3 to 6% of the samples, the percentile bootstrap of F1 or KS in up to 9%.
All but the bootstrap need a few sums over the rows and nothing else, so rows may come in batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.comparison.questions import Question, SummedTest, Tested
from veridical.comparison.replicates import LARGE, top_replicates
from veridical.comparison.summed_tests import (
    NOT_TESTED,
    RIGHT,
    auc,
    average_precision,
    brier_skill,
    by_units,
    cost,
    decision,
    is_reversed,
    ks,
    mean_loss,
    same_denominator,
)
from veridical.measures import Measure
from veridical.results import Skipped
from veridical.stats.normal import normal_interval, two_sided_p
from veridical.stats.paired import paired_bootstrap
from veridical.stats.resolution import are_few, few_units
from veridical.summaries import ConfusionCounts

__all__ = ["announce", "resampled", "tested", "unavailable"]

Floats: TypeAlias = npt.NDArray[np.float64]


def tested(asked: Question) -> Tested:
    """Return the interval and the test of a difference."""
    test = _test_of(asked)(asked)
    if isinstance(test, Tested):
        found = test
    elif asked.pair.independent:
        found = test.finish(asked.sums.of(test.contrast, asked.pair.rows))
    else:
        found = by_units(asked, test)
    units = asked.pair.a.rows if asked.pair.in_memory else None
    if found.method == "none" or units is None or not units.are_few:
        return found
    few = few_units(found.interval, units.n_units) if units.codes is None else ("few_clusters",)
    return replace(found, notes=(*found.notes, *few))


def announce(asked: Question) -> None:
    """Have what a question needs summed in the same pass as what others need."""
    if unavailable(asked) is None and asked.pair.independent:
        of = _test_of(asked)
        # Tests by resampling, of which nothing is summed, would be run.
        if of not in _RESAMPLING:
            test = of(asked)
            if isinstance(test, SummedTest):
                asked.sums.announce(test.contrast)


def unavailable(asked: Question) -> Skipped | None:
    """Return why a difference cannot be tested where its rows are, or None where it can."""
    resampled = _test_of(asked) in _RESAMPLING or (asked.name == "binary.ks" and is_reversed(asked))
    if asked.pair.in_memory or not resampled:
        return None
    return Skipped(
        "unsupported_by_engine",
        detail="it is compared by resampling rows, which are not in memory: read them with "
        'engine="memory"',
    )


def _test_of(asked: Question) -> Callable[[Question], Tested | SummedTest]:
    definition = asked.measure.definition
    independent = asked.pair.independent
    if definition.point is None and asked.name in _BY_NAME:
        return _BY_NAME[asked.name]
    if definition.summary is ConfusionCounts:
        return same_denominator if asked.name in RIGHT and independent else decision
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
    return NOT_TESTED


def _top(asked: Question) -> Tested:
    settings, fpr = asked.pair.a.settings, float(asked.measure.arguments()["fpr"])
    values = top_replicates(asked.pair, asked.measure, fpr, settings.replicates, settings.seed)
    return _by_bootstrap(asked, *values)


def _walks(asked: Question) -> Tested:
    of_a, of_b = (asked.replicates.of(asked.measure, side) for side, _ in asked.sides)
    return _by_bootstrap(asked, of_a, of_b)


def _ks(asked: Question) -> Tested | SummedTest:
    return _walks(asked) if is_reversed(asked) else ks(asked)


def _by_bootstrap(asked: Question, of_a: Floats, of_b: Floats) -> Tested:
    method = "bootstrap" if asked.pair.a.rows.codes is None else "bootstrap-clusters"
    paired, degenerate = paired_bootstrap(asked.difference, of_a, of_b, asked.level)
    observed = {"replicates": len(of_a), "degenerate_replicates": degenerate}
    if len(of_a) >= asked.pair.a.settings.replicates or paired.variance is None:
        tested = Tested.of(method, paired, **observed)
        few = tested.interval is not None and are_few(len(of_a) - degenerate, asked.level)
        return replace(tested, notes=("few_replicates",)) if few else tested
    # Few replicates know the spread of the difference, but not its tails.
    error = paired.variance**0.5
    interval = normal_interval(asked.difference, error, asked.level, f"{method}-normal")
    return Tested(f"{method}-normal", interval, two_sided_p(asked.difference / error), observed)


_RESAMPLING: Final = (_top, _walks)

_BY_NAME: Mapping[str, Callable[[Question], Tested | SummedTest]] = {
    "binary.roc_auc": auc,
    "binary.gini": auc,
    "binary.average_precision": average_precision,
    "binary.ks": _ks,
    "calibration.brier": mean_loss,
    "calibration.log_loss": mean_loss,
    "calibration.brier_skill": brier_skill,
    "cost.total": cost,
    "cost.best_threshold": cost,
    "cost.saving": cost,
}
