"""Whether a result that a file holds is one that could have been measured."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any, Final

from veridical.errors import FileFormatError, MetricNameError
from veridical.metrics import find
from veridical.results import Measured, Result

__all__ = ["checked"]

_ROUNDING: Final = 1e-9
_AROUND_THE_VALUE: Final = frozenset({"wilson", "delong-logit"})
"""Methods whose interval always contains the value; a bootstrap's need not."""


def checked(result: Result, written: Mapping[str, Any]) -> Result:
    """Return a result that a file holds, or raise where its parts are of the wrong kinds."""
    texts = (result.metric, result.subject or "", result.group or "", *result.notes)
    n_rows = 0 if result.n_rows is None else result.n_rows
    counts: tuple[Any, ...] = (written["n"], n_rows, *result.counts.values())
    if not all(isinstance(text, str) for text in texts):
        raise FileFormatError("a name in it is no text", fix="measure it again")
    if not all(type(count) is int and count >= 0 for count in counts):
        raise FileFormatError("a count in it is no number of units", fix="measure it again")
    if type(written.get("value")) not in (int, float, NoneType):
        raise FileFormatError("a value in it is no number", fix="measure it again")
    if not isinstance(result, Measured):
        return result
    if not _is_possible(result):
        raise FileFormatError(f"{result.metric} cannot be {result.value:g}", fix="measure it again")
    # Fractional weights may add up to less than one unit.
    if result.n == 0 and not result.conditions.get("weighted"):
        raise FileFormatError(f"{result.metric} has a value and no units", fix="measure it again")
    if not _is_within_its_interval(result):
        raise FileFormatError(
            f"{result.metric} is outside its own interval", fix="measure it again"
        )
    return result


def _is_possible(result: Measured) -> bool:
    """Whether a metric that is known here can have the value."""
    try:
        low, high = find(result.metric).definition.bounds
    except MetricNameError:
        return True
    return (low is None or result.value >= low - _ROUNDING) and (
        high is None or result.value <= high + _ROUNDING
    )


def _is_within_its_interval(result: Measured) -> bool:
    """Whether the value is in its interval, where the method makes that certain."""
    interval = result.interval
    if interval is None or interval.method not in _AROUND_THE_VALUE:
        return True
    return interval.low - _ROUNDING <= result.value <= interval.high + _ROUNDING
