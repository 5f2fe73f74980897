"""Results of a stored ranking computed again from where its documents stood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from veridical.errors import ParameterError
from veridical.evaluation.result_set import ResultSet
from veridical.metrics import find
from veridical.ranking.measuring import with_intervals
from veridical.results import Conditions, Result
from veridical.summaries import QueryValues, RankedQueries

if TYPE_CHECKING:
    from veridical.store.run import Run

__all__ = ["of_ranking"]


def of_ranking(run: Run, before: ResultSet) -> ResultSet:
    """Return a ranking computed again; the same draws give the same intervals.

    Parameters
    ----------
    run
        The stored run.
    before
        Its results as they are stored.

    Raises
    ------
    ParameterError
        The run averaged over the orders of equal scores, of which its summaries keep one.
    """
    if run.settings["ties"] == "average":
        raise ParameterError(
            "the run cannot be computed again without its data",
            where=run.label,
            why="it averaged over the orders of equal scores, and its summaries keep one of them",
            fix="measure the data again",
        )
    ranked = {one["subject"]: RankedQueries.from_dict(one["summary"]) for one in run.summaries}
    results = [
        result
        for subject, of_run in ranked.items()
        for result in _of_run([r for r in run.results if r.subject == subject], of_run, run)
    ]
    return replace(before, results=tuple(results), comparisons=())


def _of_run(results: Sequence[Result], ranked: RankedQueries, run: Run) -> list[Result]:
    again: list[Result] = []
    values: dict[int, QueryValues] = {}
    for at, result in enumerate(results):
        measure = find(result.metric)
        definition, arguments = measure.definition, measure.arguments()
        of_each = definition.statistic(ranked, **arguments) if definition.statistic else None
        found = definition.function(ranked if of_each is None else of_each, **arguments)
        was = result.conditions
        again.append(
            replace(
                found,
                metric=result.metric,
                requested=result.requested,
                subject=result.subject,
                n_rows=result.n_rows,
                counts={**result.counts, "n_skipped": int(ranked.included.sum()) - found.n},
                conditions=Conditions(
                    {**was.settings, **arguments}, {**was.observed, **found.conditions.observed}
                ),
            )
        )
        if found.ok and of_each is not None and definition.interval is not None:
            values[at] = of_each
    if not any(result.interval is not None for result in results):
        return again
    drawn = {name: run.settings[name] for name in ("level", "replicates", "seed")}
    return with_intervals(again, values, **drawn)
