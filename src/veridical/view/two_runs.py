"""Two runs side by side: what differs, and what the difference is worth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from veridical.comparison.comparison import Comparison
from veridical.comparison.runs import RunComparison, compare_recorded
from veridical.comparison.wording import verdict
from veridical.errors import MismatchError, ParameterError, VeridicalError
from veridical.report.display import count_text, rate_text
from veridical.report.page import p_text
from veridical.report.sections import end_text, number_text
from veridical.report.titles import title
from veridical.results import Result
from veridical.store import Run, Store
from veridical.store.filtering import Filter
from veridical.view.listing import headline_of
from veridical.view.one_run import facts_of
from veridical.view.parameters import given
from veridical.view.rendering import query, rendered
from veridical.view.run_report import readable

__all__ = ["compare_page", "difference_page"]

_ROWS = 400
_RECENT = 100


def compare_page(request: Request) -> Response:
    """Answer with two runs, and what differs between them."""
    chosen = request.query_params.getlist("run")
    if chosen:
        return _chosen(request, chosen)
    parameters = given(request)
    if "a" not in parameters or "b" not in parameters:
        recent = request.app.state.browser.page(Filter(), size=_RECENT).runs
        return rendered(
            request, "choose.html", title="Compare two runs", recent=recent, asked=parameters
        )
    a, b = _both(request, parameters)
    everything = parameters.get("all") == "1"
    with readable(a), readable(b):
        facts = list(_facts(a, b, everything=everything))
        rows = list(_values(a, b))
    changed = [row for row in rows if row["changed"]]
    shown = rows if everything else changed
    asked = {"a": a.id, "b": b.id, "allow": parameters.get("allow")}
    return rendered(
        request,
        "compare.html",
        title=f"{_name(a)} and {_name(b)}",
        a=a,
        b=b,
        facts=facts,
        rows=shown[:_ROWS],
        left_out=max(0, len(shown) - _ROWS),
        n_changed=len(changed),
        n_rows=len(rows),
        everything=everything,
        toggle=query(asked, {"all": None if everything else 1}),
        swapped=query(asked, {"a": b.id, "b": a.id, "all": parameters.get("all")}),
        difference=f"/compare/difference?{query(asked)}",
    )


def _chosen(request: Request, ids: Sequence[str]) -> Response:
    """Send the boxes that were ticked to an address that can be shared, the newer run first."""
    if len(set(ids)) != 2:
        raise ParameterError(
            f"{len(set(ids))} runs are chosen", where="the list of runs", fix="choose two of them"
        )
    store: Store = request.app.state.store
    newer, older = sorted(map(store.find, set(ids)), key=lambda h: (h.created, h.id), reverse=True)
    return RedirectResponse(f"/compare?{query({'a': newer.id, 'b': older.id})}", status_code=303)


def _both(request: Request, parameters: Mapping[str, str]) -> tuple[Run, Run]:
    store: Store = request.app.state.store
    return store.load(parameters["a"]), store.load(parameters["b"])


def _name(run: Run) -> str:
    return run.name or run.id


def _facts(a: Run, b: Run, *, everything: bool) -> Iterable[tuple[str, list[dict[str, Any]]]]:
    """Yield headings with the facts that differ, or with all of them."""
    of_a, of_b = facts_of(a), facts_of(b)
    for heading in of_a:
        if heading == "Kept":  # hashes, and each run has its own
            continue
        one, two = dict(of_a[heading]), dict(of_b[heading])
        rows = [
            {"name": name, "a": one.get(name), "b": two.get(name), "changed": True}
            | ({"changed": False} if one.get(name) == two.get(name) else {})
            for name in dict.fromkeys([*one, *two])
        ]
        kept = [row for row in rows if everything or row["changed"]]
        if kept:
            yield heading, kept


Key = tuple[str, str, str]


def _values(a: Run, b: Run) -> Iterable[dict[str, Any]]:
    """Yield every result of either run beside its counterpart."""
    one, two = _by_key(a, b), _by_key(b, a)
    for key in dict.fromkeys([*one, *two]):
        of_a, of_b = one.get(key), two.get(key)
        metric, subject, group = key
        differing = []
        if of_a is not None and of_b is not None:
            for name in of_a.conditions.differences(of_b.conditions):
                both = (of_a.conditions.get(name), of_b.conditions.get(name))
                differing.append((name, *map(_plain, both)))
        told = [None if of is None else headline_of(of) | {"subject": ""} for of in (of_a, of_b)]
        yield {
            "title": title(metric),
            "metric": metric,
            "subject": subject,
            "group": group,
            "a": told[0],
            "b": told[1],
            "conditions": differing,
            "changed": bool(differing) or told[0] != told[1],
        }


def _by_key(run: Run, other: Run) -> dict[Key, Result]:
    """Return results by metric, subject and group; where each run has one subject, without it."""
    alone = all(len({r.subject for r in of.results}) == 1 for of in (run, other))
    return {(r.metric, "" if alone else r.subject or "", r.group or ""): r for r in run.results}


def _plain(value: object) -> str:
    return "not set" if value is None else str(value)[:200]


def difference_page(request: Request) -> Response:
    """Answer with the paired comparison, or with why it is refused."""
    parameters = given(request)
    if "a" not in parameters or "b" not in parameters:
        raise ParameterError("two runs are compared", where="the address", fix="name a and b")
    a, b = _both(request, parameters)
    allow = tuple(name for name in parameters.get("allow", "").split(",") if name)
    asked = {"a": a.id, "b": b.id}
    found: RunComparison | None = None
    refused: VeridicalError | None = None
    try:
        key = (a.id, a.sha256, b.id, b.sha256, allow)
        found = request.app.state.held.comparisons.of(
            key,
            lambda: compare_recorded(a, b, allow=allow),
            lasting=a.sha256 is not None and b.sha256 is not None,
        )
    except (MismatchError, ParameterError) as error:
        refused = error
    field = _allowable(refused)
    further = None if field is None else ",".join((*allow, field))
    return rendered(
        request,
        "difference.html",
        title="The difference",
        a=a,
        b=b,
        refused=refused,
        field=field,
        allowing=further and f"/compare?{query(asked, {'allow': further})}",
        back=f"/compare?{query(asked, {'allow': parameters.get('allow')})}",
        pairing=found and _pairing(found),
        allowed=found.allowed if found else (),
        rows=list(_rows(found)) if found else [],
    )


def _allowable(refused: VeridicalError | None) -> str | None:
    """Return the condition that a refusal names, where it may be allowed to differ."""
    if not isinstance(refused, MismatchError):
        return None
    named = re.search(r"differ in (\w+)", refused.what)
    return None if named is None or named[1] in {"kind", "truth"} else named[1]


def _pairing(found: RunComparison) -> str:
    matched = found.matched
    if matched is None:
        return "The units of both runs were not kept, so that nothing can be paired."
    lost = len(matched.only_a), len(matched.only_b)
    text = f"{count_text(matched.n)} {matched.plural} are in both and were compared one by one"
    if not any(lost):
        return f"{text}."
    return (
        f"{text}; {count_text(lost[0])} are only in the first, {count_text(lost[1])} in the second."
    )


def _rows(found: RunComparison) -> Iterator[dict[str, Any]]:
    """Yield comparisons as text, each with the model, run or system that it is of."""
    every = (*found.comparisons, *found.groups)
    both = [name for name in found.a.subjects if name in found.b.subjects]
    measured = [
        {(r.metric, r.subject) for r in run.results if r.group is None}
        for run in (found.a, found.b)
    ]
    met: Counter[tuple[str, str | None]] = Counter()
    for one in every:
        # They come subject by subject, so the second of a metric is of the second that has it.
        key = (one.metric, one.difference.group)
        having = [name for name in both if all((one.metric, name) in of for of in measured)]
        subject = having[met[key]] if len(both) > 1 and met[key] < len(having) else ""
        met[key] += 1
        yield _row(one) | {"subject": subject}


def _row(one: Comparison) -> dict[str, Any]:
    difference, metric = one.difference, one.metric
    interval = difference.interval
    row: dict[str, Any] = {
        "title": title(metric),
        "metric": metric,
        "group": difference.group,
        "values": [
            None if v is None else number_text(metric, v) for v in (one.value_a, one.value_b)
        ],
        "verdict": verdict(one),
        "better": None if one.winner is None else "a" if one.winner == one.a else "b",
        "p": p_text(one.p_value),
        "p_adjusted": p_text(one.p_adjusted),
        "method": "" if one.method == "none" else one.method,
        "detectable": None if one.detectable is None else rate_text(one.detectable),
        "difference": None,
        "interval": "",
        "n": count_text(difference.n),
        "reason": None if difference.ok else str(difference.reason),
    }
    if difference.value is not None:
        sign = "+" if difference.value > 0 else ""
        row["difference"] = sign + number_text(metric, difference.value)
    if interval is not None:
        row["interval"] = " to ".join(end_text(metric, e) for e in (interval.low, interval.high))
    return row
