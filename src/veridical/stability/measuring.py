"""``evaluate_drift``: what has moved between a reference and current data, column by column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from veridical.errors import InputError, ParameterError
from veridical.evaluation.unit_results import UnitSettings, asked_of, unit_result
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import names as names_of
from veridical.parameters import whole
from veridical.results import Conditions, Result, Skipped
from veridical.stability.drift_evaluation import DriftEvaluation
from veridical.stability.reference import FrozenColumn, Reference, chosen_columns, common_columns
from veridical.stability.samples import (
    Kind,
    Sample,
    content_of,
    kind_of,
    kinds_of,
    sample_of,
    samples_of,
    without_names,
)
from veridical.stability.traffic_light import with_light
from veridical.stats.multiplicity import holm
from veridical.summaries.shifted_cells import TwoSamples
from veridical.tables import column_from, open_table

__all__ = ["evaluate_drift", "measure_drift"]

DEFAULTS: Mapping[Kind, tuple[str, ...]] = {
    "numeric": ("drift.psi", "drift.jsd", "drift.ks", "drift.wasserstein"),
    "categorical": ("drift.psi", "drift.jsd", "drift.chi2"),
}
_NEEDS_VALUES = "the reference is frozen: it holds counts, and no values"
_NEEDS_ORDER = (
    "the column holds categories, which have no order; drift.psi and drift.chi2 need none"
)


def evaluate_drift(
    reference: Any,
    current: Any,
    metrics: Iterable[str | Measure] | str | Measure | None = None,
    *,
    columns: Sequence[str] | str | None = None,
    categorical: Sequence[str] | str = (),
    bins: int | None = None,
    level: float = 0.95,
    intervals: bool = True,
    seed: int = 0,
    replicates: int = 1000,
) -> DriftEvaluation:
    """Measure how far each column has moved since a reference.

    Parameters
    ----------
    reference
        A table as for ``evaluate``; or a ``Reference``, or the file of one, whose cells were
        frozen before.
    current
        A table.
    metrics
        Names or measure objects of the family ``drift``.  By default PSI and Jensen-Shannon
        divergence; for numbers the Kolmogorov-Smirnov and Wasserstein distances, for categories
        the chi-square statistic.
    columns
        Which to compare; by default those that both sides have, without text that names rows.
    categorical
        Columns of numbers that are codes; text and booleans are categories anyway.
    bins
        Into how many quantiles of the reference numbers are cut, 10 by default. What was frozen
        keeps its own.
    level, intervals, seed, replicates
        As for ``evaluate``.

    Returns
    -------
    DriftEvaluation
        Results by column and metric, the largest drift first.

    Raises
    ------
    InputError, MissingColumnError, FileFormatError, MismatchError
        The data cannot be used as they are; the message says where and what to do.
    MetricNameError, ParameterError
        A metric or a parameter that does not exist.

    Examples
    --------
    >>> then = {"age": [20, 30, 40, 50] * 50, "kind": ["a", "b"] * 100}
    >>> now = {"age": [30, 40, 50, 60] * 50, "kind": ["a", "b"] * 100}
    >>> ev = evaluate_drift(then, now)
    >>> [(column, str(ev.light(column))) for column in ev.subjects]
    [('age', 'significant'), ('kind', 'stable')]
    """
    settings = UnitSettings(level, intervals, seed, replicates).checked()
    asked = None if metrics is None else asked_of(metrics, "drift")
    table = open_table(current)
    wanted = None if columns is None else chosen_columns(table, columns)
    sides = _sides(reference, table.names, wanted, names_of("categorical", categorical), bins)
    samples = samples_of(table, sides.kinds)
    sides = replace(sides, current=samples)
    pairs = {name: list(_measured(name, sides, asked, settings)) for name in sides.kinds}
    by_column = {name: [result for result, _ in found] for name, found in pairs.items()}
    order = sorted(by_column, key=lambda name: _size(by_column[name]), reverse=True)
    return DriftEvaluation(
        results=_adjusted([result for name in order for result in by_column[name]]),
        source={
            "reference": dict(sides.frozen.source),
            "current": {**table.describe(), "sha256": content_of(samples)},
            "n_reference": sides.frozen.n,
            "n_current": max((sample.n for sample in samples.values()), default=0),
        },
        subjects=tuple(order),
        keyed_by_subject=len(order) > 1,
        settings=settings,
        kinds={name: sides.frozen.columns[name].kind for name in order},
        reference=sides.frozen,
        summaries={
            (name, result.metric): summary
            for name in order
            for result, summary in pairs[name]
            if summary is not None
        },
    )


def measure_drift(
    metric: str | Measure,
    reference: Any,
    current: Any,
    *,
    bins: int | None = None,
    level: float = 0.95,
    intervals: bool = True,
    seed: int = 0,
    replicates: int = 1000,
) -> Result:
    """Measure one metric of drift on two columns.

    Parameters
    ----------
    metric
        Name or measure object of the family ``drift``.
    reference, current
        Numbers or categories, shape (n,) and (m,).
    bins, level, intervals, seed, replicates
        As for ``evaluate_drift``.

    Examples
    --------
    >>> measure_drift("drift.ks", [1, 1, 1, 2], [1, 2, 2, 2]).value
    0.5
    """
    settings = UnitSettings(level, intervals, seed, replicates).checked()
    name = "value"
    before = column_from(name, reference)
    kind = kind_of(before, ())
    sample = sample_of(before, kind)
    sides = _Sides(
        {name: kind},
        Reference.of({name: sample}, 10 if bins is None else bins, {}),
        {name: sample},
        {name: sample_of(column_from(name, current), kind)},
        bins,
    )
    ((result, _),) = _measured(name, sides, asked_of(metric, "drift"), settings)
    return replace(result, subject=None)


@dataclass(frozen=True, eq=False)
class _Sides:
    """Both sides of every column.

    Attributes
    ----------
    kinds
        Of the columns that are compared.
    frozen
        The reference in cells.
    before, current
        Its values, where it is not only frozen, and the current ones.
    bins
        What was asked for.
    """

    kinds: Mapping[str, Kind]
    frozen: Reference
    before: Mapping[str, Sample] | None = None
    current: Mapping[str, Sample] = field(default_factory=dict)
    bins: int | None = None

    def cells(self, name: str, bins: int) -> FrozenColumn:
        """Return the cells of a column for a metric of so many bins."""
        if bins == self.frozen.bins:
            return self.frozen.columns[name]
        if self.before is None:
            raise ParameterError(
                f"the reference was frozen in {self.frozen.bins} bins, not {bins}",
                why="its cells are never refitted",
                fix="leave bins out, or give the reference data",
            )
        return FrozenColumn.of(self.before[name], bins)

    @cached_property
    def frozen_sha256(self) -> str:
        """Hash of the reference: all columns are in it, and every result names it."""
        return self.frozen.sha256

    @cached_property
    def both(self) -> dict[str, TwoSamples]:
        """The values of both sides by column, where there are any."""
        return {
            name: TwoSamples.of(sample.numbers, self.current[name].numbers)
            for name, sample in (self.before or {}).items()
            if self.frozen.columns[name].kind == "numeric"
        }


def _sides(
    reference: Any,
    there: Sequence[str],
    wanted: tuple[str, ...] | None,
    categorical: tuple[str, ...],
    bins: int | None,
) -> _Sides:
    if isinstance(reference, (str, Path)) and Path(reference).suffix == ".reference":
        reference = Reference.load(reference)
    if isinstance(reference, Reference):
        if categorical:
            raise ParameterError("a frozen reference knows its categories", fix="leave them out")
        names = common_columns(reference.columns, there, wanted)
        absent = [name for name in names if name not in reference.columns]
        if absent:
            raise InputError(
                f"the reference has no column {absent[0]!r}",
                fix=f"it has {', '.join(map(repr, list(reference.columns)[:10]))}",
            )
        kinds = {name: reference.columns[name].kind for name in names}
        return _Sides(kinds, reference, bins=bins)
    table = open_table(reference)
    names = common_columns(table.names, there, wanted)
    before = samples_of(table, kinds_of(table, names, categorical))
    if wanted is None:
        before = without_names(before, stacklevel=4)
    frozen = Reference.of(before, 10 if bins is None else whole("bins", bins, 2), table.describe())
    # A column without any value has no numbers to cut: what comes is compared by level.
    kinds = {name: frozen.columns[name].kind for name in before}
    return _Sides(kinds, frozen, before, bins=bins)


def _measured(
    name: str,
    sides: _Sides,
    asked: Mapping[Measure, str | None] | None,
    settings: UnitSettings,
) -> Iterator[tuple[Result, Any]]:
    """Yield each result of a column with what it was computed from, None where it was not."""
    current = sides.current[name]
    kind = sides.frozen.columns[name].kind
    chosen = asked if asked is not None else {find(default): None for default in DEFAULTS[kind]}
    in_cells = cache(lambda bins: sides.cells(name, bins).beside(current))
    for given, requested in chosen.items():
        one = _with_bins(given, sides)
        context: dict[str, Any] = {
            "subject": name,
            "requested": requested,
            "n_rows": current.n,
            "counts": {"n_missing": current.missing} if current.missing else {},
            "conditions": Conditions(
                {"reference_sha256": sides.frozen_sha256}, {"column_kind": kind}
            ),
        }
        needs_values = one.definition.summary is TwoSamples
        if needs_values and name not in sides.both:
            if asked is not None:  # else nobody asked for what the default set cannot give
                detail = _NEEDS_ORDER if kind == "categorical" else _NEEDS_VALUES
                skipped = Skipped("unsupported_by_engine", detail=detail)
                yield replace(skipped, metric=str(one), **context), None
            continue
        summary = sides.both[name] if needs_values else in_cells(int(one.arguments()["bins"]))
        result = unit_result(one, summary, settings, **context)
        yield (with_light(result) if one.name == "psi" else result), summary


def _with_bins(measure: Measure, sides: _Sides) -> Measure:
    """Give a measure the bins that were asked for, unless its name says them."""
    takes = any(parameter.name == "bins" for parameter in measure.definition.parameters)
    if not takes or "bins" in measure.parameters:
        return measure
    return measure(bins=sides.frozen.bins if sides.bins is None else sides.bins)


def _size(results: Sequence[Result]) -> float:
    """Return what columns are sorted by: the index, or the first value there is."""
    ordered = sorted(results, key=lambda result: not result.metric.startswith("drift.psi"))
    values = [result.value for result in ordered if result.value is not None]
    return values[0] if values else -1.0


def _adjusted(results: Sequence[Result]) -> tuple[Result, ...]:
    """Adjust the p-values of all tests together, by Holm's method."""
    adjusted = list(results)
    places = [at for at, result in enumerate(results) if "p_value" in result.conditions]
    p_values = holm([float(results[at].conditions["p_value"]) for at in places])
    for at, p_value in zip(places, p_values, strict=True):
        conditions = results[at].conditions.found(p_value_holm=p_value)
        adjusted[at] = replace(results[at], conditions=conditions)
    return tuple(adjusted)
