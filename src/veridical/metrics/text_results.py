"""From segment values or sums to a result with an interval over segments."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.metrics.interval_request import Outcome
from veridical.metrics.unit_intervals import Question, from_replicates, resampled
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.stats.query_bootstrap import NORMAL_ABOVE, over_queries
from veridical.summaries.token_statistics import TokenStatistics

__all__ = [
    "SegmentSums",
    "each_segment",
    "mean_over_segments",
    "mean_result",
    "of_sums",
    "summed",
    "summed_result",
]

Floats = npt.NDArray[np.float64]
Values = Callable[..., Floats]


@dataclass(frozen=True, slots=True, eq=False)
class SegmentSums:
    """What each segment adds to a metric, and what is made of the sums.

    Attributes
    ----------
    rows
        float64, shape (segments, columns); NaN where a segment has no value.
    score
        From sums, shape (m, columns), to scores, shape (m,); None where the metric is the mean of
        the one column.
    """

    rows: Floats
    score: Callable[[Floats], Floats] | None = None


def mean_result(statistics: TokenStatistics, values: Floats, notes: tuple[str, ...] = ()) -> Result:
    """Return the mean of segment values."""
    if not statistics.n:
        return Skipped("no_rows", detail="there is no segment")
    value = math.fsum(values.tolist()) / statistics.n
    conditions = Conditions({"tokeniser": statistics.tokeniser}, observed=_references(statistics))
    return Measured(value, statistics.n, conditions=conditions, notes=notes)


def summed_result(statistics: TokenStatistics, value: float, signature: str) -> Result:
    """Return a corpus score, with the signature that sacrebleu would print."""
    if not statistics.n:
        return Skipped("no_rows", detail="there is no segment")
    few, many = statistics.references
    signature = f"nrefs:{few if few == many else 'var'}|{signature}"
    conditions = Conditions(
        {"tokeniser": statistics.tokeniser},
        observed={**_references(statistics), "signature": signature},
    )
    return Measured(value, statistics.n, conditions=conditions)


def mean_over_segments(values: Values) -> Callable[[Measured, Question], Outcome]:
    """Return the interval method of a mean of segment values."""

    def bootstrap(result: Measured, question: Question) -> Outcome:
        """Percentile bootstrap over segments; Student's above 10,000 of them."""
        each = values(question.summary.rows, **question.arguments)
        if len(each) > NORMAL_ABOVE:
            interval = over_queries(each, question.level)
            return Outcome(interval, notes=() if interval else ("no_interval_uniform",))
        return _bootstrap(result, question, lambda drawn: drawn @ each / len(each))

    return bootstrap


def each_segment(values: Values) -> Callable[..., SegmentSums]:
    """Return the segment values of a metric that is their mean."""

    def rows(statistics: TokenStatistics, **arguments: Any) -> SegmentSums:
        return SegmentSums(values(statistics.rows, **arguments)[:, np.newaxis])

    return rows


def summed(rows: Callable[[Any], Floats], values: Values) -> Callable[..., SegmentSums]:
    """Return what each segment adds to a score of summed counts."""

    def sums(statistics: TokenStatistics, **arguments: Any) -> SegmentSums:
        return SegmentSums(rows(statistics.rows), lambda total: values(total, **arguments))

    return sums


def of_sums(
    rows: Callable[[Any], Floats], values: Values
) -> Callable[[Measured, Question], Outcome]:
    """Return the interval method of a score of summed counts."""

    def bootstrap(result: Measured, question: Question) -> Outcome:
        """Percentile bootstrap over segments."""
        counts = rows(question.summary.rows)
        return _bootstrap(
            result, question, lambda drawn: values(drawn @ counts, **question.arguments)
        )

    return bootstrap


def _bootstrap(
    result: Measured, question: Question, statistic: Callable[[Floats], Floats]
) -> Outcome:
    times = np.ones(question.summary.n, dtype=np.int64)
    return from_replicates(result, resampled(times, statistic, question), question.level)


def _references(statistics: TokenStatistics) -> dict[str, Any]:
    few, many = statistics.references
    return {"references": few if few == many else [few, many]}
