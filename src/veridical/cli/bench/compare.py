"""``veridical bench compare``: two agents on the cases that both attempted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.bench.trajectory_options import (
    CaseCount,
    Prices,
    SuiteSeed,
    scored_report,
    sole_agent,
)
from veridical.cli.options import Json, Level, Report
from veridical.cli.output import emit, emit_json, talk
from veridical.cli.targets import check_targets
from veridical.exit_codes import OK, UNDECIDED

__all__ = ["compare"]


def compare(
    a: Annotated[Path, Parameter(help="Trajectories of one agent.")],
    b: Annotated[Path, Parameter(help="Those of the other; differences are A minus B.")],
    /,
    *,
    suite_seed: SuiteSeed = None,
    cases: CaseCount = None,
    prices: Prices = None,
    level: Level = 0.95,
    report: Report = None,
    json: Json = False,
) -> int:
    """Compare two agents case by case: exact tests, adjusted for how many there are."""
    check_targets(report, others=map(str, filter(None, (a, b, prices))))

    from veridical.bench.comparing import compare_agents
    from veridical.bench.reporting.comparison import comparison_text

    first, second = (
        scored_report([path], suite_seed, cases, prices, level, baseline=False) for path in (a, b)
    )
    found = compare_agents(sole_agent(a, first), sole_agent(b, second), level)
    if report is not None:
        from veridical.bench.reporting.comparison_page import write_agents_report

        talk(f"report: {write_agents_report(found, report)}")
    if json:
        emit_json(found.to_dict())
    else:
        emit(comparison_text(found))
    return OK if found.n_cases else UNDECIDED
