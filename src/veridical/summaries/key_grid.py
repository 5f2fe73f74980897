"""``KeyGrid``: which bin a score belongs to, on a grid that depends on no data.

Two grids, each with a number of bits.  Both are monotone in the score, are computed without any
rounding, and nest: a grid of fewer bits is a union of the bins of one of more bits.

``probability/k``
    Bins floor(s * 2**k) of [0, 1], refined near both ends, where the scores of rare events are: in
    [2**-(j+1), 2**-j), j = 4 to 63, and in [1 - 2**-j, 1 - 2**-(j+1)), j = 4 to 31, a bin is
    2**(j-3) times narrower.  A score of exactly 1 has a bin of its own.  Every zone needs one
    comparison, one exact subtraction, one multiplication by a power of two and one floor, all of
    which any query engine has.
``line/k``
    The top k bits of the order-preserving integer image of the score as a double, with its exponent
    cut from 11 bits to 8: magnitudes below 2**-127 count as zero, those from 2**129 on, infinity
    included, share the outermost bins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from veridical.errors import MismatchError, ParameterError, ScoreError
from veridical.kernels.plain.histogram import line_keys

__all__ = ["KeyGrid"]

Keys = npt.NDArray[np.int64]

_SCHEMES: Final = ("probability", "line")
_FEWEST_BITS, _MOST_BITS = 4, 32
# Zones are cut into 2**(k - 4) bins each, so that a right shift coarsens a key in any of them.
_ZONE_BITS: Final = 4
_DEEPEST_NEAR_0, _DEEPEST_NEAR_1 = 64, 32


@dataclass(frozen=True)
class KeyGrid:
    """A fixed grid of bins over scores.

    Parameters
    ----------
    scheme
        ``"probability"`` or ``"line"``.
    bits
        How fine, 4 to 32.

    Raises
    ------
    ParameterError
        An unknown scheme, or bits out of range.

    Examples
    --------
    >>> grid = KeyGrid.parse("probability/4")
    >>> keys = grid.keys(np.array([0.0, 0.5, 0.53, 0.6, 1.0]))
    >>> (keys - keys[1]).tolist()
    [-68, 0, 0, 1, 36]
    >>> str(grid), str(KeyGrid("line", 20))
    ('probability/4', 'line/20')
    """

    scheme: str
    bits: int

    def __post_init__(self) -> None:
        if self.scheme not in _SCHEMES or not _FEWEST_BITS <= self.bits <= _MOST_BITS:
            raise ParameterError(
                f"there is no key grid {f'{self.scheme}/{self.bits}'[:80]!r}",
                fix=f"use {' or '.join(_SCHEMES)}, and {_FEWEST_BITS} to {_MOST_BITS} bits: "
                "probability/14",
            )

    @classmethod
    def parse(cls, name: str) -> KeyGrid:
        """Return the grid that ``str()`` of it names."""
        found = re.fullmatch(r"([a-z]+)/([1-9][0-9]?)", str(name))
        if not found:
            raise ParameterError(
                f"{str(name)[:80]!r} does not name a key grid",
                fix="write probability/14 or line/20",
            )
        return cls(found[1], int(found[2]))

    def __str__(self) -> str:
        return f"{self.scheme}/{self.bits}"

    @property
    def size(self) -> int:
        """How many keys there are: 0 to ``size - 1``."""
        return self._zones.first_key[-1] + 1 if self.scheme == "probability" else 1 << self.bits

    def keys(self, scores: npt.NDArray[np.float64] | npt.NDArray[np.float32]) -> Keys:
        """Return the key of each score.

        Parameters
        ----------
        scores
            float64 or float32, any shape, no NaN.  float32 scores are widened, which is exact:
            the float32 nearest to 0.1 has the key of that number, not the key of 0.1.

        Returns
        -------
        int64, same shape; ``a <= b`` implies ``key(a) <= key(b)``, and -0.0 has the key of 0.0.

        Raises
        ------
        ScoreError
            A score is NaN, or outside [0, 1] on a probability grid.
        """
        self.refuse(scores)
        wide = scores.astype(np.float64) + 0.0  # -0.0 + 0.0 is 0.0: the two tie
        if self.scheme == "probability":
            return self._zones.keys(wide)
        return line_keys(wide, self.bits)

    def refuse(self, scores: npt.NDArray[np.float64] | npt.NDArray[np.float32]) -> None:
        """Raise ``ScoreError`` if a score has no key: NaN, or outside a probability grid."""
        if self.scheme == "probability":
            _refuse(~((scores >= 0) & (scores <= 1)), "outside [0, 1] or NaN", "use a grid line/k")
        else:
            _refuse(np.isnan(scores), "NaN", "drop them first")

    def nests_in(self, finer: KeyGrid) -> bool:
        """Whether each bin of ``finer`` lies inside one bin of this grid."""
        return self.scheme == finer.scheme and self.bits <= finer.bits

    def coarsened(self, keys: Keys, coarser: KeyGrid) -> Keys:
        """Return the keys in a grid that nests in this one.

        Raises
        ------
        MismatchError
            When the grids do not nest.

        Examples
        --------
        >>> fine, coarse = KeyGrid("line", 20), KeyGrid("line", 12)
        >>> scores = np.array([-3.0, 0.001, 2.5])
        >>> bool((fine.coarsened(fine.keys(scores), coarse) == coarse.keys(scores)).all())
        True
        """
        if not coarser.nests_in(self):
            raise MismatchError(
                f"keys of the grid {self} are no keys of the grid {coarser}",
                why="a bin of one holds a part of a bin of the other",
                fix="summarise with the same grid, or with one of fewer bits of the same scheme",
            )
        return keys >> (self.bits - coarser.bits)

    def ends(
        self, first: Keys, last: Keys, dtype: npt.DTypeLike
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return the lowest and the highest number of a type that has one of some keys.

        Parameters
        ----------
        first, last
            The lowest and the highest of the keys, shape (m,).
        dtype
            float64 or float32.

        Examples
        --------
        >>> low, high = KeyGrid.parse("probability/4").ends(*np.array([[68], [69]]), "float64")
        >>> low.tolist(), np.nextafter(high, 1).tolist()
        ([0.5], [0.625])
        """
        images = _Images(self, np.dtype(dtype))
        return images.numbers(images.first(first)), images.numbers(images.first(last + 1) - 1)

    @cached_property
    def _zones(self) -> _Zones:
        return _Zones.of(self.bits)


