"""``ShiftedCells`` and ``TwoSamples``: one column then and now, by cells and by values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.errors import FileFormatError, MismatchError
from veridical.summaries.base import check_schema
from veridical.summaries.partition import Partition

__all__ = ["ShiftedCells", "TwoSamples"]

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def _none() -> Counts:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class ShiftedCells:
    """How many rows of a reference and of current data fall into each cell.

    A commutative monoid among those of one partition: ``a + b`` merges, ``ShiftedCells()`` is the
    identity.

    Attributes
    ----------
    reference, current
        int64, shape (cells,): rows in each cell.
    partition
        The cells; None where only their counts are known.
    below, above
        Current rows under the smallest and over the largest number of the reference.

    Examples
    --------
    >>> cells = ShiftedCells(np.array([50, 50]), np.array([30, 30]))
    >>> cells.n_reference, cells.n_current
    (100, 60)
    """

    schema: ClassVar[str] = "veridical.shifted_cells/1"

    reference: Counts = field(default_factory=_none)
    current: Counts = field(default_factory=_none)
    partition: Partition | None = None
    below: int = 0
    above: int = 0

    @property
    def n_reference(self) -> int:
        """Rows of the reference."""
        return int(self.reference.sum())

    @property
    def n_current(self) -> int:
        """Current rows."""
        return int(self.current.sum())

    def __add__(self, other: ShiftedCells) -> ShiftedCells:
        if not isinstance(other, ShiftedCells):
            return NotImplemented
        if not len(other.reference) or not len(self.reference):
            return self if len(self.reference) else other
        if len(self.reference) != len(other.reference) or self.partition != other.partition:
            raise MismatchError(
                "the cells differ",
                why="rows that were counted in other cells cannot be added",
                fix="count both in the cells of one frozen reference",
            )
        return ShiftedCells(
            self.reference + other.reference,
            self.current + other.current,
            self.partition,
            self.below + other.below,
            self.above + other.above,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        return {
            "schema": self.schema,
            "reference": self.reference.tolist(),
            "current": self.current.tolist(),
            "partition": None if self.partition is None else self.partition.to_dict(),
            "below": self.below,
            "above": self.above,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        reference, current = _counts(data["reference"]), _counts(data["current"])
        below, above = data["below"], data["above"]
        given = data["partition"]
        partition = None if given is None else Partition.from_dict(given)
        cells = len(reference) if partition is None else len(partition.names)
        fits = len(reference) == len(current) == cells
        if not (fits and all(type(x) is int and x >= 0 for x in (below, above))):
            raise FileFormatError("the counts do not fit the cells", fix="count the data again")
        return cls(reference, current, partition, below, above)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


@dataclass(frozen=True, slots=True, eq=False)
class TwoSamples:
    """Two samples of numbers: how often each has each value.

    A commutative monoid: ``a + b`` merges, ``TwoSamples()`` is the identity.

    Attributes
    ----------
    values
        float64, ascending and distinct, finite, shape (values,).
    reference, current
        int64, shape (values,): how often each sample has it.

    Examples
    --------
    >>> both = TwoSamples.of(np.array([1.0, 1, 2]), np.array([2.0, 3]))
    >>> both.values.tolist(), both.reference.tolist(), both.current.tolist()
    ([1.0, 2.0, 3.0], [2, 1, 0], [0, 1, 1])
    """

    schema: ClassVar[str] = "veridical.two_samples/1"

    values: Floats = field(default_factory=lambda: np.zeros(0))
    reference: Counts = field(default_factory=_none)
    current: Counts = field(default_factory=_none)

    @classmethod
    def of(cls, reference: Floats, current: Floats) -> Self:
        """Count two columns of finite numbers."""
        every = np.concatenate((reference, current)) + 0.0  # there is one zero
        values, place = np.unique(every, return_inverse=True)
        split = len(reference)
        counts = [
            np.bincount(part, minlength=len(values)).astype(np.int64)
            for part in (place[:split], place[split:])
        ]
        return cls(values, *counts)

    @property
    def n_reference(self) -> int:
        """How many numbers the reference has."""
        return int(self.reference.sum())

    @property
    def n_current(self) -> int:
        """How many there are now."""
        return int(self.current.sum())

    def __add__(self, other: TwoSamples) -> TwoSamples:
        if not isinstance(other, TwoSamples):
            return NotImplemented
        values, place = np.unique(np.concatenate((self.values, other.values)), return_inverse=True)
        counts = []
        for mine, theirs in ((self.reference, other.reference), (self.current, other.current)):
            added = np.zeros(len(values), dtype=np.int64)
            np.add.at(added, place, np.concatenate((mine, theirs)))
            counts.append(added)
        return TwoSamples(values, *counts)

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        return {
            "schema": self.schema,
            "values": self.values.tolist(),
            "reference": self.reference.tolist(),
            "current": self.current.tolist(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        values = np.array(data["values"], dtype=np.float64)
        reference, current = _counts(data["reference"]), _counts(data["current"])
        if not len(values) == len(reference) == len(current):
            raise FileFormatError("the counts do not fit the values", fix="count the data again")
        if not (np.isfinite(values).all() and (np.diff(values) > 0).all()):
            raise FileFormatError("values ascend and are finite", fix="count the data again")
        return cls(values, reference, current)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


def _counts(given: Any) -> Counts:
    if not isinstance(given, list) or not all(type(x) is int and 0 <= x < 2**62 for x in given):
        raise FileFormatError("counts are whole numbers from 0", fix="count the data again")
    return np.array(given, dtype=np.int64)
