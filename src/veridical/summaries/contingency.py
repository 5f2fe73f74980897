"""``ContingencyTable`` and ``RatingPatterns``: how often which labels met on one item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.errors import FileFormatError, MismatchError
from veridical.kernels.labels import pair_counts
from veridical.summaries.base import check_schema

__all__ = ["ContingencyTable", "Counts", "Label", "RatingPatterns"]

Label: TypeAlias = str | int | float
Counts: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Labelled:
    """What both summaries have in common: labels in order, and counts by label.

    Attributes
    ----------
    labels
        Distinct, all text or all numbers: in the order of the scale where one was declared, else
        ascending.
    declared
        Whether the order is a scale that somebody declared.
    """

    labels: tuple[Label, ...] = ()
    declared: bool = False

    @property
    def ordered(self) -> bool:
        """Whether the order of the labels means something: a declared scale, or numbers."""
        return self.declared or not any(isinstance(label, str) for label in self.labels)

    def _common(self, other: _Labelled) -> tuple[Label, ...]:
        """Return the labels of both, in their common order."""
        if not self.labels or not other.labels or self.labels == other.labels:
            return self.labels or other.labels
        if self.declared or other.declared:
            raise MismatchError(
                f"the scales differ: {list(self.labels)!r} and {list(other.labels)!r}",
                why="a distance between labels would mean two things",
                fix="declare one scale for both",
            )
        if len({isinstance(label, str) for label in (*self.labels, *other.labels)}) > 1:
            raise MismatchError(
                "the labels are text in one summary and numbers in the other",
                fix="write the labels in one form",
            )
        return tuple(sorted({*self.labels, *other.labels}))


def _positions(labels: Sequence[Label], among: Sequence[Label]) -> npt.NDArray[np.intp]:
    place = {label: index for index, label in enumerate(among)}
    return np.array([place[label] for label in labels], dtype=np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class ContingencyTable(_Labelled):
    """How often two raters gave each pair of labels.

    A commutative monoid: ``a + b`` merges, ``ContingencyTable()`` is the identity.

    Attributes
    ----------
    labels, declared
        Distinct labels; whether their order was declared.
    counts
        int64, shape (labels, labels): ``counts[i, j]`` items were called ``labels[i]`` by the
        first rater and ``labels[j]`` by the second.

    Examples
    --------
    >>> first, second = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> table = ContingencyTable.from_codes(first, second, ("no", "yes"))
    >>> table.counts.tolist(), table.n
    ([[1, 1], [0, 2]], 4)
    """

    schema: ClassVar[str] = "veridical.contingency_table/1"

    counts: Counts = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int64))

    @classmethod
    def from_codes(
        cls,
        first: npt.NDArray[np.integer[Any]],
        second: npt.NDArray[np.integer[Any]],
        labels: Sequence[Label],
        *,
        declared: bool = False,
    ) -> Self:
        """Count pairs of positions in ``labels``, two integer arrays of shape (n,); -1 is missing.

        Only items that both raters labelled are counted.
        """
        return cls(tuple(labels), declared, pair_counts(first, second, len(labels)))

    @property
    def n(self) -> int:
        """How many items both raters labelled."""
        return int(self.counts.sum())

    @property
    def agreed(self) -> int:
        """How many items got the same label twice."""
        return int(np.trace(self.counts))

    @property
    def mean_difference(self) -> float | None:
        """The first rater's mean minus the second's; None without an order or items.

        Labels that are numbers count as themselves, those of a declared scale as its steps.
        """
        if self.n == 0 or not self.ordered:
            return None
        steps = np.arange(len(self.labels), dtype=np.float64)
        if not any(isinstance(label, str) for label in self.labels):
            steps = np.array(self.labels, dtype=np.float64)
        margins = self.counts.sum(axis=1) - self.counts.sum(axis=0)
        return float(steps @ margins) / self.n

    def _on(self, labels: tuple[Label, ...]) -> Counts:
        at = _positions(self.labels, labels)
        counts = np.zeros((len(labels), len(labels)), dtype=np.int64)
        counts[np.ix_(at, at)] = self.counts
        return counts

    def __add__(self, other: ContingencyTable) -> ContingencyTable:
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        labels = self._common(other)
        declared = self.declared or other.declared
        return ContingencyTable(labels, declared, self._on(labels) + other._on(labels))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(self.sha256)

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        return {
            "schema": self.schema,
            "labels": list(self.labels),
            "declared": self.declared,
            "counts": self.counts.tolist(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        labels = _read_labels(data)
        counts = _read_counts(data["counts"], (len(labels), len(labels)))
        return cls(labels, bool(data["declared"]), counts)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


@dataclass(frozen=True, slots=True, eq=False)
class RatingPatterns(_Labelled):
    """How many items got each combination of labels, from any number of raters.

    Who gave which label is forgotten, and a rating may be missing.  A commutative monoid: ``a + b``
    merges, ``RatingPatterns()`` is the identity.

    Attributes
    ----------
    labels, declared
        Distinct labels; whether their order was declared.
    patterns
        int64, shape (patterns, labels): how many raters gave each label; rows are distinct.
    times
        int64, shape (patterns,): how many items show the pattern, >= 1.

    Examples
    --------
    >>> codes = np.array([[0, 0, 1], [1, 1, 1], [1, 0, 0], [0, -1, -1]])
    >>> ratings = RatingPatterns.from_codes(codes, ("no", "yes"))
    >>> ratings.patterns.tolist(), ratings.times.tolist()
    ([[0, 3], [1, 0], [2, 1]], [1, 1, 2])
    """

    schema: ClassVar[str] = "veridical.rating_patterns/1"

    patterns: Counts = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int64))
    times: Counts = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @classmethod
    def from_codes(
        cls,
        codes: npt.NDArray[np.integer[Any]],
        labels: Sequence[Label],
        *,
        declared: bool = False,
    ) -> Self:
        """Count the patterns of an integer array of shape (items, raters); -1 is missing."""
        # Sorted, an item is the same whoever gave which label; patterns are few, items many.
        ordered = np.sort(codes.astype(np.int64, copy=False), axis=1)
        if not ordered.size:
            return cls(tuple(labels), declared, np.zeros((0, len(labels)), dtype=np.int64))
        first, at = _distinct_rows(ordered + 1)
        kept = ordered[first]
        rows, columns = np.nonzero(kept >= 0)
        cells = rows * len(labels) + kept[rows, columns]
        patterns = np.bincount(cells, minlength=len(kept) * len(labels))
        return cls._collected(
            tuple(labels),
            patterns.reshape(len(kept), len(labels)),
            np.bincount(at).astype(np.int64),
            declared=declared,
        )

    @classmethod
    def _collected(
        cls, labels: tuple[Label, ...], rows: Counts, times: Counts, *, declared: bool
    ) -> Self:
        """Give equal patterns one row; an item without any rating says nothing."""
        rated = rows.sum(axis=1) > 0
        if not rated.any():
            return cls(labels, declared, np.zeros((0, len(labels)), dtype=np.int64))
        kept = rows[rated].astype(np.int64)
        first, at = _distinct_rows(kept)
        summed = np.zeros(len(first), dtype=np.int64)
        np.add.at(summed, at, times[rated])
        return cls(labels, declared, kept[first], summed)

    @property
    def n(self) -> int:
        """How many items have at least two ratings, so that there is something to agree on."""
        return int(self.times[self.patterns.sum(axis=1) >= 2].sum())

    @property
    def pairable(self) -> RatingPatterns:
        """The items with at least two ratings."""
        kept = self.patterns.sum(axis=1) >= 2
        return RatingPatterns(self.labels, self.declared, self.patterns[kept], self.times[kept])

    def _on(self, labels: tuple[Label, ...]) -> Counts:
        patterns = np.zeros((len(self.patterns), len(labels)), dtype=np.int64)
        patterns[:, _positions(self.labels, labels)] = self.patterns
        return patterns

    def __add__(self, other: RatingPatterns) -> RatingPatterns:
        if not isinstance(other, RatingPatterns):
            return NotImplemented
        labels = self._common(other)
        rows = np.concatenate([self._on(labels), other._on(labels)])
        times = np.concatenate([self.times, other.times])
        return self._collected(labels, rows, times, declared=self.declared or other.declared)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RatingPatterns):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(self.sha256)

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        return {
            "schema": self.schema,
            "labels": list(self.labels),
            "declared": self.declared,
            "patterns": self.patterns.tolist(),
            "times": self.times.tolist(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        labels, times = _read_labels(data), _read_counts(data["times"], (-1,))
        patterns = _read_counts(data["patterns"], (len(times), len(labels)))
        return cls._collected(labels, patterns, times, declared=bool(data["declared"]))

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


def _distinct_rows(rows: Counts) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return one index of each distinct row, ascending, and for each row which one it is."""
    base = int(rows.max()) + 1
    if base ** rows.shape[1] < 1 << 62:
        # Read as the digits of one number, rows sort many times faster than as rows.
        digits = base ** np.arange(rows.shape[1] - 1, -1, -1, dtype=np.int64)
        _, first, at = np.unique(rows @ digits, return_index=True, return_inverse=True)
    else:
        _, first, at = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, at.reshape(-1)


def _read_labels(data: Mapping[str, Any]) -> tuple[Label, ...]:
    labels = tuple(data["labels"])
    if not all(isinstance(label, (str, int, float)) for label in labels) or len(set(labels)) < len(
        labels
    ):
        raise FileFormatError("labels are distinct texts or numbers", fix="summarise again")
    return labels


def _read_counts(given: Any, shape: tuple[int, ...]) -> Counts:
    try:
        counts = np.array(given, dtype=np.int64).reshape(shape)
        whole = bool(np.array_equal(counts, np.array(given).reshape(shape)))
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole or (counts < 0).any():
        raise FileFormatError(
            "counts are whole numbers of at least 0, one for each label", fix="summarise again"
        )
    return counts
