"""``TwoModels``: two models compared metric by metric, row by row or as independent samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from veridical.comparison.comparison import (
    Comparison,
    adjusted,
    comparison_of,
    first_skipped,
)
from veridical.comparison.contrasts import PassSums
from veridical.comparison.differing import conditions_that_differ, refuse, settings_left
from veridical.comparison.methods import announce, tested, unavailable
from veridical.comparison.pairs import Pair, Side, different_rows
from veridical.comparison.questions import Question, Tested
from veridical.comparison.replicates import Replicates
from veridical.comparison.unpaired import unpaired
from veridical.finalise import finalise
from veridical.measures import Measure
from veridical.metrics.evidence import BinnedEvidence
from veridical.results import Conditions, Measured, Result, Skipped

__all__ = ["Asked", "TwoModels", "compared"]

_NOT_TESTED: Final = Tested("none")


@dataclass(frozen=True, eq=False)
class TwoModels:
    """Two models, and what all comparisons of them share.

    Attributes
    ----------
    a, b
        The sides.
    replicates, sums
        Where bootstrap replicates, and sums over the rows, are kept for all metrics.
    allowed
        Conditions that may differ.
    notes
        What is said of every difference.
    """

    a: Side
    b: Side
    replicates: Replicates
    sums: PassSums
    allowed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def pair(self) -> Pair:
        """The two as one, where their rows are the same."""
        return Pair(self.a, self.b)

    @property
    def at_hand(self) -> bool:
        """Whether the rows of both are in memory, or can be read together again."""
        return self.a.can_pair(self.b)

    @cached_property
    def paired(self) -> bool:
        """Whether they are compared row by row.

        Rows that are not at hand can be compared as independent samples, if that was allowed.
        """
        same = not different_rows(self.a, self.b)
        return same and (self.at_hand or "rows" not in self.allowed)

    def measured(self, measure: Measure) -> tuple[Result, Result]:
        """Return the metric of both sides."""
        return self._of_side(measure, self.a), self._of_side(measure, self.b)

    def _of_side(self, measure: Measure, side: Side) -> Result:
        if measure.definition.probabilities and not side.has_forecasts:
            return Skipped("not_probabilities", detail=f"{side.name!r} has scores outside [0, 1]")
        # On the same rows the difference has its own interval; those of the sides do not matter.
        return finalise(measure, side.part, replace(side.settings, intervals=not self.paired))

    def announce(self, measure: Measure, results: tuple[Result, Result]) -> None:
        """Have what the comparison in one metric needs summed in one pass with the others."""
        of_a, of_b = results
        if not (self.paired and self.at_hand):
            return
        if isinstance(of_a, Measured) and isinstance(of_b, Measured):
            announce(self._question(measure, of_a, of_b))

    def comparison(self, measure: Measure, results: tuple[Result, Result]) -> Comparison:
        """Return the comparison in one metric, not yet adjusted for others."""
        of_a, of_b = results
        group = self.a.part.group
        refuse(str(measure), conditions_that_differ(of_a, of_b), self.allowed, group)
        difference, found = self._difference(measure, of_a, of_b)
        settings = settings_left(of_a, self.allowed, self.allowed)
        return comparison_of(
            measure,
            (self.a.name, self.b.name),
            (of_a.value, of_b.value),
            replace(
                difference,
                group=group,
                n_rows=of_a.n_rows,
                conditions=Conditions({**settings, "paired": self.paired}, found.observed),
                notes=(*difference.notes, *self.notes),
            ),
            p_value=found.p_value,
            method=found.method,
        )

    def _difference(self, measure: Measure, of_a: Result, of_b: Result) -> tuple[Result, Tested]:
        """Return the first minus the second with its interval, and how it was tested."""
        if isinstance(of_a, Skipped) or isinstance(of_b, Skipped):
            return first_skipped((self.a.name, self.b.name), (of_a, of_b)), _NOT_TESTED
        lost = self._rows_lost(measure, of_a, of_b)
        if lost is not None:
            return lost, _NOT_TESTED
        found = tested(self._question(measure, of_a, of_b)) if self.paired else unpaired(of_a, of_b)
        value, n = of_a.value - of_b.value, min(of_a.n, of_b.n)
        return Measured(value, n, interval=found.interval, notes=found.notes), found

    def _rows_lost(self, measure: Measure, of_a: Measured, of_b: Measured) -> Skipped | None:
        """Return why two models on the same rows cannot be compared, or None where they can."""
        if not self.paired:
            return None
        if self.at_hand:
            return unavailable(self._question(measure, of_a, of_b))
        binned = any(isinstance(s.part.evidence, BinnedEvidence) for s in (self.a, self.b))
        needed = (
            "which are no longer known where scores were counted in bins: evaluate the rows exactly"
            if binned
            else "which were not kept: evaluate both score columns of the rows in one call"
        )
        detail = f"a paired comparison needs the rows, {needed}"
        return Skipped("unsupported_by_engine", detail=detail)

    def _question(self, measure: Measure, of_a: Measured, of_b: Measured) -> Question:
        return Question(measure, self.pair, of_a, of_b, self.replicates, self.sums)


@dataclass(frozen=True, slots=True)
class Asked:
    """One metric of two models, measured and to be compared."""

    models: TwoModels
    measure: Measure
    results: tuple[Result, Result]


def compared(every: Sequence[Asked]) -> tuple[Comparison, ...]:
    """Return all comparisons, with sums made in one pass and p-values adjusted over all."""
    for one in every:
        one.models.announce(one.measure, one.results)
    return adjusted([one.models.comparison(one.measure, one.results) for one in every])
