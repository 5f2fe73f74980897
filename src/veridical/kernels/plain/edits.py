"""Translation edit rate: insertions, deletions, substitutions and shifts of words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from veridical.kernels.plain.tokens import listed

__all__ = ["fewest_edits"]

# The limits of tercom, on which its numbers depend.
LONGEST_SHIFT, FURTHEST_SHIFT, BEAM = 10, 50, 25
MOST_CANDIDATES = 1000
_INFINITE = 1 << 50

Words = list[int]
Row = list[int]
Indices = npt.NDArray[np.int64]


def fewest_edits(
    ids: npt.NDArray[np.int32], offsets: Indices, candidates: Indices, references: Indices
) -> Indices:
    """Return how many edits turn each candidate into its reference, int64, shape (pairs,)."""
    texts = listed(ids, offsets)
    pairs = zip(candidates, references, strict=True)
    return np.array([_edits(texts[one], texts[other]) for one, other in pairs], np.int64)


def _edits(candidate: Words, reference: Words) -> int:
    """Shift as long as that lowers the edit distance, the best shift first."""
    if not reference:
        return len(candidate)
    words, target = list(candidate), list(reference)
    shifts, tried = 0, 0
    while True:
        search = _Search(words, target, tried)
        best = search.best()
        tried = search.tried
        if best is None or best.gain <= 0 or tried >= MOST_CANDIDATES:
            return shifts + search.rows[-1][-1]
        shifts += 1
        words = best.words


@dataclass(frozen=True, slots=True)
class _Shift:
    """A block moved, and by how much the edit distance fell."""

    gain: int
    length: int
    start: int
    to: int
    words: Words

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """Largest gain, longest block, earliest origin, earliest target."""
        return self.gain, self.length, -self.start, -self.to


@dataclass(slots=True)
class _Search:
    """Looks for the best shift of one candidate."""

    words: Words
    target: Words
    tried: int
    rows: list[Row] = field(init=False)

    def __post_init__(self) -> None:
        self.rows = self._rows(self.words, [list(range(len(self.target) + 1))])

    def best(self) -> _Shift | None:
        """Return the best shift, or None where nothing may be moved."""
        beside, wrong, missed = self._alignment()
        best: _Shift | None = None
        for start, at, length in self._blocks():
            moved = range(start, start + length)
            if not any(wrong[start : start + length]) or not any(missed[at : at + length]):
                continue
            if beside[at] in moved:
                continue
            for to in self._targets(beside, at, length):
                shift = self._moved(start, length, to)
                if best is None or shift.rank > best.rank:
                    best = shift
            if self.tried >= MOST_CANDIDATES:
                break
        return best

    def _targets(self, beside: Sequence[int], at: int, length: int) -> Iterator[int]:
        """Yield where a block may go: before the reference's block, or behind each of its words."""
        last = -1
        for position in range(at - 1, at + length):
            to = 0 if position < 0 else beside[position] + 1
            if to != last:
                yield to
            last = to

    def _moved(self, start: int, length: int, to: int) -> _Shift:
        words, end = self.words, start + length
        block = words[start:end]
        if to < start:
            shifted = words[:to] + block + words[to:start] + words[end:]
        elif to > end:
            shifted = words[:start] + words[end:to] + block + words[to:]
        else:
            shifted = words[:start] + words[end : to + length] + block + words[to + length :]
        self.tried += 1
        kept = self.rows[: min(start, to) + 1]  # rows before the first change are the same
        gain = self.rows[-1][-1] - self._rows(shifted, kept)[-1][-1]
        return _Shift(gain, length, start, to, shifted)

    def _blocks(self) -> Iterator[tuple[int, int, int]]:
        """Yield start, start in the reference and length of each common block."""
        words, target = self.words, self.target
        for start in range(len(words)):
            low, high = start - FURTHEST_SHIFT, start + FURTHEST_SHIFT
            for at in range(max(0, low), min(len(target), high + 1)):
                longest = min(LONGEST_SHIFT, len(words) - start, len(target) - at)
                for length in range(1, longest + 1):
                    if words[start + length - 1] != target[at + length - 1]:
                        break
                    yield start, at, length

    def _rows(self, words: Words, known: list[Row]) -> list[Row]:
        """Return the table of edit distances, inside tercom's beam around the diagonal."""
        target, rows, n = self.target, list(known), len(words)
        ratio = len(target) / n if n else 1.0
        beam = BEAM if ratio / 2 <= BEAM else math.ceil(ratio / 2 + BEAM)
        for i in range(len(rows), n + 1):
            centre, word, above = math.floor(i * ratio), words[i - 1], rows[-1]
            first = max(0, centre - beam)
            stop = len(target) + 1 if i == n else min(len(target) + 1, centre + beam)
            row = [_INFINITE] * (len(target) + 1)
            left = _INFINITE
            for j in range(first, stop):
                cost = above[j] + 1
                if j:
                    diagonal = above[j - 1] + (word != target[j - 1])
                    cost = min(cost, diagonal, left + 1)
                row[j] = left = min(cost, _INFINITE)
            rows.append(row)
        return rows

    def _alignment(self) -> tuple[list[int], list[bool], list[bool]]:
        """Return the candidate's word beside each of the reference, and which words are wrong."""
        beside, wrong, missed = [0] * len(self.target), [], [True] * len(self.target)
        path = list(self._path())
        i = -1
        for step, j in path:
            if step != "insert":
                i += 1
                wrong.append(step != "same")
            if step != "delete":
                beside[j] = i
                missed[j] = step != "same"
        return beside, wrong, missed

    def _path(self) -> list[tuple[str, int]]:
        """Return the edits from the start; of equal ones substitution, then deletion, is taken."""
        path = []
        i, j = len(self.words), len(self.target)
        while i or j:
            cost = self.rows[i][j]
            same = i > 0 and j > 0 and self.words[i - 1] == self.target[j - 1]
            if i and j and cost == self.rows[i - 1][j - 1] + (not same):
                i, j = i - 1, j - 1
                path.append(("same" if same else "substitute", j))
            elif i and cost == self.rows[i - 1][j] + 1:
                i -= 1
                path.append(("delete", j))
            else:
                j -= 1
                path.append(("insert", j))
        return path[::-1]
