"""``ReliabilityTable``: forecasts in equal-width bins, with the sums that calibration needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.errors import MismatchError
from veridical.kernels import reliability_sums
from veridical.summaries.base import check_schema
from veridical.summaries.fixed_point import FRACTION_BITS, PRODUCT_BITS, FixedArray, dot_exactly
from veridical.summaries.score_table import ScoreTable

__all__ = ["ReliabilityTable", "bin_edges", "bin_index"]

_ONE = 1 << PRODUCT_BITS
_SUMS = ("n", "sum_p", "sum_y", "sum_p2", "sum_py")


def bin_edges(bins: int, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[np.floating]:
    """Return the ``bins + 1`` edges m/M, each by one division.

    ``numpy.linspace`` is off by one unit in the last place at 0.3, which moves a forecast of 0.3
    into the wrong bin.
    """
    return (np.arange(bins + 1) / bins).astype(dtype)


def bin_index(forecasts: npt.NDArray[np.floating], bins: int) -> npt.NDArray[np.intp]:
    """Return the bin of each forecast: right-closed, the first bin also holds 0.

    float32 forecasts are compared with float32 edges, so that writing them to a file and reading
    them back never moves one.

    Examples
    --------
    >>> bin_index(np.array([0.0, 0.1, 0.3, 0.30000000000000004, 1.0]), 10).tolist()
    [0, 0, 2, 3, 9]
    """
    inner = bin_edges(bins, forecasts.dtype)[1:-1]
    return np.searchsorted(inner, forecasts, side="left")


@dataclass(frozen=True, slots=True)
class ReliabilityTable:
    """Per bin: how many forecasts, and the sums of p, y, p^2 and p*y.

    A commutative monoid over tables with the same number of bins.  Forecasts and weights are
    multiples of 2**-52 (see ``fixed_point``), so their products add up exactly in units of
    2**-104.

    Attributes
    ----------
    bins
        Number of equal-width, right-closed bins of [0, 1].
    n, sum_p, sum_y, sum_p2, sum_py
        Python ints in units of 2**-104, one a bin.
    dtype
        ``"float64"`` or ``"float32"``: the edges that the forecasts were compared with.

    Examples
    --------
    >>> table = ReliabilityTable.from_rows(np.array([True, False]), np.array([0.95, 1.0]), bins=10)
    >>> table.column("sum_y").tolist()[-1], table.column("sum_p").tolist()[-1]
    (1.0, 1.95)
    """

    schema: ClassVar[str] = "veridical.reliability_table/1"

    bins: int
    n: tuple[int, ...]
    sum_p: tuple[int, ...]
    sum_y: tuple[int, ...]
    sum_p2: tuple[int, ...]
    sum_py: tuple[int, ...]
    dtype: str = "float64"

    @classmethod
    def empty(cls, bins: int, dtype: str = "float64") -> ReliabilityTable:
        """Return the identity: no forecasts."""
        zeros = (0,) * bins
        return cls(bins, zeros, zeros, zeros, zeros, zeros, dtype)

    @classmethod
    def from_rows(
        cls,
        positive: npt.NDArray[np.bool_],
        forecasts: npt.NDArray[np.float64] | npt.NDArray[np.float32],
        *,
        bins: int = 10,
        threads: int = 1,
    ) -> ReliabilityTable:
        """Summarise unweighted forecasts in [0, 1]; both arrays of shape (n,)."""
        sums = reliability_sums(positive, forecasts, bins, threads=threads)
        rows, halves = PRODUCT_BITS, FRACTION_BITS  # counts are whole, sums come in 2**-52
        return cls(
            bins,
            n=tuple(n << rows for n in sums.n),
            sum_p=tuple(units << halves for units in sums.sum_p),
            sum_y=tuple(n << rows for n in sums.sum_y),
            sum_p2=tuple(units << halves for units in sums.sum_p2),
            sum_py=tuple(units << halves for units in sums.sum_py),
            dtype=str(forecasts.dtype),
        )

    @classmethod
    def from_scores(cls, table: ScoreTable, *, bins: int = 10) -> ReliabilityTable:
        """Summarise the forecasts of a score table; all must lie in [0, 1]."""
        index = bin_index(table.scores, bins)
        cuts = np.searchsorted(index, np.arange(bins + 1), side="left").tolist()
        parts = [slice(start, stop) for start, stop in pairwise(cuts)]
        p = table.scores.astype(np.float64)
        forecasts, squares = FixedArray.from_float(p), FixedArray.from_float(np.square(p))
        y, not_y = table.positives, table.negatives

        def sums(values: FixedArray | None, *weights: FixedArray) -> tuple[int, ...]:
            return tuple(
                sum(dot_exactly(w[part], None if values is None else values[part]) for w in weights)
                for part in parts
            )

        return cls(
            bins,
            n=sums(None, y, not_y),
            sum_p=sums(forecasts, y, not_y),
            sum_y=sums(None, y),
            sum_p2=sums(squares, y, not_y),
            sum_py=sums(forecasts, y),
            dtype=str(table.scores.dtype),
        )

    def column(self, name: str) -> npt.NDArray[np.float64]:
        """Return one of the sums as float64, shape (bins,)."""
        return np.array([units / _ONE for units in getattr(self, name)])  # int / int rounds once

    def total(self, name: str) -> float:
        """Return one of the sums over all bins, rounded once."""
        units: int = sum(getattr(self, name))
        return units / _ONE

    def __add__(self, other: ReliabilityTable) -> ReliabilityTable:
        if not isinstance(other, ReliabilityTable):
            return NotImplemented
        if (self.bins, self.dtype) != (other.bins, other.dtype):
            raise MismatchError(
                f"{self.bins} {self.dtype} bins cannot be added to {other.bins} {other.dtype} bins",
                why="a forecast near an edge would be in another bin",
                fix="summarise both with the same bins and the same type of score",
            )
        columns = {
            name: tuple(
                a + b for a, b in zip(getattr(self, name), getattr(other, name), strict=True)
            )
            for name in _SUMS
        }
        return ReliabilityTable(self.bins, dtype=self.dtype, **columns)

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form; exact sums as decimal strings."""
        sums = {name: [str(units) for units in getattr(self, name)] for name in _SUMS}
        return {"schema": self.schema, "bins": self.bins, "dtype": self.dtype, **sums}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ReliabilityTable:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        columns = {name: tuple(int(units) for units in data[name]) for name in _SUMS}
        return cls(data["bins"], dtype=data["dtype"], **columns)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())
