"""What the retrieval metrics share: a value for each query, and the mean over queries."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeAlias

from veridical.errors import InputError
from veridical.kernels.query_sums import Memory
from veridical.late import np
from veridical.measures import Measure, choice, integer, metric, number
from veridical.reasons import SkipReason
from veridical.results import Measured, Result, Skipped
from veridical.stats.query_bootstrap import over_queries
from veridical.summaries import QueryValues, RankedQueries

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "CUT",
    "GAIN",
    "REL",
    "K",
    "dcg",
    "discounts",
    "gains",
    "ideal_dcg",
    "mean_over_queries",
    "of_relevant",
    "ratio",
    "retrieval_metric",
]

K = integer("k", low=1)
CUT = integer("k", None, low=1)
REL = number("rel", 1.0, low=0.0)
GAIN = choice("gain", ["linear", "exp"], "linear")

Floats: TypeAlias = "npt.NDArray[np.float64]"

_LARGEST_EXPONENT = 1000.0  # below 2**1024, so that gains can still be added


def of_relevant(ranked: RankedQueries, values: Memory, rel: float = 1.0) -> QueryValues:
    """Return the values of the queries that have a relevant document; the others have none."""
    return QueryValues(ranked.ids, values, ranked.answerable(rel))


def ratio(numerator: Memory | float, denominator: Memory) -> Floats:
    """Return the quotient, 0 where the denominator is 0."""
    below = np.asarray(denominator)
    found: Floats = np.divide(numerator, below, out=np.zeros(len(below)), where=below > 0)
    return found


def gains(grades: Floats, gain: str = "linear") -> Floats:
    """Return the gain of each grade; a grade below 0 gains nothing.

    Raises
    ------
    InputError
        A grade whose exponential gain is beyond float64.
    """
    positive = np.maximum(grades, 0.0)
    if gain == "linear":
        return positive
    highest = float(positive.max(initial=0.0))
    if highest > _LARGEST_EXPONENT:
        raise InputError(
            f"a grade of {highest:g} has no gain of 2**grade - 1",
            why="it is beyond the largest number there is",
            fix="use gain=linear, or grades such as 0 to 4",
        )
    return np.exp2(positive) - 1.0


def discounts(rank: npt.NDArray[np.int64]) -> Floats:
    """Return ``log2(rank + 1)``."""
    found: Floats = np.log2(rank + 1.0)
    return found


def dcg(ranked: RankedQueries, k: int | None = None, gain: str = "linear") -> Memory:
    """Return the discounted cumulative gain of the top k of each query, shape (Q,)."""
    return ranked.totals.discounted(_summed_gains(ranked.totals.grades, gain), k)


def ideal_dcg(ranked: RankedQueries, k: int | None = None, gain: str = "linear") -> Memory:
    """Return the highest DCG that the top k of each query can have, shape (Q,)."""
    return ranked.totals.discounted_ideal(_summed_gains(ranked.totals.ideal, gain), k)


def _summed_gains(grades: Memory, gain: str) -> Memory:
    """Return gains for a sum that passes over those below 0: linear ones are the grades."""
    return grades if gain == "linear" else gains(np.asarray(grades), gain)


def mean_over_queries(values: QueryValues) -> Result:
    """Return the mean, skipped where no query has a value."""
    if values.n:
        return Measured(values.mean, values.n)
    reason = SkipReason.NO_RELEVANT if values.ids else SkipReason.NO_ROWS
    return Skipped(reason, detail=f"none of {len(values.ids):,} queries has a relevant document")


def retrieval_metric(**fields: Any) -> Callable[[Callable[..., QueryValues]], Measure]:
    """Make a function from a ranking to one value a query into a measure: their mean."""

    def register(each: Callable[..., QueryValues]) -> Measure:
        @wraps(each)
        def mean(ranked: RankedQueries | QueryValues, **parameters: Any) -> Result:
            known = ranked if isinstance(ranked, QueryValues) else each(ranked, **parameters)
            return mean_over_queries(known)

        shared: dict[str, Any] = {
            "summary": RankedQueries,
            "statistic": each,
            "interval": over_queries,
            "bounds": (0, 1),
        }
        return metric("retrieval", **{**shared, **fields})(mean)

    return register
