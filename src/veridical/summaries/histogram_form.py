"""The portable form of a histogram of scores, from anybody: every field is distrusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from veridical.summaries.fixed_point import FixedArray
from veridical.summaries.key_grid import KeyGrid
from veridical.summaries.score_bins import COLUMNS, Floats, ScoreBins, is_zero
from veridical.summaries.score_histogram import ScoreHistogram, last_keys

__all__ = ["read_histogram"]

_DTYPES: Final = ("float64", "float32")

Keys = npt.NDArray[np.int64]


def read_histogram(data: Mapping[str, Any]) -> ScoreHistogram:
    """Read what ``ScoreHistogram.to_dict`` wrote.

    Raises
    ------
    KeyError, TypeError, ValueError, OverflowError
        A field is missing or damaged, or the fields contradict each other.
    """
    grid, rows, keys = KeyGrid.parse(data["grid"]), data["rows"], data["keys"]
    _require(all(type(number) is int for number in (rows, *keys)), "keys and rows are integers")
    if not keys:
        _require(rows == 0, "rows without bins")
        return ScoreHistogram.empty(grid)
    _require(data["dtype"] in _DTYPES, "the dtype is float64 or float32")
    columns: dict[str, Any] = {name: _read_column(data[name], len(keys)) for name in COLUMNS}
    _require(None not in (columns["positives"], columns["negatives"]), "no counts")
    lowest, highest = (_read_scores(data[end], data["dtype"]) for end in ("lowest", "highest"))
    fractional = data["fractional"]
    _require(type(fractional) is bool, "fractional is true or false")
    last = _read_keys(data["last"], len(keys)) if "last" in data else None
    attained = last is None
    bins = ScoreBins(
        lowest, highest, rows=rows, fractional=fractional, attained=attained, **columns
    )
    histogram = ScoreHistogram(grid, np.array(keys, dtype=np.int64), bins, last)
    _check(histogram)
    return histogram


def _check(histogram: ScoreHistogram) -> None:
    grid, keys, bins = histogram.grid, histogram.keys, histogram.bins
    _require(len(bins.lowest) == len(bins.highest) == len(keys), "columns of different lengths")
    last = last_keys(histogram)
    _require(bool((np.diff(keys) > (last - keys)[:-1]).all()), "the keys do not ascend")
    _require(bool((keys <= last).all()), "a cell that ends before it begins")
    _require(bool(keys[0] >= 0 and last[-1] < grid.size), "a key that the grid has not")
    _require(bool((bins.lowest <= bins.highest).all()), "a lowest score above the highest")
    for scores in (bins.lowest, bins.highest):
        own = grid.keys(scores)
        _require(bool(((keys <= own) & (own <= last)).all()), "a score outside its bin")
    fewest = np.where(bins.split & bins.attained, 2, 1)
    _require(histogram.rows >= int(fewest.sum()), "fewer rows than distinct scores")
    empty = is_zero(bins.positives) & is_zero(bins.negatives)
    _require(not bool(empty.any()), "an empty bin")
    whole = bins.positives.is_whole and bins.negatives.is_whole
    _require(bins.fractional or whole, "fractions of rows of whole weight")
    counts = bins.positives.whole + bins.negatives.whole
    _require(not bins.is_whole or bool((counts >= fewest).all()), "fewer rows than distinct scores")


def _read_column(column: Sequence[str] | None, length: int) -> FixedArray | None:
    if column is None:
        return None
    units = [int(text) for text in column]
    _require(len(units) == length, "columns of different lengths")
    _require([str(unit) for unit in units] == list(column), "a sum that is no plain integer")
    _require(min(units) >= 0, "a negative sum")
    return FixedArray.from_units(units)


def _read_keys(keys: Sequence[int], length: int) -> Keys:
    _require(len(keys) == length, "columns of different lengths")
    _require(all(type(key) is int for key in keys), "keys are integers")
    return np.array(keys, dtype=np.int64)


def _read_scores(texts: Sequence[str], dtype: str) -> Floats:
    scores = np.array([float.fromhex(text) for text in texts]) + 0.0
    typed: Floats = scores.astype(dtype)
    _require(np.array_equal(typed, scores), f"a score that is no {dtype}")
    return typed


def _require(holds: bool, what: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise ValueError(what)
