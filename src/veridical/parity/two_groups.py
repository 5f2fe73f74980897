"""``measure_fairness``: one metric of the decisions about two groups."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from veridical.errors import ParameterError
from veridical.evaluation.unit_results import UnitSettings, asked_of
from veridical.measures import Measure
from veridical.parity.comparing import AgainstReference
from veridical.parity.decisions import favoured_by_score, read_decisions
from veridical.parity.references import chosen_references
from veridical.results import Result
from veridical.tables import column_from, read_groups

__all__ = ["measure_fairness"]


def measure_fairness(
    metric: str | Measure,
    first: Any,
    second: Any,
    groups: Any = None,
    *,
    favourable: Any,
    favourable_label: Any = None,
    reference: Any = None,
    threshold: float | None = None,
    weight: Any = None,
    cluster: Any = None,
    missing: Literal["error", "drop"] = "error",
    level: float = 0.95,
    intervals: bool = True,
) -> Result:
    """Measure one metric of fairness on the decisions about two groups.

    Parameters
    ----------
    metric
        Name or measure object of the family ``fairness``.
    first, second, groups
        Decisions and groups, shape (n,); or labels, decisions and groups.
    favourable, favourable_label, threshold, missing, level, intervals
        As for ``evaluate_fairness``; with a threshold the decisions are scores.
    reference
        One of the two groups; the larger by default.
    weight, cluster
        Shape (n,): how much each row counts; whom it belongs to.

    Raises
    ------
    ParameterError
        There are more than two groups.

    Examples
    --------
    >>> decisions, groups = [1, 0, 1, 1], ["a", "a", "b", "b"]
    >>> measure_fairness("dpd", decisions, groups, favourable=1, reference="b").value
    -0.5
    """
    settings = UnitSettings(level, intervals).checked()
    label = None if groups is None else column_from("label", first)
    column = column_from("decision", first if groups is None else second)
    decision = column if threshold is None else favoured_by_score(column, threshold)
    decisions = read_decisions(
        decision,
        [column_from("group", second if groups is None else groups)],
        favourable=favourable,
        label=label,
        favourable_label=favourable_label,
        weight=None if weight is None else column_from("weight", weight),
        cluster=None if cluster is None else column_from("cluster", cluster),
        missing=missing,
    )
    asked_for = (
        () if reference is None else read_groups(column_from("reference", [reference])).names
    )
    tallies = decisions.tallied(asked_for)
    counts = tallies.counts
    if len(counts["group"]) > 2:
        raise ParameterError(
            f"there are {len(counts['group'])} groups: {', '.join(list(counts['group'])[:10])}",
            why="one number says nothing of more than two",
            fix="use evaluate_fairness, which holds each of them against a reference",
        )
    references, _ = chosen_references(counts, asked_for)
    against = AgainstReference(
        tallies, references, passport=decisions.passport(), conditions=decisions.settings
    )
    ((result,),) = against.results(asked_of(metric, "fairness"), settings).values()
    return replace(result, subject=None)
