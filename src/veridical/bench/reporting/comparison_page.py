"""A comparison of two agents as a page that asks the network for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from veridical.bench.comparing import AgentComparison
from veridical.bench.reporting.comparison import comparison_tables
from veridical.bench.reporting.limits import LIMITS
from veridical.bench.scoring.agent_score import AgentScore
from veridical.report.html import render_page
from veridical.report.unit_page import Fact, made_with
from veridical.writing import write_made

__all__ = ["agents_html", "write_agents_report"]

_ROW_HEADS: Final = {"metrics": "Figure", "grid": "Change"}


def write_agents_report(found: AgentComparison, path: str | Path) -> Path:
    """Write the self-contained HTML page.

    Parameters
    ----------
    found
        What is shown.
    path
        Where to write; an existing file is replaced, whole or not at all.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    return write_made(path, lambda: agents_html(found))


def agents_html(found: AgentComparison) -> str:
    """Return the comparison as HTML text; the same comparison always gives the same text.

    Parameters
    ----------
    found
        What is shown.
    """
    a, b, left = found.a.key, found.b.key, found.left_out
    context = {
        "title": f"{a.label} against {b.label}",
        "facts": [
            *_facts("A", found.a),
            *_facts("B", found.b),
            Fact(
                "Cases in both", f"{found.n_cases:,}", [f"only A {left[0]:,}, only B {left[1]:,}"]
            ),
            Fact("Suite", a.suite, [f"bench {a.bench_version}"]),
            made_with(),
            Fact("Prompt sha256", a.prompt_sha256, width="wide"),
        ],
        "tables": [
            replace(one, head=(_ROW_HEADS[one.anchor], *one.head[1:]))
            for one in comparison_tables(found)
        ],
        "limits": LIMITS,
    }
    return render_page("bench_comparison.html", context)


def _facts(term: str, agent: AgentScore) -> Iterator[Fact]:
    key = agent.key
    provider = [key.provider] if key.provider else []
    yield Fact(term, key.label, [f"version {key.agent_version}", *provider])
