"""What a row adds to a metric of one model, or how much it moves it: functions of the row alone.

Everything else they need (the metric, its threshold, the slots between the scores of positives) is
known from the summaries of all rows.  So rows may be read again in any batches, by any process:
these are plain values that can be sent to the workers of a cluster.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.costs import Costs
from veridical.kernels.arrays import as_score
from veridical.metrics.intervals import Units
from veridical.stats.bootstrap import slots_between
from veridical.summaries.losses import Loss, losses_of

__all__ = [
    "AtSlots",
    "BrierRatio",
    "CostOf",
    "Floats",
    "InCells",
    "LossOf",
    "ModelRows",
    "RowValues",
    "SavingOf",
    "flagged",
]

Floats: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ModelRows:
    """Some rows of one model, whose slots are looked up once for all metrics.

    Attributes
    ----------
    units
        The rows.
    """

    units: Units
    _slots: dict[int, npt.NDArray[np.intp]] = field(default_factory=dict)

    def slots(self, thresholds: npt.NDArray[np.floating]) -> npt.NDArray[np.intp]:
        """Return the slot of each row between thresholds, which descend."""
        key = id(thresholds)
        if key not in self._slots:
            units = self.units
            self._slots[key] = slots_between(thresholds, units.positive, units.scores)
        return self._slots[key]


class RowValues(Protocol):
    """One number a row."""

    @property
    def scale(self) -> float:
        """Size of the values, beside which a tiny spread is rounding."""
        ...

    def __call__(self, rows: ModelRows) -> Floats:
        """Return the number of each row, shape (n,)."""
        ...


@dataclass(frozen=True, eq=False)
class AtSlots:
    """One number for each slot of a walk: the metric depends on the ranking alone.

    Attributes
    ----------
    thresholds
        Of the walk, descending, shape (m,).
    values
        In the order of ``bootstrap.row_slots``, shape (3m + 1,).

    Examples
    --------
    >>> rows = ModelRows(Units(np.array([True, False]), np.array([0.9, 0.4])))
    >>> AtSlots(np.array([0.9]), np.array([1.0, 2.0, 3.0, 4.0]))(rows).tolist()
    [1.0, 4.0]
    """

    thresholds: npt.NDArray[np.floating]
    values: Floats

    @property
    def scale(self) -> float:
        """Size of the values."""
        return float(np.abs(self.values).max())

    def __call__(self, rows: ModelRows) -> Floats:
        """Return the number of each row's slot."""
        return self.values[rows.slots(self.thresholds)]


@dataclass(frozen=True)
class LossOf:
    """The loss of each forecast.

    Attributes
    ----------
    loss, clip
        Which loss.
    mean
        Its mean over all rows.
    """

    loss: Loss
    clip: float
    mean: float

    @property
    def scale(self) -> float:
        """Size of the values."""
        return self.mean

    def __call__(self, rows: ModelRows) -> Floats:
        """Return the loss of each row."""
        if_positive, if_negative = losses_of(self.loss, rows.units.scores, self.clip)
        losses: Floats = np.where(rows.units.positive, if_positive, if_negative)
        return losses


@dataclass(frozen=True)
class BrierRatio:
    """Influence of each row on Brier / (rate (1 - rate)), which is 1 - Brier skill.

    Attributes
    ----------
    brier, rate
        Brier score and share of positives of all rows.
    """

    brier: float
    rate: float

    @property
    def scale(self) -> float:
        """Size of the values."""
        return self.brier / (self.rate * (1 - self.rate))

    def __call__(self, rows: ModelRows) -> Floats:
        """Return the influence of each row."""
        y = rows.units.positive.astype(np.float64)
        losses = np.square(rows.units.scores.astype(np.float64) - y)
        shift = self.scale * (1 - 2 * self.rate) * (y - self.rate)
        influence: Floats = (losses - self.brier - shift) / (self.rate * (1 - self.rate))
        return influence


@dataclass(frozen=True)
class InCells:
    """One number for each of the four cells of a decision.

    Attributes
    ----------
    threshold
        Scores at or above it are flagged; None flags nothing.
    values
        For true positives, false positives, false negatives, true negatives.

    Examples
    --------
    >>> rows = ModelRows(Units(np.array([True, False, True]), np.array([0.9, 0.6, 0.4])))
    >>> InCells(0.5, (1.0, 2.0, 3.0, 4.0))(rows).tolist()
    [1.0, 2.0, 3.0]
    """

    threshold: float | None
    values: tuple[float, float, float, float]

    @property
    def scale(self) -> float:
        """Size of the values."""
        return max(map(abs, self.values))

    def __call__(self, rows: ModelRows) -> Floats:
        """Return the number of each row's cell."""
        positive = rows.units.positive
        cell = np.where(flagged(rows.units, self.threshold), 0, 2) + np.where(positive, 0, 1)
        values: Floats = np.array(self.values, dtype=np.float64)[cell]
        return values


@dataclass(frozen=True)
class CostOf:
    """What the decision on each row costs.

    Attributes
    ----------
    costs
        Prices; those that are columns must stand in the rows.
    threshold
        Scores at or above it are flagged; None flags nothing, -inf everything.
    mean
        Mean cost of a row.

    Examples
    --------
    >>> rows = ModelRows(Units(np.array([True, False, False]), np.array([0.2, 0.8, 0.1])))
    >>> CostOf(Costs(fn=10, fp=1, review=1), 0.5, 4.0)(rows).tolist()
    [10.0, 2.0, 0.0]
    """

    costs: Costs
    threshold: float | None
    mean: float

    @property
    def scale(self) -> float:
        """Size of the values."""
        return self.mean

    def __call__(self, rows: ModelRows) -> Floats:
        """Return the cost of each row."""
        flag, positive = flagged(rows.units, self.threshold), rows.units.positive
        falls_due = {"fn": positive & ~flag, "fp": ~positive & flag, "review": flag}
        total = np.zeros(len(flag))
        for name, due in falls_due.items():
            amount = self.costs.amount(name)
            total += due * (rows.units.costs[f"{name}_cost"] if amount is None else amount)
        return total


@dataclass(frozen=True)
class SavingOf:
    """What one decision on each row saves against another.

    Attributes
    ----------
    baseline, best
        What it costs without, and with the model.
    """

    baseline: CostOf
    best: CostOf

    @property
    def scale(self) -> float:
        """Size of the values."""
        return self.baseline.scale

    def __call__(self, rows: ModelRows) -> Floats:
        """Return the saving of each row."""
        return self.baseline(rows) - self.best(rows)


def flagged(units: Units, threshold: float | None) -> Mask:
    """Return which rows score at least the threshold, compared in the type of the scores.

    None flags nothing.
    """
    if threshold is None:
        return np.zeros(len(units.scores), dtype=np.bool_)
    at_least: Mask = units.scores >= as_score(threshold, units.scores.dtype)
    return at_least
