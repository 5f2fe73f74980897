"""``CaseOutcomes``: what became of one metric on every case, the mergeable summary of a harness."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Final, Literal, TypeAlias

from veridical import strict_json
from veridical.errors import FileFormatError, MismatchError
from veridical.summaries.base import check_schema

__all__ = ["CaseOutcomes", "CaseState", "Row"]

CaseState: TypeAlias = Literal[
    "scored", "skipped", "not_applicable", "judge_error", "case_error", "pending"
]
Row: TypeAlias = tuple[str, int, str, float | None, str]
"""Case, repeat from 1, state, value where it is scored, reason."""

_STATES: Final = (
    "scored", "skipped", "not_applicable", "judge_error", "case_error", "pending",
)  # fmt: skip
_SAY_THEIR_KIND: Final = {"scored", "skipped", "not_applicable"}


@dataclass(frozen=True, slots=True, eq=False)
class CaseOutcomes:
    """Outcomes by case and repeat.

    A commutative monoid over disjoint sets of cases: rows are held in the order of their cases, so
    that no order in which calls came back, nor of parts, shows in anything.

    Attributes
    ----------
    rows
        Sorted by case and repeat.
    elsewhere
        Cases of a kind that the metric is not about, and that did not say so: they failed, or were
        not asked yet.  Whatever becomes of them, they will have no value.

    Examples
    --------
    >>> a = CaseOutcomes.of([("c1", 1, "scored", 1.0, ""), ("c2", 1, "skipped", None, "no_judge")])
    >>> b = CaseOutcomes.of([("c0", 1, "scored", 0.5, "")])
    >>> (a + b).values, (a + b).count("skipped")
    ([0.5, 1.0], 1)
    """

    schema: ClassVar[str] = "veridical.case_outcomes/1"

    rows: tuple[Row, ...] = ()
    elsewhere: frozenset[str] = frozenset()

    @classmethod
    def of(cls, rows: Iterable[Row], elsewhere: Iterable[str] = ()) -> CaseOutcomes:
        """Return the summary of rows in any order.

        Parameters
        ----------
        rows
            What became of each case and repeat.
        elsewhere
            Cases of a kind that the metric is not about.

        Raises
        ------
        MismatchError
            A case and repeat stands twice.
        """
        ordered = tuple(sorted(rows, key=lambda row: row[:2]))
        for one, two in pairwise(ordered):
            if one[:2] == two[:2]:
                raise MismatchError(
                    f"case {one[0]!r}, repeat {one[1]}, stands twice",
                    why="it would count twice",
                    fix="merge parts that share no case",
                )
        unsaid = {case for case, _, state, *_ in ordered if state not in _SAY_THEIR_KIND}
        return cls(ordered, frozenset(elsewhere) & unsaid)

    @property
    def values(self) -> list[float]:
        """The values of what is scored, in order."""
        return [value for _, _, _, value, _ in self.rows if value is not None]

    @property
    def by_case(self) -> dict[str, list[float]]:
        """Case to the values of its scored repeats; cases without any are left out."""
        found: dict[str, list[float]] = {}
        for case, _, _, value, _ in self.rows:
            if value is not None:
                found.setdefault(case, []).append(value)
        return found

    def count(self, state: CaseState) -> int:
        """Return how many are in a state."""
        return sum(row[2] == state for row in self.rows)

    def reasons(self, state: CaseState) -> dict[str, int]:
        """Return reason to count of what is in a state, by reason."""
        found: dict[str, int] = {}
        for row in self.rows:
            if row[2] == state:
                found[row[4]] = found.get(row[4], 0) + 1
        return dict(sorted(found.items()))

    def __add__(self, other: CaseOutcomes) -> CaseOutcomes:
        if not isinstance(other, CaseOutcomes):
            return NotImplemented
        return CaseOutcomes.of((*self.rows, *other.rows), self.elsewhere | other.elsewhere)

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        form = {"schema": self.schema, "rows": [list(row) for row in self.rows]}
        return form | ({"elsewhere": sorted(self.elsewhere)} if self.elsewhere else {})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CaseOutcomes:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        rows = data.get("rows")
        if not isinstance(rows, list) or not all(map(_is_row, rows)):
            raise FileFormatError("the outcomes are no rows of cases", fix="measure the run again")
        elsewhere = data.get("elsewhere", [])
        without = {row[0] for row in rows} - {row[0] for row in rows if row[2] == "scored"}
        if not isinstance(elsewhere, list) or any(
            case not in without for case in map(str, elsewhere)
        ):
            raise FileFormatError(
                "cases of another kind are none of its cases without a value",
                fix="measure the run again",
            )
        return cls.of(
            ((case, n, state, value, why) for case, n, state, value, why in rows), elsewhere
        )

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


def _is_row(row: Any) -> bool:
    if not isinstance(row, list) or len(row) != 5:
        return False
    case, repeat, state, value, reason = row
    is_scored = isinstance(value, float) and math.isfinite(value)
    return (
        isinstance(case, str)
        and type(repeat) is int
        and state in _STATES
        and isinstance(reason, str)
        and is_scored == (state == "scored")
        and (is_scored or value is None)
    )
