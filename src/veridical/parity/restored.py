"""A stored run of fairness as ``evaluate_fairness`` returned it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from veridical.evaluation.unit_results import UnitSettings
from veridical.parity.fairness_evaluation import FairnessEvaluation
from veridical.parity.tallies import Tallies
from veridical.results import result_from_dict
from veridical.summaries import ConfusionCounts, GroupedCounts
from veridical.summaries.compared_groups import ComparedGroups, read_shared
from veridical.summaries.confusion import Count
from veridical.summaries.spread import Spread

if TYPE_CHECKING:
    from veridical.policy import PolicyVerdict
    from veridical.store.run import Run

__all__ = ["fairness"]


def fairness(
    run: Run, common: Mapping[str, Any], settings: UnitSettings, policy: PolicyVerdict | None
) -> FairnessEvaluation:
    """Return the groups of a stored run, with their counts.

    Parameters
    ----------
    run
        The stored run.
    common
        Results, source, subjects.
    settings, policy
        How intervals were made; what the policy said.
    """
    rows = run.document["groups"]
    labelled = run.document["source"]["label"] is not None
    return FairnessEvaluation(
        **common,
        settings=settings,
        tallies=_tallies(rows, labelled=labelled),
        references=run.settings["references"],
        min_size=run.settings["min_size"],
        calibration=tuple(map(result_from_dict, run.document.get("calibration", ()))),
        policy=policy,
        summaries={
            one["subject"]: ComparedGroups.from_dict(one["summary"]) for one in run.summaries
        },
    )


def _tallies(rows: Sequence[Mapping[str, Any]], *, labelled: bool) -> Tallies:
    fewest: dict[str, dict[str, ConfusionCounts]] = {}
    most: dict[str, dict[str, ConfusionCounts]] = {}
    spreads: dict[str, dict[str, Spread]] = {}
    shared: dict[str, dict[str, tuple[Count, ...]]] = {}
    for row in rows:
        column, kept = row["column"], row.get("counts", {})
        name = row["group"].removeprefix(f"{column}=")
        few = ConfusionCounts.from_dict(kept["fewest"]) if kept else _counts(row["rates"])
        many = ConfusionCounts.from_dict(kept["most"]) if "most" in kept else few
        fewest.setdefault(column, {})[name], most.setdefault(column, {})[name] = few, many
        if "spread" in row:
            spreads.setdefault(column, {})[name] = Spread.from_dict(row["spread"])
        if "shared" in row:
            shared.setdefault(column, {})[name] = read_shared(row)
    return Tallies(
        counts={column: GroupedCounts(groups) for column, groups in fewest.items()},
        most={column: GroupedCounts(groups) for column, groups in most.items()}
        if most != fewest
        else {},
        spreads=spreads,
        shared=shared,
        labelled=labelled,
    )


def _counts(rates: Mapping[str, Any]) -> ConfusionCounts:
    every = rates["favourable"]
    if "favourable_of_deserving" not in rates:
        return ConfusionCounts(fp=every["hits"], tn=every["n"] - every["hits"])
    right, wrong = rates["favourable_of_deserving"], rates["favourable_of_others"]
    return ConfusionCounts(
        tp=right["hits"],
        fp=wrong["hits"],
        fn=right["n"] - right["hits"],
        tn=wrong["n"] - wrong["hits"],
    )
