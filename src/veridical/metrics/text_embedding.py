"""Cosine of embeddings and BERTScore: likeness of meaning as far as a model's vectors go."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.measures import choice, integer, metric
from veridical.metrics.text_results import mean_over_segments
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.summaries.cosines import Cosines
from veridical.summaries.token_matches import TokenMatches

__all__ = ["bertscore_f1", "bertscore_precision", "bertscore_recall", "embedding_cosine"]

_PARAMETERS = [choice("idf", ["no", "yes"], "no"), integer("layer", None, low=0)]


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
    """Mean cosine of the embeddings of candidates and references, given as vectors or as texts.

    Formula
    -------
    a b / (|a| |b|) for each pair, cut to [-1, 1] against rounding.  Texts are embedded by the model
    that is named, pooled as its folder says; of several references the most similar one counts,
    and a text without tokens scores 0.

    When it is undefined
    --------------------
    A vector of length zero has no direction: the pair is left out and counted; where no pair is
    left: skipped ``zero_vector``.  No pair at all: skipped ``no_rows``.  Texts without the extra
    ``embeddings`` or without a model: skipped ``missing_extra`` beside other metrics, else an
    error.

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


def _column(at: int) -> Any:
    def values(rows: npt.NDArray[np.float64], **_: Any) -> npt.NDArray[np.float64]:
        return rows[:, at]

    return values


def _mean(matches: TokenMatches, at: int) -> Result:
    if matches.n == 0:
        if matches.weightless:
            return Skipped("zero_denominator", detail="every token is in every reference: idf is 0")
        return Skipped("no_rows", detail="there is no segment")
    observed = {"weightless": matches.weightless} if matches.weightless else {}
    value = math.fsum(matches.rows[:, at].tolist()) / matches.n
    return Measured(value, matches.n, conditions=Conditions(observed=observed))


@metric(
    "text",
    summary=TokenMatches,
    parameters=_PARAMETERS,
    bounds=(None, 1),
    interval=mean_over_segments(_column(2)),
    aliases=["bertscore", "bert_score"],
)
def bertscore_f1(matches: TokenMatches, idf: str = "no", layer: int | None = None) -> Result:
    """Mean F1 of tokens matched by the cosine of their vectors.

    Formula
    -------
    2 P R / (P + R) for each segment, with the P of ``bertscore_precision`` and the R of
    ``bertscore_recall``; 0 where P + R <= 0.  ``idf=yes`` weighs each token by
    log((N + 1)/(n + 1)), n of N references having it; ``layer`` is the layer whose vectors are
    taken, by default the last.  Of several references the best counts, for each of the three by
    itself.  With a baseline b of the model each is rescaled to (x - b)/(1 - b).

    When it is undefined
    --------------------
    No segment: skipped ``no_rows``.  A segment whose tokens weigh nothing (with ``idf=yes``) is
    left out and counted as ``weightless``; none left: skipped ``zero_denominator``.  A text
    without tokens: 0.  Without the extra ``embeddings`` or a model: as for ``embedding_cosine``.

    References
    ----------
    Zhang et al. (2020), BERTScore: Evaluating Text Generation with BERT, arXiv:1904.09675.

    Examples
    --------
    >>> bertscore_f1.function(TokenMatches.from_scores([[1.0, 0.5, 2 / 3]])).value
    0.6666666666666666
    """
    return _mean(matches, 2)


@metric(
    "text",
    summary=TokenMatches,
    parameters=_PARAMETERS,
    bounds=(None, 1),
    interval=mean_over_segments(_column(0)),
)
def bertscore_precision(matches: TokenMatches, idf: str = "no", layer: int | None = None) -> Result:
    """Mean share of the candidate that the reference says too, by the vectors of their tokens.

    Formula
    -------
    sum_i w_i max_j cos(x_i, y_j) / sum_i w_i over the tokens i of the candidate, j of the
    reference; w = 1, 0 for the tokens that every text begins and ends with, or the idf.

    When it is undefined
    --------------------
    As for ``bertscore_f1``.

    References
    ----------
    Zhang et al. (2020), arXiv:1904.09675, section 3.

    Examples
    --------
    >>> bertscore_precision.function(TokenMatches.from_scores([[1.0, 0.5, 2 / 3]])).value
    1.0
    """
    return _mean(matches, 0)


@metric(
    "text",
    summary=TokenMatches,
    parameters=_PARAMETERS,
    bounds=(None, 1),
    interval=mean_over_segments(_column(1)),
)
def bertscore_recall(matches: TokenMatches, idf: str = "no", layer: int | None = None) -> Result:
    """Mean share of the reference that the candidate says too, by the vectors of their tokens.

    Formula
    -------
    sum_j w_j max_i cos(x_i, y_j) / sum_j w_j over the tokens j of the reference, i of the
    candidate; w as for ``bertscore_precision``.

    When it is undefined
    --------------------
    As for ``bertscore_f1``.

    References
    ----------
    Zhang et al. (2020), arXiv:1904.09675, section 3.

    Examples
    --------
    >>> bertscore_recall.function(TokenMatches.from_scores([[1.0, 0.5, 2 / 3]])).value
    0.5
    """
    return _mean(matches, 1)
