"""A verdict as Markdown, for the summary of a job or a pull request."""

from __future__ import annotations

from collections.abc import Iterable

from veridical.gates.verdict import GateVerdict
from veridical.gates.wording import details, headline, remarks
from veridical.report.markdown import markdown_text
from veridical.report.visible import visible

__all__ = ["gate_markdown"]

_MARKS = {"pass": "✅ pass", "fail": "❌ fail", "undecided": "⚠️ undecided"}


def gate_markdown(verdict: GateVerdict) -> str:
    """Return the verdict as GitHub-flavoured Markdown; names in it become plain text.

    Parameters
    ----------
    verdict
        What to write.
    """
    several = len(verdict.policy.subjects) > 1
    head = ["verdict", *(["subject"] if several else []), "rule", "what was found"]
    rows = []
    for rule in verdict.rules:
        row = rule.row
        subject = [visible(row.result.subject or "")] if several else []
        words = f"{row.rule}, vacuous" if row.vacuous else row.rule
        found = "<br>".join(markdown_text(detail) for detail in details(rule))
        cells = [*map(markdown_text, [*subject, visible(words)]), found]
        rows.append([_MARKS[rule.verdict], *cells])
    table = "\n".join(map(_row, [head, ["---"] * len(head), *rows]))
    parts = [
        f"### {_MARKS[verdict.verdict].split()[0]} {markdown_text(headline(verdict))}",
        table if rows else "",
        *(markdown_text(remark) for remark in remarks(verdict)),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
