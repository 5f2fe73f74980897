"""A metric over runs: what it was when, with its interval, where the conditions were the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from veridical.errors import FileFormatError, VeridicalError
from veridical.metrics import find
from veridical.report.titles import title
from veridical.results import Result, result_from_dict
from veridical.store.browsing import Browser, Damaged
from veridical.store.run import RunHead
from veridical.view.listing import headline_of
from veridical.view.parameters import FILTERS, chosen, given, wanted
from veridical.view.recent import Recent
from veridical.view.rendering import chips, query, rendered, run_path
from veridical.view.run_report import readable
from veridical.view.trend_chart import TrendPoint, trend_chart

__all__ = ["trends_page"]

_MOST = 100
Key = tuple[str, str | None, str | None]
"""A metric, a subject and a group."""


@dataclass(frozen=True, slots=True)
class _Point:
    """One run's result, and in which conditions it differs from the newest."""

    run: RunHead
    result: Result | None
    problem: str
    differing: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """A result, and everything that must be the same for it to stand on one line with another."""

    result: Result
    conditions: Mapping[str, object]


def trends_page(request: Request) -> Response:
    """Answer with a metric over the newest runs that have it."""
    browser: Browser = request.app.state.browser
    parameters = _by_full_name(given(request))
    choices = browser.choices()
    shared: dict[str, Any] = {
        "parameters": {key: parameters.get(key, "") for key in (*FILTERS, "subject", "group")},
        "choices": choices,
    }
    metric = parameters.get("metric")
    if metric is None:
        return rendered(request, "trend_choice.html", title="Trends", **shared)
    allowed = tuple(name for name in parameters.get("allow", "").split(",") if name)
    runs, total = browser.page(wanted({"state": "finished", **parameters}), size=_MOST)
    ids = [run.id for run in runs]
    subjects, groups = browser.subjects(ids, metric)
    subject = chosen(parameters, "subject", ["", *subjects], subjects[0] if subjects else "")
    group = chosen(parameters, "group", ["", *groups], "")
    points = _points(request, runs, (metric, subject or None, group or None), allowed)
    matching = [p for p in points if p.result is not None and not p.differing]
    return rendered(
        request,
        "trends.html",
        title=f"{title(metric)} over runs",
        metric=metric,
        metric_title=title(metric),
        subject=subject,
        subjects=subjects,
        groups=groups,
        chips=list(chips({k: v for k, v in FILTERS.items() if k != "metric"}, parameters)),
        chart=_chart(metric, matching),
        rows=[_row(p) for p in reversed(matching)],
        others=[_row(p) for p in reversed(points) if p.result is None or p.differing],
        total=total,
        most=_MOST,
        change=_change(matching),
        allowed=allowed,
        allowing=_allowing(parameters, points, allowed),
        **shared,
    )


def _points(
    request: Request, runs: Sequence[RunHead | Damaged], key: Key, allowed: Sequence[str]
) -> list[_Point]:
    """Return the result of each run, oldest first; those under other conditions say which."""
    points: list[_Point] = []
    rule: Mapping[str, object] | None = None
    for head, found in _results(request, runs, key):
        if isinstance(found, VeridicalError):
            points.append(_Point(head, None, f"damaged: {found.what}"))
        elif found is not None:
            if rule is None:  # the newest sets the rule
                rule = found.conditions
            names = [n for n in {**rule, **found.conditions} if n not in allowed]
            told = ((n, _plain(rule.get(n)), _plain(found.conditions.get(n))) for n in names)
            differing = tuple(one for one in told if one[1] != one[2])
            points.append(_Point(head, found.result, "", differing))
    return points[::-1]


def _results(
    request: Request, runs: Sequence[RunHead | Damaged], key: Key
) -> Iterator[tuple[RunHead, _Found | VeridicalError | None]]:
    """Yield runs with their results; documents that were read for an earlier page are not again."""
    held: Recent[Any, tuple[_Found | VeridicalError | None]] = request.app.state.held.results
    browser: Browser = request.app.state.browser
    heads = [run for run in runs if not isinstance(run, Damaged)]
    known = {head.id: held.peek((head.id, head.sha256, key)) for head in heads}
    unread = [head for head in heads if known[head.id] is None]
    damage = browser.damaged(unread)
    for head, document in browser.documents(unread):
        wrong = (
            FileFormatError(
                damage[head.id],
                where=head.label,
                fix="check the store with `veridical runs verify`",
            )
            if head.id in damage
            else None
        )
        found = known[head.id] = (wrong or _found(head, document, key),)
        if head.sha256 is not None:  # otherwise it is not finished, and will change
            held.keep((head.id, head.sha256, key), found)
    for head in heads:
        yield head, (known[head.id] or (None,))[0]


