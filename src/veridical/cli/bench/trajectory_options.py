"""What the verbs share that read trajectories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from cyclopts import Parameter

from veridical.cli.bench.suite_options import CaseCount, SuiteSeed, chosen_suite
from veridical.cli.options import DATA
from veridical.cli.output import talk

if TYPE_CHECKING:
    from veridical.bench.reporting.data import BenchReport

__all__ = ["CaseCount", "Prices", "SuiteSeed", "Trajectories", "scored_report"]

Trajectories: TypeAlias = Annotated[
    list[Path], Parameter(help="Files of trajectories, of any number of agents on one suite.")
]
Prices: TypeAlias = Annotated[
    Path | None,
    Parameter(group=DATA, help="A price table; without one there is no money, only tokens."),
]


def scored_report(
    paths: list[Path],
    seed: str | None,
    cases: int | None,
    prices: Path | None,
    level: float,
    *,
    baseline: bool = True,
) -> BenchReport:
    """Return the report of some files; a torn last line is told to the reader.

    The seed of a suite of one's own is that of the run, where its plan lies beside the file.
    """
    from veridical.bench.prices.table import PriceTable
    from veridical.bench.reporting.loading import loaded, report_of, suite_name_of
    from veridical.bench.running.plan import RunPlan, plan_path

    table = PriceTable.read(prices) if prices else PriceTable.empty()
    lines, torn = loaded(paths)
    for path, size in torn:
        talk(f"{path}: the last line was never finished; its {size:,} bytes are skipped", "note")
    if seed is None and cases is None and plan_path(paths[0]).exists():
        plan = RunPlan.read(paths[0])
        seed, cases = plan.suite_seed, plan.cases
    suite = chosen_suite(suite_name_of(lines), seed, cases)
    return report_of(lines, suite, table, level=level, baseline=baseline)
