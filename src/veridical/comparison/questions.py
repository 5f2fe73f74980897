"""What is asked of two models in one metric, and the forms of an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from veridical.comparison.contrasts import Contrast, PassSums
from veridical.comparison.pairs import Pair, Side
from veridical.comparison.replicates import Replicates
from veridical.measures import Measure
from veridical.reasons import SkipReason
from veridical.results import Interval, Measured
from veridical.stats.row_sums import ClassSums, PairedDifference

__all__ = ["Question", "SummedTest", "Sums", "Tested"]

Sums: TypeAlias = tuple[ClassSums, ClassSums]
"""Sums over the rows: positives first."""


@dataclass(frozen=True, slots=True)
class Question:
    """One metric of two models on the same rows.

    Attributes
    ----------
    measure, pair
        What is compared.
    of_a, of_b
        The results of the two sides.
    replicates, sums
        Where bootstrap replicates, and sums over the rows, are kept.
    """

    measure: Measure
    pair: Pair
    of_a: Measured
    of_b: Measured
    replicates: Replicates
    sums: PassSums

    @property
    def name(self) -> str:
        """The metric without its parameters."""
        return f"{self.measure.family}.{self.measure.name}"

    @property
    def difference(self) -> float:
        """First minus second."""
        return self.of_a.value - self.of_b.value

    @property
    def sides(self) -> tuple[tuple[Side, Measured], tuple[Side, Measured]]:
        """Each side with its result."""
        return (self.pair.a, self.of_a), (self.pair.b, self.of_b)

    @property
    def level(self) -> float:
        """Coverage of the interval."""
        return self.pair.a.settings.level


@dataclass(frozen=True, slots=True)
class Tested:
    """The interval and the test of a difference.

    Attributes
    ----------
    method
        What the test is called; ``"none"`` where there is none.
    interval, p_value
        Of the difference; None where it cannot be had.
    observed, notes
        What to say beside them.
    """

    method: str
    interval: Interval | None = None
    p_value: float | None = None
    observed: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, method: str, paired: PairedDifference, scale: float = 1.0, **observed: Any
    ) -> Tested:
        """Read a paired difference, whose metric is ``scale`` times what was tested."""
        if isinstance(paired.interval, SkipReason):
            return cls(method, observed=observed, notes=("no_interval_degenerate",))
        low, high = scale * paired.interval.low, scale * paired.interval.high
        interval = Interval(low, high, paired.interval.level, method)
        return cls(method, interval, paired.p_value, observed)


@dataclass(frozen=True, slots=True, eq=False)
class SummedTest:
    """A test that needs sums over the rows and nothing else.

    Attributes
    ----------
    contrast
        What is summed.
    finish
        From the sums of both classes to the answer.
    scale
        The metric's difference is this times what rows add.
    """

    contrast: Contrast
    finish: Callable[[Sums], Tested]
    scale: float = 1.0
