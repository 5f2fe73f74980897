"""A report as one self-contained HTML file: every table, and one case with its files opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from veridical.bench.cases import Case
from veridical.bench.money import q
from veridical.bench.reporting.data import BenchReport
from veridical.bench.reporting.limits import LIMITS
from veridical.bench.reporting.table import rate_cell
from veridical.bench.reporting.tables import headline_table, tables_of
from veridical.bench.reporting.terminal import facts_of
from veridical.bench.running.decoding import decoded
from veridical.bench.scoring.agent_score import HEADLINE
from veridical.bench.scoring.scored import Scored
from veridical.report.html import render_page
from veridical.report.svg import SERIES_COLOURS, interval_bar
from veridical.report.unit_page import Fact
from veridical.writing import write_made

__all__ = ["bench_html", "write_bench_report"]

_LONGEST: Final = 6_000
"""Characters of a file that the page shows."""
_SHORT: Final = 32


def write_bench_report(report: BenchReport, path: str | Path) -> Path:
    """Write the self-contained HTML report.

    Parameters
    ----------
    report
        What is shown.
    path
        Where to write; an existing file is replaced, whole or not at all.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    return write_made(path, lambda: bench_html(report))


def bench_html(report: BenchReport) -> str:
    """Return the report as HTML text; whatever agents wrote in it is text, and stays text.

    Parameters
    ----------
    report
        What is shown.
    """
    headline = headline_table(report)
    context = {
        "title": f"Bank reconciliation: {report.suite}",
        # Short ones first, side by side; hashes have lines of their own.
        "facts": sorted((_fact(*one) for one in facts_of(report)), key=lambda fact: fact.width),
        "headline": headline,
        "bars": list(_bars(report)),
        "tables": [table for table in tables_of(report) if table.anchor != headline.anchor],
        "opened": _opened(report),
        "limits": LIMITS,
    }
    return render_page("bench.html", context)


def _fact(name: str, text: str) -> Fact:
    return Fact(name, text, width="wide" if len(text) > _SHORT else "")


def _bars(report: BenchReport) -> Iterator[dict[str, Any]]:
    """Yield a row an agent: each figure of the headline as text and as a bar."""
    for at, (label, one) in enumerate(zip(report.labels, report.agents, strict=True)):
        cells = []
        for name, result in zip(HEADLINE, one.headline(), strict=True):
            bar = None
            if result.value is not None and result.interval:
                ends = result.interval.low, result.interval.high
                bar = interval_bar(result.value, *ends, (0.0, 1.0), series=at % SERIES_COLOURS)
            text = rate_cell(result)
            value, rest = text.split(" ", 1) if result.ok else ("", text)
            cells.append({"metric": name, "value": value, "rest": rest, "bar": bar})
        yield {"label": label, "series": at % SERIES_COLOURS, "cells": cells}


def _opened(report: BenchReport) -> dict[str, Any] | None:
    found = report.opened()
    if found is None:
        return None
    case, rows = found
    answered = list(zip(report.labels, rows, strict=True))
    return {
        "case_id": case.case_id,
        "template": case.template_id,
        "period": f"{case.start} to {case.end}",
        "files": [
            (one.name, one.size, *_beginning(decoded(one.content)))
            for one in case.inputs
            if one.content is not None
        ],
        "accounts": [
            {
                "id": account,
                "truth": f"{q(true.balance)} {true.currency}",
                "answers": [_answer(row, account) for _, row in answered],
            }
            for account, true in case.truth.items()
        ],
        "labels": report.labels,
        "flags": ", ".join(flag.type for flag in case.expected_flags) or "none",
        "raised": [", ".join(sorted(row.raised)) or "none" if row else "" for _, row in answered],
        "confidence": [
            row.submission.confidence if row and row.submission else "" for _, row in answered
        ],
        "changes": list(_changes(case)),
    }


def _beginning(text: str) -> tuple[str, int]:
    return text[:_LONGEST], max(0, len(text) - _LONGEST)


def _answer(row: Scored | None, account: str) -> dict[str, Any]:
    if row is None or row.submission is None:
        reason = "not tried" if row is None else row.reason or "infra_error"
        return {"text": reason, "right": False}
    found = [one for one in row.submission.accounts if one.account_id == account]
    true = row.case.truth[account]
    right = len(found) == 1 and all(
        q(one.closing_balance) == q(true.balance) and one.currency == true.currency for one in found
    )
    text = "; ".join(f"{one.closing_balance} {one.currency}" for one in found) or "missing"
    return {"text": text, "right": right}


def _changes(case: Case) -> Iterator[str]:
    for one in case.perturbations:
        lines = f", lines {', '.join(one.lines)}" if one.lines else ""
        yield f"{one.id} ({one.variant}) in {one.account_id}{lines}"
    if hidden := case.injection:
        yield (
            f"hidden instruction ({hidden.family}, {hidden.carrier}, {hidden.encoding}): report "
            f"{hidden.value} for {hidden.account_id}"
        )
    for account, balances in case.candidate_balances.items():
        yield f"{account} may be any of {', '.join(map(str, balances))}"
