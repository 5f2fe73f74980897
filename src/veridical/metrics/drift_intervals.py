"""Intervals of drift measures: the rows of both sides drawn again, and the bias taken out."""

from __future__ import annotations

import numpy as np

from veridical.metrics.interval_request import Outcome
from veridical.metrics.unit_intervals import Question
from veridical.results import Interval, Measured
from veridical.summaries.shifted_cells import ShiftedCells

__all__ = ["resampled_cells", "resampled_squares"]


def resampled_cells(result: Measured, question: Question) -> Outcome:
    """Bootstrap over the rows of both sides, in frozen cells.

    A distance of two samples is too large by its noise, and that of a replicate once more: the
    replicates are moved back by twice the bias that they show.  What the interval then leaves out
    of the value itself, which holds the noise, is added.
    """
    return _debiased(result, question, power=1)


def resampled_squares(result: Measured, question: Question) -> Outcome:
    """Bootstrap as for the square, whose bias can be taken out, and then the root."""
    return _debiased(result, question, power=2)


def _debiased(result: Measured, question: Question, power: int) -> Outcome:
    cells: ShiftedCells = question.summary
    generator = np.random.Generator(np.random.PCG64(question.seed))
    sides = []
    for counts in (cells.reference, cells.current):
        n = int(counts.sum())
        sides.append(generator.multinomial(n, counts / n, size=question.replicates) / n)
    statistic = question.definition.statistic
    assert statistic is not None  # noqa: S101 - whoever asks for this interval gives one
    values = statistic(*sides, question.arguments) ** power
    bias = float(values.mean()) - result.value**power
    if not values.any() and bias == 0:
        return Outcome(None, notes=("no_interval_uniform",))
    tail = (1 - question.level) / 2
    ends = np.quantile(values - 2 * bias, [tail, 1 - tail]).clip(min=0.0) ** (1 / power)
    interval = Interval(
        min(float(ends[0]), result.value),
        max(float(ends[1]), result.value),
        question.level,
        "bootstrap-debiased",
    )
    rows = min(cells.reference.sum(), cells.current.sum())
    return Outcome(interval, units=float(rows), replicates=len(values))
