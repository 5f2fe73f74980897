"""``trend``: one metric over many runs, those that may be compared with the newest of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from veridical.comparison.comparison import Comparison
from veridical.comparison.contest import Contest
from veridical.comparison.differing import (
    Differing,
    check_allowed,
    conditions_that_differ,
    told,
    unlike,
)
from veridical.comparison.matching import match
from veridical.comparison.recorded import Recorded, recorded
from veridical.errors import MetricNameError, ParameterError
from veridical.measures import Measure
from veridical.metrics import find
from veridical.results import Result
from veridical.writing import write_made

__all__ = ["LeftOut", "Point", "Trend", "stored_runs", "trend"]

_EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Point:
    """One run and what it measured."""

    run: Recorded
    result: Result

    def to_dict(self) -> dict[str, Any]:
        """Return the point as one JSON object."""
        return {"run": self.run.described(), "result": self.result.to_dict()}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A run that may not be compared with the newest, and the condition in which they differ."""

    run: Recorded
    field: str
    value: str
    newest: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        differs = {"field": self.field, "value": self.value, "newest": self.newest}
        return {"run": self.run.described(), **differs}


@dataclass(frozen=True, kw_only=True, eq=False)
class Trend:
    """One metric over many runs.

    Attributes
    ----------
    metric, subject, group
        What is followed; subject is None where the runs call it differently.
    points
        Oldest first.
    left_out
        Runs whose conditions do not match those of the newest.
    change
        The last against the first, as ``compare`` does it; None with fewer than two points.
    allowed
        Conditions that may differ.
    """

    schema: ClassVar[str] = "veridical.trend/1"

    metric: str
    subject: str | None
    group: str | None
    points: tuple[Point, ...]
    left_out: tuple[LeftOut, ...]
    change: Comparison | None
    allowed: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints."""
        return {
            "schema": self.schema,
            "metric": self.metric,
            "subject": self.subject,
            "group": self.group,
            "allowed": list(self.allowed),
            "points": [point.to_dict() for point in self.points],
            "left_out": [one.to_dict() for one in self.left_out],
            "change": None if self.change is None else self.change.to_dict(),
        }

    def report(self, path: str | Path, title: str | None = None) -> Path:
        """Write a self-contained HTML page.

        Parameters
        ----------
        path
            Where to write; an existing file is replaced, whole or not at all.
        title
            The page's heading; the metric, and whose, by default.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        from veridical.comparison.trend_page import trend_html

        return write_made(path, lambda: trend_html(self, title))

    def __repr__(self) -> str:
        from veridical.comparison.trend_table import trend_text

        return trend_text(self)


def trend(
    runs: Iterable[Any],
    metric: str | Measure,
    *,
    subject: str | None = None,
    group: str | None = None,
    allow: Collection[str] = (),
    store: str | None = None,
) -> Trend:
    """Follow one metric over many runs.

    Parameters
    ----------
    runs
        Stored runs by name or id, files that ``--json`` wrote, or evaluations.  They are put in
        the order in which they were made, files before stored runs and in the order given.
    metric
        What to follow.
    subject, group
        The score column, run or system, where there are several; a slice, or None for all.
    allow
        Conditions that may differ; runs in which others differ are left out, and listed.
    store
        Where stored runs are; None for the usual place.

    Returns
    -------
    Trend
        Points with intervals, and whether the last differs from the first.

    Raises
    ------
    MetricNameError
        No run measured the metric.
    ParameterError
        There is no run, a subject must be named, or ``allow`` names no condition.

    Examples
    --------
    >>> import veridical as vd
    >>> data = {"y": [1, 0] * 40, "p": [0.9, 0.1, 0.4, 0.6] * 20, "q": [0.9, 0.1] * 40}
    >>> old, new = (vd.evaluate(data, label="y", score=name) for name in "pq")
    >>> found = trend([old, new], "roc_auc")
    >>> [point.result.value for point in found.points], found.change.verdict
    ([0.75, 1.0], 'q better (p < 0.0001)')
    """
    every = [recorded(run, store) for run in runs]
    every.sort(key=lambda run: run.created or _EARLIEST)
    if not every:
        raise ParameterError("there is no run to follow", fix="save some with --save")
    may_differ = check_allowed(allow, *every)
    measure = find(metric)
    measured = _measured(every, measure, subject, group)
    newest = measured[-1]
    differing = [_differing(one, newest, may_differ) for one in measured]
    points = [one for one, other in zip(measured, differing, strict=True) if not other]
    return Trend(
        metric=str(measure),
        subject=newest.subject if len({one.subject for one in points}) == 1 else None,
        group=group,
        points=tuple(Point(one.run, one.result) for one in points),
        left_out=tuple(
            _left_out(one.run, other)
            for one, other in zip(measured, differing, strict=True)
            if other
        ),
        change=_change(points, measure, group, may_differ),
        allowed=may_differ,
    )


