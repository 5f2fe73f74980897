"""Small helpers that let a metric read like its formula."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from veridical.reasons import SkipReason
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.summaries.confusion import Count

__all__ = ["counted", "found", "observed_score", "one_class", "ratio", "weighted"]


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


def found(**observed: Any) -> Conditions:
    """Return conditions that the measurement found."""
    return Conditions(observed=observed)


def observed_score(score: float) -> float | str:
    """Return a score for the conditions: JSON has no infinity, but an infinite score is legal."""
    return float(score) if math.isfinite(score) else str(float(score))