@dataclass(frozen=True, slots=True)
class _Images:
    """The numbers of a type that have a key, as integers of the same order."""

    grid: KeyGrid
    dtype: np.dtype[Any]

    @property
    def most(self) -> int:
        """The image of the largest: 1 or infinity."""
        largest = 1.0 if self.grid.scheme == "probability" else np.inf
        return int(np.array(largest, self.dtype).view(f"i{self.dtype.itemsize}"))

    def numbers(self, images: Keys) -> npt.NDArray[Any]:
        """Return the numbers of images."""
        bits = np.abs(images).astype(f"i{self.dtype.itemsize}")
        signs = np.where(images < 0, -1, 1).astype(self.dtype)
        return np.asarray(signs * bits.view(self.dtype))

    def first(self, keys: Keys) -> Keys:
        """Return the image of the lowest number whose key is not below each key."""
        low = np.full(keys.shape, 0 if self.grid.scheme == "probability" else -self.most)
        high = np.full(keys.shape, self.most + 1)
        while (low < high).any():
            middle = (low >> 1) + (high >> 1) + (low & high & 1)  # their sum may not fit
            # Past the largest number, every key is one too many.
            numbers = self.numbers(np.minimum(middle, self.most))
            below = (self.grid.keys(numbers) < keys) & (middle <= self.most)
            low, high = np.where(below, middle + 1, low), np.where(below, high, middle)
        return low


@dataclass(frozen=True, slots=True, eq=False)
class _Zones:
    """Intervals of [0, 1] with bins of one width each: where they start, first key, bins a unit."""

    start: npt.NDArray[np.float64]
    first_key: tuple[int, ...]
    scale: npt.NDArray[np.float64]

    @classmethod
    def of(cls, bits: int) -> _Zones:
        near_0 = [2.0**-j for j in range(_DEEPEST_NEAR_0, _ZONE_BITS - 1, -1)]
        near_1 = [1 - 2.0**-j for j in range(_ZONE_BITS, _DEEPEST_NEAR_1 + 1)]
        start = np.array([0.0, *near_0, *near_1, 1.0])
        # Every zone but the one in the middle and the 1 at the end is one block of bins.
        blocks = np.cumsum([0] + [1] * len(near_0) + [(1 << _ZONE_BITS) - 2] + [1] * len(near_1))
        per_block = 1 << (bits - _ZONE_BITS)
        width = np.diff(start, append=2.0) / np.diff(blocks, append=blocks[-1] + 1)
        return cls(start, tuple((blocks * per_block).tolist()), per_block / width)

    def keys(self, scores: npt.NDArray[np.float64]) -> Keys:
        zone = np.searchsorted(self.start, scores, side="right") - 1
        # Exact, every step: the difference is a multiple of the last place of either term.
        inside = np.floor((scores - self.start[zone]) * self.scale[zone])
        return np.asarray(self.first_key, dtype=np.int64)[zone] + inside.astype(np.int64)


def _refuse(bad: npt.NDArray[Any], what: str, fix: str) -> None:
    count = int(np.count_nonzero(bad))
    if count:
        rows = ", ".join(str(row) for row in np.flatnonzero(bad)[:3])
        raise ScoreError(
            f"{count:,} scores are {what}",
            where=f"positions {rows}, counted from 0",
            why="they have no place on the key grid",
            fix=fix,
        )
