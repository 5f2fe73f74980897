"""The report of a RAG run: the numbers, what became of every case, and the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from veridical.notes import sentence
from veridical.report.display import rate_text
from veridical.report.html import render_page
from veridical.report.page import metric_blocks, skipped_rows
from veridical.report.payload import Shown
from veridical.report.presentation import metric_entry
from veridical.report.rag_case import ShownCase
from veridical.report.titles import title
from veridical.report.unit_page import Fact, has_context, level_text
from veridical.results import Result
from veridical.writing import write_made

if TYPE_CHECKING:
    from veridical.evaluation.result_set import ResultSet

__all__ = ["MOST_CASES", "errors_by_code", "privacy_remark", "rag_html", "write_rag_report"]

MOST_CASES: Final = 200
"""Cases that a page shows in full, the worst; a browser must still be quick."""

_LONGEST, _LONGEST_CHUNK, _IDS = 6_000, 2_000, 8
_STATES: Final = (
    ("skipped", "n_skipped"),
    ("not applicable", "n_not_applicable"),
    ("judge errors", "n_judge_errors"),
    ("case errors", "n_case_errors"),
    ("pending", "n_pending"),
)
_KINDS: Final = ("qa", "unanswerable", "injection")


def write_rag_report(
    ev: ResultSet,
    cases: Sequence[ShownCase],
    path: str | Path,
    heading: str | None = None,
    *,
    texts: str = "full",
    most: int = MOST_CASES,
) -> Path:
    """Write the self-contained HTML report.

    Parameters
    ----------
    ev
        The results.
    cases
        Every case, the worst first.
    path
        Where to write; an existing file is replaced, whole or not at all.
    heading
        The page's heading; the dataset by default.
    texts
        What was kept of texts: ``full``, ``hashed`` or ``none``.
    most
        How many cases are shown in full.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    return write_made(path, lambda: rag_html(ev, cases, heading, texts=texts, most=most))


