"""What trec_eval's measures share: how the values of queries become one number."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from veridical.measures import Measure, metric
from veridical.results import Measured, Result, Skipped
from veridical.stats.query_bootstrap import over_queries
from veridical.summaries import QueryValues, RankedQueries

__all__ = ["every_query", "nonrelevant", "trec_metric"]

SMALLEST = 1e-5
"""What trec_eval's geometric means take for a query below it."""

Floats = npt.NDArray[np.float64]


def every_query(ranked: RankedQueries, values: npt.NDArray[Any]) -> QueryValues:
    """Return the values of all queries: one without a relevant document counts too."""
    return QueryValues(ranked.ids, values.astype(np.float64), ranked.included)


def nonrelevant(grades: Floats) -> npt.NDArray[np.bool_]:
    """Return which judged grades mean not relevant; a negative one means not judged."""
    return (grades >= 0) & (grades < 1)


def trec_metric(
    name: str, kind: Literal["mean", "sum", "geometric"] = "mean", **fields: Any
) -> Callable[[Callable[..., QueryValues]], Measure]:
    """Make a function from a ranking to one value a query into a measure of trec_eval."""
    combined = {"mean": _mean, "sum": _sum, "geometric": _geometric}[kind]

    def register(each: Callable[..., QueryValues]) -> Measure:
        @wraps(each)
        def over_all(ranked: RankedQueries | QueryValues, **parameters: Any) -> Result:
            values = ranked if isinstance(ranked, QueryValues) else each(ranked, **parameters)
            if values.n == 0:
                return Skipped("no_rows", detail="there is no query to average over")
            return Measured(combined(values), values.n)

        shared: dict[str, Any] = {
            "name": name,
            "summary": RankedQueries,
            "statistic": each,
            "interval": over_queries if kind == "mean" else None,
            "bounds": (0, None) if kind == "sum" else (0, 1),
        }
        return metric("trec", **{**shared, **fields})(over_all)

    return register


def _mean(values: QueryValues) -> float:
    return values.mean


def _sum(values: QueryValues) -> float:
    return values.total


def _geometric(values: QueryValues) -> float:
    logarithms = np.log(np.maximum(values.values[values.defined], SMALLEST))
    return math.exp(math.fsum(logarithms) / values.n)
