"""One run: its results, where it comes from, and how far it is while it is in progress."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from veridical import strict_json
from veridical.errors import FileFormatError, MismatchError, RunNotFoundError
from veridical.store import Run, Store
from veridical.store.browsing import Browser, Damaged
from veridical.store.ledger import UNIT_STATES
from veridical.store.run import RunHead
from veridical.validation.contents import OVERALL
from veridical.validation.record import record_of
from veridical.validation.result_tables import interval_text, value_text
from veridical.validation.since import Since, since
from veridical.view.recent import Held
from veridical.view.rendering import rendered
from veridical.view.run_report import readable, report_of

__all__ = ["asked_for", "document_page", "facts_of", "progress_page", "run_page"]

_UNFINISHED = {"running", "interrupted"}


def run_page(request: Request) -> Response:
    """Answer with one run."""
    run = asked_for(request)
    held: Held = request.app.state.held
    sections, data = held.reports.of(
        (run.id, run.sha256), lambda: report_of(run), lasting=run.sha256 is not None
    )
    progress = _progress(request, run)
    browser: Browser = request.app.state.browser
    return rendered(
        request,
        "run.html",
        **{**sections, "title": run.name or run.id},
        run=run,
        tab="results",
        has_units="units" in run.parts or bool(progress and progress["planned"]),
        data=data,
        before=browser.before(run),
        trends=list(_trends(run)),
        progress=progress,
        origin=facts_of(run),
        validation=_validation(run) if run.kind == "validation" else None,
        since=_since(request, run) if run.kind == "validation" else None,
    )


def asked_for(request: Request) -> Run:
    """Return the run whose id stands in the address.

    Raises
    ------
    RunNotFoundError
        There is none.
    FileFormatError
        Its row is damaged.
    """
    store: Store = request.app.state.store
    run_id = request.path_params["id"]
    head = request.app.state.browser.head(run_id)
    if head is None:
        raise RunNotFoundError(f"there is no run {run_id[:80]!r}", fix="look in the list of runs")
    if isinstance(head, Damaged):
        raise FileFormatError(
            f"the run's row cannot be read: {head.why}",
            where=run_id,
            fix="see what is damaged with `veridical runs verify`",
        )
    return store.load(head.id)


def progress_page(request: Request) -> Response:
    """Answer with the piece of a run's page that is asked for again while it is in progress."""
    run = asked_for(request)
    return rendered(request, "progress.html", run=run, progress=_progress(request, run))


def document_page(request: Request) -> Response:
    """Answer with the document that ``--json`` printed."""
    run = asked_for(request)
    text = strict_json.dumps(run.document) + "\n"
    name = f'attachment; filename="{run.id}.json"'
    return Response(
        text.encode("utf-8", "backslashreplace"),
        media_type="application/json",
        headers={"Content-Disposition": name},
    )


def _progress(request: Request, run: RunHead) -> dict[str, Any] | None:
    """Return how many units are in which state, and where the bar of each begins."""
    store: Store = request.app.state.store
    counts = store.ledger(run.id).counts()
    planned = sum(counts.values())
    if not planned and run.state not in _UNFINISHED:
        return None
    bars, start = [], 0.0
    for state in ("done", "failed", "skipped", "running"):
        share = 100 * counts[state] / planned if planned else 0.0
        bars.append({"state": state, "start": f"{start:.3f}%", "width": f"{share:.3f}%"})
        start += share
    settled = counts["done"] + counts["failed"] + counts["skipped"]
    return {
        "counts": [(state, counts[state]) for state in UNIT_STATES],
        "planned": planned,
        "settled": settled,
        "bars": bars,
        "over": run.state not in _UNFINISHED,
    }


def _validation(run: Run) -> Mapping[str, Any]:
    """Return the verdict of a validation, rule by rule, and what limits it."""
    with readable(run):
        record = record_of(run)
        limits = record.limits
        return {
            "record": record,
            "meaning": OVERALL[record.verdict],
            "policies": [
                {
                    "verdict": one,
                    "rows": [
                        {
                            "row": row,
                            "about": ", ".join(filter(None, (row.result.subject, row.result.group)))
                            or "all rows",
                            "found": value_text(row.result),
                            "interval": interval_text(row.result),
                        }
                        for row in one.rows
                    ],
                }
                for one in record.verdicts
            ],
            "limits": [
                str(text) for key in ("stated", "absent", "remarks") for text in limits[key]
            ],
            "skipped": len(limits["skipped"]),
        }


def _since(request: Request, run: Run) -> Since | None:
    """Return the validation beside the one before of its name, if both are of one model."""
    before = request.app.state.browser.before(run)
    if before is None:
        return None
    store: Store = request.app.state.store
    earlier = store.load(before.id)
    with readable(earlier):
        try:
            return since(record_of(earlier), record_of(run))
        except MismatchError:
            return None


def _trends(run: Run) -> Iterator[tuple[str, str]]:
    """Yield the metrics that the run has on everything, for links to their trends."""
    seen = set()
    for result in run.results:
        if result.group is None and result.metric not in seen:
            seen.add(result.metric)
            yield result.metric, result.subject or ""


def facts_of(run: Run) -> Mapping[str, list[tuple[str, str]]]:
    """Return where the run comes from, as facts under headings."""
    with readable(run):
        environment, settings = run.environment, {**run.settings, "seed": run.seed}
        versions = environment.pop("versions", {})
        # The document says again how it was measured, and with what.
        elsewhere = {*settings, *environment, "versions"}
        data = {name: value for name, value in run.source.items() if name not in elsewhere}
        return {
            "Data": list(_facts({"sha256": run.data_sha256, **data})),
            "Settings": list(_facts(settings)),
            "Made with": list(_facts({**environment, **versions})),
            "Code": list(_facts(run.git or {"commit": "not in a repository"})),
            "Kept": list(_kept(run)),
        }


def _kept(run: Run) -> Iterator[tuple[str, str]]:
    yield "run", run.sha256 or "not sealed before it is finished"
    hashes: Mapping[str, str] = getattr(run.parts, "hashes", {})
    yield from ((name, hashes.get(name, "")) for name in run.parts)
    yield from ((name, f"not kept: {why}") for name, why in run.left_out.items())


def _facts(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if value is None or value in ({}, []):
            continue
        if isinstance(value, Mapping):
            yield from ((f"{name}: {inner}", text) for inner, text in _facts(value))
        else:
            yield name.replace("_", " "), _told(value)


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_told(one) for one in value)
    return f"{value:,}" if isinstance(value, int) else str(value)
