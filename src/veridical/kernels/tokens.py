"""Texts as numbers: equal tokens get equal numbers, so that counting needs no text any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError
from veridical.kernels.choice import implementation

__all__ = ["Tokens", "as_texts", "text_lengths", "tokenise"]

Ids = npt.NDArray[np.int32]
Indices = npt.NDArray[np.int64]


class Tokens(NamedTuple):
    """The tokens of some texts.

    Attributes
    ----------
    ids
        int32, at least 0, the tokens of all texts one after the other; equal where the tokens are,
        and only there.
    offsets
        Where each text begins, and the last one ends: int64, shape (texts + 1,).
    """

    ids: Ids
    offsets: Indices

    @property
    def lengths(self) -> Indices:
        """Tokens of each text."""
        return np.diff(self.offsets)


def text_lengths(texts: Sequence[str]) -> Indices:
    """Return how many characters each text has, int64, shape (texts,).

    Examples
    --------
    >>> text_lengths(["a cat", ""]).tolist()
    [5, 0]
    """
    lengths: Indices = implementation("tokens").text_lengths(list(texts))
    return lengths


def tokenise(texts: Sequence[str], name: str) -> Tokens:
    """Split texts by the tokeniser of that name.

    Parameters
    ----------
    texts
        Any texts, lone surrogates among them.
    name
        One of ``veridical.overlap.tokenisers.TOKENISERS``.

    Raises
    ------
    ParameterError
        There is no such tokeniser.

    Examples
    --------
    >>> found = tokenise(["A cat, a dog", "dog"], "words")
    >>> found.ids.tolist(), found.offsets.tolist()
    ([0, 1, 0, 2, 2], [0, 4, 5])
    """
    from veridical.overlap.tokenisers import tokeniser

    tokeniser(name)
    return Tokens(*implementation("tokens").tokenise(list(texts), name))


def as_texts(indices: npt.ArrayLike, tokens: Tokens, *, ends: bool = False) -> Indices:
    """Return contiguous indices of texts, or of where they end, or refuse those that are none."""
    array = np.ascontiguousarray(indices, dtype=np.int64)
    n = len(tokens.offsets) - 1
    if array.size and not 0 <= array.min() <= array.max() < n + ends:
        raise InputError(
            f"texts {array.min()} to {array.max()}",
            where="kernels",
            why=f"there are {n}",
            fix="count them from 0",
        )
    return array
