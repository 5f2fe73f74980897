"""Options that mean the same in every command, and the groups under which ``--help`` lists them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Group, Parameter

__all__ = [
    "DATA",
    "INTERVALS",
    "MEASURE",
    "OUTPUT",
    "Json",
    "Level",
    "Markdown",
    "Metrics",
    "NoIntervals",
    "Report",
    "Seed",
]

DATA = Group("Data", sort_key=1)
MEASURE = Group("What to measure", sort_key=2)
INTERVALS = Group("Intervals", sort_key=4)
OUTPUT = Group("Output", sort_key=5)

Metrics: TypeAlias = Annotated[
    list[str] | None,
    Parameter(
        name=["--metric", "-m"],
        group=MEASURE,
        help="Metric to measure, see `veridical metrics`; repeat it. By default the usual set.",
    ),
]
NoIntervals: TypeAlias = Annotated[
    bool, Parameter(group=INTERVALS, show_default=False, help="Leave the intervals out.")
]
Level: TypeAlias = Annotated[float, Parameter(group=INTERVALS, help="Coverage of the intervals.")]
Seed: TypeAlias = Annotated[int, Parameter(group=INTERVALS, help="Determines every random draw.")]
Report: TypeAlias = Annotated[
    Path | None, Parameter(group=OUTPUT, help="Write a self-contained HTML report.")
]
Markdown: TypeAlias = Annotated[
    bool, Parameter(group=OUTPUT, show_default=False, help="Print Markdown.")
]
Json: TypeAlias = Annotated[
    bool, Parameter(group=OUTPUT, show_default=False, help="Print one JSON document.")
]
