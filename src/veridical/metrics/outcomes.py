"""Small helpers that let a metric read like its formula, and say why it has no value."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from veridical.measures import Definition
from veridical.reasons import SkipReason
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.summaries import ConfusionCounts
from veridical.summaries.confusion import Count

__all__ = [
    "absent_setting",
    "counted",
    "found",
    "no_positives",
    "observed_score",
    "one_class",
    "ratio",
    "weighted",
]

_ABSENT = {"threshold": SkipReason.NO_THRESHOLD, "costs": SkipReason.NO_COSTS}


def absent_setting(definition: Definition, given: Callable[[str], Any]) -> Skipped | None:
    """Return the skip of a metric whose threshold or prices were not given, or None.

    A metric of counts needs a threshold to have any; another one needs the settings that its
    function has no default for.

    Parameters
    ----------
    definition
        The metric.
    given
        From the name of a setting to its value, None where it was not given.
    """
    needed = ["threshold"]
    if definition.summary is not ConfusionCounts:
        signature = inspect.signature(definition.function).parameters
        needed = [s for s in definition.settings if signature[s].default is inspect.Parameter.empty]
    return next((Skipped(_ABSENT[name]) for name in needed if given(name) is None), None)


def counted(number: Count) -> str:
    """Return a count as text: ``1,234``, or rounded where weights are fractional."""
    return f"{number:,}" if isinstance(number, int) else f"{float(number):,.6g}"


def ratio(
    numerator: Count, denominator: Count, *, empty: SkipReason | str, of: str = "rows"
) -> Result:
    """Return ``numerator / denominator``, or why it is 0/0.

    Parameters
    ----------
    numerator, denominator
        Exact numbers >= 0.
    empty
        The reason for skipping when the denominator is zero.
    of
        What the denominator counts, for the sentence.
    """
    if denominator == 0:
        return Skipped(empty, detail=f"{SkipReason(empty).sentence} ({of}: 0)")
    value = float(Fraction(numerator) / Fraction(denominator))
    return Measured(value, round(denominator), conditions=weighted(denominator))


def weighted(denominator: Count) -> Conditions:
    """Say the sum of the weights where it is not a whole number of rows."""
    if isinstance(denominator, int):
        return Conditions()
    return Conditions(observed={"weight_sum": float(denominator)})


def one_class(positives: Count, negatives: Count) -> Skipped | None:
    """Return why a comparison of the two classes is impossible, or None where it is possible."""
    if positives == 0 and negatives == 0:
        return Skipped("no_rows")
    if positives == 0:
        return Skipped("no_positives", detail=f"none of the {counted(negatives)} rows is positive")
    if negatives == 0:
        return Skipped("no_negatives", detail=f"all {counted(positives)} rows are positive")
    return None


def no_positives(positives: Count, negatives: Count) -> Skipped | None:
    """Return why a share of the positives is undefined, or None where there are any."""
    return one_class(positives, negatives) if positives == 0 else None


def found(**observed: Any) -> Conditions:
    """Return conditions that the measurement found."""
    return Conditions(observed=observed)


def observed_score(score: float) -> float | str:
    """Return a score for the conditions: JSON has no infinity, but an infinite score is legal."""
    return float(score) if math.isfinite(score) else str(float(score))
