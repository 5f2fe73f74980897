"""n-grams: how many a candidate shares with its references, clipped by how often they occur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from veridical.kernels.plain.tokens import listed

__all__ = ["clipped_matches"]

Indices = npt.NDArray[np.int64]
Counts = Counter[tuple[int, ...]]


def clipped_matches(
    ids: npt.NDArray[np.int32],
    offsets: Indices,
    candidates: Indices,
    references: Indices,
    first: Indices,
    order: int,
    shortest: int,
) -> Indices:
    """Return matches by n-gram length, int64, shape (candidates, order - shortest + 1)."""
    texts = listed(ids, offsets)
    rows = [
        [_matches(texts[own], [texts[one] for one in references[start:stop]], n)
         for n in range(shortest, order + 1)]
        for own, (start, stop) in zip(candidates, pairwise(first), strict=True)
    ]  # fmt: skip
    return np.array(rows, np.int64).reshape(len(candidates), order - shortest + 1)


def _matches(candidate: list[int], references: Sequence[list[int]], n: int) -> int:
    most: Counts = Counter()
    for reference in references:
        most |= _ngrams(reference, n)
    return _overlap(_ngrams(candidate, n), most)


def _ngrams(tokens: list[int], n: int) -> Counts:
    return Counter(zip(*(tokens[at:] for at in range(n)), strict=False))


def _overlap(first: Counts, second: Counts) -> int:
    """Return how many n-grams two counts have in common, repeats included."""
    if len(second) < len(first):
        first, second = second, first
    common = first.keys() & second.keys()
    if len(first) == first.total() or len(second) == second.total():
        return len(common)  # without repeats on one side each common n-gram counts once
    return sum(map(min, map(first.__getitem__, common), map(second.__getitem__, common)))
