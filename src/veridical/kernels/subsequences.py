"""Longest common subsequences: of two texts, and of the lines of two texts.

Sources: Hyyro (2004), Bit-parallel LCS-length computation revisited; Lin (2004), ROUGE: A Package
for Automatic Evaluation of Summaries, W04-1013.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError
from veridical.kernels.arrays import same_length
from veridical.kernels.choice import implementation
from veridical.kernels.tokens import Tokens, as_texts

__all__ = ["common_lengths", "summary_hits"]

# Of 64 bits: a gigabyte for the table of one line and another.
MOST_BLOCKS = 1 << 27

Indices = npt.NDArray[np.int64]


def common_lengths(tokens: Tokens, first: npt.ArrayLike, second: npt.ArrayLike) -> Indices:
    """Return the length of the longest common subsequence of each pair of texts.

    Parameters
    ----------
    tokens
        Of all texts.
    first, second
        Which of the texts they are, shape (pairs,).

    Returns
    -------
    numpy.ndarray
        int64, shape (pairs,).

    Examples
    --------
    >>> from veridical.kernels.tokens import tokenise
    >>> common_lengths(tokenise(["a b c d", "a c d e"], "none"), [0], [1]).tolist()
    [3]
    """
    one, other = as_texts(first, tokens), as_texts(second, tokens)
    same_length(first=one, second=other)
    lengths: Indices = implementation("subsequences").common_lengths(*tokens, one, other)
    return lengths


def summary_hits(tokens: Tokens, candidates: npt.ArrayLike, references: npt.ArrayLike) -> Indices:
    """Return how many words the lines of each reference share with any line of its candidate.

    For each line of the reference the union of its common subsequences with all lines of the
    candidate counts; no word of either side counts twice.  Of several longest subsequences it is
    the one that walking back from the end finds, dropping a word of the reference rather than one
    of the candidate: ROUGE's own choice, on which the union depends.

    Parameters
    ----------
    tokens
        Of all lines, each a text.
    candidates, references
        From which to which line they go, shape (pairs, 2).

    Returns
    -------
    numpy.ndarray
        int64, shape (pairs,).

    Raises
    ------
    InputError
        Two lines are so long that their table does not fit into memory.

    Examples
    --------
    >>> from veridical.kernels.tokens import tokenise
    >>> summary_hits(tokenise(["a b", "c", "a c d"], "none"), [[0, 2]], [[2, 3]]).tolist()
    [2]
    """
    one, other = (as_texts(lines, tokens, ends=True) for lines in (candidates, references))
    same_length(candidates=one, references=other)
    rows, columns = _longest(tokens, other) + 1, -(-_longest(tokens, one) // 64)
    blocks = (rows * columns).max(initial=0)
    if blocks > MOST_BLOCKS:
        pair = int((rows * columns).argmax())
        raise InputError(
            f"a line of {rows[pair] - 1:,} words against one of about {64 * columns[pair]:,}",
            why="a line is one sentence, and every word of it is compared with every other",
            fix="break the summaries into lines, one a sentence",
        )
    hits: Indices = implementation("subsequences").summary_hits(*tokens, one, other)
    return hits


def _longest(tokens: Tokens, lines: Indices) -> Indices:
    """Return the words of the longest line of each text, 0 where there is none."""
    lengths = np.append(tokens.lengths, 0)
    longest = np.maximum.reduceat(lengths, np.ravel(lines))[::2] if lines.size else lengths[:0]
    found: Indices = np.where(lines[:, 0] < lines[:, 1], longest, 0)
    return found
