"""Candidates and their references, in columns."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from veridical.kernels.tokens import text_lengths

__all__ = ["Segments"]

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """Texts, each with at least one reference.

    Attributes
    ----------
    candidates
        One text a segment.
    references
        The references of the first segment, of the second, and so on.
    first
        Where those of each segment begin, and the last ones end: int64, shape (segments + 1,).

    Examples
    --------
    >>> segments = Segments(["a", "b"], ["x", "y", "z"], np.array([0, 1, 3]))
    >>> segments.times.tolist(), [part.references for part in segments.parts(4)]
    ([1, 2], [['x'], ['y', 'z']])
    """

    candidates: list[str]
    references: list[str]
    first: Indices

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def times(self) -> Indices:
        """How many references each segment has."""
        return np.diff(self.first)

    @property
    def references_sha256(self) -> str:
        """Hash of the references, which two evaluations must share to be compared."""
        hashed = hashlib.sha256(len(self).to_bytes(8, "little"))
        for numbers in (self.times, text_lengths(self.references)):
            hashed.update(numbers.astype("<i8").tobytes())
        for start in range(0, len(self.references), 512):
            part = "".join(self.references[start : start + 512])
            hashed.update(part.encode("utf-8", "surrogatepass"))
        return hashed.hexdigest()

    def listed_references(self) -> Sequence[list[str]]:
        """Return the references of each segment in a list of its own, made when it is asked for."""
        return _Listed(self.references, self.first)

    def lowered(self) -> Segments:
        """Return the same in lower case."""
        candidates, references = (
            [text.lower() for text in side] for side in (self.candidates, self.references)
        )
        return Segments(candidates, references, self.first)

    def parts(self, letters: int) -> Iterator[Segments]:
        """Yield as many segments at a time as have so many letters together, one at least."""
        own, others = (text_lengths(side) + 1 for side in (self.candidates, self.references))
        ends = np.cumsum(own) + np.append(0, np.cumsum(others))[self.first[1:]]
        start = 0
        while start < len(self):
            before = ends[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, before + letters, side="right")))
            low, high = int(self.first[start]), int(self.first[stop])
            yield Segments(
                self.candidates[start:stop],
                self.references[low:high],
                self.first[start : stop + 1] - low,
            )
            start = stop


@dataclass(frozen=True, slots=True)
class _Listed(Sequence[list[str]]):
    """The references of each segment; a list for each of a million texts would take its time."""

    texts: list[str]
    first: Indices

    def __len__(self) -> int:
        return len(self.first) - 1

    @overload
    def __getitem__(self, at: int) -> list[str]: ...

    @overload
    def __getitem__(self, at: slice) -> list[list[str]]: ...

    def __getitem__(self, at: int | slice) -> list[str] | list[list[str]]:
        which = range(len(self))[at]
        if isinstance(which, range):
            return [self[one] for one in which]
        return self.texts[int(self.first[which]) : int(self.first[which + 1])]
