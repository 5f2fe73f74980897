"""``veridical bench score``: what agents did, as figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.bench.trajectory_options import (
    CaseCount,
    Confidence,
    Prices,
    SuiteSeed,
    Trajectories,
    scored_report,
)
from veridical.cli.options import OUTPUT, Json, Level
from veridical.cli.output import emit, emit_json, talk
from veridical.cli.targets import check_targets
from veridical.exit_codes import OK, UNDECIDED
from veridical.writing import write_atomically

__all__ = ["score"]


def score(
    trajectories: Trajectories,
    /,
    *,
    suite_seed: SuiteSeed = None,
    cases: CaseCount = None,
    prices: Prices = None,
    confidence: Confidence = None,
    level: Level = 0.95,
    output: Annotated[
        Path | None,
        Parameter(
            name=["--output", "-o"],
            group=OUTPUT,
            help="Write every score, case by case, as one JSON document.",
        ),
    ] = None,
    json: Json = False,
) -> int:
    """Score trajectories: silent failure, exact match, recall and false alarms in one row."""
    read = map(str, [*trajectories, *([] if prices is None else [prices])])
    check_targets(output, others=read)

    from veridical import strict_json
    from veridical.bench.reporting.terminal import bench_text

    report = scored_report(trajectories, suite_seed, cases, prices, level, confidence=confidence)
    if output is not None:
        document = report.to_dict() | {"rows": report.rows()}
        text = strict_json.dumps(document).encode("utf-8", "backslashreplace")
        talk(f"scores: {write_atomically(output, text)}")
    if json:
        emit_json(report.to_dict())
    else:
        emit(bench_text(report))
    return OK if any(one.n_parsed for one in report.asked) else UNDECIDED