def stored_runs(
    *,
    name: str | None = None,
    tag: str | None = None,
    metric: str | Measure,
    last: int,
    store: str | None = None,
) -> list[Recorded]:
    """Return the newest finished runs of the store that measured a metric, oldest first.

    Parameters
    ----------
    name, tag
        Only runs with this one.
    metric
        The metric.
    last
        At most so many.
    store
        Where the store is; None for the usual place.
    """
    from veridical.store import Store

    with Store(store, create=False) as opened:
        heads = opened.runs(
            name=name, tag=tag, metric=str(find(metric)), state="finished", limit=last
        )
        return [recorded(opened.load(head.id)) for head in reversed(heads)]


class _Measured(NamedTuple):
    """One run, the subject that is followed in it, and its result."""

    run: Recorded
    subject: str
    result: Result


def _measured(
    every: Sequence[Recorded], measure: Measure, subject: str | None, group: str | None
) -> list[_Measured]:
    """Return the runs that measured the metric."""
    found = [
        _Measured(run, run.subject(subject), result)
        for run in every
        if (result := _result(run, measure, subject, group)) is not None
    ]
    if not found:
        where = "".join(f" of {place}" for place in (subject, group) if place is not None)
        raise MetricNameError(
            f"none of the {len(every):,} runs measured {measure}{where}",
            fix="name one that they have; see `veridical runs show`",
        )
    return found


def _result(
    run: Recorded, measure: Measure, subject: str | None, group: str | None
) -> Result | None:
    if not any(result.metric == str(measure) for result in run.results):
        return None
    if subject is not None and subject not in run.subjects:
        return None
    return run.find(str(measure), run.subject(subject), group)


def _differing(one: _Measured, newest: _Measured, allowed: Sequence[str]) -> Differing:
    """Return in what a run differs from the newest one."""
    if one.run is newest.run:
        return {}
    found = {**_unlike(one.run, newest.run), **conditions_that_differ(one.result, newest.result)}
    return {name: both for name, both in found.items() if name not in allowed}


def _left_out(run: Recorded, differing: Differing) -> LeftOut:
    field, (value, newest) = next(iter(differing.items()))
    return LeftOut(run, field, told(value), told(newest))


def _unlike(run: Recorded, newest: Recorded) -> Differing:
    mine, theirs = run.units, newest.units
    matched = None
    if mine is not None and theirs is not None and mine.noun == theirs.noun:
        matched = match(mine, theirs)
    found = dict(unlike(run, newest, matched))
    if "data" in found and run.kind == "evaluation":
        # The hash covers the scores, which are another model's: the counts must do.
        del found["data"]
        if _counts(run) != _counts(newest):
            found["data"] = (_counts(run), _counts(newest))
    return found


def _counts(run: Recorded) -> str:
    return f"{run.source.get('n_rows')} rows, {run.source.get('n_positive')} positive"


def _change(
    points: Sequence[_Measured], measure: Measure, group: str | None, allowed: tuple[str, ...]
) -> Comparison | None:
    """Return the last against the first."""
    if len(points) < 2:
        return None
    first, last = points[0], points[-1]
    # What the trend let pass, its two ends may differ in too.
    subjects = last.subject, first.subject
    return Contest(last.run, first.run, subjects, (*allowed, "data")).comparison(measure, group)
