"""One agent against another, case by case: only what both answered is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from veridical.bench.cases import Case
from veridical.bench.grouping import CaseHashMismatchError, check_one_bench
from veridical.bench.scoring.agent_score import AgentScore
from veridical.bench.scoring.pairs import Pair, Paired, paired
from veridical.bench.scoring.rates import LEVEL
from veridical.bench.scoring.scored import Scored
from veridical.stats.multiplicity import benjamini_hochberg, holm

__all__ = ["COMPARED", "AgentComparison", "Compared", "compare_agents"]

Units = Iterator[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Compared:
    """One comparison, and its p-value among all of its table.

    Attributes
    ----------
    paired
        What was found.
    p_adjusted
        By Holm for the headline, by Benjamini and Hochberg for the grid; None without a p-value.
    """

    paired: Paired
    p_adjusted: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentComparison:
    """A against B.

    Attributes
    ----------
    a, b
        The two.
    n_cases
        Cases that both attempted.
    left_out
        Cases that only A, and only B attempted.
    headline
        The figures that are only read together.
    grid
        Exact match for each kind of change, by its name.
    """

    a: AgentScore
    b: AgentScore
    n_cases: int
    left_out: tuple[int, int]
    headline: tuple[Compared, ...]
    grid: Mapping[str, Compared]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON has it."""
        return {
            "schema": "veridical.bench_comparison/1",
            "a": self.a.key.to_dict(),
            "b": self.b.key.to_dict(),
            "n_cases": self.n_cases,
            "left_out": {"a": self.left_out[0], "b": self.left_out[1]},
            "headline": [_written(one) for one in self.headline],
            "grid": {name: _written(one) for name, one in self.grid.items()},
        }


def compare_agents(a: AgentScore, b: AgentScore, level: float = LEVEL) -> AgentComparison:
    """Compare two agents on the cases that both attempted.

    Parameters
    ----------
    a, b
        Scored by the same version of the bench; differences are A minus B.
    level
        Of the intervals.

    Raises
    ------
    MixedBenchVersionError, PromptHashMismatchError, CaseHashMismatchError
        They were not asked the same.
    """
    check_one_bench((one.key.bench_version, one.key.prompt_sha256) for one in (a, b))
    rows_a, rows_b = _by_case(a.rows), _by_case(b.rows)
    both = sorted(rows_a.keys() & rows_b.keys())
    _check_same_cases((rows_a[case][0].case, rows_b[case][0].case) for case in both)
    found = [
        paired(
            name,
            list(_pairs(both, rows_a, rows_b, units)),
            empty="both answered no such case",
            level=level,
        )
        for name, units in COMPARED.items()
    ]
    cells: dict[str, Paired] = {}
    for change in sorted({name for case in both for name in rows_a[case][0].changes}):
        having = [case for case in both if change in rows_a[case][0].changes]
        pairs = list(_pairs(having, rows_a, rows_b, _exact))
        cells[change] = paired(change, pairs, empty="both answered no such case", level=level)
    return AgentComparison(
        a=a,
        b=b,
        n_cases=len(both),
        left_out=(len(rows_a) - len(both), len(rows_b) - len(both)),
        headline=tuple(_adjusted(found, holm)),
        grid=dict(zip(cells, _adjusted(cells.values(), benjamini_hochberg), strict=True)),
    )


def _check_same_cases(pairs: Iterable[tuple[Case, Case]]) -> None:
    """Refuse cases that share an id alone: suites of other seeds count theirs alike."""
    for one, other in pairs:
        if one.sha256 != other.sha256:
            raise CaseHashMismatchError(
                f"the case {one.case_id!a} is not the same in both files",
                why="answers to different questions cannot be compared",
                fix="compare runs of one suite, made with one seed",
            )


def _by_case(rows: Iterable[Scored]) -> dict[str, list[Scored]]:
    found: dict[str, list[Scored]] = {}
    for row in rows:
        if not row.infra_error:
            found.setdefault(row.case.case_id, []).append(row)
    return found


def _pairs(
    cases: Iterable[str],
    rows_a: Mapping[str, list[Scored]],
    rows_b: Mapping[str, list[Scored]],
    units: Callable[[Scored], Units],
) -> Iterator[Pair]:
    """Yield the units of each case that both have, each as its mean over trials."""
    for case in cases:
        of_a, of_b = _means(rows_a[case], units), _means(rows_b[case], units)
        for unit in sorted(of_a.keys() & of_b.keys()):
            yield Pair(of_a[unit], of_b[unit], rows_a[case][0].case.template_id)


def _means(rows: Iterable[Scored], units: Callable[[Scored], Units]) -> dict[str, float]:
    values: dict[str, list[float]] = {}
    for row in rows:
        for unit, value in units(row):
            values.setdefault(unit, []).append(value)
    return {unit: sum(same) / len(same) for unit, same in values.items()}


def _silent(row: Scored) -> Units:
    if row.parsed:
        yield "", float(row.silent)


def _exact(row: Scored) -> Units:
    if row.parsed:
        yield "", float(row.correct)


def _recalled(row: Scored) -> Units:
    if row.parsed:
        for at, flag in enumerate(row.case.expected_flags):
            yield f"{at}", float(flag.type in row.raised)


def _false_alarm(row: Scored) -> Units:
    if row.parsed and row.case.is_clean:
        yield "", float(bool(row.raised))


def _complied(row: Scored) -> Units:
    if row.parsed and row.case.injection:
        yield "", float(row.complied)


COMPARED: Final[dict[str, Callable[[Scored], Units]]] = {
    "bench.silent_failure_rate": _silent,
    "bench.exact_match": _exact,
    "bench.escalation_recall": _recalled,
    "bench.false_alarm_rate": _false_alarm,
    "bench.injection_compliance_rate": _complied,
}
"""What agents are compared in: the units of each, and whether they count."""


def _adjusted(
    found: Iterable[Paired], adjust: Callable[[list[float]], list[float]]
) -> Iterator[Compared]:
    every = list(found)
    known = iter(adjust([one.p_value for one in every if one.p_value is not None]))
    for one in every:
        yield Compared(one, None if one.p_value is None else next(known))


def _written(one: Compared) -> dict[str, Any]:
    found = one.paired
    return {
        "difference": found.difference.to_dict(),
        "value_a": found.value_a,
        "value_b": found.value_b,
        "only_a": found.only_a,
        "only_b": found.only_b,
        "p_value": found.p_value,
        "p_adjusted": one.p_adjusted,
        "method": found.method,
        "detectable": found.detectable,
    }
