"""Results as tables of text: the same words and digits as on every other page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from veridical.report.conditions import condition_texts
from veridical.report.display import count_text, rate_text
from veridical.report.sections import certified, end_text, number_text
from veridical.report.titles import title
from veridical.results import Result
from veridical.stats.proportions import wilson
from veridical.summaries.confusion import Count
from veridical.validation.document import Table

__all__ = ["both_samples", "by_group", "interval_text", "share_text", "value_text"]


def value_text(result: Result | None) -> str:
    """Return a value, or why there is none; a dash where nothing was measured."""
    if result is None:
        return "\N{EN DASH}"
    if result.value is None:
        return f"skipped: {result.reason}"
    return number_text(result.metric, result.value)


def interval_text(result: Result | None) -> str:
    """Return an interval, or the bounds of a value that is known within some only."""
    if result is None or not result.ok:
        return ""
    if result.interval is None:
        told = certified(result)
        return f"certified {told}" if told else "none"
    ends = (result.interval.low, result.interval.high)
    return " to ".join(end_text(result.metric, end) for end in ends)


def share_text(hits: Count, n: Count, level: float | None) -> str:
    """Return a share with Wilson's interval, where rows are whole and independent.

    Parameters
    ----------
    hits, n
        Counts; of weighted rows these may be fractions, which have no such interval.
    level
        Its coverage; None where rows belong together.
    """
    if not n:
        return "0/0"
    if level is None or not (float(hits).is_integer() and float(n).is_integer()):
        return rate_text(float(hits / n))
    ends = wilson(int(hits), int(n), level)
    return f"{rate_text(float(hits / n))} ({rate_text(ends.low)} to {rate_text(ends.high)})"


def both_samples(name: str, later: Sequence[Result], earlier: Iterable[Result]) -> Table:
    """Return the model's results on all rows, the development sample's value last.

    Parameters
    ----------
    name
        What the table shows.
    later, earlier
        Of the out-of-time and of the development sample, each metric once.
    """
    before = {result.metric: result for result in earlier}
    return Table(
        name,
        ("Metric", "Value", "Interval", "n", "Conditions", "Development"),
        tuple(
            (
                title(result.metric),
                value_text(result),
                interval_text(result),
                count_text(result.n),
                "; ".join(condition_texts(result)),
                value_text(before.get(result.metric)),
            )
            for result in later
        ),
        frozenset({1, 2, 3, 5}),
    )


def by_group(name: str, results: Iterable[Result]) -> Table:
    """Return results of groups, those of one metric together."""
    by_metric: dict[str, list[Result]] = {}
    for result in results:
        by_metric.setdefault(result.metric, []).append(result)
    return Table(
        name,
        ("Metric", "Group", "Value", "Interval", "n"),
        tuple(
            (
                title(result.metric),
                str(result.group),
                value_text(result),
                interval_text(result),
                count_text(result.n),
            )
            for same in by_metric.values()
            for result in same
        ),
        frozenset({2, 3, 4}),
    )
