"""Longest common subsequences: of two texts, and of the lines of two texts.

A row of the table ascends by 0 or 1 from column to column, so that it is one integer, a bit a
column; a bit that is gone stands for an ascent.  The next row is one addition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from veridical.kernels.plain.tokens import listed

__all__ = ["common_lengths", "summary_hits"]

Ids = npt.NDArray[np.int32]
Indices = npt.NDArray[np.int64]


def common_lengths(ids: Ids, offsets: Indices, first: Indices, second: Indices) -> Indices:
    """Return the length of the longest common subsequence of each pair, int64, shape (pairs,)."""
    texts = listed(ids, offsets)
    pairs = zip(first, second, strict=True)
    return np.array([_common_length(texts[one], texts[other]) for one, other in pairs], np.int64)


def _common_length(first: list[int], second: list[int]) -> int:
    row, where = (1 << len(first)) - 1, _columns(first)
    for word in second:
        row = _next(row, where.get(word, 0))
    return _ascents(row, len(first))


def _columns(line: Sequence[int]) -> dict[int, int]:
    """Return for each word a bit for each column that it stands in."""
    where: dict[int, int] = {}
    for at, word in enumerate(line):
        where[word] = where.get(word, 0) | 1 << at
    return where


def _next(row: int, at: int) -> int:
    # What the sum carries beyond the last column is never asked for.
    hit = row & at
    return (row + hit) | (row - hit)


def _ascents(row: int, columns: int) -> int:
    return columns - (row & ((1 << columns) - 1)).bit_count()


def summary_hits(ids: Ids, offsets: Indices, candidates: Indices, references: Indices) -> Indices:
    """Return how many words the lines of each pair share, int64, shape (pairs,)."""
    lines = listed(ids, offsets)
    pairs = zip(candidates.tolist(), references.tolist(), strict=True)
    hits = [_hits(lines[a:b], lines[c:d]) for (a, b), (c, d) in pairs]
    return np.array(hits, np.int64)


def _hits(candidate: list[list[int]], reference: list[list[int]]) -> int:
    """Count words of each line of the reference in the union of its common subsequences."""
    of_candidate = Counter(word for line in candidate for word in line)
    of_reference = Counter(word for line in reference for word in line)
    hits = 0
    for line in reference:
        union = set().union(*(_covered(line, other) for other in candidate))
        for at in sorted(union):
            word = line[at]
            if of_candidate[word] > 0 and of_reference[word] > 0:
                hits += 1
                of_candidate[word] -= 1
                of_reference[word] -= 1
    return hits


def _covered(line: list[int], other: list[int]) -> set[int]:
    """Return the words of a line that one common subsequence with another takes.

    Walking back from the end, it drops a word of the line wherever nothing is lost by that.
    """
    where = _columns(other)
    start = (1 << len(other)) - 1
    rows = list(accumulate(line, lambda row, word: _next(row, where.get(word, 0)), initial=start))
    found = set()
    i, j = len(line), len(other)
    while i and j:
        if line[i - 1] == other[j - 1]:
            found.add(i - 1)
            i, j = i - 1, j - 1
        elif _ascents(rows[i], j - 1) > _ascents(rows[i - 1], j):
            j -= 1
        else:
            i -= 1
    return found
