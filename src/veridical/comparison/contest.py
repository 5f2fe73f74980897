"""Two recorded runs against each other: paired unit by unit where that is possible, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from veridical.comparison.comparing import compare
from veridical.comparison.comparison import (
    COULD_TURN,
    Comparison,
    comparison_of,
    first_skipped,
    names_apart,
)
from veridical.comparison.differing import (
    Allowed,
    Differing,
    conditions_that_differ,
    refusal,
    same_data,
    settings_left,
    told,
    unlike,
)
from veridical.comparison.kept_cases import missing_unpaired, paired_cases
from veridical.comparison.kept_rows import model_of, same_scores
from veridical.comparison.kept_units import Found, paired_units
from veridical.comparison.matching import Matched, match
from veridical.comparison.questions import Tested
from veridical.comparison.recorded import Recorded
from veridical.comparison.unpaired import p_value_of, unpaired
from veridical.measures import Measure
from veridical.results import Conditions, Measured, Result, Skipped

__all__ = ["Contest"]

_NOT_TESTED: Final = Tested("none")


class Contest:
    """One subject of one run against one of another.

    Parameters
    ----------
    a, b
        The runs.
    of
        The subject of each.
    allowed
        Conditions that may differ.
    measures
        Metrics that will be asked for; those that are resampled are then drawn together.

    Raises
    ------
    MismatchError
        The two were measured on different units or data, or are of different kinds.
    """

    def __init__(
        self,
        a: Recorded,
        b: Recorded,
        of: tuple[str, str],
        allowed: tuple[str, ...] = (),
        measures: Sequence[Measure] = (),
    ) -> None:
        self.a, self.b, self.of, self.may_differ = a, b, of, allowed
        self.measures = list(measures)
        self.names = _names(a, b, of)
        self._used: dict[str, Allowed] = {}
        self._found: dict[str | None, dict[str, Comparison]] = {}
        if a.evaluation is None or b.evaluation is None:
            self._refuse(unlike(a, b, self.matched))

    @property
    def used(self) -> tuple[Allowed, ...]:
        """The conditions that differ and were allowed to."""
        return tuple(self._used.values())

    @cached_property
    def matched(self) -> Matched | None:
        """The units in common; None where a run did not keep them."""
        a, b = self.a.units, self.b.units
        return None if a is None or b is None or a.noun != b.noun else match(a, b)

    def comparison(self, measure: Measure, group: str | None = None) -> Comparison:
        """Return the comparison in one metric, not yet adjusted for others.

        The first of these that is possible: row by row, by cases, by ratings, by other units, and
        from the two intervals.
        """
        metric = str(measure)
        of_a = self.a.find(metric, self.of[0], group)
        of_b = self.b.find(metric, self.of[1], group)
        if of_a is None or of_b is None:
            lacking = self.names[0] if of_a is None else self.names[1]
            where = metric if group is None else f"{metric} of {group}"
            lost = Skipped("unsupported_by_engine", detail=f"{lacking} did not measure {where}")
            return self._put_together(measure, group, (of_a, of_b), lost, _NOT_TESTED)
        self._refuse(conditions_that_differ(of_a, of_b), metric)
        results = of_a, of_b
        return (
            self._by_rows(measure, group, results)
            or self._by_cases(measure, group, results)
            or self._by_ratings(measure, group)
            or self._by_units(measure, group, results)
            or self._by_intervals(measure, group, results)
        )

    def _by_rows(
        self, measure: Measure, group: str | None, results: tuple[Result, Result]
    ) -> Comparison | None:
        """Compare as ``compare`` does, where both still have, or again have, what it needs."""
        metric = str(measure)
        if group not in self._found:
            self._found[group] = self._compared(group, self.measures or [measure])
        if self._found[group] and metric not in self._found[group]:
            self._found[group] |= self._compared(group, [measure])
        found = self._found[group].get(metric)
        if found is None or (not found.difference.ok and all(result.ok for result in results)):
            return None
        return self._under_their_names(found)

    def _compared(self, group: str | None, measures: list[Measure]) -> dict[str, Comparison]:
        """Compare the models in several metrics at once; {} where their rows were not kept."""
        at_a, at_b = (None, None) if self.matched is None else self.matched.places
        one = model_of(self.a, self.of[0], group, at_a)
        two = model_of(self.b, self.of[1], group, at_b)
        if one is None or two is None:
            return {}
        found = {
            c.metric: c for c in compare(one, two, list(measures), allow=list(self.may_differ))
        }
        if self.used or not same_scores(one, two):
            return found
        return {
            metric: replace(c, difference=replace(c.difference, notes=("no_unit_differs",)))
            for metric, c in found.items()
        }

    def _under_their_names(self, found: Comparison) -> Comparison:
        """Return a comparison under the names of the runs, with what was lost in pairing."""
        a, b = self.names
        notes = found.difference.notes
        if self.matched is not None and not self.matched.whole:
            notes = tuple(dict.fromkeys((*notes, "common_units")))
        conditions = found.difference.conditions
        if "rows" in self.may_differ and conditions.get("paired") is False:
            self._used["rows"] = Allowed("rows", *(f"{run.label}'s" for run in (self.a, self.b)))
        settings = {k: v for k, v in conditions.settings.items() if k != "allowed"}
        if self.used:
            settings["allowed"] = tuple(sorted(self._used))
        difference = replace(
            found.difference,
            subject=f"{a} - {b}",
            notes=notes,
            conditions=Conditions(settings, conditions.observed),
        )
        return replace(found, a=a, b=b, difference=difference)

    def _by_cases(
        self, measure: Measure, group: str | None, results: tuple[Result, Result]
    ) -> Comparison | None:
        """Compare means over cases, of which some may lack a value."""
        if self.matched is None or self.matched.noun != "case":
            return None
        found = paired_cases(measure, (self.a, self.b), self.of, self.matched, group)
        return None if found is None else self._paired(measure, group, results, found)

    def _by_ratings(self, measure: Measure, group: str | None) -> Comparison | None:
        """Compare pairs of raters who have one rater in common, item by item."""
        if self.matched is None or group is not None or self.a.kind != "agreement":
            return None
        from veridical.comparison.kept_ratings import pair_of_raters, raters_apart

        one = pair_of_raters(self.a, self.of[0], self.matched.at_a)
        two = pair_of_raters(self.b, self.of[1], self.matched.at_b)
        if one is None or two is None or not (one.comparable(measure) and two.comparable(measure)):
            return None
        one, two = raters_apart(one, two)
        return self._under_their_names(compare(one, two, measure, allow=list(self.may_differ)))

    def _by_units(
        self, measure: Measure, group: str | None, results: tuple[Result, Result]
    ) -> Comparison | None:
        """Compare means over units, or scores of their sums: queries, segments."""
        if self.matched is None or group is not None:
            return None
        found = paired_units(measure, (self.a, self.b), self.of, self.matched, results)
        return None if found is None else self._paired(measure, group, results, found)

    def _paired(
        self, measure: Measure, group: str | None, results: tuple[Result, Result], found: Found
    ) -> Comparison:
        """Return what the units in common say."""
        paired = found.paired
        if paired is None:
            lost = Skipped("no_rows", detail="no unit has a value on both sides")
            return self._put_together(measure, group, results, lost, _NOT_TESTED)
        difference = Measured(
            paired.difference,
            paired.n,
            interval=paired.interval,
            counts=paired.counts,
            notes=paired.notes,
        )
        tested = Tested(paired.method, paired.interval, paired.p_value, paired.observed)
        return self._put_together(
            measure, group, results, difference, tested, values=found.values, paired=True
        )

    def _by_intervals(
        self, measure: Measure, group: str | None, results: tuple[Result, Result]
    ) -> Comparison:
        """Compare as independent samples, from the two intervals."""
        of_a, of_b = results
        if isinstance(of_a, Skipped) or isinstance(of_b, Skipped):
            lost = first_skipped(self.names, results)
            return self._put_together(measure, group, results, lost, _NOT_TESTED)
        found = unpaired(of_a, of_b)
        value = of_a.value - of_b.value
        notes = [note for note in found.notes if note != "unpaired"]
        # The hash of scored rows covers the scores too: it does not tell whether the rows differ.
        known = self.a.kind != "evaluation" and not same_data(self.a, self.b, self.matched)
        notes.append("unpaired" if known else "units_not_kept")
        if value == 0 and self._same_column:
            notes = ["no_unit_differs"]
        counts: dict[str, int] = {}
        if self.a.kind == "rag":
            counts["n_missing"], turned = missing_unpaired(measure, of_a, of_b)
            notes += [COULD_TURN] if turned else []
        difference = Measured(
            value,
            min(of_a.n, of_b.n),
            interval=found.interval,
            notes=tuple(notes),
            counts=counts,
        )
        tested = replace(found, p_value=p_value_of(difference))
        return self._put_together(measure, group, results, difference, tested)

    @property
    def _same_column(self) -> bool:
        """Whether both are known to be one score column of one data set: its hash covers scores."""
        hashes = [run.source.get("sha256") for run in (self.a, self.b)]
        same = self.of[0] == self.of[1] and hashes[0] is not None and hashes[0] == hashes[1]
        return same and self.a.kind == "evaluation" and not self.used

    def _put_together(
        self,
        measure: Measure,
        group: str | None,
        results: tuple[Result | None, Result | None],
        difference: Result,
        tested: Tested,
        *,
        values: tuple[float, float] | None = None,
        paired: bool = False,
    ) -> Comparison:
        """Return a difference as a comparison; values are those of the sides where others hold."""
        of_a, of_b = results
        used = tuple(sorted(self._used))
        settings = {"allowed": used} if used else {}
        if of_a is not None:
            settings = settings_left(of_a, self.may_differ, used)
        n_rows = None if of_a is None else of_a.n_rows
        return comparison_of(
            measure,
            self.names,
            values or (None if of_a is None else of_a.value, None if of_b is None else of_b.value),
            replace(
                difference,
                group=group,
                n_rows=self.matched.n if paired and self.matched else n_rows,
                conditions=Conditions({**settings, "paired": paired}, tested.observed),
            ),
            p_value=tested.p_value,
            method=tested.method,
        )

    def _refuse(self, differing: Differing, metric: str = "") -> None:
        """Raise where a condition differs that was not allowed to, and note those that were."""
        self._used |= {
            name: Allowed(name, told(one), told(two))
            for name, (one, two) in differing.items()
            if name in self.may_differ
        }
        refused = {name: both for name, both in differing.items() if name not in self.may_differ}
        if refused:
            raise refusal(refused, (self.a.label, self.b.label), metric)


def _names(a: Recorded, b: Recorded, of: tuple[str, str]) -> tuple[str, str]:
    """Return a name for each side: that of the run, of the subject, or both."""
    if a.label != b.label:
        several = len(a.subjects) > 1 or len(b.subjects) > 1
        one, two = (f"{run.label}: {subject}" for run, subject in zip((a, b), of, strict=True))
        return (one, two) if several else (a.label, b.label)
    if of[0] != of[1]:
        return of
    if a.id and b.id and a.id != b.id:
        return a.id, b.id
    return names_apart(a.label, b.label)
