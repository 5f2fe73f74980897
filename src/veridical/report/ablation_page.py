"""The report of a factorial experiment: combinations, and what each factor moves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from veridical.report.ablation import effect_rows, head_lines, numbers_of_test, reading
from veridical.report.display import rate_text, round_number_above
from veridical.report.html import render_page
from veridical.report.page import skipped_rows
from veridical.report.svg import interval_bar
from veridical.report.titles import title as title_of
from veridical.report.unit_page import Fact, level_text, made_with, unit_context

if TYPE_CHECKING:
    from veridical.ablation import Ablation, Term

__all__ = ["ablation_html"]


def ablation_html(found: Ablation, heading: str | None = None) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    found
        What to report.
    heading
        The page's heading; the factors by default.
    """
    context = unit_context(found, heading or _heading(found), _facts(found), found.level)
    contrasts = [one for term in found.terms for one in term.contrasts]
    context |= {
        "skipped": skipped_rows([one.to_dict() for one in (*found.results, *contrasts)]),
        "reading": reading(found),
        "effects": [
            _block(metric, [term for term in found.terms if term.metric == metric])
            for metric in found.metrics
            if any(term.metric == metric for term in found.terms)
        ],
    }
    return render_page("ablation.html", context)


def _heading(found: Ablation) -> str:
    names = [one.name for one in found.experiment.factors]
    return f"What do {' and '.join(names)} move?" if names else "How good are the runs?"


def _facts(found: Ablation) -> list[Fact]:
    first, *rest = head_lines(found)
    path = found.source.get("path")
    return [
        Fact("Experiment", PurePath(str(path)).name if path else "in memory"),
        Fact("Runs", f"{found.source['n_runs']:,}", [first]),
        Fact("Rows", rest[-1], rest[:-1], width="double"),
        Fact("Intervals", level_text(found.level), ["Student's t over replicates"]),
        made_with(),
    ]


def _block(metric: str, terms: list[Term]) -> dict[str, Any]:
    """Return the effects on one metric, drawn on one axis with 0 in its middle."""
    intervals = [
        one.interval for term in terms for one in term.contrasts if one.interval is not None
    ]
    edge = round_number_above(max((max(-i.low, i.high) for i in intervals), default=0.0)) or 1.0
    return {
        "title": title_of(metric),
        "metric": metric,
        "ends": (f"\N{MINUS SIGN}{edge:g}", f"{edge:g}"),
        "terms": [
            {
                "label": term.label,
                "verdict": term.verdict,
                "test": numbers_of_test(term),
                "look": "met" if term.shown else "undecided",
                "rows": list(_rows(term, edge)),
                "means": [
                    f"{one.subject} {rate_text(one.value)}"
                    for one in term.means
                    if one.value is not None
                ],
            }
            for term in terms
        ],
    }


def _rows(term: Term, edge: float) -> Iterator[dict[str, Any]]:
    for row in effect_rows(term):
        one, ends = row.result, row.result.interval
        yield {
            "label": row.label,
            "value": None if one.value is None else row.value,
            "interval": row.interval,
            "covers": row.covers,
            "bar": None
            if one.value is None or ends is None
            else interval_bar(one.value, ends.low, ends.high, (-edge, edge), baseline=0.0),
        }
