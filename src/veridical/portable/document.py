"""A summary from anybody: every field is checked, and every sum that must agree with another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import add
from typing import Any, Final

import numpy as np

from veridical import strict_json
from veridical.engines.groups import check_number_of_groups
from veridical.errors import FileFormatError
from veridical.portable.binned import LOSSES, BinnedScores
from veridical.portable.guarding import small_counts
from veridical.portable.header import EXACT, MOST_BINS, SCHEMA, Header, Tally
from veridical.portable.summary import Held, Key, Summary
from veridical.summaries import (
    ConfusionCounts,
    KeyGrid,
    LossSums,
    ReliabilityTable,
    ScoreHistogram,
    ScoreTable,
)
from veridical.summaries.base import check_schema
from veridical.summaries.fixed_point import FRACTION_BITS, PRODUCT_BITS
from veridical.summaries.losses import ClassLoss

__all__ = ["read_document"]

Contents = tuple[Header, Tally, dict[Key, Held], dict[str, int]]

_MOST_ROWS: Final = 1 << 53
_MOST_WEIGHT: Final = 1 << 62
# -ln of the smallest double is 745: no finite loss of a row is larger.
_LARGEST_LOSS: Final = 1 << 10
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_DTYPES: Final = ("float64", "float32")


def read_document(data: Mapping[str, Any]) -> Contents:
    """Return header, tally, parts and sources of a portable form.

    Raises
    ------
    FileFormatError
        A field is missing or damaged, or the fields contradict each other.
    """
    if not isinstance(data, Mapping):
        raise FileFormatError("a summary is a JSON object", fix="summarise the data again")
    check_schema(data, SCHEMA)
    try:
        contents = _read(data)
        written = Summary(*contents).to_dict()
        _require(
            strict_json.canonical(written) == strict_json.canonical(dict(data)),
            "a field that is not written as it should be, or one too many",
        )
    except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError) as error:
        reason = str(getattr(error, "what", error))
        raise FileFormatError(
            f"a damaged summary: {reason}"[:200],
            why="numbers from it would mean nothing",
            fix="summarise the data again",
        ) from error
    return contents


def _read(data: Mapping[str, Any]) -> Contents:
    content = data["content"]
    header = _header(content["header"])
    tally = _tally(content["rows"], header)
    parts = dict(_parts(content["scores"], header))
    for name in header.scores:
        _check_totals(name, parts[Key(name)], header, tally)
        for column in header.groups:
            _check_groups(parts, name, column)
    if header.min_cell:
        small = next(small_counts(header, tally, parts), None)
        _require(small is None, f"a smallest cell of {header.min_cell:,}, and {small}")
    sources = {_matching(k, _SHA256): _count(n, 1) for k, n in data["sources"].items()}
    return header, tally, parts, sources


def _header(data: Mapping[str, Any]) -> Header:
    scores = {_text(name): _grid(_text(held)) for name, held in data["scores"].items()}
    _require(bool(scores), "no score column")
    groups = tuple(_text(name) for name in data["groups"])
    _require(list(groups) == sorted(set(groups)), "the grouping columns are not in order")
    thresholds = tuple(data["thresholds"])
    _require(all(type(t) is float for t in thresholds), "a threshold is a number")
    return Header(
        _text(data["label"]),
        None if data["positive"] is None else _text(data["positive"]),
        scores,
        groups,
        None if data["weight"] is None else _text(data["weight"]),
        _count(data["bins"], 1, MOST_BINS),
        thresholds,
        _count(data["min_cell"], 1) if "min_cell" in data else 0,
    )


def _grid(held: str) -> str:
    return held if held == EXACT else str(KeyGrid.parse(held))


def _tally(data: Mapping[str, Any], header: Header) -> Tally:
    n_read, rows, positives, fractional = (
        _count(data[name]) for name in ("n_read", "rows", "positives", "fractional")
    )
    _require(positives <= rows <= n_read, "more rows used than read, or more positives than rows")
    _require(fractional <= (rows if header.weight else 0), "more fractional weights than rows")
    lost = n_read - rows
    missing = {_text(name): _count(n, 1, lost) for name, n in data["missing"].items()}
    _require(missing.keys() <= {header.label, *header.scores}, "missing in an unknown column")
    _require(sum(missing.values()) >= lost, "rows left out for no reason")
    outside = {_text(name): _count(n, 1, rows) for name, n in data["outside"].items()}
    _require(outside.keys() <= header.scores.keys(), "scores of an unknown column")
    return Tally(n_read, rows, positives, fractional, missing, outside)


def _parts(data: Mapping[str, Any], header: Header) -> Iterator[tuple[Key, Held]]:
    for name, held in data.items():
        yield Key(name), _held(held["all"], name, header)
        for column, values in held["groups"].items():
            check_number_of_groups(column, len(values))
            for value, part in values.items():
                yield Key(name, column, _text(value)), _held(part, name, header)


def _held(data: Mapping[str, Any], name: str, header: Header) -> Held:
    held = _table(data) if header.scores[name] == EXACT else _binned(data, name, header)
    scores = held if isinstance(held, ScoreTable) else held.histogram
    if header.weight is None:
        _require(scores.total == held.rows, "the rows of its bins do not add up to its rows")
    _require(scores.total < _MOST_WEIGHT, "more weight than can be added")
    return held


def _table(data: Mapping[str, Any]) -> ScoreTable:
    _require(data["dtype"] in _DTYPES, "the dtype is float64 or float32")
    table, rows = ScoreTable.from_dict(data), _count(data["rows"])
    scores = table.scores
    _require(not np.isnan(scores).any(), "a score that is NaN")
    _require(bool((scores[1:] > scores[:-1]).all()), "the scores do not ascend")
    _require(not np.signbit(scores[scores == 0]).any(), "a score of minus zero")
    for column in (table.positives, table.negatives):
        _require(len(column) == len(scores), "columns of different lengths")
        _require(bool((column.whole >= 0).all()), "a negative count")
    counts = table.positives.to_float() + table.negatives.to_float()
    _require(bool((counts > 0).all()), "a score without rows")
    _require((table.fn_cost, table.fp_cost, table.review_cost) == (None,) * 3, "price columns")
    _require(rows >= len(scores), "fewer rows than distinct scores")
    return table


def _binned(data: Mapping[str, Any], name: str, header: Header) -> BinnedScores:
    check_schema(data, BinnedScores.schema)
    histogram = ScoreHistogram.from_dict(data["histogram"])
    bins = histogram.bins
    _require(str(histogram.grid) == header.scores[name], "another grid than the header names")
    _require((bins.fn_cost, bins.fp_cost, bins.review_cost) == (None,) * 3, "price columns")
    _count(histogram.rows)
    counts = [ConfusionCounts.from_dict(one) for one in data["decisions"]]
    decisions = dict(zip(header.thresholds, counts, strict=True))
    for threshold, found in decisions.items():
        _check_decision(found, histogram, threshold)
    one = BinnedScores(histogram, decisions)
    if not one.of_forecasts or header.min_cell:
        return one
    _require(None not in (data["reliability"], data["losses"]), "no sums of its forecasts")
    reliability = ReliabilityTable.from_dict(data["reliability"])
    _check_reliability(reliability, histogram, header)
    losses = {loss: LossSums.from_dict(d) for loss, d in zip(LOSSES, data["losses"], strict=True)}
    for loss, sums in losses.items():
        _require((sums.loss, sums.clip) == (loss, 0.0), "sums of another loss")
        _check_losses(sums.positives, bins.positives.total())
        _check_losses(sums.negatives, bins.negatives.total())
    return BinnedScores(histogram, decisions, reliability, losses)


def _check_decision(found: ConfusionCounts, histogram: ScoreHistogram, threshold: float) -> None:
    totals = found.positives, found.negatives
    expected = histogram.total_positives, histogram.total_negatives
    _require(totals == expected, "decisions about other rows")
    ends = histogram.at(threshold)
    for cell in ("tp", "fp"):
        low, high = sorted(getattr(end, cell) for end in ends)
        _require(low <= getattr(found, cell) <= high, "decisions that its scores do not allow")


def _check_reliability(table: ReliabilityTable, histogram: ScoreHistogram, header: Header) -> None:
    _require(table.bins == header.bins, "another number of bins than the header names")
    _require(table.dtype == histogram.dtype, "forecasts of another type than the scores")
    columns = (table.n, table.sum_p, table.sum_y, table.sum_p2, table.sum_py)
    _require(all(len(column) == table.bins for column in columns), "columns of different lengths")
    for n, p, y, p2, py in zip(*columns, strict=True):
        fits = 0 <= p2 <= p <= n and 0 <= y <= n and 0 <= py <= min(p, y)
        _require(fits, "sums of forecasts that no forecasts in [0, 1] have")
    shift = PRODUCT_BITS - FRACTION_BITS
    positives = histogram.bins.positives.total() << shift
    total = positives + (histogram.bins.negatives.total() << shift)
    _require((sum(table.n), sum(table.sum_y)) == (total, positives), "forecasts of other rows")


def _check_losses(sums: ClassLoss, weight: int) -> None:
    _require(min(sums.n, sums.infinite) >= 0, "a negative count")
    _require(sums.n + sums.infinite == weight, "losses of other rows")
    most = (sums.n << FRACTION_BITS) * _LARGEST_LOSS
    _require(0 <= sums.total <= most, "a loss that is too large")
    _require(0 <= sums.squares <= most * _LARGEST_LOSS, "a loss that is too large")


def _check_totals(name: str, held: Held, header: Header, tally: Tally) -> None:
    _require(held.rows <= tally.rows, "more rows scored than read")
    scores = held if isinstance(held, ScoreTable) else held.histogram
    if isinstance(held, BinnedScores):
        fractional = held.histogram.bins.fractional
        _require(fractional == (tally.fractional > 0), "other fractional weights than it says")
    if held.rows and name not in tally.outside:
        _require(_within_unit_interval(scores), "scores outside [0, 1] that were not counted")
    if header.weight is None:
        _require(held.rows == tally.rows, "the rows of its bins do not add up to its rows")
        _require(scores.total_positives == tally.positives, "other positives than it says")


def _within_unit_interval(scores: ScoreTable | ScoreHistogram) -> bool:
    if isinstance(scores, ScoreTable):
        low, high = scores.scores[0], scores.scores[-1]
    else:
        low, high = scores.bins.lowest[0], scores.bins.highest[-1]
    return bool(low >= 0 and high <= 1)


def _check_groups(parts: Mapping[Key, Held], name: str, column: str) -> None:
    """Every row is in one group of each column: the groups add up to the whole."""
    groups: list[Any] = [
        held for key, held in parts.items() if key.score == name and key.column == column
    ]
    whole = parts[Key(name)]
    if not groups:
        _require(whole.rows == 0, "rows that are in no group")
        return
    together = reduce(add, groups)
    _require(together.to_dict() == whole.to_dict(), "groups that do not add up to all rows")


def _text(value: Any) -> str:
    _require(isinstance(value, str), "a name is text")
    return str(value)


def _matching(value: Any, pattern: re.Pattern[str]) -> str:
    _require(pattern.fullmatch(_text(value)) is not None, "a hash that is none")
    return str(value)


def _count(value: Any, least: int = 0, most: int = _MOST_ROWS) -> int:
    _require(type(value) is int and least <= value <= most, f"a count of {value!r}"[:60])
    return int(value)


def _require(holds: bool, what: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise ValueError(what)
