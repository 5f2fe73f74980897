"""The metrics of one run: which are asked for, their values by query, means and intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from veridical.errors import MetricNameError, ParameterError
from veridical.kernels.query_sums import both
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import several
from veridical.ranking.ordering import Ordered
from veridical.ranking.settings import RankingSettings
from veridical.results import Conditions, Measured, Result
from veridical.stats.query_bootstrap import mean_intervals
from veridical.stats.resolution import interval_notes
from veridical.summaries import QueryValues, RankedQueries
from veridical.summaries.columns import marks

__all__ = [
    "DEFAULT_METRICS",
    "asked_metrics",
    "averaged",
    "measured",
    "refuse_without_expectation",
    "with_intervals",
]

DEFAULT_METRICS = (
    "retrieval.ndcg@10",
    "retrieval.recall@10",
    "retrieval.recall@100",
    "retrieval.mrr",
    "retrieval.map",
    "retrieval.precision@10",
    "retrieval.judged@10",
)
"""What is measured where no metric is named."""

_FAMILIES = ("retrieval",)  # where a name without a family is looked for


def asked_metrics(
    metrics: Iterable[str | Measure] | str | Measure | None,
) -> dict[Measure, str | None]:
    """Return the metrics that were asked for, each as it was written."""
    if metrics is None:
        return {find(name): None for name in DEFAULT_METRICS}
    asked: dict[Measure, str | None] = {}
    for name in several(metrics):
        one = find(name, _FAMILIES)
        if one.family not in {"retrieval", "trec"}:
            raise MetricNameError(
                f"{one} is no metric of a ranking", fix="see `veridical metrics` for retrieval.*"
            )
        one.arguments()
        asked.setdefault(one, str(name))
    return asked


def refuse_without_expectation(asked: Iterable[Measure]) -> None:
    """Refuse metrics that have no mean over the orders of equal scores."""
    from veridical.metrics.retrieval_ties import EXPECTED

    for one in asked:
        if one.family != "retrieval" or one.name not in EXPECTED:
            raise ParameterError(
                f"{one} has no mean over the orders of equal scores",
                why="trec_eval orders them by document id" if one.family == "trec" else "",
                fix="choose ties=docid_desc, or a metric of the family retrieval",
            )


def averaged(found: Ordered, settings: RankingSettings) -> RankedQueries:
    """Return the ranking, with the queries that are averaged over."""
    if settings.average == "intersection":
        return found.ranked.averaged_over(found.listed)
    return found.ranked


def measured(
    name: str,
    found: Ordered,
    ranked: RankedQueries,
    asked: Mapping[Measure, str | None],
    settings: RankingSettings,
    sha256: str,
) -> tuple[list[Result], dict[tuple[str, str], QueryValues]]:
    """Return the results of one run, and the values of each of its queries."""
    included = ranked.n_included
    filled = included - both(marks(ranked, "included"), bytearray(found.listed)).count(1)
    conditions = Conditions(
        {"average": settings.average, "ties": settings.ties, "golden_sha256": sha256},
        {"ties_with_relevant": found.ties_with_relevant},
    )
    results: list[Result] = []
    values: dict[tuple[str, str], QueryValues] = {}
    drawn: dict[int, QueryValues] = {}
    for at, one in enumerate(asked):
        metric, arguments = str(one), one.arguments()
        of_each = _of_each(one, found, ranked, arguments)
        if of_each is not None:
            values[name, metric] = of_each
        result = one.function(ranked if of_each is None else of_each, **arguments)
        if of_each is not None and result.ok and one.definition.interval is not None:
            drawn[at] = of_each
        counts = {"n_skipped": included - result.n, "n_filled": filled}
        if found.duplicates:
            counts["n_duplicates"] = found.duplicates
        results.append(
            replace(
                result,
                metric=metric,
                requested=asked[one],
                subject=name,
                n_rows=included,
                counts=counts,
                conditions=conditions.also(**arguments).found(**result.conditions.observed),
            )
        )
    if settings.intervals:
        results = with_intervals(
            results,
            drawn,
            level=settings.level,
            replicates=settings.replicates,
            seed=settings.seed,
        )
    return results, values


def _of_each(
    one: Measure, found: Ordered, ranked: RankedQueries, arguments: Mapping[str, Any]
) -> QueryValues | None:
    """Return the value of each query, where the metric has one."""
    if found.tied is not None:
        from veridical.metrics.retrieval_ties import EXPECTED

        return EXPECTED[one.name](replace(found.tied, ranked=ranked), **arguments)
    statistic = one.definition.statistic
    return None if statistic is None else statistic(ranked, **arguments)


def with_intervals(
    results: Sequence[Result],
    values: Mapping[int, QueryValues],
    *,
    level: float,
    replicates: int,
    seed: int,
) -> list[Result]:
    """Give means over queries their intervals, all from the same draws.

    Parameters
    ----------
    results
        All results of one run.
    values
        The values of the queries, by the position of the result that is their mean.
    level, replicates, seed
        As for ``evaluate_ranking``.
    """
    intervals = mean_intervals(
        [column.values for column in values.values()],
        [column.defined for column in values.values()],
        level,
        replicates,
        seed,
    )
    changed = list(results)
    for at, interval in zip(values, intervals, strict=True):
        result = changed[at]
        if isinstance(result, Measured):
            notes = interval_notes(interval, replicates, result.n)
            changed[at] = replace(result, interval=interval, notes=(*result.notes, *notes))
    return changed