def _allowing(
    parameters: Mapping[str, str], points: Sequence[_Point], allowed: Sequence[str]
) -> list[tuple[str, str]]:
    """Return the conditions that leave runs out, each with the address that lets it differ."""
    names = dict.fromkeys(name for point in points for name, _, _ in point.differing)
    return [
        (name, f"/trends?{query(parameters, {'allow': ','.join((*allowed, name))})}")
        for name in names
        if name != "kind"
    ]


def _plain(value: object) -> str:
    return "not set" if value is None else str(value)[:120]


def _by_full_name(parameters: Mapping[str, str]) -> dict[str, str]:
    """Return what was asked for, with a metric as runs name it."""
    with suppress(VeridicalError):
        if "metric" in parameters:
            return {**parameters, "metric": str(find(parameters["metric"]))}
    return dict(parameters)


def _chart(metric: str, points: Sequence[_Point]) -> Any:
    drawn = [
        TrendPoint(
            point.run.created,
            point.result.value,
            None if point.result.interval is None else point.result.interval.low,
            None if point.result.interval is None else point.result.interval.high,
            _label(point),
            run_path(point.run.id),
        )
        for point in points
        if point.result is not None and point.result.ok
    ]
    if not drawn:
        return None
    return trend_chart(drawn, f"{title(metric)} over {len(drawn)} runs")


def _label(point: _Point) -> str:
    assert point.result is not None  # noqa: S101 - for mypy: only such points are drawn
    told = headline_of(point.result)
    ends = f", {told['interval']}" if told["interval"] else ""
    day = point.run.created.strftime("%Y-%m-%d %H:%M")
    return f"{point.run.name or point.run.id}, {day}: {told['value']}{ends}, n {told['n']}"


def _row(point: _Point) -> dict[str, Any]:
    return {
        "run": point.run,
        "result": None if point.result is None else headline_of(point.result),
        "problem": point.problem,
        "differing": point.differing,
    }


def _change(points: Sequence[_Point]) -> str | None:
    """Say how far apart the first and the last value are, and whether their intervals overlap."""
    known = [p for p in points if p.result is not None and p.result.ok]
    if len(known) < 2:
        return None
    first, last = known[0], known[-1]
    span = last.run.created - first.run.created
    one, two = (p.result.interval if p.result else None for p in (first, last))
    within = f"{span.days:,} days" if span >= timedelta(days=2) else "this time"
    if one is None or two is None:
        return f"Over {within} it is not known how far chance alone would move it."
    apart = one.high < two.low or two.high < one.low
    if apart:
        return f"Over {within} it moved further than the intervals of the first and last run reach."
    return (
        f"The intervals of the first and the last run overlap: over {within} no change is shown "
        "by them alone. A paired comparison of the two may see more."
    )


def _found(head: RunHead, document: Any, key: Key) -> _Found | VeridicalError | None:
    metric, subject, group = key
    if isinstance(document, VeridicalError):
        return document
    try:
        with readable(head):
            for one in document["results"]:  # only the one that is shown is made a result
                same = one["metric"] == metric and one["group"] == group
                if same and subject in {None, one["subject"]}:
                    result = result_from_dict(one)
                    return _Found(result, _origin(head, document) | result.conditions.settings)
    except VeridicalError as error:
        return error
    return None


def _origin(head: RunHead, document: Any) -> dict[str, object]:
    """Return what must be the same whatever the metric, as `veridical trend` has it.

    The hash of an evaluation's data covers the scores, which are another model's: the counts must
    do.  Whether the same counts are of the same units only reading them all would tell.
    """
    source = document.get("source", {})
    data = head.data_sha256 and head.data_sha256[:12]
    if head.kind == "evaluation":
        data = f"{source.get('n_rows')} rows, {source.get('n_positive')} positive"
    return {
        "kind": head.kind,
        "data": data,
        "label": source.get("label"),
        "positive": source.get("positive"),
    }
