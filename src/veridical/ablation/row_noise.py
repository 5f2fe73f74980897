"""How far runs move together because they were measured on the same rows.

To first order a metric differs from its true value by the mean of its rows' influence values.  The
covariance of two runs is the sum of the products of these over the rows that both have: rows that
favour every run move no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.comparison.recorded import Recorded
from veridical.errors import MismatchError
from veridical.measures import Measure
from veridical.metrics import find
from veridical.stats.influence import (
    auc_influence,
    average_precision_influence,
    brier_ratio_influence,
    mean_influence,
)
from veridical.summaries.losses import losses_of

__all__ = ["RowNoise", "RunRows", "rows_of"]

Floats: TypeAlias = npt.NDArray[np.float64]

MOST_CELLS: Final = 50_000_000
"""Runs times rows that are looked at; beyond it the rows are left out of intervals, and said so."""


@dataclass(frozen=True, eq=False)
class RunRows:
    """The rows of one run.

    Attributes
    ----------
    ids
        The name of each row; None where rows are told by their position.
    positive
        bool, shape (n,).
    scores
        Shape (n,).
    """

    ids: npt.NDArray[Any] | None
    positive: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.floating]

    def influence(self, measure: Measure) -> Floats | None:
        """Return the influence of each row on a metric; None where it is not known."""
        name, y, s = f"{measure.family}.{measure.name}", self.positive, self.scores
        if measure.parameters or not 0 < np.count_nonzero(y) < len(y):
            return None
        if name in {"binary.roc_auc", "binary.gini"}:
            return (2.0 if name == "binary.gini" else 1.0) * auc_influence(y, s).values
        if name == "binary.average_precision":
            return average_precision_influence(y, s).values
        if name == "calibration.brier_skill":
            return -brier_ratio_influence(y, s).values
        if name in {"calibration.brier", "calibration.log_loss"}:
            loss = "squared_error" if name == "calibration.brier" else "log"
            if_positive, if_negative = losses_of(loss, s, 0.0)  # type: ignore[arg-type]
            losses = np.where(y, if_positive, if_negative)
            return mean_influence(losses).values if np.isfinite(losses).all() else None
        return None


def rows_of(run: Recorded, subject: str) -> RunRows | None:
    """Return the rows of a run, where they are in memory or were kept, and count once each."""
    part = next((p for p in run.slices if p.group is None and str(p.subject) == subject), None)
    if part is not None:
        rows = part.rows
        if rows is None or rows.weight is not None or rows.codes is not None:
            return None
        named = getattr(run.evaluation, "rows", None)
        ids = None if named is None else np.array(named.ids.names, dtype=object)[named.ids.codes]
        return RunRows(ids, rows.positive, rows.scores)
    units = run.units
    if units is None or units.noun != "row" or units.find("weight") or units.find("cluster"):
        return None
    if not units.find("label") or not units.find("score", subject=subject):
        return None
    scores = np.asarray(units.column("score", subject=subject), dtype=np.float64)
    positive = np.asarray(units.column("label"), dtype=np.bool_)
    return RunRows(np.array(list(units.ids), dtype=object), positive, scores)


@dataclass(frozen=True, eq=False)
class RowNoise:
    """The rows of all runs.

    Attributes
    ----------
    runs
        Of each run; None where they are not at hand.
    """

    runs: Sequence[RunRows | None]

    @cached_property
    def _known(self) -> list[RunRows]:
        return [run for run in self.runs if run is not None]

    @cached_property
    def _places(self) -> tuple[list[npt.NDArray[np.intp]], int] | None:
        """The place of each run's rows among the rows of all, and how many these are."""
        runs = self._known
        if len(runs) < len(self.runs) or len({run.ids is None for run in runs}) > 1:
            return None
        first = runs[0]
        same = all(_same(run.ids, first.ids) and len(run.positive) == len(first.positive)
                   for run in runs)  # fmt: skip
        if same:
            if not all(np.array_equal(run.positive, first.positive) for run in runs):
                if first.ids is None:
                    return None  # without ids, other labels are other rows, or another order
                raise _labels_differ(runs)
            return [np.arange(len(first.positive))] * len(runs), len(first.positive)
        if first.ids is None:
            return None
        return _by_id(runs)

    @property
    def told(self) -> str:
        """What the runs share, in words."""
        if self._places is None:
            return "whether the runs share rows is not known"
        places, total = self._places
        if all(len(at) == total for at in places):
            by = "id" if self._known[0].ids is not None else "position, with equal labels"
            return f"all runs are on the same {total:,} rows, paired by {by}"
        shared = int((np.bincount(np.concatenate(places), minlength=total) > 1).sum())
        if not shared:
            return "every run has rows of its own"
        return f"{shared:,} of {total:,} rows are in more than one run, and paired by id"

    def apart(self, of: Sequence[object]) -> bool:
        """Return whether runs of different groups are known to share no row.

        Parameters
        ----------
        of
            The group of each run; runs of None are left out.
        """
        if self._places is None:
            return False
        places, total = self._places
        owner = np.full(total, -1)
        groups: dict[object, int] = {}
        for at, group in zip(places, of, strict=True):
            if group is None:
                continue
            mine = groups.setdefault(group, len(groups))
            if ((owner[at] != -1) & (owner[at] != mine)).any():
                return False
            owner[at] = mine
        return True

    def covariance(self, metric: str) -> Floats | None:
        """Return the covariance of all runs by rows, shape (runs, runs); None if not known."""
        if self._places is None:
            return None
        places, total = self._places
        if len(places) * total > MOST_CELLS:
            return None
        measure = find(metric)
        moved = np.zeros((len(places), total))
        for number, (run, at) in enumerate(zip(self._known, places, strict=True)):
            values = run.influence(measure)
            if values is None:
                return None
            moved[number, at] = values / len(values)
        covariance: Floats = moved @ moved.T
        return covariance


def _same(one: npt.NDArray[Any] | None, two: npt.NDArray[Any] | None) -> bool:
    if one is None or two is None:
        return one is two
    return one is two or np.array_equal(one, two)


def _by_id(runs: Sequence[RunRows]) -> tuple[list[npt.NDArray[np.intp]], int]:
    known: dict[Any, int] = {}
    positive: dict[int, bool] = {}
    places = []
    for run in runs:
        ids = [] if run.ids is None else run.ids.tolist()
        at = [known.setdefault(one, len(known)) for one in ids]
        for place, label in zip(at, run.positive.tolist(), strict=True):
            if positive.setdefault(place, label) != label:
                raise _labels_differ(runs)
        places.append(np.array(at, dtype=np.intp))
    return places, len(known)


def _labels_differ(runs: Sequence[RunRows]) -> MismatchError:
    truth: dict[Any, bool] = {}
    for run in runs:
        ids = [] if run.ids is None else run.ids.tolist()
        for one, label in zip(ids, run.positive.tolist(), strict=True):
            if truth.setdefault(one, label) != label:
                return MismatchError(
                    f"the row {str(one)[:80]!r} has one label in one run and another in another",
                    why="the runs would be measured on different truths",
                    fix="use the same labels, or other ids for other rows",
                )
    return MismatchError(
        "the runs differ in the labels of their rows",
        fix="use files with the same labels in all runs",
    )
