"""A verdict for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from veridical.gates.verdict import GateVerdict
from veridical.gates.wording import details, headline, remarks
from veridical.report.pieces import Pieces, folded
from veridical.report.printing import printed
from veridical.report.visible import visible

__all__ = ["gate_text"]

_STYLES = {"pass": "green", "fail": "bold red", "undecided": "yellow"}
_INDENT = 11


def gate_text(verdict: GateVerdict, stream: TextIO | None = None) -> str:
    """Return the verdict as text for ``stream``: styled on a terminal, plain in a pipe.

    Parameters
    ----------
    verdict
        What to print.
    stream
        Where it will be printed; standard output by default.
    """
    return printed(lambda columns: _lines(verdict, columns), stream)


def _lines(verdict: GateVerdict, columns: int) -> Iterator[Pieces]:
    yield from folded(headline(verdict), columns, style=_STYLES[verdict.verdict])
    several = len(verdict.policy.subjects) > 1
    subject: str | None = None
    for rule in verdict.rules:
        row = rule.row
        if several and row.result.subject != subject:
            subject = row.result.subject
            yield []
            yield from folded(visible(subject or ""), columns, style="bold")
        words = f"{row.rule}, vacuous" if row.vacuous else row.rule
        first, *rest = folded(visible(words), columns, indent=_INDENT)
        yield [
            (rule.verdict.ljust(_INDENT), _STYLES[rule.verdict]),
            (first[0][0][_INDENT:], "bold"),
        ]
        yield from rest
        for detail in details(rule):
            yield from folded(detail, columns, indent=_INDENT, style="dim")
    yield []
    for remark in remarks(verdict):
        yield from folded(remark, columns)
