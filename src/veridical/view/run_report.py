"""The sections of the HTML report, made from a stored run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from veridical.errors import FileFormatError, VeridicalError
from veridical.evaluation import Evaluation
from veridical.evaluation.restored import restored
from veridical.notes import sentence
from veridical.portable import Summary, slices_of
from veridical.report.assemble import report_payload
from veridical.report.page import page_context
from veridical.report.page_data import embedded_json, page_data
from veridical.report.payload import Passport, Payload
from veridical.report.presentation import metric_entry
from veridical.store.kept_slices import slice_kept
from veridical.store.run import SUMMARIES, Run, RunHead

__all__ = ["readable", "report_of"]

_NO_CURVES = "The summaries of this run are not such as are drawn here: it is shown without charts."
_POINTS, _FEWEST = 600, 100
"""Operating points of all score columns together, and of each at least: a page must be quick."""


def report_of(run: Run) -> tuple[Mapping[str, Any], Markup | None]:
    """Return the variables of the report's sections, and the data of its charts if it has any.

    Raises
    ------
    FileFormatError
        What the run holds is damaged, or is no document of results.
    """
    with readable(run):
        payload = _payload(run)
        context = page_context(payload)
        data = embedded_json(page_data(payload)) if payload["subjects"] else None
    return context, None if data is None else Markup(data)  # noqa: S704 - escaped there


@contextmanager
def readable(run: RunHead) -> Iterator[None]:
    """Turn whatever a damaged document provokes into one error that says which run it is.

    Raises
    ------
    FileFormatError
        Something of the run has another form than it should.
    """
    try:
        yield
    except VeridicalError:
        raise
    except _PROVOKED as error:
        raise FileFormatError(
            f"what the run holds cannot be read: {type(error).__name__}",
            where=run.label,
            fix="see what is damaged with `veridical runs verify`",
        ) from error


_PROVOKED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)


def _payload(run: Run) -> Payload:
    if run.kind == "evaluation" and SUMMARIES in run.parts:
        _ = run.parts[SUMMARIES]  # checked against its hash: what follows is about its form
        try:
            return _with_curves(run)
        except (VeridicalError, *_PROVOKED):
            return _results_alone(run, _NO_CURVES)
    return _results_alone(run)


def _results_alone(run: Run, *remarks: str) -> Payload:
    results = run.results
    whole = [result for result in results if result.group is None]
    by_metric = {r.metric: [s for s in whole if s.metric == r.metric] for r in results}
    comparisons = run.document.get("comparisons", [])
    noted = [*run.document["results"], *(one["difference"] for one in comparisons)]
    notes = dict.fromkeys(str(note) for one in noted for note in one["notes"])
    payload = Payload(
        title=run.name or run.id,
        passport=_passport(run),
        subjects=[],
        results=[result.to_dict() for result in results],
        metrics={name: metric_entry(name, same, None) for name, same in by_metric.items()},
        note_sentences={note: sentence(note) for note in notes},
        notes=[*(sentence(note) for note in run.source.get("notes", ())), *remarks],
        comparisons=comparisons,
    )
    if "policy" in run.document:
        payload["policy"] = run.document["policy"]
    return payload


def _with_curves(run: Run) -> Payload:
    """Return the report of a run with the charts that its summaries tell."""
    ev = restored(run)
    if not isinstance(ev, Evaluation):
        raise FileFormatError(
            "this is no evaluation of scores",
            where=run.label,
            fix="see it with `veridical runs show`",
        )
    first = run.summaries[0]["summary"]
    if first["schema"] == Summary.schema:
        slices = tuple(slices_of(Summary.from_dict(first), ev.subjects, ()))
    else:
        slices = tuple(slice_kept(s)[0] for s in run.summaries if s["group"] is None)
    if not set(ev.subjects) <= {part.subject for part in slices if part.group is None}:
        raise FileFormatError(
            "a score column has no summary",
            where=run.label,
            fix="see it with `veridical runs show`",
        )
    points = max(_FEWEST, _POINTS // len(ev.subjects))
    return report_payload(replace(ev, slices=slices), run.name or run.id, points=points)


def _passport(run: Run) -> Passport:
    source, settings = run.source, run.settings
    return Passport(
        source=str(source.get("path") or source.get("kind") or ""),
        sha256=run.data_sha256,
        rows=int(source.get("n_rows") or 0),
        label=str(source.get("label", "")),
        positive=str(source.get("positive", "")),
        level=float(settings.get("level", _level(run))),
        seed=run.seed,
        versions=source.get("versions", {}),
        weight=source.get("weight"),
    )


def _level(run: Run) -> float:
    levels = (result.interval.level for result in run.results if result.interval is not None)
    return next(levels, 0.95)
