"""The report of agreement: raters pair by pair, label by label; what a judge's rate is worth."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from veridical import __version__
from veridical.report.agreement import READING
from veridical.report.display import count_text, rate_text
from veridical.report.heat_map import Grid, grid_of, heat_map
from veridical.report.html import render_page
from veridical.report.svg import interval_bar
from veridical.report.unit_page import Fact, has_context, level_text, unit_context
from veridical.results import Interval
from veridical.stats.proportions import wilson

if TYPE_CHECKING:
    from veridical.evaluation.agreement_evaluation import AgreementEvaluation
    from veridical.summaries.contingency import ContingencyTable

__all__ = ["agreement_html"]

_RATES = "agreement.judged_rate", "agreement.rogan_gladen_rate", "agreement.prediction_powered_rate"


def agreement_html(ev: AgreementEvaluation, heading: str | None = None) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    ev
        What to report.
    heading
        The page's heading; the raters by default.
    """
    level = ev.settings.shown_level
    rates = [result for result in ev.results if result.metric in _RATES]
    context = unit_context(ev, heading or _heading(ev), _facts(ev, level), level)
    kept = [block for block in context["metrics"] if block["metric"] not in _RATES]
    # A rate is near the truth or not; neither end of its scale is better.
    of_judge = [b | {"better": None} for b in context["metrics"] if b["metric"] in _RATES]
    context |= {
        "metrics": kept,
        "has_context": has_context(kept),
        "rates": of_judge,
        "rate_of": next((str(r.conditions.get("rate_of", "")) for r in rates), ""),
        "reading": READING,
        "judge": ev.judge,
        "ceiling": list(_ceiling(ev)),
        "pairs": list(_pairs(ev)),
    }
    return render_page("agreement.html", context)


def _heading(ev: AgreementEvaluation) -> str:
    return f"Do {', '.join(ev.raters[:-1])} and {ev.raters[-1]} agree?"


def _facts(ev: AgreementEvaluation, level: float | None) -> list[Fact]:
    path, settings = ev.source.get("path"), ev.settings
    drawn = [settings.method, f"seed {settings.seed}", f"{settings.replicates:,} replicates"]
    judge = [f"of them a judge: {ev.judge}"] if ev.judge else []
    name = PurePath(str(path)).name if path else "data in memory"
    missing = [
        f"{rater}: {count_text(int((codes < 0).sum()))} missing"
        for rater, codes in ev.ratings.codes.items()
        if (codes < 0).any()
    ]
    facts = [
        Fact("Source", name, width="double"),
        Fact("Items", f"{ev.source['n_rows']:,}", missing),
        Fact("Raters", ", ".join(ev.raters), judge, "double"),
        Fact("Intervals", level_text(level) if level else "none", drawn if level else []),
        Fact(
            "Made with",
            f"veridical {__version__}, python {platform.python_version()}",
            (),
            "double",
        ),
    ]
    sha256 = ev.source.get("sha256")
    return [*facts, *([Fact("Data sha256", sha256, width="wide")] if sha256 else [])]


def _ceiling(ev: AgreementEvaluation) -> Iterator[dict[str, Any]]:
    """Yield the kappa of people among themselves, and of the judge with each, on one axis."""
    if ev.judge is None:
        return
    for subject, pair in ev.pairs.items():
        for result in ev.results:
            if result.subject == subject and result.metric.startswith("agreement.cohens_kappa"):
                judged = ev.judge in pair
                low, high = (None, None)
                if result.interval is not None:
                    low, high = result.interval.low, result.interval.high
                bar = (
                    interval_bar(
                        result.value, low, high, (-1.0, 1.0), series=int(judged), baseline=0
                    )
                    if result.ok
                    else Markup("")
                )
                yield {
                    "subject": subject,
                    "who": "judge with a person" if judged else "people among themselves",
                    "value": rate_text(result.value) if result.ok else None,
                    "detail": "" if result.ok else result.detail,
                    "interval": _ends(result.interval),
                    "n": count_text(result.n),
                    "bar": bar,
                }


def _pairs(ev: AgreementEvaluation) -> Iterator[dict[str, Any]]:
    names = ev.pairs
    for subject, table in ev.tables.items():
        first, second = names[subject]
        grid = grid_of(table)
        yield {
            "first": first,
            "second": second,
            "n": count_text(table.n),
            "labels": grid.labels,
            "together": len(table.labels) - len(grid.labels) + 1
            if "other labels" in grid.labels
            else 0,
            "svg": heat_map(grid, first, second) if table.n else None,
            "rows": _rows(grid),
            "of_label": list(_of_label(table, ev.settings.level)),
            "bias": _bias(table),
        }


def _rows(grid: Grid) -> list[dict[str, Any]]:
    shares = grid.shares
    return [
        {
            "label": label,
            "cells": [
                (count_text(int(count)), f"{100 * share:.0f}%" if count else "")
                for count, share in zip(counts, shares[at], strict=True)
            ],
            "total": count_text(int(counts.sum())),
        }
        for at, (label, counts) in enumerate(zip(grid.labels, grid.counts, strict=True))
    ]


def _of_label(table: ContingencyTable, level: float) -> Iterator[dict[str, Any]]:
    """Yield how often each label was used by either rater, and how far they agree on it."""
    rows, columns = table.counts.sum(axis=1), table.counts.sum(axis=0)
    for at, label in enumerate(table.labels):
        first, second, same = int(rows[at]), int(columns[at]), int(table.counts[at, at])
        either = first + second - same
        if not either:
            continue
        agreed = wilson(same, either, level)
        yield {
            "label": str(label),
            "first": _share(first, table.n, level),
            "second": _share(second, table.n, level),
            "agreement": rate_text(_dice(same / either)),
            "interval": f"{rate_text(_dice(agreed.low))} to {rate_text(_dice(agreed.high))}",
            "n": count_text(either),
        }


def _dice(share: float) -> float:
    """Return 2 same / (first + second) from the share of agreement among items with the label.

    It rises with that share, so that the ends of one interval are those of the other.
    """
    return 2 * share / (1 + share)


def _share(count: int, n: int, level: float) -> dict[str, str]:
    interval = wilson(count, n, level)
    return {"value": rate_text(count / n), "interval": _ends(interval)}


def _ends(interval: Interval | None) -> str:
    return f"{rate_text(interval.low)} to {rate_text(interval.high)}" if interval else ""


def _bias(table: ContingencyTable) -> str | None:
    """Return the first rater's mean minus the second's, where labels have an order."""
    bias = table.mean_difference
    return None if bias is None else f"{round(bias, 4):+g}"
