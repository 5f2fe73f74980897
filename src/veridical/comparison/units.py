"""Runs, systems and raters compared unit by unit: by query, by text, by item."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TypeVar

from veridical.comparison.comparison import Comparison, adjusted
from veridical.comparison.pairs import refuse
from veridical.errors import MetricNameError, ParameterError
from veridical.evaluation.paired_results import Paired, PairedResults
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import several
from veridical.results import Conditions, Measured, Result, Skipped

__all__ = ["compare_subjects", "compare_units"]

MOST_SUBJECTS_ALL_PAIRS = 4
Results = TypeVar("Results", bound=PairedResults)


def compare_units(
    a: Results,
    b: Results,
    metric: str | Measure | Iterable[str | Measure] | None,
    allowed: tuple[str, ...] = (),
) -> Comparison | tuple[Comparison, ...]:
    """Do what ``compare`` does, for evaluations of one kind.

    Parameters
    ----------
    a, b
        Of one subject each.
    metric, allowed
        As for ``compare``.
    """
    for ev in (a, b):
        if len(ev.subjects) != 1:
            raise ParameterError(
                f"an evaluation of {len(ev.subjects)} {ev.subject_noun}s cannot be one side",
                fix=f"choose one, for example ev.subject({ev.subjects[0]!r})",
            )
    measures = _measures(a, b, metric)
    found = adjusted([_compared(a, b, measure, allowed) for measure in measures])
    return found[0] if isinstance(metric, (str, Measure)) else found


def compare_subjects(
    ev: PairedResults, pairs: Iterable[tuple[str, str]] | None = None
) -> tuple[Comparison, ...]:
    """Compare the subjects of one evaluation in every metric that their units say something about.

    Holm's adjustment is over all metrics and pairs together.

    Parameters
    ----------
    ev
        The evaluation.
    pairs
        Which subjects are compared; by default up to four pair by pair, more of them with the
        first.
    """
    parts = {name: ev.subject(name) for name in ev.subjects}
    return adjusted(
        [
            _compared(parts[a], parts[b], measure)
            for a, b in (_pairs(ev.subjects) if pairs is None else pairs)
            for measure in _shared(parts[a], parts[b])
        ]
    )


def _pairs(names: Sequence[str]) -> Iterable[tuple[str, str]]:
    if len(names) <= MOST_SUBJECTS_ALL_PAIRS:
        return combinations(names, 2)
    return ((names[0], other) for other in names[1:])


def _shared(a: PairedResults, b: PairedResults) -> list[Measure]:
    theirs = {result.metric for result in b.values()}
    shared = (find(result.metric) for result in a.values() if result.metric in theirs)
    return [measure for measure in shared if a.comparable(measure)]


def _measures(
    a: PairedResults, b: PairedResults, metric: str | Measure | Iterable[str | Measure] | None
) -> list[Measure]:
    if metric is None:
        found = _shared(a, b)
        if not found:
            raise ParameterError(
                "the two evaluations have no metric in common", fix="name the metric to compare"
            )
        return found
    found = [find(a[name].metric) for name in several(metric)]
    if not found:
        raise MetricNameError("no metric is named", fix="name one, or give None for all")
    return found


def _compared(
    a: Results, b: Results, measure: Measure, allowed: tuple[str, ...] = ()
) -> Comparison:
    """Return the comparison in one metric, not yet adjusted for others."""
    of_a, of_b = a[measure], b[measure]
    differing = {
        name: (of_a.conditions.get(name), of_b.conditions.get(name))
        for name in of_a.conditions.differences(of_b.conditions)
    }
    refuse(str(measure), {**a.unlike(b), **differing}, allowed)
    names = _told_apart(a.subjects[0], b.subjects[0])
    found = None if _skip(names, of_a, of_b) else a.paired_with(b, measure)
    difference = _difference(found, names, of_a, of_b, a.units)
    settings = {k: v for k, v in of_a.conditions.settings.items() if k not in allowed}
    settings |= {"allowed": allowed} if allowed else {}
    return Comparison(
        metric=str(measure),
        a=names[0],
        b=names[1],
        value_a=of_a.value,
        value_b=of_b.value,
        difference=replace(
            difference,
            metric=str(measure),
            subject=" - ".join(names),
            n_rows=of_a.n_rows,
            conditions=Conditions(
                {**settings, "paired": True}, found.observed if found is not None else {}
            ),
        ),
        p_value=None if found is None else found.p_value,
        method="none" if found is None else found.method,
        better=measure.definition.better,
    )


def _told_apart(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a != b else (f"{a} (a)", f"{b} (b)")


def _skip(names: tuple[str, str], *results: Result) -> Skipped | None:
    """Return the skip of the first side that has no value."""
    for name, result in zip(names, results, strict=True):
        if isinstance(result, Skipped):
            return Skipped(result.reason, detail=f"{name}: {result.detail}")
    return None


def _difference(
    found: Paired | None, names: tuple[str, str], of_a: Result, of_b: Result, units: str
) -> Result:
    skipped = _skip(names, of_a, of_b)
    if skipped is not None:
        return skipped
    if found is None:
        return Skipped("no_rows", detail=f"no {units} have a value on both sides")
    notes = found.notes
    if found.n < max(of_a.n, of_b.n):
        notes = (*notes, "common_units")
    return Measured(
        found.difference, found.n, interval=found.interval, counts=found.counts, notes=notes
    )
