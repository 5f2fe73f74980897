"""``Cosines``: how alike the embeddings of candidate and reference are, segment by segment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.summaries.base import check_schema

__all__ = ["Cosines", "cosines_of"]


@dataclass(frozen=True, slots=True)
class Cosines:
    """Cosines of pairs of vectors.

    A commutative monoid: ``a + b`` holds the segments of both, ``Cosines()`` is the identity.

    Attributes
    ----------
    values
        In [-1, 1], ascending.
    zero_vectors
        How many pairs had a vector of length zero, which has no direction.

    Examples
    --------
    >>> Cosines.from_vectors([[3.0, 4.0], [0.0, 0.0]], [[6.0, 8.0], [1.0, 2.0]])
    Cosines(values=(1.0,), zero_vectors=1)
    """

    schema: ClassVar[str] = "veridical.cosines/1"

    values: tuple[float, ...] = ()
    zero_vectors: int = 0

    @classmethod
    def from_vectors(cls, first: npt.ArrayLike, second: npt.ArrayLike) -> Self:
        """Compare two arrays of finite vectors, shape (n, dimensions)."""
        cosines = cosines_of(first, second)
        there = ~np.isnan(cosines)
        return cls(tuple(sorted(cosines[there].tolist())), int((~there).sum()))

    @property
    def n(self) -> int:
        """How many pairs have a cosine."""
        return len(self.values)

    @property
    def rows(self) -> npt.NDArray[np.float64]:
        """The cosines, shape (n,)."""
        return np.array(self.values, dtype=np.float64)

    def __add__(self, other: Cosines) -> Cosines:
        if not isinstance(other, Cosines):
            return NotImplemented
        values = sorted((*self.values, *other.values))
        return Cosines(tuple(values), self.zero_vectors + other.zero_vectors)

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        return {
            "schema": self.schema,
            "values": list(self.values),
            "zero_vectors": self.zero_vectors,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        values, zero = tuple(map(float, data["values"])), data["zero_vectors"]
        if type(zero) is not int or zero < 0 or not all(abs(v) <= 1 for v in values):
            raise FileFormatError(
                "cosines lie between -1 and 1, and counts are whole numbers of at least 0",
                fix="compare the vectors again",
            )
        return cls(tuple(sorted(values)), zero)

    @property
    def mean(self) -> float:
        """Their mean; only where there is one."""
        return math.fsum(self.values) / len(self.values)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


def cosines_of(first: npt.ArrayLike, second: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the cosine of each pair of finite vectors, NaN where one has length zero, shape (n,).

    Examples
    --------
    >>> cosines_of([[3.0, 4.0], [0.0, 0.0]], [[6.0, 8.0], [1.0, 2.0]])
    array([ 1., nan])
    """
    a, b = (np.asarray(side, dtype=np.float64) for side in (first, second))
    # Scaled first: the square of a large number overflows, that of a small one is 0.
    largest = [np.abs(side).max(axis=1, initial=0.0) for side in (a, b)]
    there = (largest[0] > 0) & (largest[1] > 0)
    a, b = (side[there] / top[there, None] for side, top in zip((a, b), largest, strict=True))
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    cosines = np.full(len(there), np.nan)
    cosines[there] = np.clip((a * b).sum(axis=1) / lengths, -1.0, 1.0)
    return cosines
