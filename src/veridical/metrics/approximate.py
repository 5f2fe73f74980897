"""Metrics of a histogram of scores: the certified range of the exact value, and the way to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from veridical.costs import Costs
from veridical.errors import ParameterError
from veridical.measures import Definition, Measure
from veridical.metrics import find
from veridical.metrics.bounds import BOUNDS, WIDTHS, between_extremes
from veridical.metrics.cost import cost_curve
from veridical.metrics.open_bins import OPEN_BINS, Descent, Question, prices, tolerance
from veridical.metrics.outcomes import absent_setting
from veridical.results import Bounds, Conditions, Measured, Result, Skipped
from veridical.summaries import ConfusionCounts, ScoreBins, ScoreHistogram, ScoreTable
from veridical.summaries.fixed_point import FixedArray

__all__ = ["approximate", "offending_bins"]

# A rate is a sum of at most 2**31 products and quotients, added pairwise: about 60 roundings of
# 2**-53 relative to numbers that add up to 1.  64 times 2**-52 is twice that.
_ROUNDING: Final = 2.0**-46
# Where a metric names a threshold, its value is the one attained there; else the middle is nearest.
_ATTAINED: Final = frozenset({
    "binary.recall@fpr=", "binary.recall@precision=", "binary.precision@recall=",
    "cost.best_threshold", "cost.saving",
})  # fmt: skip
# Which way the constraint of an operating point becomes easier to satisfy.
_EASIER: Final = {"binary.recall@fpr=": 1, "binary.recall@precision=": -1}


def approximate(
    measure: Measure | str,
    scores: ScoreHistogram | ScoreBins,
    *,
    costs: Costs | None = None,
    threshold: float | None = None,
    level: float = 0.95,
) -> Result:
    """Compute a metric from a histogram of scores, with the certified range of the exact value.

    Parameters
    ----------
    measure
        A measure or its name.
    scores
        The histogram, or its refined bins.
    costs, threshold, level
        The settings that the metric reads.

    Returns
    -------
    Result
        ``bounds`` holds the range, and is None where the value is exact.  The value is the middle
        of the range; for metrics at the best threshold, what the threshold in the conditions is
        certain to attain.

    Raises
    ------
    ParameterError
        A price is a column, and the histogram holds no sums of it.

    When it is undefined
    --------------------
    As the metric itself.  Metrics that need the scores themselves (calibration) are skipped
    ``unsupported_by_engine``: their exact summary is the ``ReliabilityTable``.

    Examples
    --------
    >>> y, score = np.array([0, 1, 1, 0, 1]) == 1, np.array([0.1, 0.6, 0.65, 0.7, 0.9])
    >>> coarse = ScoreHistogram.from_rows(y, score, grid="probability/4")
    >>> fine = ScoreHistogram.from_rows(y, score, grid="probability/14")
    >>> print(approximate("binary.average_precision", fine))
    binary.average_precision 0.8056 (n = 5)
    >>> print(approximate("binary.recall@fpr=0.1", coarse))
    binary.recall@fpr=0.1 0.3333 (n = 3)
    """
    answer = _answered(measure, scores, costs, threshold, level)
    if isinstance(answer, Skipped):
        return answer
    if answer.open.any():
        return answer.with_passport(answer.between(*answer.outward(*answer.range)))
    # No order of the rows matters, so any one gives the exact value.
    bins = scores.bins if isinstance(scores, ScoreHistogram) else scores
    settings = {"costs": costs, "threshold": threshold, "level": level}
    return answer.with_passport(_evaluated(answer.measure, bins.pessimistic, settings))


def offending_bins(
    measures: Measure | str | Iterable[Measure | str],
    histogram: ScoreHistogram,
    *,
    costs: Costs | None = None,
    threshold: float | None = None,
    level: float = 0.95,
    within: float = 0.0,
) -> npt.NDArray[np.int64]:
    """Return the keys of the bins that keep some metrics from being as certain as asked.

    A second pass over only the rows with these keys settles it: ``histogram.refined(table)`` of
    the score table of those rows gives ``approximate`` values without bounds, or whose bounds are
    no wider than ``within``.

    Parameters
    ----------
    measures
        One or several measures or names.
    histogram
        Counted on a key grid.
    costs, threshold, level
        The settings that the metrics read.
    within
        How wide bounds may be; 0 asks for exact values.

    Returns
    -------
    int64, ascending; empty where all values are certain enough (or skipped).

    Examples
    --------
    >>> y, score = np.array([0, 1, 1, 0, 1]) == 1, np.array([0.1, 0.6, 0.61, 0.62, 0.9])
    >>> histogram = ScoreHistogram.from_rows(y, score, grid="probability/4")
    >>> keys = offending_bins("binary.roc_auc", histogram)
    >>> again = np.isin(histogram.grid.keys(score), keys)
    >>> bins = histogram.refined(ScoreTable.from_rows(y[again], score[again]))
    >>> print(approximate("binary.roc_auc", histogram), "|", approximate("binary.roc_auc", bins))
    binary.roc_auc 0.8333 within 0.666667..1 (n = 5) | binary.roc_auc 0.6667 (n = 5)
    """
    several = [measures] if isinstance(measures, (Measure, str)) else list(measures)
    mask = np.zeros(len(histogram), dtype=np.bool_)
    for measure in several:
        answer = _answered(measure, histogram, costs, threshold, level)
        if not isinstance(answer, Skipped):
            mask |= answer.too_open(within)[::-1]
    return histogram.keys[mask]


@dataclass(frozen=True, eq=False)
class _Answer:
    """A measure on some bins: the results of the extreme rankings, and the bins left open."""

    measure: Measure
    costs: Costs | None
    bins: ScoreBins
    descent: Descent
    question: Question
    worst: Measured
    best: Measured

    @property
    def id(self) -> str:
        return self.measure.definition.id

    @property
    def open(self) -> npt.NDArray[np.bool_]:
        """The bins, descending, that keep the value from being exact."""
        return OPEN_BINS[self.id](self.descent, self.question)

    def too_open(self, within: float) -> npt.NDArray[np.bool_]:
        """Return bins, descending, without which the bounds are no wider than ``within``."""
        if within == 0 or not self.open.any():
            return self.open
        low, high = self.outward(*self.range)
        if high - low <= within:
            return np.zeros_like(self.open)
        widths = WIDTHS.get(self.id)
        if widths is None:
            return self.open
        # The narrowest may stay as they are, as many as leave no more than was asked.
        width = np.where(self.open, widths(self.descent), 0.0)
        room = within - 4 * (_ROUNDING + self.descent.tolerance)
        ascending = np.argsort(width, kind="stable")
        stays = np.cumsum(width[ascending]) * (1 + _ROUNDING) <= room
        read = self.open.copy()
        read[ascending[stays]] = False
        return read

    @property
    def range(self) -> tuple[float, float]:
        """The least and the most that the value can be, but for rounding."""
        return BOUNDS.get(self.id, between_extremes)(self.descent, self.question)

    def outward(self, low: float, high: float) -> tuple[float, float]:
        """Widen the range by what rounding may have moved its ends, within what is possible."""
        rounding = _ROUNDING + self.descent.tolerance
        if self.id.startswith("cost."):
            rounding = _rounding_of_costs(self.bins, self.descent, self.question)
        elif self.id == "binary.lift_top@k":
            rounding *= max(1.0, high)
        least, most = self.measure.definition.bounds
        low, high = low - rounding, high + rounding
        return (
            low if least is None else max(low, float(least)),
            high if most is None else min(high, float(most)),
        )

    def between(self, low: float, high: float) -> Measured:
        """Return the value with its range."""
        bounds = Bounds(low, high)
        if self.id in _ATTAINED:
            return replace(self.worst, value=min(max(self.worst.value, low), high), bounds=bounds)
        # What both extremes observe holds for all between them.
        other = self.best.conditions
        common = {k: v for k, v in self.worst.conditions.items() if k in other and other[k] == v}
        notes = tuple(note for note in self.worst.notes if note in self.best.notes)
        return Measured(
            low / 2 + high / 2,
            self.worst.n,
            bounds=bounds,
            conditions=Conditions(observed=common),
            notes=notes,
        )

    def with_passport(self, result: Result) -> Result:
        """Return the result with its name, its settings and what they found."""
        definition, question = self.measure.definition, self.question
        given = {"costs": self.costs, "threshold": question.threshold}
        reads = {"threshold"} if definition.summary is ConfusionCounts else set(definition.settings)
        settings = {
            name: value.to_dict() if isinstance(value, Costs) else value
            for name, value in given.items()
            if name in reads and value is not None
        }
        return replace(
            result,
            metric=str(self.measure),
            n_rows=self.descent.bins.rows,
            conditions=Conditions({**question.arguments, **settings}, dict(result.conditions)),
        )


def _answered(
    name: Measure | str,
    scores: ScoreHistogram | ScoreBins,
    costs: Costs | None,
    threshold: float | None,
    level: float,
) -> _Answer | Skipped:
    measure = find(name)
    settings: dict[str, Any] = {"costs": costs, "threshold": threshold, "level": level}
    bins = scores.bins if isinstance(scores, ScoreHistogram) else scores
    passport: dict[str, Any] = {"metric": str(measure), "n_rows": bins.rows}
    skipped = _skipped(measure.definition, settings)
    if skipped is not None:
        return replace(skipped, **passport)
    priced = bins
    if "costs" in measure.definition.settings and costs is not None and bins.rows:
        priced, settings["costs"] = _priced(bins, costs)
    ease = tolerance(bins)
    worst = _evaluated(measure, priced.pessimistic, settings, ease=-ease)
    best = _evaluated(measure, priced.optimistic, settings, ease=ease)
    if isinstance(worst, Skipped):
        return replace(worst, **passport)
    if isinstance(best, Skipped):
        return replace(best, **passport)
    known = (worst.value, best.value, _costs(worst), _costs(best))
    question = Question(measure.arguments(), settings["costs"], threshold, *known)
    return _Answer(measure, costs, priced, Descent.of(priced), question, worst, best)


def _skipped(definition: Definition, settings: dict[str, Any]) -> Skipped | None:
    """Return why the bins cannot answer, if they cannot."""
    if definition.id not in OPEN_BINS:
        detail = f"{definition.id} is not computed from binned scores"
        return Skipped("unsupported_by_engine", detail=detail)
    return absent_setting(definition, settings.__getitem__)


def _evaluated(
    measure: Measure, table: ScoreTable, settings: dict[str, Any], *, ease: float = 0.0
) -> Result:
    """Return the metric of an exact ranking, its operating point eased by what rounding moves."""
    definition, arguments = measure.definition, measure.arguments()
    if definition.summary is ConfusionCounts:
        return definition.function(table.at(settings["threshold"]), **arguments)
    point, sign = definition.point, _EASIER.get(definition.id, 0)
    if point and sign * ease:
        arguments[point] = min(1.0, max(0.0, float(arguments[point]) + sign * ease))
    read = {name: settings[name] for name in definition.settings}
    return definition.function(table, **arguments, **read)


def _priced(bins: ScoreBins, costs: Costs) -> tuple[ScoreBins, Costs]:
    """Turn one price of review into a column where positives may not be worth their review.

    The extreme rankings flag a bin's positives all or none.  Where some cost more to review than
    to miss, flagging a few of them may be best; a column leaves that open.
    """
    for name in ("fn", "fp", "review"):
        if isinstance(getattr(costs, name), str) and getattr(bins, f"{name}_cost") is None:
            raise ParameterError(
                f"costs.{name} is a column, and the summary holds no sums of a column",
                why="the price of each row is gone",
                fix=f"summarise the rows with {name}_cost=, or give one amount",
            )
    if not isinstance(costs.review, Decimal) or not costs.review:
        return bins, costs
    if isinstance(costs.fn, Decimal) and costs.fn >= costs.review:
        return bins, costs
    counts = bins.positives.to_float() + bins.negatives.to_float()
    review = FixedArray.from_float(float(costs.review) * counts)
    return replace(bins, review_cost=review), replace(costs, review="review")


def _rounding_of_costs(bins: ScoreBins, descent: Descent, question: Question) -> float:
    """Return how far a cost may be off: sums of whole coins are exact, others round in each bin."""
    amounts = sum(float(part.sum()) for part in prices(descent, question))
    if question.costs is None:
        return 0.0
    in_coins = np.issubdtype(
        cost_curve(bins.pessimistic.walk, question.costs).costs.dtype, np.integer
    )
    return (2.0**-50 + (0 if in_coins else len(bins) * 2.0**-51)) * amounts


def _costs(result: Measured) -> tuple[float, float]:
    """Return the lowest cost and the one it is compared with, as far as the result knows them."""
    at = result.conditions
    return at.get("lowest_cost", result.value), at.get("baseline_cost", 0.0)
