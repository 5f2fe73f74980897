"""What an interval method is asked with, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.measures import Definition
from veridical.metrics.evidence import Evidence
from veridical.results import Interval, Measured
from veridical.stats import bootstrap as resampling
from veridical.stats.coarse import COARSENED_ABOVE, coarsened
from veridical.stats.resampled_walks import ResampledWalks
from veridical.stats.resolution import FEW_UNITS, rough_notes
from veridical.summaries import Walk

__all__ = ["Method", "Outcome", "Request", "Units"]

Floats: TypeAlias = npt.NDArray[np.float64]
WalksKey: TypeAlias = tuple[bool, bool, float | None, bool]

WALKS_KEPT = 2_000_000
MOST_REPEATED = 10_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The rows themselves, for when whole units are resampled instead of rows.

    Attributes
    ----------
    positive, scores, weight
        Shape (n,); ``weight`` may be None.
    codes
        Unit of each row, integers from 0, shape (n,); None makes every row a unit.
    costs
        Price columns ``fn_cost``, ``fp_cost``, ``review_cost``, each of shape (n,).
    """

    positive: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.floating]
    weight: Floats | None = None
    codes: npt.NDArray[np.intp] | None = None
    costs: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def are_few(self) -> bool:
        """Whether there are so few that an interval over them is rough."""
        return self.n_units < FEW_UNITS

    @property
    def n_units(self) -> int:
        """How many units there are."""
        return len(self.scores) if self.codes is None else int(self.codes.max(initial=-1)) + 1

    def repeated(self) -> Units:
        """Return each row as often as its whole-number weight says, up to ten million rows."""
        if self.weight is None or self.weight.sum() > MOST_REPEATED:
            return self
        times = self.weight.astype(np.int64)
        return Units(
            np.repeat(self.positive, times),
            np.repeat(self.scores, times),
            codes=None if self.codes is None else np.repeat(self.codes, times),
            costs={name: np.repeat(column, times) for name, column in self.costs.items()},
        )

    def sums(self, columns: list[Floats], replicates: int, seed: int) -> Floats:
        """Return weighted column sums of each replicate, shape (replicates, len(columns))."""
        weight = np.ones(len(self.scores)) if self.weight is None else self.weight
        codes = np.arange(len(self.scores)) if self.codes is None else self.codes
        weighted = np.stack([column * weight for column in columns], axis=1)
        return resampling.unit_sums(codes, weighted, replicates, seed)


@dataclass(frozen=True, eq=False)
class Request:
    """What an interval method may use.

    Attributes
    ----------
    definition, arguments
        The metric, its parameters and settings as its function was called with.
    evidence
        The summaries that everything follows from.
    level, seed, replicates
        Coverage asked for; what determines all random draws; how many bootstrap replicates.
    units
        The rows, where whole units must be resampled; else None.
    """

    definition: Definition
    arguments: Mapping[str, Any]
    evidence: Evidence
    level: float = 0.95
    seed: int = 0
    replicates: int = 1000
    units: Units | None = None
    _walks: dict[WalksKey, list[ResampledWalks]] = field(default_factory=dict)

    @property
    def walk(self) -> Walk:
        """The walk of all rows, readable at the threshold in use."""
        threshold, ranking = self.arguments.get("threshold"), self.evidence.ranking
        return ranking.walk if threshold is None else ranking.walk_at(threshold)

    @property
    def is_coarse(self) -> bool:
        """Whether the walk is too long to resample each of its stops."""
        return self.units is None and len(self.walk) > COARSENED_ABOVE

    @cached_property
    def resampled(self) -> Walk:
        """The walk that is resampled: with fewer stops where there are very many."""
        return (
            coarsened(self.walk, self.arguments.get("threshold")) if self.is_coarse else self.walk
        )

    @property
    def is_priced(self) -> bool:
        """Whether the metric is about prices of rows; for others a column of them is no matter."""
        costs = self.arguments.get("costs")
        return costs is not None and bool(costs.columns)

    def walks(self, *, stratified: bool = False) -> Iterator[ResampledWalks]:
        """Return resampled walks; small ones are drawn once for all metrics of the table."""
        if len(self.resampled) * self.replicates > WALKS_KEPT:
            return self._drawn(stratified=stratified)
        # Where a price is a column, rows are resampled for the costs alone.
        key = (stratified, self.units is None, self.arguments.get("threshold"), self.is_priced)
        if key not in self._walks:
            self._walks[key] = list(self._drawn(stratified=stratified))
        return iter(self._walks[key])

    def _drawn(self, *, stratified: bool) -> Iterator[ResampledWalks]:
        if self.units is None:
            walk = self.resampled if self.is_priced else self.resampled.without_prices()
            return resampling.walk_replicates(
                walk, self.replicates, self.seed, stratified=stratified
            )
        return resampling.unit_replicates(
            self.walk,
            self.units.positive,
            self.units.scores,
            self.replicates,
            self.seed,
            units=self.units.codes,
            weight=self.units.weight,
            **self.units.costs,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """An interval, or none, and what to say about it.

    Attributes
    ----------
    interval, observed, notes
        What was found.
    units
        How many units it rests on, where that is not what the metric is over.
    replicates
        How many were drawn and have a value; None where none were drawn.
    """

    interval: Interval | None
    observed: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    units: float | None = None
    replicates: int | None = None

    def said(self, units: float | None) -> tuple[str, ...]:
        """Return all notes, also on too few units or replicates.

        Parameters
        ----------
        units
            How many the metric is over; None where something else is said of them.
        """
        over = units if self.units is None else self.units
        return (*self.notes, *rough_notes(self.interval, over, self.replicates))


Method: TypeAlias = Callable[[Measured, Request], Outcome]
