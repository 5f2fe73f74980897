"""``summarise``: from rows of any number to one portable value."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from veridical.engines.again import Progress
from veridical.engines.groups import check_number_of_groups
from veridical.errors import ParameterError
from veridical.parameters import names, numbers, whole
from veridical.portable.binned import BinnedScores
from veridical.portable.guarding import guarded, refuse_what_parts_rows
from veridical.portable.header import EXACT, MOST_BINS, Header, Tally
from veridical.portable.running import RunningSum
from veridical.portable.summary import Held, Key, Summary
from veridical.summaries import KeyGrid, ScoreTable
from veridical.tables import ContentHash, Roles, Rows, Table, is_spark, iter_rows, open_table

__all__ = [
    "FORECASTS",
    "NUMBERS",
    "check_choices",
    "count",
    "empty_summary",
    "summarise",
    "summary_of",
]

FORECASTS: Final = "probability/14"
NUMBERS: Final = "line/20"
"""The grid of scores that are forecasts, and the one of any other scores."""

Item = TypeVar("Item")
Value = TypeVar("Value")


def summarise(
    data: Any,
    *,
    label: str,
    score: str | Sequence[str],
    groups: Sequence[str] | str = (),
    positive: Any = None,
    weight: str | None = None,
    missing: Literal["error", "drop"] = "error",
    exact: bool = False,
    grid: str | None = None,
    bins: int = 10,
    thresholds: Sequence[float] = (),
    min_cell: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Summary:
    """Summarise a data set of any size in one value that holds no rows.

    Files are read in batches, so they may be larger than memory.

    Parameters
    ----------
    data
        Anything that ``evaluate`` reads.
    label, score, groups, positive, weight, missing
        As for ``evaluate``.
    exact
        Keep every distinct score: all metrics are then exact, and the summary is as large as
        there are distinct scores.  Otherwise scores are binned, and metrics of their order have
        certified bounds.
    grid
        The bins: ``"probability/14"`` for scores in [0, 1], ``"line/20"`` for any.  By default the
        first where all scores of a column lie in [0, 1], else the second.  More bits are finer.
    bins
        Number of equal-width bins of the calibration errors.
    thresholds
        Where decisions are counted exactly.
    min_cell
        Keep no count of fewer rows of a class than this, but for none at all, and no score of any
        row: bins are merged until each cell has as many, the same cells in all groups of a column.
        Decisions at ``thresholds`` stay exact, where they too tell of as many.  Sums of forecasts
        are not kept: mean losses have bounds, calibration errors are skipped.  One score column
        and one grouping column at most: counts of several, one less another, tell of few rows.
        Several files of the same rows tell as much together: give away one.
    threads
        How many threads may count; the result does not depend on it.
    progress
        Called with the name of the pass and the rows done so far.

    Returns
    -------
    Summary
        ``a + b`` is the summary of both sets of rows; ``evaluate(a + b)`` measures it.

    Raises
    ------
    InputError, LabelError, ScoreError, MissingColumnError, FileFormatError
        The data cannot be used as they are; the message says where and what to do.
    CellError
        A class, in a group or on one side of a threshold perhaps, has fewer rows than ``min_cell``.
    ParameterError
        An option that does not exist or that contradicts another one.

    Examples
    --------
    >>> data = {"y": [1, 0, 1, 0], "p": [0.9, 0.6, 0.4, 0.1]}
    >>> summarise(data, label="y", score="p")
    Summary(4 rows, 2 positive, label 'y', scores 'p' (probability/14))
    """
    subjects, columns = names("score", score), names("groups", groups)
    threads = whole("threads", threads, 1)
    if not subjects or len(set(subjects)) < len(subjects):
        raise ParameterError(
            "score= names each score column once", fix="give one column or a list of distinct ones"
        )
    if exact and grid is not None:
        raise ParameterError(
            "exact=True keeps every score, so there is no grid", fix="give one of the two"
        )
    held = EXACT if exact else grid or FORECASTS
    least = 0 if min_cell is None else whole("min_cell", min_cell, 2)
    if least:
        refuse_what_parts_rows(exact=exact, weight=weight, scores=subjects, groups=columns)
        bins = 1  # sums over all forecasts; of finer ones, differences to the cells tell too much
    header = Header(
        label,
        None if positive is None else str(positive),
        dict.fromkeys(sorted(subjects), held),
        tuple(sorted(set(columns))),
        weight,
        *check_choices(held, bins, thresholds),
    )
    roles = Roles(
        label=label,
        scores=subjects,
        weight=weight,
        groups=header.groups,
        positive=positive,
        missing=missing,
    )
    if is_spark(data):
        from veridical.portable.cluster import summarise_on_spark

        summary = summarise_on_spark(data, roles, header, refuse=grid is not None)
    else:
        refuse = grid is not None or exact
        summary, _ = count(
            open_table(data), roles, header, threads, refuse=refuse, progress=progress
        )
    return guarded(summary, least) if least else summary


def count(
    table: Table,
    roles: Roles,
    header: Header,
    threads: int,
    *,
    refuse: bool,
    progress: Progress | None = None,
) -> tuple[Summary, tuple[str, ...]]:
    """Return the summary of a table, and the notes on its rows.

    Parameters
    ----------
    table, roles, header
        The rows, which column is what, and the choices of the summary.
    threads, progress
        As for ``summarise``.
    refuse
        Whether scores that have no place on their grid are an error; else they get another one.
    """
    while True:
        counted, notes = _counted(table, roles, header, threads, refuse=refuse, progress=progress)
        if isinstance(counted, Summary):
            return counted, notes
        # A score outside [0, 1] has no place on the grid of forecasts: count that column again.
        header = replace(header, scores={**header.scores, **dict.fromkeys(counted, NUMBERS)})


def check_choices(
    held: str, bins: int, thresholds: Sequence[float]
) -> tuple[int, tuple[float, ...]]:
    """Return number of bins and sorted thresholds, after checking them and the grid's name.

    Raises
    ------
    ParameterError
        There is no such grid, or a number is out of range.
    """
    if held != EXACT:
        KeyGrid.parse(held)
    # Adding 0.0 makes one of the two zeros.
    at = sorted({threshold + 0.0 for threshold in numbers("thresholds", thresholds)})
    return whole("bins", bins, 1, MOST_BINS), tuple(at)


def _counted(
    table: Table,
    roles: Roles,
    header: Header,
    threads: int,
    *,
    refuse: bool,
    progress: Progress | None,
) -> tuple[Summary | list[str], tuple[str, ...]]:
    """Return the summary, or the columns that turned out to hold no forecasts; and notes."""
    content = ContentHash()
    total: RunningSum[Summary] = RunningSum(lambda summary: summary.size)
    columns: list[str] = []
    notes: dict[str, None] = {}
    values: dict[str, set[str]] = {column: set() for column in header.groups}

    def batches() -> Iterator[Rows]:
        done = 0
        for rows in iter_rows(table, roles):
            columns.extend(name for name in header.scores if _has_no_place(rows, name, header))
            if columns and not refuse:
                return
            content.update(rows.hashed)
            notes.update(dict.fromkeys(rows.notes))
            yield rows
            done += rows.n_read
            if progress:
                progress("counting", done)

    for part in _mapped(lambda rows: summary_of(rows, header), batches(), threads):
        total.add(part)
        for column, seen in values.items():
            seen.update(key.value or "" for key in part.parts if key.column == column)
            check_number_of_groups(column, len(seen))
    if columns and not refuse:
        return columns, ()
    summary = total.value(empty_summary(header))
    sources = {content.hexdigest(): 1} if summary.tally.n_read else {}
    return replace(summary, sources=sources), tuple(notes)


def _has_no_place(rows: Rows, name: str, header: Header) -> bool:
    on_forecasts = header.scores[name].startswith("probability")
    return on_forecasts and rows.n > 0 and not rows.in_unit_interval(name)


def empty_summary(header: Header) -> Summary:
    """Return the summary of no rows, which changes nothing that it is added to."""
    none = ScoreTable.empty()
    parts = {Key(name): _held(none, header, name) for name in header.scores}
    return Summary(header, Tally(), parts)


def summary_of(rows: Rows, header: Header) -> Summary:
    """Summarise rows in memory.

    Raises
    ------
    ScoreError
        A score has no place on the grid of its column.
    """
    parts: dict[Key, Held] = {}
    outside: dict[str, int] = {}
    for name in header.scores:
        if header.scores[name].startswith("probability"):
            rows.probabilities(name)  # raises, and says where
        scores = rows.scores[name]
        n_outside = int(np.count_nonzero((scores < 0) | (scores > 1)))
        outside |= {name: n_outside} if n_outside else {}
        for key, chosen in _members(rows, name, header):
            weight = None if rows.weight is None else rows.weight[chosen]
            table = ScoreTable.from_rows(rows.positive[chosen], scores[chosen], weight=weight)
            parts[key] = _held(table, header, name, fractional=_n_fractional(weight) > 0)
    missing = {name: count for name, count in sorted(rows.missing.items()) if count}
    tally = Tally(
        rows.n_read,
        rows.n,
        int(np.count_nonzero(rows.positive)),
        _n_fractional(rows.weight),
        missing,
        outside,
    )
    return Summary(header, tally, parts)


def _members(rows: Rows, name: str, header: Header) -> Iterator[tuple[Key, Any]]:
    """Yield all rows, then the rows of each group."""
    yield Key(name), slice(None)
    for column in header.groups:
        groups = rows.groups[column]
        check_number_of_groups(column, len(groups.names))
        for value, chosen in groups.members():
            yield Key(name, column, value), chosen


def _held(table: ScoreTable, header: Header, name: str, *, fractional: bool = False) -> Held:
    held = header.scores[name]
    if held == EXACT:
        return table
    return BinnedScores.of(
        table, held, bins=header.bins, thresholds=header.thresholds, fractional=fractional
    )


def _n_fractional(weight: npt.NDArray[np.float64] | None) -> int:
    return 0 if weight is None else int(np.count_nonzero(weight != np.floor(weight)))


def _mapped(
    function: Callable[[Item], Value], items: Iterable[Item], threads: int
) -> Iterator[Value]:
    """Yield the function of each item, computed by threads that are never far ahead."""
    if threads <= 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Value]] = deque()
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
