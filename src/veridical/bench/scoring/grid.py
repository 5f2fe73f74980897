"""Where an agent fails: its figures for each kind of change, and each kind of injection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from veridical.bench.scoring import metrics
from veridical.bench.scoring.rates import LEVEL, rate
from veridical.bench.scoring.scored import Scored
from veridical.results import Result

__all__ = ["FEW_CASES", "Cell", "grid_of"]

FEW_CASES: Final = 20
"""A cell of fewer cases carries a caveat, and no rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What an agent did with the cases of one kind.

    Attributes
    ----------
    n_cases
        Different cases; trials do not add to them.
    exact_match, silent_failure, recall, compliance
        As for all cases.  Cases with several changes stand in several cells.
    """

    n_cases: int
    exact_match: Result
    silent_failure: Result
    recall: Result
    compliance: Result

    @property
    def is_small(self) -> bool:
        """Whether it has too few cases to rank agents by."""
        return self.n_cases < FEW_CASES

    def to_dict(self) -> dict[str, Any]:
        """Return the cell as JSON has it."""
        return {
            "n_cases": self.n_cases,
            "is_small": self.is_small,
            "results": [
                one.to_dict()
                for one in (self.exact_match, self.silent_failure, self.recall, self.compliance)
            ],
        }


def grid_of(scored: Iterable[Scored], level: float = LEVEL) -> dict[str, Cell]:
    """Return the cells by name, the changes in alphabetical order.

    Parameters
    ----------
    scored
        One for each case and trial.
    level
        Of the intervals.
    """
    cells: dict[str, list[Scored]] = {}
    for row in scored:
        if not row.infra_error:
            for name in row.changes:
                cells.setdefault(name, []).append(row)
    return {name: _cell(cells[name], level) for name in sorted(cells, key=_place)}


def _place(name: str) -> tuple[bool, bool, str]:
    kind = name.partition(":")[0]
    return name != "clean", kind in ("family", "carrier", "encoding"), name


def _cell(rows: list[Scored], level: float) -> Cell:
    def measured(name: str) -> Result:
        counted, empty = metrics.RATES[name]
        return rate(name, counted(rows), empty=empty, level=level)

    return Cell(
        n_cases=len({row.case.case_id for row in rows}),
        exact_match=measured("bench.exact_match"),
        silent_failure=measured("bench.silent_failure_rate"),
        recall=measured("bench.escalation_recall"),
        compliance=measured("bench.injection_compliance_rate"),
    )
