"""What the verbs share that read trajectories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from cyclopts import Parameter

from veridical.cli.bench.suite_options import CaseCount, SuiteSeed, chosen_suite
from veridical.cli.options import DATA, MEASURE
from veridical.cli.output import talk
from veridical.errors import ParameterError

if TYPE_CHECKING:
    from veridical.bench.reporting.data import BenchReport
    from veridical.bench.scoring.agent_score import AgentScore

__all__ = [
    "CaseCount",
    "Confidence",
    "Prices",
    "SuiteSeed",
    "Trajectories",
    "scored_report",
    "sole_agent",
]

_LEVELS: Final = ("high", "medium", "low")
Trajectories: TypeAlias = Annotated[
    list[Path], Parameter(help="Files of trajectories, of any number of agents on one suite.")
]
Prices: TypeAlias = Annotated[
    Path | None,
    Parameter(group=DATA, help="A price table; without one there is no money, only tokens."),
]


Confidence: TypeAlias = Annotated[
    str | None,
    Parameter(
        group=MEASURE, help="Chances that high, medium and low stand for; by default 0.9,0.6,0.3."
    ),
]


def _confidence_map(text: str | None) -> dict[str, float] | None:
    if text is None:
        return None
    try:
        chances = [float(word) for word in text.split(",")]
    except ValueError:
        chances = []
    if len(chances) != len(_LEVELS) or not all(0 <= chance <= 1 for chance in chances):
        raise ParameterError(
            "confidence is three numbers from 0 to 1",
            where=text[:40],
            fix="give those of high, medium and low, such as 0.9,0.6,0.3",
        )
    return dict(zip(_LEVELS, chances, strict=True))


def scored_report(
    paths: list[Path],
    seed: str | None,
    cases: int | None,
    prices: Path | None,
    level: float,
    *,
    confidence: str | None = None,
    baseline: bool = True,
) -> BenchReport:
    """Return the report of some files; a torn last line is told to the reader.

    The seed of a suite of one's own is that of the run, where its plan lies beside the file.
    """
    from veridical.bench.prices.table import PriceTable
    from veridical.bench.reporting.loading import loaded, report_of, suite_name_of
    from veridical.bench.running.plan import RunPlan, plan_path
    from veridical.bench.scoring.calibration import CONFIDENCE_MAP

    table = PriceTable.read(prices) if prices else PriceTable.empty()
    chances = _confidence_map(confidence) or CONFIDENCE_MAP
    lines, torn = loaded(paths)
    for path, size in torn:
        talk(f"{path}: the last line was never finished; its {size:,} bytes are skipped", "note")
    if seed is None and cases is None and plan_path(paths[0]).exists():
        plan = RunPlan.read(paths[0])
        seed, cases = plan.suite_seed, plan.cases
    suite = chosen_suite(suite_name_of(lines), seed, cases)
    return report_of(lines, suite, table, level=level, confidence_map=chances, baseline=baseline)


def sole_agent(path: Path, report: BenchReport) -> AgentScore:
    """Return the one agent of a file; several are refused."""
    if len(report.asked) > 1:
        raise ParameterError(
            f"there are {len(report.asked)} agents in one file",
            where=str(path),
            fix="give a file of one agent",
        )
    return report.asked[0]
