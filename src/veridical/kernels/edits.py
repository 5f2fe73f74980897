"""Translation edit rate: insertions, deletions, substitutions and shifts of words."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veridical.kernels.arrays import same_length
from veridical.kernels.choice import implementation
from veridical.kernels.tokens import Tokens, as_texts

__all__ = ["fewest_edits"]


def fewest_edits(
    tokens: Tokens, candidates: npt.ArrayLike, references: npt.ArrayLike
) -> npt.NDArray[np.int64]:
    """Return how many edits turn each candidate into its reference; moving a block is one.

    The best shift is taken greedily while it lowers the edit distance, under tercom's limits.

    Parameters
    ----------
    tokens
        Of all texts.
    candidates, references
        Which of the texts they are, shape (pairs,).

    Returns
    -------
    numpy.ndarray
        int64, shape (pairs,).

    References
    ----------
    Snover et al. (2006), A Study of Translation Edit Rate, AMTA.

    Examples
    --------
    >>> from veridical.kernels.tokens import tokenise
    >>> fewest_edits(tokenise(["d e a b c", "a b c d e"], "none"), [0], [1]).tolist()
    [1]
    """
    own, other = as_texts(candidates, tokens), as_texts(references, tokens)
    same_length(candidates=own, references=other)
    count = implementation("edits").fewest_edits
    edits: npt.NDArray[np.int64] = count(tokens.ids, tokens.offsets, own, other)
    return edits
