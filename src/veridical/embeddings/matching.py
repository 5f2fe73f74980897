"""BERTScore's arithmetic: every token is matched with the most similar one of the other text.

Zhang et al. (2020), BERTScore: Evaluating Text Generation with BERT, ICLR, arXiv:1904.09675.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["greedy_matches", "inverse_document_frequencies"]

Floats = npt.NDArray[np.float64]


def greedy_matches(
    candidate: npt.ArrayLike,
    reference: npt.ArrayLike,
    candidate_weights: npt.ArrayLike,
    reference_weights: npt.ArrayLike,
) -> tuple[float, float, float]:
    """Return precision, recall and F1 of one text against another.

    Precision is the weighted mean, over the tokens of the candidate, of the largest cosine with a
    token of the reference; recall the same the other way round; F1 their harmonic mean.

    Parameters
    ----------
    candidate, reference
        Vectors of tokens, shape (tokens, dimensions), none of length zero.
    candidate_weights, reference_weights
        >= 0, shape (tokens,).  A token of weight 0 may be matched, and counts for nothing itself.

    Returns
    -------
    tuple
        NaN where the tokens that it is a mean of weigh nothing.

    Examples
    --------
    >>> greedy_matches([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], [1.0], [1.0, 1.0])
    (1.0, 0.5, 0.6666666666666666)
    """
    ours, theirs = (
        side / np.linalg.norm(side, axis=1, keepdims=True)
        for side in (np.asarray(candidate, np.float64), np.asarray(reference, np.float64))
    )
    cosines = np.clip(ours @ theirs.T, -1.0, 1.0)
    precision = _weighted(cosines.max(axis=1), np.asarray(candidate_weights, np.float64))
    recall = _weighted(cosines.max(axis=0), np.asarray(reference_weights, np.float64))
    both = precision + recall
    # With nothing alike the sum may be 0 or below, where a harmonic mean means nothing.
    f1 = 2 * precision * recall / both if not both <= 0 else 0.0
    return precision, recall, f1


def _weighted(values: Floats, weights: Floats) -> float:
    total = float(weights.sum())
    return float(values @ weights) / total if total > 0 else math.nan


def inverse_document_frequencies(documents: Sequence[Sequence[int]]) -> Mapping[int, float]:
    """Return the weight of each token that occurs: the rarer among the references, the heavier.

    Formula: log((N + 1) / (n + 1)) for a token of n of N references, which is 0 where every one has
    it.  A token of none weighs log(N + 1): look it up with that default.

    Examples
    --------
    >>> weights = inverse_document_frequencies([[1, 2], [1, 3]])
    >>> weights[1], round(weights[2], 4)
    (0.0, 0.4055)
    """
    counts = Counter(token for document in documents for token in set(document))
    return {token: math.log((len(documents) + 1) / (n + 1)) for token, n in counts.items()}