def rag_html(
    ev: ResultSet,
    cases: Sequence[ShownCase],
    heading: str | None = None,
    *,
    texts: str = "full",
    most: int = MOST_CASES,
) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    ev, cases, heading, texts, most
        As for ``write_rag_report``.
    """
    shown = _shown(ev)
    metrics = metric_blocks(shown, dict.fromkeys(ev.subjects, 0))
    listed = [_case(case, at) for at, case in enumerate(cases[:most], 1)]
    places = {case.id: f"case-{at}" for at, case in enumerate(cases[:most], 1)}
    level = ev.source.get("level") or 0.95
    context = {
        "title": heading or f"RAG: {ev.source.get('path') or 'a run'}",
        "facts": _facts(ev.source),
        "level": level_text(level),
        "subject_word": "Pipeline",
        "metrics": metrics,
        "has_context": has_context(metrics),
        "ledger": [_ledger_row(r) for r in ev.results if r.group is None],
        "states": [words for words, _ in _STATES],
        "groups": _groups(ev.results),
        "errors": [error | {"places": places} for error in errors_by_code(cases)],
        "cases": listed,
        "n_cases": len(cases),
        "kinds": [(k, n) for k in _KINDS if (n := sum(c["kind"] == k for c in listed))],
        "n_errors": sum(bool(c["errors"]) for c in listed),
        "n_flagged": sum(bool(c["flags"]) for c in listed),
        "n_unsupported": sum(c["unsupported"] for c in listed),
        "privacy": privacy_remark(texts),
        "skipped": skipped_rows(shown["results"]),
    }
    return render_page("rag.html", context)


def privacy_remark(texts: str) -> str:
    """Return what is missing where texts were not kept; nothing where they were."""
    return {
        "hashed": "Texts were not kept: their hashes stand in their place (store_text: hashed).",
        "none": "Texts were not kept, and their places are empty (store_text: none).",
    }.get(texts, "")


def _shown(ev: ResultSet) -> Shown:
    whole = [result for result in ev.results if result.group is None]
    notes = dict.fromkeys(note for result in whole for note in result.notes)
    return Shown(
        results=[result.to_dict() for result in whole],
        metrics={r.metric: metric_entry(r.metric, [r], None) for r in whole},
        note_sentences={note: sentence(note) for note in notes},
        comparisons=[],
    )


def _facts(source: Mapping[str, Any]) -> list[Fact]:
    judge = source.get("judge") or {}
    pipeline = source.get("pipeline") or {}
    kinds = [f"{n:,} {kind}" for kind, n in (source.get("kinds") or {}).items()]
    repeats = source.get("repeats", 1)
    asked = [f"each asked {repeats} times"] if repeats > 1 else []
    facts = [
        Fact("Dataset", str(source.get("path") or "not named"), width="double"),
        Fact("Cases", f"{source.get('n_cases', 0):,}", [*kinds, *asked]),
        Fact("Pipeline", str(pipeline.get("kind", "")), [str(pipeline.get("target", ""))]),
        Fact("Judge", str(judge.get("model") or "none"), _judge_lines(judge), "double"),
        Fact("Refusals found by", str(source.get("abstention", ""))),
        Fact("A hit is a", str(source.get("source_match", ""))),
        Fact("Intervals", level_text(source.get("level")), [f"seed {source.get('seed')}"]),
        Fact("Dataset sha256", str(source.get("sha256", "")), width="wide"),
    ]
    prompts = [f"{name} {sha256[:16]}" for name, sha256 in (source.get("prompts") or {}).items()]
    if judge and prompts:
        facts.append(Fact("Prompts, beginning of sha256", "", prompts, "double"))
    return facts


def _judge_lines(judge: Mapping[str, Any]) -> list[str]:
    """Return what is known of a judge besides its model, a line each."""
    known = {**judge, **(judge.get("parameters") or {})}
    return [
        f"{name} {', '.join(value) if isinstance(value, list) else value}"
        for name, value in known.items()
        if name not in {"model", "parameters"} and value not in ([], {}, None)
    ]


def _ledger_row(result: Result) -> dict[str, Any]:
    counts = result.counts
    reasons = {
        name.removeprefix("n_skipped_"): n
        for name, n in counts.items()
        if name.startswith("n_skipped_") and n
    }
    return {
        "title": title(result.metric),
        "metric": result.metric,
        "scored": result.n,
        "cells": [counts.get(key, 0) for _, key in _STATES],
        "reasons": [f"{n:,} {reason}" for reason, n in reasons.items()],
        "total": result.n_rows or 0,
    }


def _groups(results: Iterable[Result]) -> list[dict[str, Any]]:
    """Return a row a group and metric that has a value there."""
    return [
        {
            "group": result.group,
            "title": title(result.metric),
            "value": rate_text(result.value),
            "interval": ""
            if result.interval is None
            else f"{rate_text(result.interval.low)} to {rate_text(result.interval.high)}",
            "n": result.n,
        }
        for result in results
        if result.group is not None and result.value is not None
    ]


def errors_by_code(cases: Iterable[ShownCase]) -> list[dict[str, Any]]:
    """Return errors by state and code, the most frequent first: how many cases, which, in what.

    Parameters
    ----------
    cases
        All of a run.
    """
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for case in cases:
        for one in case.errors:
            kind = {"state": one.state, "code": one.reason, "detail": one.detail}
            row = found.setdefault((one.state, one.reason), {**kind, "ids": {}, "metrics": {}})
            row["ids"][case.id] = None
            row["metrics"][title(one.metric)] = None
    rows = [
        {
            **row,
            "n": len(row["ids"]),
            "ids": list(row["ids"])[:_IDS],
            "more": max(0, len(row["ids"]) - _IDS),
            "metrics": list(row["metrics"]),
        }
        for row in found.values()
    ]
    return sorted(rows, key=lambda row: -row["n"])


def _case(case: ShownCase, at: int) -> dict[str, Any]:
    unsupported = any(not one.supported for one in (*case.claims, *case.citations))
    classes = [f"kind-{case.kind}"] if case.kind in _KINDS else []
    classes += ["has-error"] if case.errors else []
    classes += ["has-flag"] if case.flags else []
    classes += ["has-unsupported"] if unsupported else []
    return {
        "anchor": f"case-{at}",
        "classes": " ".join(classes),
        "case": case,
        "kind": case.kind,
        "question": _cut(case.question),
        "answer": None if case.answer is None else _cut(case.answer),
        "expected": None if case.expected_answer is None else _cut(case.expected_answer),
        "errors": sorted({one.reason for one in case.errors}),
        "flags": case.flags,
        "unsupported": unsupported,
        "supported": sum(one.supported for one in case.claims),
        "chunks": None
        if case.chunks is None
        else [(chunk, _cut(chunk.text, _LONGEST_CHUNK)) for chunk in case.chunks],
        "scores": list(_scores(case)),
        "outcomes": [
            (one, title(one.metric), None if one.value is None else rate_text(one.value))
            for one in case.outcomes
        ],
        "replies": [(one, [_cut(text) for text in one.raw]) for one in case.replies],
    }


def _scores(case: ShownCase) -> Iterator[str]:
    for one in case.outcomes:
        if one.value is not None:
            yield f"{title(one.metric)} {one.value:.2f}"


def _cut(text: str, longest: int = _LONGEST) -> tuple[str, int]:
    """Return the beginning of a text, and how many characters are left out."""
    return text[:longest], max(0, len(text) - longest)
