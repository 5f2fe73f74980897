"""From a summary to a result with its passport: one measure, one slice, one set of settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from veridical.costs import Costs
from veridical.errors import MetricFailedError, VeridicalError
from veridical.measures import Definition, Measure
from veridical.metrics.approximate import approximate
from veridical.metrics.evidence import (
    BinnedEvidence,
    Evidence,
    LacksSummaryError,
    TableEvidence,
)
from veridical.metrics.extremes import between_extremes
from veridical.metrics.intervals import Method, Outcome, Request
from veridical.metrics.outcomes import absent_setting
from veridical.results import Bounds, Conditions, Measured, Result, Skipped
from veridical.slices import Settings, Slice
from veridical.stats.resolution import FEW_UNITS
from veridical.summaries import (
    ConfusionCounts,
    LossSums,
    Ranking,
    ReliabilityTable,
    ScoreTable,
)

__all__ = ["finalise", "with_bins"]


def finalise(measure: Measure, of: Slice, settings: Settings) -> Result:
    """Compute one measure on one slice: value, interval, conditions, notes.

    A setting that the metric needs and that was not given skips it, with the reason.

    Raises
    ------
    MetricFailedError
        The metric raised an exception of its own, or returned no result.
    """
    definition, arguments = measure.definition, measure.arguments()
    try:
        result, observed, outcome_notes = _measured(measure, of, settings)
    except (VeridicalError, MemoryError):
        raise
    except Exception as error:
        raise _failed(measure, of, f"{type(error).__name__}: {error}") from error
    notes = (*result.notes, *outcome_notes, *_too_wide(result, settings), *of.notes)
    conditions = Conditions(
        {**of.conditions.settings, **arguments, **_written(definition, settings, arguments)},
        {
            **of.conditions.observed,
            **_counted_in(definition, result, of.evidence),
            **observed,
            **result.conditions,
        },
    )
    return replace(
        result,
        metric=str(measure),
        subject=of.subject,
        group=of.group,
        n_rows=of.evidence.rows,
        conditions=conditions,
        counts={**of.counts, **_counted_rows(measure, of, settings, result)},
        notes=tuple(dict.fromkeys(notes)),
    )


def _measured(
    measure: Measure, of: Slice, settings: Settings
) -> tuple[Result, Mapping[str, Any], tuple[str, ...]]:
    """Return the result, and what its interval observed and noted."""
    result: Any = _computed(measure, of, settings)  # whatever the metric returned
    method = measure.definition.interval
    if not isinstance(result, (Measured, Skipped)):
        told = f"it returned {type(result).__name__}, not Measured or Skipped"
        raise _failed(measure, of, told)
    if not result.ok or not settings.intervals or method is None:
        return result, {}, ()
    outcome = _interval(measure, method, result, of, settings)
    said = outcome.said(_units(of))
    return replace(result, interval=outcome.interval), outcome.observed, said


def _failed(measure: Measure, of: Slice, told: str) -> MetricFailedError:
    place = ", ".join(part for part in (of.subject, of.group) if part is not None)
    return MetricFailedError(
        f"the metric {measure} failed: {told}"[:500],
        where=place,
        why="its function, or that of its interval, is at fault, and not the data",
        fix=f"leave {measure} out, and report it with the traceback (--debug) to its author",
    )


def _units(of: Slice) -> float | None:
    """Return how many rows there are; None over clusters, of which few are told as such."""
    evidence, units = of.evidence, of.units
    if units is not None and units.codes is not None:
        return None
    if units is not None or evidence.rows >= FEW_UNITS:
        return evidence.rows
    # Whole-number weights are repeated rows, fractional ones are none.
    ranking = (
        evidence.bins.pessimistic if isinstance(evidence, BinnedEvidence) else evidence.ranking
    )
    return max(evidence.rows, float(ranking.total))


def _counted_rows(
    measure: Measure, of: Slice, settings: Settings, result: Result
) -> dict[str, int]:
    """Return how many rows are behind an ``n`` that is a sum of weights.

    Whole-number weights of independent rows are repeated rows, and so is their sum.
    """
    units = of.units
    if not isinstance(result, Measured) or units is None or units.weight is None:
        return {}
    if _is_over_all(measure.definition, result, of):
        return {"n_rows_counted": of.evidence.rows}
    # Only the metric knows which rows it is over: positives, those above a threshold, ...
    counted = _computed(measure, of.unweighted(units), settings)
    return {"n_rows_counted": counted.n if counted.ok else of.evidence.rows}


def _is_over_all(definition: Definition, result: Measured, of: Slice) -> bool:
    """Whether a metric is over all rows: where it is, computing it again only counts them."""
    if "costs" in definition.settings:  # whatever each of them may cost
        return True
    is_of_forecasts = definition.summary in (ReliabilityTable, LossSums, ScoreTable)
    return is_of_forecasts and result.n == round(of.evidence.ranking.total)


def _too_wide(result: Result, settings: Settings) -> tuple[str, ...]:
    within, bounds = settings.bounds_within, result.bounds
    wide = within is not None and bounds is not None and bounds.width > within
    return ("bounds_wider_than_asked",) if wide else ()


def _counted_in(definition: Definition, result: Result, evidence: Evidence) -> dict[str, str]:
    """Return which summary a number came from, where there is a choice between several."""
    if not isinstance(result, Measured):
        return {}
    if definition.summary is ScoreTable:
        return {"summary": "score table"}
    return {"summary": evidence.kind} if _is_of_scores(definition) else {}


def _interval(
    measure: Measure, method: Method, result: Measured, of: Slice, settings: Settings
) -> Outcome:
    definition, evidence = measure.definition, of.evidence
    known = result.bounds is None and definition.summary is ConfusionCounts
    binned = _is_of_scores(definition) or result.bounds is not None
    if known or not binned or not isinstance(evidence, BinnedEvidence):
        return method(result, _request(measure, of, settings))
    parts = _ends(definition, of, evidence)[: 1 if result.bounds is None else 2]
    ends = [(_computed(measure, part, settings), part) for part in parts]
    return between_extremes(
        [
            method(end, _request(measure, part, settings))
            if isinstance(end, Measured)
            else Outcome(None)
            for end, part in ends
        ]
    )


def _is_of_scores(definition: Definition) -> bool:
    """Whether it is computed from the ranking or from decisions, not from sums of forecasts."""
    return definition.summary in (ConfusionCounts, Ranking)


def _computed(measure: Measure, of: Slice, settings: Settings) -> Result:
    definition, arguments = measure.definition, measure.arguments()
    if skipped := absent_setting(definition, settings.given):
        return skipped
    evidence = of.evidence
    try:
        summary = _summary(definition, arguments, evidence, settings)
    except LacksSummaryError as error:
        found: Result | None = None
        if isinstance(evidence, BinnedEvidence) and _is_of_scores(definition):
            found = _approximated(measure, evidence, settings)
        elif isinstance(evidence, BinnedEvidence) and definition.id in _MEAN_LOSSES:
            found = _mean_loss_between(measure, _ends(definition, of, evidence), settings)
        return found or Skipped("unsupported_by_engine", detail=f"{definition.id}: {error}")
    if definition.summary is ConfusionCounts:
        return definition.function(summary, **arguments)
    return definition.function(summary, **arguments, **_settings(definition, settings))


def _summary(
    definition: Definition, arguments: Mapping[str, Any], evidence: Evidence, settings: Settings
) -> Any:
    """Return the summary that the metric is computed from."""
    if definition.summary is ConfusionCounts:
        return evidence.at(settings.threshold)
    if definition.summary is ReliabilityTable:
        return evidence.reliability(arguments.get("bins"))
    if definition.summary is LossSums:
        return evidence.losses("log", arguments.get("clip", 0.0))
    if definition.summary is Ranking:
        return evidence.ranking
    if definition.summary is ScoreTable:
        return evidence.table
    verb = _VERBS.get(definition.family)
    measured = f"; {verb} measures it" if verb else ""
    raise LacksSummaryError(f"it is computed from {definition.summary.__name__}{measured}")


_VERBS = {
    "agreement": "evaluate_agreement",
    "drift": "evaluate_drift",
    "fairness": "evaluate_fairness",
    "retrieval": "evaluate_ranking",
    "text": "evaluate_text",
    "trec": "evaluate_ranking",
}


def _settings(definition: Definition, settings: Settings) -> dict[str, Any]:
    return {name: settings.given(name) for name in definition.settings}


def _approximated(measure: Measure, evidence: BinnedEvidence, settings: Settings) -> Result:
    result = approximate(
        measure,
        evidence.bins,
        costs=settings.costs,
        threshold=settings.threshold,
        level=settings.level,
    )
    return replace(result, conditions=Conditions(observed=result.conditions.observed))


# Least where the positives of each bin have its highest score and the negatives its lowest.
_MEAN_LOSSES: Final = frozenset({
    "calibration.brier", "calibration.brier_skill", "calibration.log_loss",
})  # fmt: skip
# Far more than rounding each loss to a multiple of 2**-52 can move their mean.
_ROUNDING: Final = 2.0**-46


def _ends(definition: Definition, of: Slice, evidence: BinnedEvidence) -> list[Slice]:
    """Return the slice as the worst and as the best that its bins allow."""
    extremes = of.extremes(evidence)
    if definition.id not in _MEAN_LOSSES:
        return extremes
    # Forecasts that are a hair outside [0, 1] are taken for 0 or 1, as those of rows are.
    forecasts: list[Any] = [np.clip(one.table.scores, 0, 1) for one in extremes]
    return [
        replace(of, evidence=TableEvidence(replace(one.table, scores=scores)))
        for one, scores in zip(extremes, forecasts, strict=True)
    ]


def _mean_loss_between(
    measure: Measure, extremes: Sequence[Slice], settings: Settings
) -> Result | None:
    """Return what bins of forecasts leave open of a mean loss; None where it may be infinite."""
    worst, best = (_computed(measure, part, settings) for part in extremes)
    if not (isinstance(worst, Measured) and isinstance(best, Measured)):
        return best if worst == best else None
    low, high = sorted((worst.value, best.value))
    least, most = measure.definition.bounds
    room = _ROUNDING * max(1.0, abs(low), abs(high))
    low = low - room if least is None else max(float(least), low - room)
    high = high + room if most is None else min(float(most), high + room)
    return replace(worst, value=low / 2 + high / 2, bounds=Bounds(low, high))


def _request(measure: Measure, of: Slice, settings: Settings) -> Request:
    definition, costs = measure.definition, settings.costs
    priced_by_row = "costs" in definition.settings and costs is not None and costs.columns
    units = of.units
    if units is None and priced_by_row and of.rows is not None:
        units = of.rows.repeated()  # without units of their own the weights are whole numbers
    return Request(
        definition,
        {**measure.arguments(), **_settings(definition, settings)},
        of.evidence,
        level=settings.level,
        seed=settings.seed,
        replicates=settings.replicates,
        units=units,
        _walks=of._walks,  # noqa: SLF001 - the slice keeps what its metrics share
    )


def _written(
    definition: Definition, settings: Settings, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the settings that the metric read, as conditions."""
    # The level belongs to the interval, unless the value itself is certified at it.
    level_matters = arguments.get("mode") == "certified"
    written: dict[str, Any] = {}
    for name in definition.settings:
        value = settings.given(name)
        if value is None or (name == "level" and not level_matters):
            continue
        written[name] = value.to_dict() if isinstance(value, Costs) else value
    return written


def with_bins(measure: Measure, bins: int | None) -> Measure:
    """Return the measure with this number of bins, where it has bins and none were named."""
    names = {parameter.name for parameter in measure.definition.parameters}
    if bins is None or "bins" not in names or "bins" in measure.parameters:
        return measure
    return measure(bins=bins)
