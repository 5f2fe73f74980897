"""The shipped agents on a part of the dev suite, once for all tests of reports."""

from __future__ import annotations

from functools import cache

from veridical.bench.agents import shipped_agents
from veridical.bench.cases import Limits
from veridical.bench.prices.table import PriceTable
from veridical.bench.reporting.data import BenchReport
from veridical.bench.reporting.loading import report_of
from veridical.bench.running.one_case import Conditions, run_case
from veridical.bench.suites import Suite, named_suite
from veridical.bench.trajectories import Trajectory


@cache
def part() -> Suite:
    """Return eight injected cases with their twins, the clean ones, and some others."""
    suite = named_suite("dev")
    pairs = [name for case in suite.cases if case.twin_of for name in (case.case_id, case.twin_of)]
    kept = [
        case
        for at, case in enumerate(suite.cases)
        if case.case_id in pairs[:16] or case.is_clean or at % 4 == 0
    ]
    return Suite("dev", suite.seed, tuple(kept))


@cache
def lines() -> tuple[Trajectory, ...]:
    """Return what each of them did."""
    conditions = Conditions("test", "dev", Limits())
    return tuple(
        run_case(agent, case, conditions)
        for agent in shipped_agents().values()
        for case in part().cases
    )


@cache
def report() -> BenchReport:
    """Return the report of them all."""
    return report_of(lines(), part(), PriceTable.example())
