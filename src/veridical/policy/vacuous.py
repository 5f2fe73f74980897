"""Forecasts without skill: what a target is worth if one of them meets it too.

Three of them can be measured on any data: always the base rate, flag nothing (always 0), and
scores that are drawn without looking at the labels.  For a metric of decisions, flagging every row
is the fourth.  A target that any of them meets is *vacuous*: meeting it says nothing about the
model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from veridical.finalise import finalise
from veridical.measures import Measure
from veridical.metrics import find
from veridical.metrics.evidence import BinnedEvidence, LacksSummaryError, TableEvidence
from veridical.results import Measured, Result
from veridical.slices import Settings, Slice
from veridical.summaries import ConfusionCounts, Ranking, ScoreTable
from veridical.summaries.fixed_point import FixedArray

__all__ = ["independent_table", "one_score_table", "skill_beside", "without_skill"]

BASE_RATE = "always the base rate"
FLAG_NOTHING = "flag nothing"
FLAG_EVERYTHING = "flag everything"
RANDOM = "random scores"

_SKILL = {
    "calibration.brier": ("calibration.brier_skill",),
    "calibration.log_loss": ("calibration.brier_skill",),
    "calibration.ece": ("calibration.brier_skill", "calibration.brier_resolution"),
    "calibration.ece_equal_mass": ("calibration.brier_skill", "calibration.brier_resolution"),
    "calibration.mce": ("calibration.brier_skill", "calibration.brier_resolution"),
}


def without_skill(measure: Measure, of: Slice, settings: Settings) -> dict[str, float]:
    """Return what forecasts without skill score on the rows of a slice.

    Parameters
    ----------
    measure
        Any metric of scores.
    of
        A slice with at least one row.
    settings
        Threshold and prices; no interval is computed.

    Returns
    -------
    dict
        Name of the forecast to its value; one for which the metric has no value is left out.

    Examples
    --------
    >>> labels, scores = np.arange(1000) < 2, np.linspace(1, 0, 1000)
    >>> of = Slice("p", None, TableEvidence(ScoreTable.from_rows(labels, scores)))
    >>> values = without_skill(find("brier"), of, Settings())
    >>> round(values["flag nothing"], 6), round(values["always the base rate"], 6)
    (0.002, 0.001996)
    """
    evidence = of.evidence
    # When all rows have one score, their order inside bins is no matter.
    ranking = (
        evidence.bins.pessimistic if isinstance(evidence, BinnedEvidence) else evidence.ranking
    )
    if ranking.total == 0:
        return {}
    base_rate = float(ranking.total_positives) / float(ranking.total)
    low, high = _extremes(measure, settings)
    forecasts: dict[str, Callable[[], ScoreTable]] = {
        BASE_RATE: lambda: one_score_table(ranking, base_rate),
        FLAG_NOTHING: lambda: one_score_table(ranking, low),
        RANDOM: lambda: independent_table(of.table, scaled=measure.family != "cost"),
    }
    if measure.definition.summary is ConfusionCounts:
        forecasts[FLAG_EVERYTHING] = lambda: one_score_table(ranking, high)
    plain = replace(settings, intervals=False)
    values = {}
    for name, make in forecasts.items():
        try:
            part = Slice(of.subject, of.group, TableEvidence(make()))
        except LacksSummaryError:  # single scores were not kept
            continue
        result = finalise(measure, part, plain)
        if isinstance(result, Measured):
            values[name] = result.value
    return values


def _extremes(measure: Measure, settings: Settings) -> tuple[float, float]:
    """Return scores below and not below the threshold in use: 0 and 1 where they are."""
    if measure.definition.probabilities or settings.threshold is None:
        return 0.0, 1.0
    below = float(np.nextafter(settings.threshold, -np.inf))
    return min(0.0, below), max(1.0, settings.threshold)


def one_score_table(ranking: Ranking, score: float) -> ScoreTable:
    """Return the table of the same rows when every one of them gets this score.

    Examples
    --------
    >>> table = ScoreTable.from_rows(np.array([True, False, False]), np.array([0.9, 0.5, 0.1]))
    >>> one_score_table(table, 0.0).at(0.5)
    ConfusionCounts(tp=0, fp=0, fn=1, tn=2)
    """
    walk = ranking.walk

    def summed(*columns: FixedArray | None) -> FixedArray | None:
        given = [column for column in columns if column is not None]
        return FixedArray.from_units([sum(column.total() for column in given)]) if given else None

    return ScoreTable(
        np.array([score]),
        summed(walk.positives) or FixedArray.zeros(1),
        summed(walk.tied, walk.between) or FixedArray.zeros(1),
        ranking.rows,
        summed(walk.fn_cost),
        summed(walk.fp_cost_tied, walk.fp_cost_between),
        summed(walk.review_cost_tied, walk.review_cost_between),
    )


def independent_table(table: ScoreTable, *, scaled: bool) -> ScoreTable:
    """Return the expected table when scores keep their distribution and ignore the labels.

    Of the rows at each score the share that is positive is then the base rate.

    Parameters
    ----------
    table
        At least one row.
    scaled
        Multiply every count by the number of rows, which keeps the counts whole.  Right for
        metrics that are ratios, wrong for sums of money.

    Examples
    --------
    >>> table = ScoreTable.from_rows(np.array([True, False, False]), np.array([0.9, 0.5, 0.5]))
    >>> random = independent_table(table, scaled=True)
    >>> random.positives.whole.tolist(), random.negatives.whole.tolist()
    ([2, 1], [4, 2])
    """
    positives, total = table.total_positives, table.total
    if scaled and table.is_whole:
        rows = table.positives.whole + table.negatives.whole
        return ScoreTable(
            table.scores,
            FixedArray.from_int(rows * int(positives)),
            FixedArray.from_int(rows * int(total - positives)),
            table.rows,
        )
    counts = table.positives.to_float() + table.negatives.to_float()
    share, base_rate = counts / float(total), float(positives) / float(total)

    def spread(column: FixedArray | None) -> FixedArray | None:
        return None if column is None else FixedArray.from_float(share * column.to_float().sum())

    return ScoreTable(
        table.scores,
        FixedArray.from_float(counts * base_rate),
        FixedArray.from_float(counts * (1 - base_rate)),
        table.rows,
        spread(table.fn_cost),
        spread(table.fp_cost),
        spread(table.review_cost),
    )


def skill_beside(measure: Measure, of: Slice, settings: Settings) -> tuple[Result, ...]:
    """Return the figures that show skill where the metric itself does not; () where there are none.

    Examples
    --------
    >>> labels, scores = np.arange(10) < 5, np.linspace(1, 0, 10)
    >>> of = Slice("p", None, TableEvidence(ScoreTable.from_rows(labels, scores)))
    >>> [result.metric for result in skill_beside(find("ece"), of, Settings())]
    ['calibration.brier_skill', 'calibration.brier_resolution']
    """
    names = _SKILL.get(f"{measure.family}.{measure.name}", ())
    return tuple(finalise(find(name), of, settings) for name in names)
