"""n-grams that a candidate shares with its references."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError
from veridical.kernels.choice import implementation
from veridical.kernels.tokens import Tokens, as_texts

__all__ = ["clipped_matches"]


def clipped_matches(
    tokens: Tokens,
    candidates: npt.ArrayLike,
    references: npt.ArrayLike,
    first: npt.ArrayLike,
    order: int,
    shortest: int = 1,
) -> npt.NDArray[np.int64]:
    """Count n-grams in common, clipped by the reference in which each occurs most often.

    Parameters
    ----------
    tokens
        Of all texts.
    candidates, references
        Which of the texts they are, shapes (n,) and (m,).
    first
        Where the references of each candidate begin, and the last ones end, shape (n + 1,).
    order, shortest
        Longest n-gram, and the shortest: single tokens or pairs.

    Returns
    -------
    numpy.ndarray
        int64, shape (n, order - shortest + 1).

    Examples
    --------
    >>> from veridical.kernels.tokens import tokenise
    >>> tokens = tokenise(["the the the", "the cat is here", "the the"], "none")
    >>> clipped_matches(tokens, [0], [1], [0, 1], 2).tolist()
    [[1, 0]]
    >>> clipped_matches(tokens, [0], [1, 2], [0, 2], 2).tolist()
    [[2, 1]]
    """
    own, other = as_texts(candidates, tokens), as_texts(references, tokens)
    begin = np.ascontiguousarray(first, dtype=np.int64)
    if len(begin) != len(own) + 1 or begin[0] != 0 or begin[-1] != len(other):
        raise InputError("references do not divide among the candidates", where="kernels")
    if (np.diff(begin) < 0).any():
        raise InputError("references are not in the order of candidates", where="kernels")
    if not 1 <= shortest <= min(order, 2):
        raise InputError(f"n-grams of {shortest} to {order} tokens", where="kernels")
    found: npt.NDArray[np.int64] = implementation("ngrams").clipped_matches(
        *tokens, own, other, begin, order, shortest
    )
    return found
