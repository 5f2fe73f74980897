"""Cosine of embeddings: likeness of meaning as far as the model that made them goes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.measures import metric
from veridical.metrics.text_results import mean_over_segments
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.summaries.cosines import Cosines

__all__ = ["embedding_cosine"]


def _itself(values: npt.NDArray[np.float64], **_: Any) -> npt.NDArray[np.float64]:
    return values


@metric(
    "text",
    summary=Cosines,
    bounds=(-1, 1),
    interval=mean_over_segments(_itself),
    aliases=["cosine", "cosine_similarity"],
)
def embedding_cosine(cosines: Cosines) -> Result:
    """Mean cosine of the embeddings of candidates and references, which are given as vectors.

    Formula
    -------
    a b / (|a| |b|) for each pair, cut to [-1, 1] against rounding

    When it is undefined
    --------------------
    A vector of length zero has no direction: the pair is left out and counted; where no pair is
    left: skipped ``zero_vector``.  No pair at all: skipped ``no_rows``.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, section 6.3.

    Examples
    --------
    >>> embedding_cosine.function(Cosines.from_vectors([[1.0, 0.0]], [[1.0, 1.0]])).value
    0.7071067811865475
    """
    if cosines.n == 0:
        return Skipped("zero_vector" if cosines.zero_vectors else "no_rows")
    observed = {"zero_vectors": cosines.zero_vectors} if cosines.zero_vectors else {}
    return Measured(cosines.mean, cosines.n, conditions=Conditions(observed=observed))
