"""A stored ranking as ``evaluate_ranking`` returned it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from veridical.ranking.evaluation import RankingEvaluation
from veridical.summaries import QueryValues, RankedQueries

if TYPE_CHECKING:
    from veridical.store.run import Run

__all__ = ["ranking"]


def ranking(run: Run, common: Mapping[str, Any]) -> RankingEvaluation:
    """Return the runs of a stored ranking, with every query's value.

    Parameters
    ----------
    run
        The stored run.
    common
        Results, source, subjects and comparisons.
    """
    with_intervals = any(result.interval is not None for result in run.results)
    return RankingEvaluation(
        **common,
        values_by_query=_values(run),
        ranked={one["subject"]: RankedQueries.from_dict(one["summary"]) for one in run.summaries},
        warnings=tuple(run.document["warnings"]),
        level=run.settings["level"] if with_intervals else None,
    )


def _values(run: Run) -> dict[tuple[str, str], QueryValues]:
    units = run.units
    if units is None:
        return {}
    return {
        (str(column.subject), column.name): QueryValues(
            tuple(units.ids),
            np.ma.getdata(units.columns[column]),
            ~np.ma.getmaskarray(units.columns[column]),
        )
        for column in units.find("value")
    }
