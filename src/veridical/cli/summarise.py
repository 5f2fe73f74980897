"""``veridical summarise``: a small file that stands for the rows, and holds none of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from veridical.cli.options import DATA, OUTPUT
from veridical.cli.output import emit
from veridical.cli.progress import progress_line, rows_of
from veridical.cli.targets import check_target

__all__ = ["summarise"]

_SUMMARY = Group("What to keep", sort_key=2)

Many = list[str] | None


def summarise(
    file: Annotated[
        list[str], Parameter(help="CSV, Parquet, JSONL or Arrow; folders; globs. Read as one.")
    ],
    /,
    *,
    label: Annotated[str, Parameter(group=DATA, help="Column of outcomes.")],
    score: Annotated[list[str], Parameter(group=DATA, help="Column of scores; repeat it.")],
    output: Annotated[
        Path, Parameter(name=["--output", "-o"], group=OUTPUT, help="The file to write.")
    ],
    positive: Annotated[
        str | None, Parameter(group=DATA, help="The label that counts as positive.")
    ] = None,
    group: Annotated[
        Many, Parameter(group=DATA, help="Column whose values are counted separately; repeat it.")
    ] = None,
    weight: Annotated[str | None, Parameter(group=DATA, help="Column of row weights.")] = None,
    missing: Annotated[
        Literal["error", "drop"],
        Parameter(group=DATA, help="What to do with a missing label or score."),
    ] = "error",
    exact: Annotated[
        bool,
        Parameter(group=_SUMMARY, show_default=False, help="Keep every distinct score; not small."),
    ] = False,
    grid: Annotated[
        str | None,
        Parameter(
            group=_SUMMARY,
            help="Bins of the scores: probability/14 for scores in [0, 1], line/20 for any. "
            "All files to be pooled need the same. By default what the scores allow.",
        ),
    ] = None,
    bins: Annotated[int, Parameter(group=_SUMMARY, help="Bins of the calibration errors.")] = 10,
    threshold: Annotated[
        list[float] | None,
        Parameter(group=_SUMMARY, help="Where decisions are counted exactly; repeat it."),
    ] = None,
    min_cell: Annotated[
        int | None,
        Parameter(
            group=_SUMMARY,
            help="Tell of no fewer rows of a class than this, and no score of any: bins are merged "
            "until each has as many.",
        ),
    ] = None,
    threads: Annotated[int, Parameter(group=OUTPUT, help="How many threads may count.")] = 1,
) -> int:
    """Write a small file that stands for the rows, and holds none of them."""
    check_target(output, sources=file)

    from veridical.portable import summarise as summarise_scores

    with progress_line(sys.stderr, rows_of(file)) as progress:
        summary = summarise_scores(
            file[0] if len(file) == 1 else file,
            label=label,
            score=score,
            positive=positive,
            groups=group or (),
            weight=weight,
            missing=missing,
            exact=exact,
            grid=grid,
            bins=bins,
            thresholds=threshold or (),
            min_cell=min_cell,
            threads=threads,
            progress=progress,
        )
    path = summary.save(output)
    tally = summary.tally
    skipped = tally.n_read - tally.rows
    left_out = f", {skipped:,} left out" if skipped else ""
    emit(
        f"{path}: {tally.rows:,} rows, {tally.positives:,} positive{left_out}\n"
        f"  {', '.join(dict.fromkeys(summary.header.scores.values()))}, "
        f"{path.stat().st_size:,} bytes, sha256 {summary.sha256}"
    )
    return 0
