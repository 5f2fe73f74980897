"""Texts as numbers of their tokens, by the tokenisers' definitions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from veridical.overlap.tokenisers import tokeniser

__all__ = ["listed", "text_lengths", "tokenise"]


def text_lengths(texts: list[str]) -> npt.NDArray[np.int64]:
    """Return how many characters each text has, int64, shape (texts,)."""
    return np.fromiter(map(len, texts), np.int64, len(texts))


def tokenise(texts: list[str], name: str) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Return (numbers of the tokens, where each text begins and the last ends)."""
    split = tokeniser(name)
    numbers: dict[str, int] = {}
    ids: list[int] = []
    offsets = [0]
    for text in texts:
        ids += [numbers.setdefault(token, len(numbers)) for token in split(text)]
        offsets.append(len(ids))
    return np.array(ids, np.int32), np.array(offsets, np.int64)


def listed(ids: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64]) -> list[list[int]]:
    """Return the numbers of each text in a list of its own."""
    every = ids.tolist()
    return [every[start:stop] for start, stop in pairwise(offsets.tolist())]
