"""Rows counted in bins, and those of the bins that leave too much open read a second time.

The engine for more positives than fit in memory: one pass for everything, one more for as many rows
as it takes to make the bounds as narrow as asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from veridical.engines.again import Progress, members
from veridical.engines.read import Read, refuse_rows
from veridical.errors import InputError
from veridical.measures import Measure
from veridical.metrics.approximate import offending_bins
from veridical.portable.counting import FORECASTS, check_choices, count
from veridical.portable.header import Header
from veridical.portable.running import RunningSum
from veridical.portable.slicing import HistogramEvidence, are_forecasts, slices_of
from veridical.slices import Settings, Slice
from veridical.summaries import ScoreTable
from veridical.tables import Roles, Rows, Table, iter_rows

__all__ = ["MOST_SCORES", "Wanted", "histogram_slices"]

MOST_SCORES: Final = 1 << 22
"""Distinct scores of bins read again that are held in memory: with their sums less than 1 GB."""

Wanted = Callable[[bool], Iterable[Measure]]
"""From whether a score column holds forecasts to what will be measured of it."""

Key = tuple[str, str | None]
Keys = npt.NDArray[np.int64]


def histogram_slices(
    table: Table,
    roles: Roles,
    settings: Settings,
    wanted: Wanted,
    *,
    bins: int,
    thresholds: Sequence[float],
    threads: int = 1,
    progress: Progress | None = None,
) -> tuple[list[Slice], Read]:
    """Summarise a table in histograms of its scores.

    Parameters
    ----------
    table, roles
        The rows, and which column is what; neither weights, clusters nor price columns.
    settings
        What is measured with; rows of bins that leave its ``bounds_within`` open are read again.
    wanted
        What will be measured.
    bins, thresholds
        Of the calibration errors; where decisions are counted exactly.
    threads, progress
        As for ``batch_slices``.

    Raises
    ------
    ParameterError
        Weights, clusters or price columns, which need the rows in memory.
    InputError
        The bins to be read again hold more than ``MOST_SCORES`` distinct scores.
    """
    refuse_rows(roles)
    header = Header(
        roles.label,
        None if roles.positive is None else str(roles.positive),
        dict.fromkeys(sorted(roles.scores), FORECASTS),
        tuple(sorted(roles.groups)),
        None,
        *check_choices(FORECASTS, bins, thresholds),
    )
    summary, notes = count(table, roles, header, threads, refuse=False, progress=progress)
    slices = list(slices_of(summary, roles.scores, roles.groups))
    tally, source = summary.tally, table.describe()
    forecasts = {name: are_forecasts(summary, name) for name in roles.scores}
    if settings.bounds_within is not None:
        open_keys = _too_open(slices, settings, lambda name: wanted(forecasts[name]))
        slices = _read_again(slices, open_keys, table, roles, progress)
    (sha256,) = summary.sources or ("",)
    counts = (tally.n_read, tally.rows, tally.positives)
    return slices, Read(source, *counts, sha256, notes, forecasts, "histogram")


def _too_open(
    slices: Iterable[Slice], settings: Settings, wanted: Callable[[str], Iterable[Measure]]
) -> dict[Key, Keys]:
    """Return the keys of the bins of each slice that have to be read again."""
    found = {}
    for part in slices:
        if isinstance(part.evidence, HistogramEvidence) and part.evidence.rows:
            keys = offending_bins(
                list(wanted(str(part.subject))),
                part.evidence.held.histogram,
                costs=settings.costs,
                threshold=settings.threshold,
                level=settings.level,
                within=settings.bounds_within or 0.0,
            )
            if len(keys):
                found[str(part.subject), part.group] = keys
    return found


def _read_again(
    slices: Sequence[Slice],
    open_keys: Mapping[Key, Keys],
    table: Table,
    roles: Roles,
    progress: Progress | None,
) -> list[Slice]:
    """Return the slices with every row of these bins at its own score."""
    tables = _tables(slices, open_keys, table, roles, progress) if open_keys else {}
    return [_refined(part, tables.get((str(part.subject), part.group))) for part in slices]


def _refined(part: Slice, table: ScoreTable | None) -> Slice:
    evidence = part.evidence
    if table is None or not isinstance(evidence, HistogramEvidence):
        return part
    bins = evidence.held.histogram.refined(table)
    return replace(part, evidence=replace(evidence, refined=bins))


def _tables(
    slices: Sequence[Slice],
    open_keys: Mapping[Key, Keys],
    table: Table,
    roles: Roles,
    progress: Progress | None,
) -> dict[Key, ScoreTable]:
    """Return the score tables of the rows in these bins: the second pass."""
    evidence = {(str(part.subject), part.group): part.evidence for part in slices}
    sums = {key: RunningSum[ScoreTable](len) for key in open_keys}
    done = 0
    for rows in iter_rows(table, roles):
        for key, total in sums.items():
            held = evidence[key]
            assert isinstance(held, HistogramEvidence)  # noqa: S101 - only these have open bins
            total.add(_inside(rows, key, held, open_keys[key]))
        if sum(total.size for total in sums.values()) > MOST_SCORES:
            raise InputError(
                f"the bins to be read again hold more than {MOST_SCORES:,} distinct scores",
                why="their rows are kept at their own scores, in memory",
                fix="ask for wider bounds (bounds_within=), or for fewer metrics",
            )
        done += rows.n_read
        if progress:
            progress("second pass", done)
    return {key: total.value(ScoreTable.empty()) for key, total in sums.items()}


def _inside(rows: Rows, key: Key, held: HistogramEvidence, keys: Keys) -> ScoreTable:
    """Return the score table of the rows of one slice whose bins are named."""
    subject, group = key
    grid = held.held.histogram.grid
    on_forecasts = grid.scheme == "probability"
    scores = rows.probabilities(subject)[0] if on_forecasts else rows.scores[subject]
    chosen = dict(members(rows)).get(group, slice(0))
    positive, scores = rows.positive[chosen], scores[chosen]
    again = np.flatnonzero(np.isin(grid.keys(scores), keys))
    return ScoreTable.from_rows(positive[again], scores[again])
