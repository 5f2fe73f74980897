"""Queries and segments of two runs against each other: from values, or sums, that both kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.comparison.matching import At, Matched
from veridical.comparison.recorded import Recorded
from veridical.evaluation.paired_results import Paired
from veridical.measures import Measure
from veridical.results import Measured, Result
from veridical.slices import Settings
from veridical.stats.paired_sums import paired_sums
from veridical.stats.query_bootstrap import paired_means

__all__ = ["Found", "paired_units"]

Floats: TypeAlias = npt.NDArray[np.float64]
Score: TypeAlias = Callable[[Floats], Floats]
Pair: TypeAlias = tuple[float, float]

_MOST_COLUMNS = 64


@dataclass(frozen=True, slots=True)
class Found:
    """What kept units say about a difference.

    Attributes
    ----------
    paired
        The difference; None where no unit has a value on both sides.
    values
        The metric of each side on the units that count.
    """

    paired: Paired | None
    values: Pair | None = None


def paired_units(
    measure: Measure,
    runs: tuple[Recorded, Recorded],
    of: tuple[str, str],
    matched: Matched,
    results: tuple[Result, Result],
) -> Found | None:
    """Compare two runs in a metric that is a mean over units, or a score of their sums.

    Parameters
    ----------
    measure
        The metric.
    runs, of, matched
        The runs, the subject of each, and the units that they have in common.
    results
        What was measured; values that it is not the mean of are left alone.

    Returns
    -------
    Found or None
        None where the run did not keep what the metric is made of.
    """
    places = tuple(zip(runs, of, (matched.at_a, matched.at_b), results, strict=True))
    means = [_values(run, measure, subject, at, result) for run, subject, at, result in places]
    sums = [_sums(run, measure, subject, at) for run, subject, at, _ in places]
    settings = runs[0].settings
    for columns, score in ((means, None), (sums, _score(measure))):
        a, b = columns
        if a is None or b is None or (score is None and columns is sums):
            continue
        both = ~(np.isnan(a) | np.isnan(b)).any(axis=1)
        if not both.any():
            return Found(None)
        a, b = a[both], b[both]
        paired, values = (
            _means(a, b, measure, settings) if score is None else _scores(a, b, score, settings)
        )
        notes = (*paired.notes, *(("no_unit_differs",) if np.array_equal(a, b) else ()))
        if len(a) < max(result.n for result in results):
            notes = (*notes, "common_units")
        return Found(replace(paired, notes=notes), values)
    return None


def _means(a: Floats, b: Floats, measure: Measure, settings: Settings) -> tuple[Paired, Pair]:
    one, two = a[:, 0], b[:, 0]
    means = paired_means(one, two, settings.level, settings.replicates, settings.seed)
    paired = Paired.of_means(means, len(a), measure.definition.better)
    return paired, (float(one.mean()), float(two.mean()))


def _scores(a: Floats, b: Floats, score: Score, settings: Settings) -> tuple[Paired, Pair]:
    one, two = (float(score(rows.sum(axis=0, keepdims=True))[0]) for rows in (a, b))
    found = paired_sums(
        a,
        b,
        score,
        level=settings.level,
        replicates=settings.replicates,
        seed=settings.seed,
    )
    paired = Paired(
        difference=one - two,
        n=len(a),
        interval=found.interval,
        p_value=found.p_value,
        method="approximate-randomisation",
        notes=found.notes,
    )
    return paired, (one, two)


def _values(run: Recorded, measure: Measure, subject: str, at: At, result: Result) -> Floats | None:
    """Return the value of each unit, shape (units, 1); NaN where there is none."""
    units = run.units
    found = [] if units is None else units.find("value", str(measure), subject)
    if units is None or len(found) != 1:
        return None
    values = _floats(units.columns[found[0]])
    known = values[~np.isnan(values)]
    if isinstance(result, Measured) and not (
        len(known) and math.isclose(known.mean(), result.value, rel_tol=1e-9, abs_tol=1e-12)
    ):
        return None
    return values[at][:, np.newaxis]


def _sums(run: Recorded, measure: Measure, subject: str, at: At) -> Floats | None:
    """Return what each unit adds to a score of sums, shape (units, columns); None without them."""
    units = run.units
    if units is None:
        return None
    columns = {c.name: c for c in units.find("statistic", subject=subject)}
    names = [f"{measure}[{index}]" for index in range(_MOST_COLUMNS)]
    kept = [_floats(units.columns[columns[name]])[at] for name in names if name in columns]
    return np.stack(kept, axis=1) if kept else None


def _score(measure: Measure) -> Score | None:
    """Return how a metric of texts makes a score of sums; None where it does not."""
    from veridical.summaries.token_statistics import TokenStatistics

    definition = measure.definition
    if definition.summary is not TokenStatistics or definition.statistic is None:
        return None
    # No segments, of as many counts as any metric has: only the function is wanted.
    nothing = TokenStatistics(rows=np.zeros((0, _MOST_COLUMNS), dtype=np.int64))
    score: Score | None = definition.statistic(nothing, **measure.arguments()).score
    return score


def _floats(column: Any) -> Floats:
    return np.ma.filled(np.ma.asarray(column).astype(np.float64), np.nan)
