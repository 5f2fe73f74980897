"""Non-negative numbers as integers, so that sums are exact in any order.

Floating-point addition depends on its order; a summary merged from nine files would differ from
the same rows read at once.  Every real number that a summary adds up is therefore rounded once,
to a multiple of 2**-52 (half to even), and from then on only integers are added.  One rounding
costs at most 2**-53, far below what a metric can show.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError

__all__ = [
    "FRACTION_BITS",
    "PRODUCT_BITS",
    "FixedArray",
    "dot_exactly",
    "exact_number",
    "sum_exactly",
]

FRACTION_BITS = 52
PRODUCT_BITS = 2 * FRACTION_BITS
_ONE = 1 << FRACTION_BITS
_HALF_BITS = 26
_HALF_MASK = (1 << _HALF_BITS) - 1
_LARGEST = float(1 << 62)
# Products of two such limbs add up exactly in a double over as many numbers.
_LIMB_BITS = 18
_LIMB_MASK = (1 << _LIMB_BITS) - 1
_MOST = 1 << 16


def exact_number(units: int) -> int | Fraction:
    """Return ``units / 2**52`` exactly: an int where it is whole, else a Fraction.

    Examples
    --------
    >>> exact_number(3 << 52), exact_number(1 << 51)
    (3, Fraction(1, 2))
    """
    whole, rest = divmod(units, _ONE)
    return whole if rest == 0 else Fraction(units, _ONE)


@dataclass(frozen=True, slots=True, eq=False)
class FixedArray:
    """An array of non-negative numbers in two integer limbs: ``whole + fraction / 2**52``.

    Attributes
    ----------
    whole
        int64, shape (n,).
    fraction
        int64 in [0, 2**52), shape (n,); None when every number is an integer, which is the normal
        case (counts of rows) and costs nothing extra.

    Examples
    --------
    >>> a = FixedArray.from_float(np.array([0.5, 2.0, 0.25]))
    >>> a.sums_from(np.array([0, 1])).to_float()
    array([0.5 , 2.25])
    """

    whole: npt.NDArray[np.int64]
    fraction: npt.NDArray[np.int64] | None = None

    @classmethod
    def from_int(cls, values: npt.ArrayLike) -> FixedArray:
        """Make an array of whole numbers."""
        return cls(np.ascontiguousarray(values, dtype=np.int64))

    @classmethod
    def from_float(cls, values: npt.ArrayLike) -> FixedArray:
        """Round each finite, non-negative value to a multiple of 2**-52, half to even."""
        x = np.asarray(values, dtype=np.float64)
        if x.size and not float(x.max()) < _LARGEST:
            raise _too_large(float(x.max()))
        whole = np.floor(x)
        if np.array_equal(whole, x):
            return cls(whole.astype(np.int64))
        # x - floor(x) is exact, and so is the scaling by a power of two: one rounding in all.
        return _carry(
            whole.astype(np.int64), np.rint(np.ldexp(x - whole, FRACTION_BITS)).astype(np.int64)
        )

    @classmethod
    def zeros(cls, n: int) -> FixedArray:
        """Make ``n`` zeros."""
        return cls(np.zeros(n, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.whole)

    def __getitem__(
        self, index: npt.NDArray[np.intp] | npt.NDArray[np.bool_] | slice
    ) -> FixedArray:
        return FixedArray(
            self.whole[index], None if self.fraction is None else self.fraction[index]
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FixedArray):
            return NotImplemented
        if not np.array_equal(self.whole, other.whole):
            return False
        mine, theirs = self._fractions(), other._fractions()
        return np.array_equal(mine, theirs)

    __hash__ = None  # type: ignore[assignment]

    def _fractions(self) -> npt.NDArray[np.int64]:
        return np.zeros(len(self), dtype=np.int64) if self.fraction is None else self.fraction

    @property
    def is_whole(self) -> bool:
        """Whether every number is an integer."""
        return self.fraction is None

    def to_float(self) -> npt.NDArray[np.float64]:
        """Return float64 values (nearest)."""
        x = self.whole.astype(np.float64)
        return x if self.fraction is None else x + np.ldexp(self.fraction.astype(np.float64), -52)

    def numbers(self) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
        """Return int64 values where all are whole, else float64."""
        return self.whole if self.fraction is None else self.to_float()

    def concatenated(self, other: FixedArray) -> FixedArray:
        """Return this array followed by ``other``."""
        whole = np.concatenate([self.whole, other.whole])
        if self.fraction is None and other.fraction is None:
            return FixedArray(whole)
        return FixedArray(whole, np.concatenate([self._fractions(), other._fractions()]))

    def sums_from(self, starts: npt.NDArray[np.intp]) -> FixedArray:
        """Return the sum of each run that begins at ``starts`` (ascending, first is 0).

        Raises
        ------
        InputError
            All of them together reach 2**62, where an int64 would soon overflow.
        """
        if len(starts) == 0:
            return FixedArray.zeros(0)
        if sum_exactly(self.whole) >= _LARGEST:
            raise _too_large(float(sum_exactly(self.whole)))
        whole = np.add.reduceat(self.whole, starts)
        if self.fraction is None:
            return FixedArray(whole)
        # Halves of 26 bits: 2**37 of them add up in an int64 without overflow.
        high = np.add.reduceat(self.fraction >> _HALF_BITS, starts)
        return _joined(whole, high, np.add.reduceat(self.fraction & _HALF_MASK, starts))

    def cumulative(self) -> FixedArray:
        """Return the sums of the first one, two, ..., n numbers.

        Raises
        ------
        InputError
            All of them together reach 2**62, where an int64 would soon overflow.
        """
        if (total := sum_exactly(self.whole)) >= _LARGEST:
            raise _too_large(float(total))
        whole = np.cumsum(self.whole)
        if self.fraction is None:
            return FixedArray(whole)
        high = np.cumsum(self.fraction >> _HALF_BITS)
        return _joined(whole, high, np.cumsum(self.fraction & _HALF_MASK))

    def total(self) -> int:
        """Return the exact sum in units of 2**-52, as a Python int."""
        total = sum_exactly(self.whole) << FRACTION_BITS
        if self.fraction is not None:
            total += int((self.fraction >> _HALF_BITS).sum()) << _HALF_BITS
            total += int((self.fraction & _HALF_MASK).sum())
        return total

    def units(self) -> list[int]:
        """Return each number in units of 2**-52, as Python ints."""
        fractions = self._fractions().tolist()
        return [
            (w << FRACTION_BITS) + f for w, f in zip(self.whole.tolist(), fractions, strict=True)
        ]

    @classmethod
    def from_units(cls, units: Iterable[int]) -> FixedArray:
        """Read back what ``units`` gave."""
        pairs = [divmod(unit, _ONE) for unit in units]
        whole = np.array([w for w, _ in pairs], dtype=np.int64)
        if any(f for _, f in pairs):
            return cls(whole, np.array([f for _, f in pairs], dtype=np.int64))
        return cls(whole)


def _too_large(number: float) -> InputError:
    return InputError(
        f"a number of {number:g} is too large to be added exactly",
        fix="give weights and costs in a larger unit",
    )


def _carry(whole: npt.NDArray[np.int64], fraction: npt.NDArray[np.int64]) -> FixedArray:
    whole = whole + (fraction >> FRACTION_BITS)
    fraction = fraction & (_ONE - 1)
    return FixedArray(whole, fraction if fraction.any() else None)


def _joined(
    whole: npt.NDArray[np.int64], high: npt.NDArray[np.int64], low: npt.NDArray[np.int64]
) -> FixedArray:
    """Put sums of whole numbers and of the halves of fractions together."""
    high = high + (low >> _HALF_BITS)
    rest = ((high & _HALF_MASK) << _HALF_BITS) + (low & _HALF_MASK)
    return _carry(whole + (high >> _HALF_BITS), rest)


def sum_exactly(values: npt.NDArray[np.int64]) -> int:
    """Return the sum of non-negative int64 values as a Python int that cannot overflow."""
    if values.size == 0:
        return 0
    if int(values.max()) < (1 << 62) // values.size:
        return int(values.sum())
    mask = (1 << 31) - 1
    return (int((values >> 31).sum()) << 31) + int((values & mask).sum())


def dot_exactly(weights: FixedArray, values: FixedArray | None) -> int:
    """Return the exact sum of products, in units of 2**-104, as a Python int.

    Parameters
    ----------
    weights, values
        Shape (n,); ``values`` None stands for ones.
    """
    if values is None:
        return weights.total() << FRACTION_BITS
    return sum(
        _dot(weights[at : at + _MOST], values[at : at + _MOST])
        for at in range(0, len(weights), _MOST)
    )


def _dot(weights: FixedArray, values: FixedArray) -> int:
    places, ours = _limbs(weights)
    beside, theirs = _limbs(values)
    # As doubles, because these are multiplied fastest; all that is added up is below 2**53.
    sums = ours.astype(np.float64) @ theirs.astype(np.float64).T
    return sum(
        int(sums[i, j]) << (place + other)
        for i, place in enumerate(places)
        for j, other in enumerate(beside)
    )


def _limbs(numbers: FixedArray) -> tuple[list[int], npt.NDArray[np.int64]]:
    """Return the places of digits in base 2**18, and the digits, shape (places, n).

    A digit at a place stands for so many times 2**(place - 52).
    """
    parts = [(FRACTION_BITS, numbers.whole)]
    if numbers.fraction is not None:
        parts.append((0, numbers.fraction))
    found = [
        (first + shift, (part >> shift) & _LIMB_MASK)
        for first, part in parts
        for shift in range(0, int(part.max(initial=0)).bit_length(), _LIMB_BITS)
    ]
    limbs = np.array([limb for _, limb in found]).reshape(len(found), len(numbers))
    return [place for place, _ in found], limbs
