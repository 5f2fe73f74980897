"""From the summary of items or segments to a result with its passport."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from veridical.errors import MetricNameError, ParameterError
from veridical.measures import Measure
from veridical.metrics import find
from veridical.metrics.unit_intervals import Question
from veridical.parameters import several, truth, whole
from veridical.results import NO_CONDITIONS, Conditions, Measured, Result
from veridical.stats.normal import check_level
from veridical.stats.resolution import FEWEST_REPLICATES

__all__ = ["UnitSettings", "asked_of", "unit_result"]


@dataclass(frozen=True, slots=True)
class UnitSettings:
    """How intervals are made.

    Attributes
    ----------
    level, intervals
        Coverage, in (0, 1); whether to compute intervals at all.
    seed, replicates
        What determines all random draws; how many bootstrap replicates.
    method
        ``"analytic"`` where there is a formula, or ``"bootstrap"`` throughout.
    """

    level: float = 0.95
    intervals: bool = True
    seed: int = 0
    replicates: int = 1000
    method: Literal["analytic", "bootstrap"] = "analytic"

    @property
    def shown_level(self) -> float | None:
        """The level of the intervals; None where there are none."""
        return self.level if self.intervals else None

    def checked(self) -> UnitSettings:
        """Return the settings, or raise ``ParameterError`` if one is out of range."""
        check_level(self.level)
        truth("intervals", self.intervals)
        whole("seed", self.seed)
        whole("replicates", self.replicates, FEWEST_REPLICATES, 1_000_000)
        if self.method not in {"analytic", "bootstrap"}:
            raise ParameterError(
                f"interval is analytic or bootstrap, not {self.method!r}", fix="give one of them"
            )
        return self


def asked_of(
    metrics: Iterable[str | Measure] | str | Measure, family: str
) -> dict[Measure, str | None]:
    """Return each measure with the name it was asked for by; all belong to one family.

    Raises
    ------
    MetricNameError
        There is no such metric, or it belongs to another family.
    """
    asked: dict[Measure, str | None] = {}
    for name in several(metrics):
        found = find(name, (family,))
        if found.family != family:
            raise MetricNameError(
                f"{found} is no metric of {family}", fix=f"see `veridical metrics {family}`"
            )
        asked.setdefault(found, str(name))
    return asked


def unit_result(
    measure: Measure,
    summary: Any,
    settings: UnitSettings,
    *,
    subject: str | None = None,
    requested: str | None = None,
    conditions: Conditions = NO_CONDITIONS,
    n_rows: int | None = None,
    counts: Mapping[str, int] | None = None,
    notes: tuple[str, ...] = (),
) -> Result:
    """Compute one measure on one summary: value, interval, conditions, notes."""
    definition, arguments = measure.definition, measure.arguments()
    result = definition.function(summary, **arguments)
    outcome_notes: tuple[str, ...] = ()
    observed: Mapping[str, Any] = {}
    if isinstance(result, Measured) and settings.intervals and definition.interval is not None:
        question = Question(
            definition,
            arguments,
            summary,
            settings.level,
            settings.seed,
            settings.replicates,
            settings.method,
        )
        outcome = definition.interval(result, question)
        result = replace(result, interval=outcome.interval)
        outcome_notes = outcome.said(result.counts.get("n_rows_counted", result.n))
        observed = outcome.observed
    return replace(
        result,
        metric=str(measure),
        requested=requested,
        subject=subject,
        n_rows=n_rows,
        conditions=Conditions(
            {**conditions.settings, **arguments, **result.conditions.settings},
            {**conditions.observed, **result.conditions.observed, **observed},
        ),
        counts={**result.counts, **(counts or {})},
        notes=tuple(dict.fromkeys((*result.notes, *outcome_notes, *notes))),
    )
