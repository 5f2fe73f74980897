"""One plan for the binned summaries, on whatever engine the data are; the same bytes on all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import narwhals as nw
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from veridical.engines.expressions import (
    bin_column,
    halves,
    with_bin,
    with_key,
    with_squared_errors,
    with_units,
)
from veridical.engines.groups import in_order
from veridical.engines.states import integers
from veridical.engines.survey import CLASS, Survey, group_column, score_column
from veridical.errors import ParameterError, ScoreError
from veridical.summaries import KeyGrid, LossSums, ReliabilityTable, ScoreBins, ScoreHistogram
from veridical.summaries.fixed_point import FRACTION_BITS, PRODUCT_BITS, FixedArray, sum_exactly
from veridical.summaries.losses import ClassLoss
from veridical.tables import column_from, read_groups
from veridical.tables.lazy_frame import collected

__all__ = ["Binned", "binned"]

_LOSS_SUMS: Final = {"loss": "total", "loss2": "squares", "loss3": "cubes", "loss4": "fourths"}
_SUMMED: Final = ("p", "p2", *_LOSS_SUMS)
_HALF_BITS: Final = FRACTION_BITS // 2


@dataclass(frozen=True, eq=False)
class Binned:
    """Binned summaries of the forecasts of one score column, on one group of rows or on all.

    Attributes
    ----------
    subject, group
        The score column; ``"column=value"`` or None for all rows.
    histogram
        Classes by score, on a probability grid.
    reliabilities
        Number of bins to reliability table.
    squared_error
        Sums for the Brier score.
    """

    subject: str
    group: str | None
    histogram: ScoreHistogram
    reliabilities: Mapping[int, ReliabilityTable]
    squared_error: LossSums


def binned(
    rows: Survey, *, grid: KeyGrid | str = "probability/14", bins: Sequence[int] = (10,)
) -> list[Binned]:
    """Summarise the forecasts of a query by ``group_by`` alone; no row leaves the engine.

    Parameters
    ----------
    rows
        Rows that ``survey`` judged; every score column must hold forecasts.
    grid
        A probability grid.
    bins
        Numbers of bins of the reliability tables, each at least 1.

    Returns
    -------
    list of Binned
        For each score column all rows first, then each value of each grouping column.

    Raises
    ------
    ScoreError
        A score lies outside [0, 1] by more than rounding.
    ParameterError
        The grid is not for probabilities.

    Examples
    --------
    >>> from veridical.engines.survey import survey
    >>> from veridical.tables import Roles
    >>> data = pa.table({"y": [1, 0, 1, 0], "p": [0.9, 0.6, 0.4, 0.1]})
    >>> (whole,) = binned(survey(data, Roles("y", ("p",))))
    >>> y, p = np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1])
    >>> whole.histogram.sha256 == ScoreHistogram.from_rows(y, p).sha256
    True
    """
    grid = KeyGrid.parse(grid) if isinstance(grid, str) else grid
    if grid.scheme != "probability":
        raise ParameterError(
            f"the grid {grid} cannot be computed by a query engine",
            why="it is made from the bits of a number",
            fix="use a grid probability/14",
        )
    return [
        one for number in range(len(rows.roles.scores)) for one in _of(rows, number, grid, bins)
    ]


def _of(rows: Survey, number: int, grid: KeyGrid, bins: Sequence[int]) -> Iterator[Binned]:
    """Yield the summaries of one score column."""
    subject = rows.roles.scores[number]
    dtype = rows.dtypes[subject]
    frame = _prepared(rows, number, grid, bins)
    groups = [group_column(n) for n in range(len(rows.roles.groups))]
    parts = [_Cells.of(frame, group, bins) for group in groups or (None,)]

    def made(group: str | None, cells: _Cells) -> Binned:
        reliabilities = {count: cells.reliability(count, dtype) for count in bins}
        histogram = cells.histogram(grid, dtype)
        return Binned(subject, group, histogram, reliabilities, cells.squared_error())

    yield made(None, parts[0])
    for name, cells in zip(rows.roles.groups, parts, strict=False):
        named = read_groups(column_from(name, cells.groups))
        for value in in_order(named.names):
            yield made(f"{name}={value}", cells.chosen(named.codes == named.names.index(value)))


def _prepared(rows: Survey, number: int, grid: KeyGrid, bins: Sequence[int]) -> nw.LazyFrame[Any]:
    """Return the query with everything that is grouped by or summed."""
    subject = rows.roles.scores[number]
    if rows.clamped[subject] is None:
        raise ScoreError(
            f"column {subject!r} holds scores outside [0, 1]",
            why="on a query engine, bins are for probabilities",
            fix="rescale the scores to [0, 1], or evaluate them exactly",
        )
    p = nw.col(score_column(number))
    clamped = (
        nw.when(p < 0).then(nw.lit(0.0)).otherwise(nw.when(p > 1).then(nw.lit(1.0)).otherwise(p))
    )
    groups = [group_column(n) for n in range(len(rows.roles.groups))]
    frame = rows.frame.select(CLASS, *groups, clamped.alias("p"))
    frame = with_squared_errors(with_key(frame, grid.bits), nw.col(CLASS) == 1)
    frame = with_units(frame, _SUMMED)
    for count in bins:
        frame = with_bin(frame, count, rows.dtypes[subject])
    return frame


@dataclass(frozen=True, eq=False)
class _Cells:
    """Rows with equal group, class, key and bins, counted and summed."""

    groups: pa.ChunkedArray | None
    columns: Mapping[str, npt.NDArray[np.int64]]
    lowest: npt.NDArray[np.float64]
    highest: npt.NDArray[np.float64]

    @classmethod
    def of(cls, frame: nw.LazyFrame[Any], group: str | None, bins: Sequence[int]) -> _Cells:
        keys = [CLASS, "key", *map(bin_column, bins)]
        sums = [half for name in _SUMMED for half in halves(name)]
        query = frame.group_by(*keys if group is None else (group, *keys)).agg(
            nw.len().alias("n"),
            nw.col("p").min().alias("lowest"),
            nw.col("p").max().alias("highest"),
            *(nw.col(half).sum() for half in sums),
        )
        table = collected(query)
        return cls(
            None if group is None else table.column(group),
            integers(table.select([*keys, "n", *sums])),
            # Engines differ in whether -0.0 is below 0.0.
            table.column("lowest").to_numpy() + 0.0,
            table.column("highest").to_numpy() + 0.0,
        )

    def chosen(self, index: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> _Cells:
        columns = {name: values[index] for name, values in self.columns.items()}
        return _Cells(None, columns, self.lowest[index], self.highest[index])

    @property
    def positive(self) -> npt.NDArray[np.bool_]:
        positive: npt.NDArray[np.bool_] = self.columns[CLASS] == 1
        return positive

    def total(self, name: str) -> int:
        """Return the sum of a column in units of 2**-52."""
        upper, lower = (sum_exactly(self.columns[half]) for half in halves(name))
        return (upper << _HALF_BITS) + lower

    def histogram(self, grid: KeyGrid, dtype: str) -> ScoreHistogram:
        n = self.columns["n"]
        if len(n) == 0:
            return ScoreHistogram.empty(grid)
        bins = ScoreBins(
            self.lowest.astype(dtype),
            self.highest.astype(dtype),
            FixedArray(np.where(self.positive, n, 0)),
            FixedArray(np.where(self.positive, 0, n)),
            rows=int(n.sum()),
        )
        return ScoreHistogram(grid, *bins.gathered(self.columns["key"]))

    def reliability(self, bins: int, dtype: str) -> ReliabilityTable:
        index = self.columns[bin_column(bins)]
        parts = [self.chosen(index == number) for number in range(bins)]
        positives = [part.chosen(part.positive) for part in parts]
        n, n_positive = ([int(p.columns["n"].sum()) for p in side] for side in (parts, positives))
        return ReliabilityTable(
            bins,
            n=tuple(count << PRODUCT_BITS for count in n),
            sum_p=tuple(part.total("p") << FRACTION_BITS for part in parts),
            sum_y=tuple(count << PRODUCT_BITS for count in n_positive),
            sum_p2=tuple(part.total("p2") << FRACTION_BITS for part in parts),
            sum_py=tuple(part.total("p") << FRACTION_BITS for part in positives),
            dtype=dtype,
        )

    def squared_error(self) -> LossSums:
        classes = (self.chosen(self.positive), self.chosen(~self.positive))
        return LossSums(
            "squared_error",
            0.0,
            *(
                ClassLoss(
                    n=int(part.columns["n"].sum()) << FRACTION_BITS,
                    **{s: part.total(name) << FRACTION_BITS for name, s in _LOSS_SUMS.items()},
                )
                for part in classes
            ),
        )
