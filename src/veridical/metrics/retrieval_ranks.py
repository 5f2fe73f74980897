"""Retrieval metrics that weigh where in the list a relevant document stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.kernels.query_sums import quotients
from veridical.late import np
from veridical.measures import number
from veridical.metrics.retrieval_values import (
    CUT,
    GAIN,
    REL,
    dcg,
    ideal_dcg,
    of_relevant,
    ratio,
    retrieval_metric,
)
from veridical.summaries import QueryValues, RankedQueries

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["bpref", "err", "map", "mrr", "ndcg", "rbp", "stopping"]


@retrieval_metric(
    parameters=[CUT, REL],
    main="k",
    aliases=["rr", "recip_rank", "reciprocal_rank", "mean_reciprocal_rank", "mrr_at_k"],
)
def mrr(ranked: RankedQueries, k: int | None = None, rel: float = 1.0) -> QueryValues:
    """Mean reciprocal rank: how far down the first relevant document stands.

    In the whole list, or in its top k.

    Formula
    -------
    1 / rank of the first relevant document, 0 without one; the mean over queries

    When it is undefined
    --------------------
    A query without a relevant document is left out and counted.  If there is no other, skipped
    ``no_relevant``.

    References
    ----------
    E. M. Voorhees (1999), The TREC-8 Question Answering Track Report.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> mrr.function(ranked).value
    0.5
    """
    return of_relevant(ranked, quotients(1.0, ranked.totals.first_hit(k, rel)), rel)


@retrieval_metric(
    name="map",
    parameters=[CUT, REL],
    main="k",
    aliases=["ap", "average_precision", "mean_average_precision", "map_at_k"],
)
def map(ranked: RankedQueries, k: int | None = None, rel: float = 1.0) -> QueryValues:  # noqa: A001 - the field's name
    """Mean average precision.

    Of the whole list, or of its top k; always divided by R.

    Formula
    -------
    sum over the ranks i of relevant documents of hits(i) / i, over R; the mean over queries

    When it is undefined
    --------------------
    As for ``retrieval.mrr``.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(map.function(ranked).value, 4)
    0.3
    """
    totals = ranked.totals
    return of_relevant(ranked, quotients(totals.precisions(k, rel), totals.relevant(rel)), rel)


@retrieval_metric(parameters=[CUT, GAIN], main="k", aliases=["ndcg_at_k", "ndcg_cut"])
def ndcg(ranked: RankedQueries, k: int | None = None, gain: str = "linear") -> QueryValues:
    """Normalised discounted cumulative gain of graded judgements.

    Run and ideal list are both cut at k.  The ideal list holds all judged grades, best first; a
    grade below 0 gains nothing.

    Formula
    -------
    DCG / ideal DCG, DCG = sum over ranks i of gain / log2(i + 1), the gain being the grade, or
    2^grade - 1 with ``gain=exp``; the mean over queries

    When it is undefined
    --------------------
    As for ``retrieval.mrr``.

    References
    ----------
    K. Jaervelin and J. Kekaelaeinen (2002), Cumulated gain-based evaluation of IR techniques.
    doi:10.1145/582415.582418

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(ndcg.function(ranked, k=5).value, 12)
    0.559969245456
    """
    return of_relevant(ranked, quotients(dcg(ranked, k, gain), ideal_dcg(ranked, k, gain)))


@retrieval_metric(parameters=[REL])
def bpref(ranked: RankedQueries, rel: float = 1.0) -> QueryValues:
    """How rarely judged non-relevant documents stand above relevant ones; unjudged do not count.

    Formula
    -------
    1 / R * sum over retrieved relevant documents of 1 - min(n, R) / min(N, R), n of the N judged
    non-relevant documents standing above it; the mean over queries

    When it is undefined
    --------------------
    As for ``retrieval.mrr``.

    References
    ----------
    C. Buckley and E. M. Voorhees (2004), Retrieval evaluation with incomplete information.
    doi:10.1145/1008992.1009000

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[0, 3, 0, 0, 2]], [[3, 2, 0, 0]])
    >>> bpref.function(ranked).value
    0.25
    """
    relevant = ranked.relevant(rel)
    R = ranked.n_relevant(rel)
    N = ranked.sums_ideal(ranked.ideal < rel)
    above = np.minimum(ranked.running(~relevant), R[ranked.query])
    penalty = ratio(above, np.minimum(N, R)[ranked.query])
    return of_relevant(ranked, ratio(ranked.sums(relevant * (1.0 - penalty)), R), rel)


@retrieval_metric(parameters=[number("p", 0.8, low=0.0, high=1.0), CUT, REL], main="k")
def rbp(
    ranked: RankedQueries, p: float = 0.8, k: int | None = None, rel: float = 1.0
) -> QueryValues:
    """Rank-biased precision: a reader who goes on to the next document with probability p.

    Formula
    -------
    (1 - p) * sum over the ranks i of relevant documents of p^(i - 1); the mean over queries

    When it is undefined
    --------------------
    As for ``retrieval.mrr``.

    References
    ----------
    A. Moffat and J. Zobel (2008), Rank-biased precision for measurement of retrieval
    effectiveness.  doi:10.1145/1416950.1416952

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(rbp.function(ranked, p=0.5).value, 5)
    0.28125
    """
    relevant = ranked.relevant(rel)
    if k is not None:
        relevant &= ranked.rank <= k
    return of_relevant(ranked, (1.0 - p) * ranked.sums(relevant * p ** (ranked.rank - 1.0)), rel)


@retrieval_metric(parameters=[number("max", None, low=1.0), CUT], main="k")
def err(ranked: RankedQueries, max: float | None = None, k: int | None = None) -> QueryValues:  # noqa: A002 - the parameter is called max
    """Expected reciprocal rank: where a reader stops who may be satisfied by every document.

    Formula
    -------
    sum over ranks r of 1/r * s_r * product over i < r of (1 - s_i), s = (2^grade - 1) / 2^max,
    max being given or the highest grade of the golden set; the mean over queries

    When it is undefined
    --------------------
    As for ``retrieval.mrr``.

    References
    ----------
    O. Chapelle et al. (2009), Expected reciprocal rank for graded relevance.
    doi:10.1145/1645953.1646033

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(err.function(ranked).value, 6)
    0.446875
    """
    stops = stopping(ranked, max)
    goes_on = np.ones(len(stops))
    # The chance to reach a document is a product down its list: all lists one step at a time.
    left = np.flatnonzero(np.diff(ranked.starts) > 1)
    for step in range(1, int(np.diff(ranked.starts).max(initial=1))):
        left = left[ranked.starts[left] + step < ranked.starts[left + 1]]
        at = ranked.starts[left] + step
        goes_on[at] = goes_on[at - 1] * (1.0 - stops[at - 1])
    steps = goes_on * stops / ranked.rank
    return of_relevant(ranked, ranked.sums(steps if k is None else steps * (ranked.rank <= k)))


def stopping(ranked: RankedQueries, highest: float | None) -> npt.NDArray[np.float64]:
    """Return the chance that a reader stops at each judged document, shape (N,)."""
    highest = ranked.max_grade if highest is None else highest
    # (2**grade - 1) / 2**max, in which neither power can overflow.
    above = np.minimum(np.maximum(ranked.grades, 0.0) - highest, 1.0)
    stops: npt.NDArray[np.float64] = np.minimum(np.exp2(above) - np.exp2(-float(highest)), 1.0)
    return stops
