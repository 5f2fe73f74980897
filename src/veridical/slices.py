"""What is measured, and how: one score column on one group of rows, and the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from veridical.costs import Costs
from veridical.errors import ParameterError
from veridical.metrics.evidence import BinnedEvidence, Evidence, TableEvidence
from veridical.metrics.intervals import Units
from veridical.parameters import number, truth, whole
from veridical.results import NO_CONDITIONS, Conditions
from veridical.stats.normal import check_level
from veridical.summaries import ScoreTable

__all__ = ["RowPass", "Settings", "Slice"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What was decided before measuring.

    Attributes
    ----------
    threshold
        Scores >= it are flagged; None where no decision was made.
    costs
        Prices of errors, or None.
    level
        Coverage of the intervals, in (0, 1).
    intervals
        Whether to compute intervals at all.
    seed
        Determines every random draw.
    replicates
        Bootstrap replicates.
    bounds_within
        How wide the bounds of approximate values may be; None where nothing was asked.

    Raises
    ------
    ParameterError
        One of them is not of its kind, or out of range.
    """

    threshold: float | None = None
    costs: Costs | None = None
    level: float = 0.95
    intervals: bool = True
    seed: int = 0
    replicates: int = 1000
    bounds_within: float | None = None

    def __post_init__(self) -> None:
        if self.threshold is not None:
            object.__setattr__(self, "threshold", number("threshold", self.threshold))
        if self.costs is not None and not isinstance(self.costs, Costs):
            raise ParameterError(
                f"costs is a Costs, not {type(self.costs).__name__}",
                fix="write costs=veridical.Costs(fn=850, fp=25)",
            )
        object.__setattr__(self, "level", check_level(self.level))
        object.__setattr__(self, "intervals", truth("intervals", self.intervals))
        object.__setattr__(self, "seed", whole("seed", self.seed))
        object.__setattr__(self, "replicates", whole("replicates", self.replicates, 1, 1_000_000))
        if self.bounds_within is not None:
            object.__setattr__(self, "bounds_within", number("bounds_within", self.bounds_within))
            if self.bounds_within < 0:
                raise ParameterError(
                    f"bounds_within is {self.bounds_within:g}", fix="give 0 or more; 0 is exact"
                )

    def given(self, name: str) -> Any:
        """Return a setting by name."""
        return getattr(self, name)


class RowPass(Protocol):
    """A way to read rows once more that are not in memory."""

    def summed(self, function: Callable[[Mapping[str, Units]], list[int]]) -> list[int]:
        """Return the sums of what a function says about each batch of rows.

        Parameters
        ----------
        function
            From score column to the rows of a batch, as they are ranked; it answers integers,
            equally many for every batch.  It must be possible to send it to another process.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """One score column on one group of rows (or on all), summarised.

    Attributes
    ----------
    subject, group
        The score column; ``"column=value"`` or None for all rows.
    evidence
        Its summaries.
    units
        The rows, where whole units must be resampled (clusters, fractional weights); else None.
    rows
        The rows, where they are in memory: for paired comparisons, and for prices by row.
    again
        Where they are not, a way to read them again; slices of the same rows share it.
    conditions
        What holds for every result of the slice.
    notes
        Notes that stand on every result of the slice.
    counts
        ``n_skipped`` and the like.
    """

    subject: str | None
    group: str | None
    evidence: Evidence
    units: Units | None = None
    rows: Units | None = None
    again: RowPass | None = None
    conditions: Conditions = NO_CONDITIONS
    notes: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    # What is kept of a slice is kept of no other: whoever replaces a field begins anew.
    _walks: dict[Any, Any] = field(default_factory=dict, init=False)
    _extremes: list[Slice] = field(default_factory=list, init=False)
    _unweighted: list[Slice] = field(default_factory=list, init=False)

    def extremes(self, evidence: BinnedEvidence) -> list[Slice]:
        """Return the slice as the worst and as the best ranking that its bins allow."""
        if not self._extremes:
            for table in (evidence.bins.pessimistic, evidence.bins.optimistic):
                self._extremes.append(replace(self, evidence=TableEvidence(table)))
        return self._extremes

    def unweighted(self, units: Units) -> Slice:
        """Return the slice as it is where each of its rows counts once."""
        if not self._unweighted:
            table = ScoreTable.from_rows(units.positive, units.scores)
            evidence = TableEvidence(table)
            self._unweighted.append(replace(self, evidence=evidence, units=None))
        return self._unweighted[0]

    @property
    def table(self) -> ScoreTable:
        """Its score table, made from the rows if it was not needed before."""
        return self.evidence.table
