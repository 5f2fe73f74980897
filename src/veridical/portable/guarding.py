"""Summaries that may leave a bank: no count of few rows in them, and no score of any row.

What is kept is such that no difference of two counts tells about few rows either: all groups of a
score column share their cells, and nothing is counted beside the cells that cuts through one of
them.  Sums of forecasts and of losses are kept over all rows of a class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from veridical.errors import CellError, ParameterError
from veridical.portable.binned import BinnedScores
from veridical.portable.header import Header, Tally
from veridical.summaries import ScoreHistogram
from veridical.summaries.merged_cells import finest_cells
from veridical.tables.scores import TOLERANCE

if TYPE_CHECKING:
    from veridical.portable.summary import Held, Key, Summary

__all__ = ["guarded", "refuse_exact_counts", "small_counts"]


def refuse_exact_counts(*, exact: bool, weight: str | None, thresholds: Sequence[float]) -> None:
    """Raise ``ParameterError`` if something is asked for that tells about single rows."""
    asked = {
        "every score is kept (exact=True)": exact,
        "decisions are counted at thresholds, which part cells": bool(thresholds),
        "weights are no counts of rows": weight is not None,
    }
    for why, given in asked.items():
        if given:
            raise ParameterError(
                "a smallest cell cannot be kept to", why=why, fix="leave out one of the two"
            )


def guarded(summary: Summary, least: int) -> Summary:
    """Return the summary of the same rows without a count of 1 to ``least - 1`` rows of a class.

    Parameters
    ----------
    summary
        Binned, unweighted, without thresholds and with one bin of forecasts.
    least
        The smallest count that may be told.

    Raises
    ------
    CellError
        A class, of all rows or of a group, has fewer rows.
    """
    for key, held in summary.parts.items():
        _refuse_small(key, held, least)
    parts: dict[Key, Held] = {}
    for score, grid in summary.header.scores.items():
        outside = summary.tally.outside.get(score, 0)
        if 0 < outside < least and grid.startswith("line"):
            raise CellError(
                f"{outside:,} scores of {score!r} lie outside [0, 1]",
                why=f"nothing about fewer than {least:,} rows is to be told",
                fix="correct these scores, or leave the rows out",
            )
        room = TOLERANCE if outside else 0.0
        slices = {key: held for key, held in summary.parts.items() if key.score == score}
        parts |= _merged(slices, least, (0.0 - room, 1.0 + room))
    return replace(
        summary,
        header=replace(summary.header, min_cell=least),
        tally=_guarded_tally(summary.tally, least),
        parts=parts,
    )


def small_counts(header: Header, tally: Tally, parts: Mapping[Key, Held]) -> Iterator[str]:
    """Yield, in words, what tells about fewer rows than the header allows, or about single ones."""
    least = header.min_cell
    counts = {"rows left out": tally.n_read - tally.rows, **tally.missing, **tally.outside}
    yield from (f"{n} {name}" for name, n in counts.items() if 0 < n < least)
    if header.bins != 1 or header.thresholds or header.weight is not None:
        yield "finer counts beside the cells"
    for held in parts.values():
        if not isinstance(held, BinnedScores) or (held.rows and held.histogram.last is None):
            yield "scores of rows"
            continue
        for column in _classes(held.histogram):
            if ((column > 0) & (column < least)).any():
                yield f"a cell of {int(column[column > 0].min())}"


def _refuse_small(key: Key, held: Held, least: int) -> None:
    scores = _histogram(held)
    for name, n in (("positive", scores.total_positives), ("negative", scores.total_negatives)):
        if 0 < n < least:
            where = f"{key.column}={key.value}" if key.column is not None else "all rows"
            raise CellError(
                f"{n:,} rows are {name}",
                where=where,
                why=f"nothing about fewer than {least:,} rows is to be told",
                fix="leave out the grouping column, or code it more coarsely"
                if key.column is not None
                else "summarise more rows",
            )


def _merged(parts: Mapping[Key, Held], least: int, within: tuple[float, float]) -> dict[Key, Held]:
    """Return the slices of one score column in the finest cells that are large enough in all.

    Cells of forecasts end ``within`` what a forecast can be.
    """
    histograms = {key: _histogram(held) for key, held in parts.items()}
    keys = np.unique(np.concatenate([one.keys for one in histograms.values()]))
    if not len(keys):
        return dict(parts)
    counts = []
    for one in histograms.values():
        for column in _classes(one):
            counts.append(np.zeros_like(keys))
            counts[-1][np.searchsorted(keys, one.keys)] = column
    (grid,) = {one.grid for one in histograms.values()}
    first, last = finest_cells(keys, counts, least, grid.size)
    merged: dict[Key, Held] = {}
    for key, held in parts.items():
        ends = within if _binned(held).reliability is not None else (-np.inf, np.inf)
        own = np.searchsorted(keys, histograms[key].keys)
        cells = histograms[key].merged(first[own], last[own], ends)
        merged[key] = replace(_binned(held), histogram=cells)
    return merged


def _histogram(held: Held) -> ScoreHistogram:
    return _binned(held).histogram


def _binned(held: Held) -> BinnedScores:
    if not isinstance(held, BinnedScores):
        raise TypeError("only binned scores have cells")
    return held


def _classes(histogram: ScoreHistogram) -> tuple[Any, Any]:
    return histogram.bins.positives.whole, histogram.bins.negatives.whole


def _guarded_tally(tally: Tally, least: int) -> Tally:
    """Return the counts without those of few rows: rows that were left out are then not told."""
    missing, outside = (
        {name: n for name, n in counts.items() if n >= least}
        for counts in (tally.missing, tally.outside)
    )
    left_out = tally.n_read - tally.rows
    if left_out < least or sum(missing.values()) < left_out:
        return replace(tally, n_read=tally.rows, missing={}, outside=outside)
    return replace(tally, missing=missing, outside=outside)
