"""``PairedResults``: results over units that two evaluations may have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from veridical.evaluation.result_set import ResultSet
from veridical.measures import Better, Measure
from veridical.results import Interval
from veridical.stats.query_bootstrap import PairedMeans

__all__ = ["Paired", "PairedResults"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """What the units say about the difference of one metric.

    Attributes
    ----------
    difference
        First minus second.
    n
        How many units both have a value for.
    interval, p_value, method
        Of the difference; None and ``"none"`` where there is no test.
    observed, counts, notes
        What is said beside it: a second p-value, the effect, wins, ties and losses.
    """

    difference: float
    n: int
    interval: Interval | None = None
    p_value: float | None = None
    method: str = "none"
    observed: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def of_means(cls, found: PairedMeans, n: int, better: Better) -> Self:
        """Read a paired difference of means over units."""
        won, lost = found.wins, found.losses
        if better == "lower":
            won, lost = lost, won
        return cls(
            difference=found.difference,
            n=n,
            interval=found.interval,
            p_value=found.p_value,
            method=found.method,
            observed={"t_p_value": found.t_p_value, "effect_size": found.effect},
            counts={"n_wins": won, "n_ties": found.ties, "n_losses": lost},
            notes=found.notes,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class PairedResults(ResultSet):
    """Results that can be compared unit by unit: by query, by text, by item.

    Attributes
    ----------
    results, source, subjects, comparisons
        As for ``ResultSet``.
    """

    units: ClassVar[str] = "units"

    @abstractmethod
    def comparable(self, measure: Measure) -> bool:
        """Whether the units say anything about a difference in this metric."""

    @abstractmethod
    def unlike(self, other: Self) -> Mapping[str, tuple[object, object]]:
        """Return what forbids a comparison beyond the conditions of the results, by name."""

    @abstractmethod
    def paired_with(self, other: Self, measure: Measure) -> Paired | None:
        """Return the difference of two evaluations of one subject each.

        None where no unit has a value in both.
        """
