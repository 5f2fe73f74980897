"""Runs, systems and raters compared unit by unit: by query, by text, by item."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from veridical.comparison.comparison import (
    Comparison,
    adjusted,
    compared_pairs,
    comparison_of,
    first_skipped,
    names_apart,
)
from veridical.comparison.differing import conditions_that_differ, refuse, settings_left
from veridical.errors import MetricNameError, ParameterError
from veridical.evaluation.paired_results import Paired, PairedResults
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import several
from veridical.results import Conditions, Measured, Result, Skipped

__all__ = ["compare_subjects", "compare_units"]

Results = TypeVar("Results", bound=PairedResults)


def compare_units(
    a: Results,
    b: Results,
    metric: str | Measure | Iterable[str | Measure] | None,
    allowed: tuple[str, ...] = (),
) -> tuple[Comparison, ...]:
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
    return adjusted([_compared(a, b, measure, allowed) for measure in _measures(a, b, metric)])


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
            for a, b in (compared_pairs(ev.subjects) if pairs is None else pairs)
            for measure in _shared(parts[a], parts[b])
        ]
    )


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
    refuse(str(measure), {**a.unlike(b), **conditions_that_differ(of_a, of_b)}, allowed)
    found = a.paired_with(b, measure) if of_a.ok and of_b.ok else None
    names = names_apart(a.subjects[0], b.subjects[0])
    settings = settings_left(of_a, allowed, allowed)
    return comparison_of(
        measure,
        names,
        (of_a.value, of_b.value),
        replace(
            _difference(found, names, of_a, of_b, a.units),
            n_rows=of_a.n_rows,
            conditions=Conditions(
                {**settings, "paired": True}, None if found is None else found.observed
            ),
        ),
        p_value=None if found is None else found.p_value,
        method="none" if found is None else found.method,
    )


def _difference(
    found: Paired | None, names: tuple[str, str], of_a: Result, of_b: Result, units: str
) -> Result:
    if not (of_a.ok and of_b.ok):
        return first_skipped(names, (of_a, of_b))
    if found is None:
        return Skipped("no_rows", detail=f"no {units} have a value on both sides")
    notes = found.notes
    if found.n < max(of_a.n, of_b.n):
        notes = (*notes, "common_units")
    return Measured(
        found.difference, found.n, interval=found.interval, counts=found.counts, notes=notes
    )
