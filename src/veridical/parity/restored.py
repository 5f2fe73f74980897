"""A stored run of fairness as ``evaluate_fairness`` returned it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veridical.evaluation.unit_results import UnitSettings
from veridical.parity.fairness_evaluation import FairnessEvaluation
from veridical.results import result_from_dict
from veridical.summaries import ConfusionCounts, GroupedCounts
from veridical.summaries.compared_groups import ComparedGroups

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
    document = run.document
    counts: dict[str, dict[str, ConfusionCounts]] = {}
    for row in document["groups"]:
        name = row["group"].removeprefix(f"{row['column']}=")
        counts.setdefault(row["column"], {})[name] = _counts(row["rates"])
    return FairnessEvaluation(
        **common,
        settings=settings,
        counts={column: GroupedCounts(groups) for column, groups in counts.items()},
        references=run.settings["references"],
        labelled=document["source"]["label"] is not None,
        min_size=run.settings["min_size"],
        calibration=tuple(map(result_from_dict, document.get("calibration", ()))),
        policy=policy,
        summaries={
            one["subject"]: ComparedGroups.from_dict(one["summary"]) for one in run.summaries
        },
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
