"""The list of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response

from veridical.report.display import count_text
from veridical.report.sections import end_text, number_text
from veridical.report.titles import title
from veridical.results import Result
from veridical.store.browsing import Browser, Damaged, Headline, Sort
from veridical.store.run import KINDS, STATES, RunHead
from veridical.view.parameters import FILTERS, given, heads, ordered, page_number, pages, wanted
from veridical.view.rendering import chips, query, rendered

__all__ = ["headline_of", "runs_page"]

_SIZE = 50
_SORTS = ("created", "name", "kind", "state", "value")


def runs_page(request: Request) -> Response:
    """Answer with the runs that the address asks for."""
    browser: Browser = request.app.state.browser
    parameters = given(request)
    filtered = {key: parameters[key] for key in FILTERS if key in parameters}
    metric = parameters.get("metric")
    sort, down = ordered(parameters, _SORTS if metric else _SORTS[:-1], "created")
    runs, total = browser.page(
        wanted(parameters),
        sort=cast(Sort, sort),
        descending=down,
        number=page_number(parameters),
        size=_SIZE,
    )
    place = pages(parameters, "/", total, _SIZE)
    choices = browser.choices()
    if not total and not filtered:
        return rendered(request, "empty.html", title="No runs yet")
    damage = browser.damaged([run for run in runs if not isinstance(run, Damaged)])
    told = browser.headlines([run.id for run in runs], metric, most=4 if metric else 1)
    return rendered(
        request,
        "runs.html",
        title="Runs",
        rows=[_row(run, told.get(run.id, ()), damage.get(run.id)) for run in runs],
        total=total,
        pages=place,
        heads=heads(parameters, "/", _columns(metric), sort, down=down),
        filters={key: parameters.get(key, "") for key in FILTERS},
        chips=list(chips(FILTERS, parameters)),
        kinds=[kind for kind in KINDS if kind in choices.kinds],
        states=STATES,
        choices=choices,
        sorted_by={"sort": parameters.get("sort"), "order": parameters.get("order")},
        trend=f"/trends?{query(filtered)}" if metric else None,
    )


def _columns(metric: str | None) -> Sequence[tuple[str | None, str, bool]]:
    value = ("value", title(metric), False) if metric else (None, "First results", False)
    return (
        ("name", "Run", False),
        ("kind", "Kind", False),
        ("state", "State", False),
        ("created", "Made (UTC)", False),
        value,
    )


def _row(run: RunHead | Damaged, told: Sequence[Headline], damage: str | None) -> Mapping[str, Any]:
    if isinstance(run, Damaged):
        return {"id": run.id, "name": None, "damaged": f"its row cannot be read: {run.why}"}
    if damage is not None:
        return {"id": run.id, "name": run.name, "damaged": damage}
    return {
        "id": run.id,
        "name": run.name,
        "tags": run.tags,
        "kind": run.kind,
        "state": run.state,
        "created": run.created,
        "n_results": run.n_results,
        "damaged": None,
        "results": [headline_of(one) for one in told],
    }


def headline_of(result: Headline | Result) -> dict[str, Any]:
    """Return one result as text: never a value without its interval, its n, or its reason."""
    if isinstance(result, Headline):
        low, high, reason = result.low, result.high, result.skip
    else:
        interval = result.interval
        low, high = (None, None) if interval is None else (interval.low, interval.high)
        reason = None if result.ok else str(result.reason)
    ends = None
    if low is not None and high is not None:
        ends = f"{end_text(result.metric, low)} to {end_text(result.metric, high)}"
    return {
        "title": title(result.metric),
        "subject": result.subject,
        "group": result.group,
        "value": None if result.value is None else number_text(result.metric, result.value),
        "interval": ends,
        "n": count_text(result.n),
        "reason": reason,
    }
