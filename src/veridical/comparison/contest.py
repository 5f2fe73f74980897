"""Two recorded runs against each other: paired unit by unit where that is possible, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from veridical.comparison.cases import missing_unpaired, paired_cases
from veridical.comparison.comparing import compare
from veridical.comparison.comparison import COULD_TURN, Comparison
from veridical.comparison.differing import Allowed, Differing, refusal, same_data, told, unlike
from veridical.comparison.kept import Found, paired_units, rated, told_apart
from veridical.comparison.matching import At, Matched, has_scores, match, model_slice
from veridical.comparison.questions import Tested
from veridical.comparison.recorded import Recorded
from veridical.comparison.unpaired import unpaired
from veridical.evaluation.result_set import ResultSet
from veridical.measures import Measure
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.stats.normal import z

__all__ = ["Contest"]


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
        """Return the comparison in one metric, not yet adjusted for others."""
        metric = str(measure)
        of_a = self.a.find(metric, self.of[0], group)
        of_b = self.b.find(metric, self.of[1], group)
        lacks = [name for name, one in zip(self.names, (of_a, of_b), strict=True) if one is None]
        if of_a is None or of_b is None:
            where = metric if group is None else f"{metric} of {group}"
            lost = Skipped("unsupported_by_engine", detail=f"{lacks[0]} did not measure {where}")
            return self._told(measure, group, lost, (of_a, of_b), Tested("none"))
        self._refuse(
            {
                name: (of_a.conditions.get(name), of_b.conditions.get(name))
                for name in of_a.conditions.differences(of_b.conditions)
            },
            metric,
        )
        return (
            self._as_measured(measure, group, (of_a, of_b))
            or self._by_cases(measure, group, (of_a, of_b))
            or self._by_ratings(measure, group)
            or self._by_units(measure, group, (of_a, of_b))
            or self._apart(measure, group, (of_a, of_b))
        )

    def _as_measured(
        self, measure: Measure, group: str | None, results: tuple[Result, Result]
    ) -> Comparison | None:
        """Compare as ``compare`` does, where both still have, or again have, what it needs."""
        metric = str(measure)
        if group not in self._found:
            self._found[group] = self._together(group, self.measures or [measure])
        if self._found[group] and metric not in self._found[group]:
            self._found[group] |= self._together(group, [measure])
        found = self._found[group].get(metric)
        if found is None or (not found.difference.ok and all(result.ok for result in results)):
            return None
        return self._renamed(found)

    def _renamed(self, found: Comparison) -> Comparison:
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

    def _together(self, group: str | None, measures: list[Measure]) -> dict[str, Comparison]:
        sides = self._sides(group)
        if sides is None:
            return {}
        one, two = sides
        found = {
            c.metric: c for c in compare(one, two, list(measures), allow=list(self.may_differ))
        }
        if self.used or not _same_scores(one, two):
            return found
        return {
            metric: replace(c, difference=replace(c.difference, notes=("no_unit_differs",)))
            for metric, c in found.items()
        }

    def _sides(self, group: str | None) -> tuple[ResultSet, ResultSet] | None:
        """Return two evaluations of one subject each; None where rows were not kept."""
        sides = []
        positions: tuple[At | None, At | None] = (None, None)
        if self.matched is not None:
            positions = (self.matched.at_a, self.matched.at_b)
        for run, subject, at in zip((self.a, self.b), self.of, positions, strict=True):
            if run.evaluation is not None:
                part = run.evaluation.subject(subject)
                sides.append(part if group is None else part.group(group))
            elif at is not None and has_scores(run, subject):
                sides += _rebuilt(run, subject, group, at)
        return (sides[0], sides[1]) if len(sides) == 2 else None

    def _by_cases(
        self, measure: Measure, group: str | None, results: tuple[Result, Result]
    ) -> Comparison | None:
        """Compare means over cases, of which some may lack a value."""
        if self.matched is None or self.matched.noun != "case":
            return None
        found = paired_cases(measure, (self.a, self.b), self.of, self.matched, group)
        return None if found is None else self._paired(measure, group, results, found)

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
        paired = found.paired
        if paired is None:
            lost = Skipped("no_rows", detail="no unit has a value on both sides")
            return self._told(measure, group, lost, results, Tested("none"))
        difference = Measured(
            paired.difference,
            paired.n,
            interval=paired.interval,
            counts=paired.counts,
            notes=paired.notes,
        )
        tested = Tested(paired.method, paired.interval, paired.p_value, paired.observed)
        return self._told(
            measure, group, difference, results, tested, values=found.values, paired=True
        )

    def _by_ratings(self, measure: Measure, group: str | None) -> Comparison | None:
        """Compare pairs of raters who have one rater in common, item by item."""
        if self.matched is None or group is not None or self.a.kind != "agreement":
            return None
        one, two = (
            rated(run, subject, at)
            for run, subject, at in zip(
                (self.a, self.b), self.of, (self.matched.at_a, self.matched.at_b), strict=True
            )
        )
        if one is None or two is None or not (one.comparable(measure) and two.comparable(measure)):
            return None
        one, two = told_apart(one, two)
        return self._renamed(compare(one, two, measure, allow=list(self.may_differ)))

    def _apart(
        self, measure: Measure, group: str | None, results: tuple[Result, Result]
    ) -> Comparison:
        """Compare as independent samples, from the two intervals."""
        of_a, of_b = results
        for name, result in zip(self.names, results, strict=True):
            if isinstance(result, Skipped):
                lost = Skipped(result.reason, detail=f"{name}: {result.detail}")
                return self._told(measure, group, lost, results, Tested("none"))
        assert isinstance(of_a, Measured) and isinstance(of_b, Measured)  # noqa: S101, PT018 - for mypy
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
        tested = replace(found, p_value=_p_value(difference))
        return self._told(measure, group, difference, results, tested)

    @property
    def _same_column(self) -> bool:
        """Whether both are known to be one score column of one data set: its hash covers scores."""
        hashes = [run.source.get("sha256") for run in (self.a, self.b)]
        same = self.of[0] == self.of[1] and hashes[0] is not None and hashes[0] == hashes[1]
        return same and self.a.kind == "evaluation" and not self.used

    def _told(
        self,
        measure: Measure,
        group: str | None,
        difference: Result,
        results: tuple[Result | None, Result | None],
        tested: Tested,
        *,
        values: tuple[float, float] | None = None,
        paired: bool = False,
    ) -> Comparison:
        settings: dict[str, Any] = {}
        of_a, _ = results
        if of_a is not None:
            settings = {
                k: v for k, v in of_a.conditions.settings.items() if k not in self.may_differ
            }
        if self.used:
            settings["allowed"] = tuple(sorted(self._used))
        if values is None:
            value_a, value_b = (None if one is None else one.value for one in results)
        else:
            value_a, value_b = values
        n_rows = None if of_a is None else of_a.n_rows
        return Comparison(
            metric=str(measure),
            a=self.names[0],
            b=self.names[1],
            value_a=value_a,
            value_b=value_b,
            difference=replace(
                difference,
                metric=str(measure),
                subject=" - ".join(self.names),
                group=group,
                n_rows=self.matched.n if paired and self.matched else n_rows,
                conditions=Conditions({**settings, "paired": paired}, tested.observed),
            ),
            p_value=tested.p_value,
            method=tested.method,
            better=measure.definition.better,
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
    return f"{a.label} (a)", f"{b.label} (b)"


def _rebuilt(run: Recorded, subject: str, group: str | None, at: At) -> list[ResultSet]:
    """Return the evaluation of the rows that were kept; none where the group was not."""
    from veridical.evaluation import Evaluation

    part = model_slice(run, subject, group, at)
    if part is None:
        return []
    return [
        Evaluation(
            results=tuple(result for result in run.results if str(result.subject) == subject),
            source={},
            subjects=(subject,),
            settings=run.settings,
            slices=(part,),
            only_group=group,
        )
    ]


def _same_scores(one: ResultSet, two: ResultSet) -> bool:
    """Whether two models gave every row the same score."""
    rows = [
        part.rows
        for side in (one, two)
        for part in getattr(side, "slices", ())
        if part.group == side.only_group
    ]
    return len(rows) == 2 and all(rows) and np.array_equal(rows[0].scores, rows[1].scores)


def _p_value(difference: Measured) -> float | None:
    """Return the p-value that belongs to an interval: below 1 - level where 0 is outside."""
    interval, value = difference.interval, difference.value
    if interval is None:
        return None
    half = value - interval.low if value > 0 else interval.high - value
    if half <= 0:
        return 1.0 if value == 0 else None
    return 2 * NormalDist().cdf(-abs(value) / half * z(interval.level))
