"""A stored run of drift as ``evaluate_drift`` returned it, without the values of columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veridical.evaluation.unit_results import UnitSettings
from veridical.stability.drift_evaluation import DriftEvaluation
from veridical.summaries.shifted_cells import ShiftedCells

if TYPE_CHECKING:
    from veridical.store.run import Run

__all__ = ["drift"]


def drift(run: Run, common: Mapping[str, Any], settings: UnitSettings) -> DriftEvaluation:
    """Return the columns of a stored run, with their cells.

    Parameters
    ----------
    run
        The stored run.
    common
        Results, source, subjects.
    settings
        How intervals were made.
    """
    return DriftEvaluation(
        **common,
        settings=settings,
        kinds=run.settings["kinds"],
        summaries={
            (one["subject"], one["metric"]): ShiftedCells.from_dict(one["summary"])
            for one in run.summaries
        },
    )
