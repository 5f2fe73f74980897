"""``ScoreHistogram``: classes counted on a fixed grid of scores; small, lossy, certified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.errors import FileFormatError, MismatchError
from veridical.kernels import histogram_counts
from veridical.summaries.base import check_schema
from veridical.summaries.confusion import ConfusionCounts, Count
from veridical.summaries.fixed_point import FixedArray, exact_number
from veridical.summaries.key_grid import KeyGrid
from veridical.summaries.merged_cells import united
from veridical.summaries.score_bins import COLUMNS, COSTS, Floats, ScoreBins, is_zero
from veridical.summaries.score_table import ScoreTable

__all__ = ["ScoreHistogram", "last_keys"]

DEFAULT_GRID: Final = KeyGrid("probability", 14)

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ScoreHistogram:
    """Positives, negatives, lowest and highest score in each bin of a fixed grid.

    The grid depends on no data, so histograms of files that never met can be added.  A commutative
    monoid on each grid: ``a + b`` merges, ``ScoreHistogram.empty(grid)`` is the identity.  Adding
    two grids of which one nests in the other gives the coarser of the two.

    What is lost is the order of rows inside a bin; ``bins`` says what that leaves open, and
    ``veridical.metrics.approximate`` puts certified bounds on the metrics.  Scores that many rows
    share are alone in their bin soon enough, and then leave nothing open.

    Attributes
    ----------
    grid
        The key grid.
    keys
        Keys of the bins that hold rows, ascending, int64, shape (m,).
    bins
        What they hold.
    last
        None, or the last key of each cell where bins were merged, so that ``keys`` are the first
        ones (see ``merged_cells``).

    Examples
    --------
    >>> positive, score = np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1])
    >>> histogram = ScoreHistogram.from_rows(positive, score, grid="probability/14")
    >>> len(histogram), histogram.rows, histogram.bins.split.any()
    (4, 4, np.False_)
    >>> histogram + ScoreHistogram.empty("probability/14") == histogram
    True
    """

    schema: ClassVar[str] = "veridical.score_histogram/1"

    grid: KeyGrid
    keys: Keys
    bins: ScoreBins
    last: Keys | None = None

    @classmethod
    def empty(cls, grid: KeyGrid | str = DEFAULT_GRID) -> ScoreHistogram:
        """Return the identity: no rows, and so of either dtype, with or without price columns."""
        none = FixedArray.zeros(0)
        edges = np.zeros(0)
        return cls(_grid(grid), np.zeros(0, dtype=np.int64), ScoreBins(edges, edges, none, none, 0))

    @classmethod
    def from_rows(
        cls,
        positive: npt.NDArray[np.bool_],
        scores: Floats,
        *,
        grid: KeyGrid | str = DEFAULT_GRID,
        weight: npt.NDArray[np.float64] | None = None,
        fn_cost: npt.NDArray[np.float64] | None = None,
        fp_cost: npt.NDArray[np.float64] | None = None,
        review_cost: npt.NDArray[np.float64] | None = None,
    ) -> ScoreHistogram:
        """Summarise rows.

        Parameters
        ----------
        positive
            bool, shape (n,).
        scores
            float64 or float32, shape (n,), no NaN.  Both dtypes use the same keys, but their
            histograms do not mix: a threshold is compared in the dtype of the scores.
        grid
            A grid or its name: ``"probability/14"`` for scores in [0, 1], ``"line/20"`` for any.
        weight, fn_cost, fp_cost, review_cost
            Finite, non-negative, shape (n,), or None, as for ``ScoreTable``.

        Raises
        ------
        ScoreError
            A score is NaN, or outside [0, 1] on a probability grid.
        ParameterError
            There is no such grid.
        """
        grid = _grid(grid)
        columns = {
            "weight": weight, "fn_cost": fn_cost, "fp_cost": fp_cost, "review_cost": review_cost,
        }  # fmt: skip
        if all(column is None for column in columns.values()) and _has_kernel(grid):
            return _counted(positive, scores, grid)
        table = ScoreTable.from_rows(positive, scores, **columns)
        fractional = weight is not None and bool((weight != np.floor(weight)).any())
        return cls.from_table(table, grid, fractional=fractional)

    @classmethod
    def from_table(
        cls,
        table: ScoreTable,
        grid: KeyGrid | str = DEFAULT_GRID,
        *,
        fractional: bool | None = None,
    ) -> ScoreHistogram:
        """Summarise an exact table; the same as summarising its rows.

        Parameters
        ----------
        table
            The exact table.
        grid
            A grid or its name.
        fractional
            Whether some row had a weight that is no whole number; None where nobody knows, which
            takes the rows at one score for one row.  Histograms that are to be added, and compared
            to the bit with that of all rows, need the true answer.
        """
        grid, bins = _grid(grid), ScoreBins.from_table(table)
        if fractional is not None:
            bins = replace(bins, fractional=fractional or bins.fractional)
        # A weight below 2**-53 rounds to nothing: no row is known to have its score.
        bins = bins.chosen(np.flatnonzero(~(is_zero(bins.positives) & is_zero(bins.negatives))))
        return _gathered(grid, grid.keys(bins.lowest), bins)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def rows(self) -> int:
        """Rows that were summarised; rows of weight zero are absent."""
        return self.bins.rows

    @property
    def dtype(self) -> str | None:
        """``"float64"`` or ``"float32"``, the type of the scores; None without rows."""
        return str(self.bins.lowest.dtype) if self.rows else None

    @property
    def total_positives(self) -> Count:
        """P, exactly."""
        return exact_number(self.bins.positives.total())

    @property
    def total_negatives(self) -> Count:
        """N, exactly."""
        return exact_number(self.bins.negatives.total())

    @property
    def total(self) -> Count:
        """P + N, exactly."""
        return self.total_positives + self.total_negatives

    def at(self, threshold: float | None) -> tuple[ConfusionCounts, ConfusionCounts]:
        """Return the worst and the best counts at a threshold; see ``ScoreBins.at``."""
        return self.bins.at(threshold)

    def coarsened(self, grid: KeyGrid | str) -> ScoreHistogram:
        """Return the histogram of the same rows on a grid that nests in this one.

        Exactly what summarising the rows on that grid would have given.

        Raises
        ------
        MismatchError
            When the grids do not nest.
        """
        grid = _grid(grid)
        keys = self.grid.coarsened(self.keys, grid)
        if self.last is None:
            return _gathered(grid, keys, self.bins)
        return _merged(grid, keys, self.grid.coarsened(self.last, grid), self.bins)

    def merged(
        self, first: Keys, last: Keys, within: tuple[float, float] = (-np.inf, np.inf)
    ) -> ScoreHistogram:
        """Return the histogram of the same rows in larger cells, which say no score of any row.

        Parameters
        ----------
        first, last
            Keys of the cell that each bin becomes part of, shape (m,).
        within
            Where all scores are known to lie.
        """
        if not len(self):
            return self
        whole = _merged(self.grid, first, last, self.bins)
        dtype = whole.bins.lowest.dtype
        lowest, highest = self.grid.ends(whole.keys, last_keys(whole), dtype)
        least, most = np.array(within, dtype)
        bins = replace(
            whole.bins,
            lowest=np.maximum(lowest, least),
            highest=np.minimum(highest, most),
            attained=False,
        )
        return replace(whole, bins=bins)

    def __add__(self, other: ScoreHistogram) -> ScoreHistogram:
        if not isinstance(other, ScoreHistogram):
            return NotImplemented
        grid = min(self.grid, other.grid, key=lambda grid: grid.bits)
        mine, theirs = self.coarsened(grid), other.coarsened(grid)
        for one, two in ((mine, theirs), (theirs, mine)):
            if one.rows == 0:
                return two
        _refuse_mismatch(mine, theirs)
        both = mine.bins.followed_by(theirs.bins, rows=mine.rows + theirs.rows)
        keys = np.concatenate([mine.keys, theirs.keys])
        if mine.last is None and theirs.last is None:
            return _gathered(grid, keys, both)
        return _merged(grid, keys, np.concatenate([last_keys(mine), last_keys(theirs)]), both)

    def refined(self, table: ScoreTable) -> ScoreBins:
        """Return these bins with some of them replaced by what a second pass found in them.

        Parameters
        ----------
        table
            All rows of some bins, for example of those that ``offending_bins`` named:
            every row whose key, under ``grid``, is one of theirs.

        Returns
        -------
        ScoreBins
            Each score of the table is an atom, the other bins are as they were.

        Raises
        ------
        MismatchError
            The table does not hold exactly the rows of those bins.
        """
        again = ScoreHistogram.from_table(table, self.grid)
        if again.rows == 0:
            return self.bins
        replaced = np.isin(self.keys, again.keys)
        seen = ScoreHistogram(
            self.grid, self.keys[replaced], self.bins.chosen(np.flatnonzero(replaced))
        )
        if seen.dtype != again.dtype or _contents(seen) != _contents(again):
            raise MismatchError(
                "the second pass did not see the rows that the histogram counted in these bins",
                why="the result would mix two sets of rows",
                fix="read the same data again, and pass every row of a bin or none",
            )
        atoms = ScoreBins.from_table(table)
        both = self.bins.chosen(np.flatnonzero(~replaced)).followed_by(atoms, rows=self.rows)
        return both.gathered(both.lowest)[1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreHistogram):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form: scores as hexadecimal floats, sums as exact integers."""
        return {
            "schema": self.schema,
            "grid": str(self.grid),
            "dtype": self.dtype,
            "rows": self.rows,
            "fractional": self.bins.fractional,
            **({} if self.last is None else {"last": self.last.tolist()}),
            **_contents(self),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ScoreHistogram:
        """Read back what ``to_dict`` wrote.

        Raises
        ------
        FileFormatError
            A field is missing or damaged, or the fields contradict each other.
        """
        from veridical.summaries.histogram_form import read_histogram

        check_schema(data, cls.schema)
        try:
            return read_histogram(data)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise FileFormatError(
                f"a damaged histogram: {error}"[:200],
                why="bounds from it would certify nothing",
                fix="summarise the data again",
            ) from error

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


def _grid(grid: KeyGrid | str) -> KeyGrid:
    return KeyGrid.parse(grid) if isinstance(grid, str) else grid


def _has_kernel(grid: KeyGrid) -> bool:
    # A kernel holds every bin of the grid, empty ones too: 32 bytes each.
    return grid.scheme == "line" and grid.bits <= 20


def _counted(positive: npt.NDArray[np.bool_], scores: Floats, grid: KeyGrid) -> ScoreHistogram:
    """Return the histogram of unweighted rows without sorting them."""
    grid.refuse(scores)
    counted = histogram_counts(positive, scores, grid.bits)
    keys = np.flatnonzero(counted.positives + counted.negatives)
    if len(keys) == 0:
        return ScoreHistogram.empty(grid)
    bins = ScoreBins(
        counted.low[keys],
        counted.high[keys],
        FixedArray.from_int(counted.positives[keys]),
        FixedArray.from_int(counted.negatives[keys]),
        rows=len(scores),
    )
    return ScoreHistogram(grid, keys, bins)


def _gathered(grid: KeyGrid, keys: npt.NDArray[np.int64], bins: ScoreBins) -> ScoreHistogram:
    if len(keys) == 0:
        return ScoreHistogram.empty(grid)
    return ScoreHistogram(grid, *bins.gathered(keys))


def _merged(grid: KeyGrid, first: Keys, last: Keys, bins: ScoreBins) -> ScoreHistogram:
    """Return what the finest cells hold that part none of these."""
    first, last = united(first, last)
    found, gathered = bins.gathered(first)
    order = np.argsort(first, kind="stable")
    return ScoreHistogram(grid, found, gathered, last[order][np.searchsorted(first[order], found)])


def last_keys(histogram: ScoreHistogram) -> Keys:
    """Return the last key of each cell; its only one where nothing was merged."""
    return histogram.keys if histogram.last is None else histogram.last


def _refuse_mismatch(one: ScoreHistogram, two: ScoreHistogram) -> None:
    if one.dtype != two.dtype:
        raise MismatchError(
            f"one summary has {one.dtype} scores, the other {two.dtype}",
            why="a threshold that ties with a score in float32 may not in float64",
            fix="write both files with the same score type",
        )
    for name in COSTS:
        if (getattr(one.bins, name) is None) != (getattr(two.bins, name) is None):
            raise MismatchError(
                f"only one of the summaries has {name} as a column",
                why="the sum over both would leave out rows",
                fix="summarise both with the same prices",
            )


def _contents(histogram: ScoreHistogram) -> dict[str, Any]:
    bins = histogram.bins
    return {
        "keys": histogram.keys.tolist(),
        "lowest": [float(score).hex() for score in bins.lowest],
        "highest": [float(score).hex() for score in bins.highest],
        **{name: _written(getattr(bins, name)) for name in COLUMNS},
    }


def _written(column: FixedArray | None) -> list[str] | None:
    # Strings: a JSON reader may keep only 53 bits of a number.
    return None if column is None else [str(unit) for unit in column.units()]
