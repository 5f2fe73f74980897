"""The table of changes: what agents make of each kind of trap, and how they rank there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.bench.reporting.data import BenchReport
from veridical.bench.reporting.table import Table, rate_cell
from veridical.bench.scoring.grid import FEW_CASES, Cell

__all__ = ["grid_table"]


def grid_table(report: BenchReport) -> Table:
    """Return a row for each change and agent.

    Parameters
    ----------
    report
        What is shown.
    """
    names: dict[str, None] = {}
    for one in report.agents:
        names |= dict.fromkeys(one.grid)
    rows = []
    for name in names:
        cells = [one.grid.get(name) for one in report.agents]
        ranks = _ranks(cells)
        for label, cell, rank in zip(report.labels, cells, ranks, strict=True):
            if cell is not None:
                rows.append((name, label, *_cell(cell), rank))
    return Table(
        "grid",
        "Change by change",
        "a can be determined or calls for nothing, b cannot, twin is a look-alike that is no "
        "problem; a case with several changes stands in several cells. A cell of fewer than "
        f"{FEW_CASES} cases cannot part agents that are a few points apart: it has no rank.",
        (
            "Change",
            "Agent",
            "Exact match",
            "Silent failure",
            "Recall",
            "Compliance",
            "Cases",
            "Rank",
        ),
        tuple(rows),
    )


def _cell(cell: Cell) -> Iterator[str]:
    for result in (cell.exact_match, cell.silent_failure, cell.recall, cell.compliance):
        yield "" if result.value is None else rate_cell(result, n=False)
    yield f"{cell.n_cases:,}" + (" (few)" if cell.is_small else "")


def _ranks(cells: Sequence[Cell | None]) -> list[str]:
    """Return the place of each agent by exact match; equals share one, small cells have none."""
    if len(cells) < 2 or any(cell is None or cell.is_small for cell in cells):
        return [""] * len(cells)
    values = [cell.exact_match.value if cell else None for cell in cells]
    return [
        ""
        if value is None
        else str(1 + sum(other > value for other in values if other is not None))
        for value in values
    ]
