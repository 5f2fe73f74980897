"""The interval of a binned ranking, from the intervals of the extreme rankings it allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from veridical.metrics.intervals import Outcome
from veridical.results import Interval

__all__ = ["between_extremes"]


def between_extremes(outcomes: Sequence[Outcome]) -> Outcome:
    """Return an interval from the lower end of the one to the upper end of the other.

    Whatever the order of rows inside the bins, the metric lies between those of the two rankings.
    Its spread is taken to lie between theirs as well: that is no theorem, but the two differ only
    inside bins (see ``design/summaries.md``).

    Parameters
    ----------
    outcomes
        Of the worst and of the best ranking; or of one, where the value is exact.

    Examples
    --------
    >>> ends = [Outcome(Interval(low, low + 0.1, 0.95, "wilson")) for low in (0.4, 0.45)]
    >>> between_extremes(ends).interval
    Interval(low=0.4, high=0.55, level=0.95, method='wilson-extremes')
    """
    intervals = [outcome.interval for outcome in outcomes if outcome.interval is not None]
    if len(intervals) < len(outcomes):
        return Outcome(None, notes=tuple(note for one in outcomes for note in one.notes))
    if len(outcomes) == 1:
        return outcomes[0]
    low, high = min(i.low for i in intervals), max(i.high for i in intervals)
    one = intervals[0]
    notes = tuple(dict.fromkeys(note for outcome in outcomes for note in outcome.notes))
    interval = Interval(low, high, one.level, f"{one.method}-extremes")
    units, replicates = ([getattr(one, of) for one in outcomes] for of in ("units", "replicates"))
    return Outcome(interval, _observed(outcomes), notes, _fewest(units), _fewest(replicates))


def _fewest(numbers: Sequence[Any]) -> Any:
    return min((number for number in numbers if number is not None), default=None)


def _observed(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return what both observed, and the wider range of a threshold."""
    first, *others = (outcome.observed for outcome in outcomes)
    found = {k: v for k, v in first.items() if all(o.get(k, k) == v for o in others)}
    for name, widest in (("threshold_low", min), ("threshold_high", max)):
        if name in first:
            found[name] = widest([first[name], *(o[name] for o in others)], key=_threshold)
    return found


def _threshold(value: float | str | None) -> float:
    """Return a threshold as a number; None, which flags nothing, is above all."""
    return math.inf if value is None else float(value)
