"""Summaries that may leave a bank: no count of few rows in them, and no score of any row.

What is kept is such that no difference of two counts tells about few rows either: all groups of a
score column share their cells, and what is counted beside the cells, the decisions at thresholds,
parts none of them into few rows.  Sums of forecasts and losses are not kept: nine exact sums tell
nine scores, or how many rows have each of the few scores that there are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from veridical.errors import CellError, ParameterError
from veridical.portable.binned import BinnedScores
from veridical.portable.header import Header, Tally
from veridical.portable.parting import Parting
from veridical.summaries import KeyGrid
from veridical.tables.scores import TOLERANCE

if TYPE_CHECKING:
    from veridical.portable.summary import Held, Key, Summary

__all__ = ["guarded", "refuse_what_parts_rows", "small_counts"]

_SEVERAL_SCORES = "counts of several score columns, one less another, tell of few rows"
_SEVERAL_GROUPS = "counts of several grouping columns, one less another, tell of few rows"


def refuse_what_parts_rows(
    *, exact: bool, weight: str | None, scores: Collection[str], groups: Collection[str]
) -> None:
    """Raise ``ParameterError`` if something is asked for that tells about few or single rows."""
    asked = {
        "every score is kept (exact=True)": exact,
        "weights are no counts of rows": weight is not None,
        # Each column cuts the same rows elsewhere, and the differences of its counts to those of
        # another are of few rows: positives in region EU, less those in its largest country.
        _SEVERAL_SCORES: len(scores) > 1,
        _SEVERAL_GROUPS: len(groups) > 1,
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
        Binned, unweighted, with one bin of forecasts.
    least
        The smallest count that may be told.

    Raises
    ------
    CellError
        A class, of all rows or of a group, or what is decided of it, has fewer rows.
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
        parting = Parting.of(KeyGrid.parse(grid), summary.header.thresholds)
        parts |= _merged(slices, least, parting, (0.0 - room, 1.0 + room))
    return replace(
        summary,
        header=replace(summary.header, min_cell=least),
        tally=_guarded_tally(summary.tally, least),
        parts=parts,
    )


def small_counts(header: Header, tally: Tally, parts: Mapping[Key, Held]) -> Iterator[str]:
    """Yield, in words, what tells about fewer rows than the header allows, or about single ones."""
    least = header.min_cell
    counts = {**_left_out(tally), **tally.outside}
    yield from (f"{n} {name}" for name, n in counts.items() if 0 < n < least)
    if header.bins != 1 or header.weight is not None:
        yield "finer counts beside the cells"
    if len(header.scores) > 1:
        yield _SEVERAL_SCORES
    if len(header.groups) > 1:
        yield _SEVERAL_GROUPS
    for held in parts.values():
        if (
            not isinstance(held, BinnedScores)
            or (held.rows and held.histogram.last is None)
            or (held.reliability, held.losses) != (None, None)
        ):
            yield "scores of rows"
            continue
        parting = Parting.of(held.histogram.grid, header.thresholds)
        for rows in parting.parts(held):
            if ((rows != 0) & (rows < least)).any():
                yield f"a cell, or a part of one, of {int(rows[rows != 0].min())}"


def _refuse_small(key: Key, held: Held, least: int) -> None:
    """Raise if a class has few rows, in all or between two thresholds."""
    one = _binned(held)
    thresholds = sorted(one.decisions)
    totals = (one.histogram.total_positives, one.histogram.total_negatives)
    for name, cell, n in zip(("positive", "negative"), ("tp", "fp"), totals, strict=True):
        above = [n, *(getattr(one.decisions[t], cell) for t in thresholds), 0]
        for low, high, (more, fewer) in zip(
            [None, *thresholds], [*thresholds, None], pairwise(above), strict=True
        ):
            if 0 < more - fewer < least:
                from_ = "" if low is None else f", at or above {low:.15g}"
                to = "" if high is None else f", below {high:.15g}"
                few = more - fewer
                what = f"{few:,} {'row is' if few == 1 else 'rows are'} {name}{from_}{to}"
                raise _few(key, what, least, thresholds)


def _few(key: Key, what: str, least: int, thresholds: Sequence[float]) -> CellError:
    fixes = ["leave out the threshold"] if thresholds else []
    if key.column is not None:
        fixes += ["leave out the grouping column", "code it more coarsely"]
    return CellError(
        what,
        where=f"{key.column}={key.value}" if key.column is not None else "all rows",
        why=f"nothing about fewer than {least:,} rows is to be told",
        fix=", or ".join(fixes) or "summarise more rows",
    )


def _merged(
    parts: Mapping[Key, Held], least: int, parting: Parting, within: tuple[float, float]
) -> dict[Key, Held]:
    """Return the slices of one score column in the finest cells that are large enough in all.

    Cells of forecasts end ``within`` what a forecast can be.
    """
    keys, first, last = parting.cells([_binned(held) for held in parts.values()], least)
    merged: dict[Key, Held] = {}
    for key, held in parts.items():
        one = _binned(held)
        ends = within if one.reliability is not None else (-np.inf, np.inf)
        own = np.searchsorted(keys, one.histogram.keys)
        histogram = one.histogram.merged(first[own], last[own], ends)
        merged[key] = BinnedScores(histogram, one.decisions)
    return merged


def _binned(held: Held) -> BinnedScores:
    if not isinstance(held, BinnedScores):
        raise TypeError("only binned scores have cells")
    return held


def _guarded_tally(tally: Tally, least: int) -> Tally:
    """Return the counts without those of few rows: rows that were left out are then not told."""
    outside = {name: n for name, n in tally.outside.items() if n >= least}
    if any(0 < n < least for n in _left_out(tally).values()):
        return replace(tally, n_read=tally.rows, missing={}, outside=outside)
    return replace(tally, outside=outside)


def _left_out(tally: Tally) -> dict[str, int]:
    """Return what is told of the rows that were left out, and what follows from it."""
    n = tally.n_read - tally.rows
    return {
        "rows left out": n,
        **tally.missing,
        **{f"rows left out but for {name}": n - of for name, of in tally.missing.items()},
        "values missing beside others": sum(tally.missing.values()) - n,
    }
