"""``veridical bench report``: every table, and the page with one case opened."""

from __future__ import annotations

from veridical.cli.bench.trajectory_options import (
    CaseCount,
    Confidence,
    Prices,
    SuiteSeed,
    Trajectories,
    scored_report,
)
from veridical.cli.options import Json, Level, Markdown, Report
from veridical.cli.output import emit, emit_json, one_form, talk
from veridical.cli.targets import check_targets
from veridical.exit_codes import OK, UNDECIDED

__all__ = ["report"]


def report(
    trajectories: Trajectories,
    /,
    *,
    suite_seed: SuiteSeed = None,
    cases: CaseCount = None,
    prices: Prices = None,
    confidence: Confidence = None,
    level: Level = 0.95,
    report: Report = None,
    markdown: Markdown = False,
    json: Json = False,
) -> int:
    """Show every table of some agents on one suite, and what the numbers do not prove."""
    one_form(json=json, markdown=markdown)
    read = map(str, [*trajectories, *([] if prices is None else [prices])])
    check_targets(report, others=read)

    from veridical.bench.reporting.page import write_bench_report
    from veridical.bench.reporting.terminal import bench_markdown, bench_text

    made = scored_report(trajectories, suite_seed, cases, prices, level, confidence=confidence)
    if report is not None:
        talk(f"report: {write_bench_report(made, report)}")
    if json:
        emit_json(made.to_dict())
    else:
        emit(bench_markdown(made) if markdown else bench_text(made, full=True))
    return OK if any(one.n_parsed for one in made.asked) else UNDECIDED
