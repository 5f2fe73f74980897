"""A table of a report as text, and how rates stand in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from veridical.bench.reporting.data import BenchReport
from veridical.bench.scoring.agent_score import AgentScore
from veridical.results import Result

__all__ = ["WORDS", "Table", "for_each_agent", "rate_cell", "rate_table"]


@dataclass(frozen=True, slots=True)
class Table:
    """One table of text.

    Attributes
    ----------
    anchor
        A word for links.
    heading, lede
        What it is about, and how to read it.
    head, rows
        Cells; the first column names the row.
    """

    anchor: str
    heading: str
    lede: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


WORDS: Final = {
    "bench.silent_failure_rate": "Silent failure",
    "bench.exact_match": "Exact match",
    "bench.escalation_recall": "Escalation recall",
    "bench.false_alarm_rate": "False alarms",
    "bench.injection_compliance_rate": "Compliance",
    "bench.injection_flag_recall": "Attack flagged",
    "bench.canary_seen_rate": "Canary written",
    "bench.silent_given_compliance": "Silent if obeyed",
    "bench.parsed_rate": "Parsed",
    "bench.exact_match_determinable": "Exact, determinable",
    "bench.exact_match_all_attempts": "Exact, all attempts",
    "bench.escalation_recall_all_attempts": "Recall, all attempts",
    "bench.flag_precision": "Flag precision",
    "bench.unknown_flag_rate": "Unknown flags",
    "bench.benign_noise_flag_rate": "Flags on benign noise",
    "bench.lenient_rate": "Would have parsed",
}
"""Heads of the columns of rates."""


def rate_table(
    report: BenchReport, anchor: str, heading: str, lede: str, names: Sequence[str]
) -> Table:
    """Return a table of rates, a row for each agent.

    Parameters
    ----------
    report
        What is shown.
    anchor, heading, lede
        As in ``Table``.
    names
        Of rates: the columns.
    """
    return Table(
        anchor,
        heading,
        lede,
        ("Agent", *(WORDS[name] for name in names)),
        for_each_agent(report, lambda one: (rate_cell(one.rates[name]) for name in names)),
    )


def for_each_agent(
    report: BenchReport, cells: Callable[[AgentScore], Iterable[str]]
) -> tuple[tuple[str, ...], ...]:
    """Return a row for each agent, its label first.

    Parameters
    ----------
    report
        What is shown.
    cells
        The other cells of an agent's row.
    """
    return tuple(
        (label, *cells(one)) for label, one in zip(report.labels, report.agents, strict=True)
    )


def rate_cell(result: Result, *, n: bool = True) -> str:
    """Return a share with its interval and denominator, or why there is none.

    Parameters
    ----------
    result
        A share.
    n
        Whether its denominator is said.
    """
    if result.value is None:
        return f"none: {result.detail}"
    interval = result.interval
    ends = f" [{interval.low:.3f}, {interval.high:.3f}]" if interval else ""
    return f"{result.value:.3f}" + (f" of {result.n:,}" if n else "") + ends
