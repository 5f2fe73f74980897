"""trec_eval's measures that weigh where a document stands.

Notation: hits(i) relevant documents in the top i, R relevant documents in the golden set.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veridical.measures import number
from veridical.metrics.retrieval_values import K, ratio
from veridical.metrics.trec_values import every_query, nonrelevant, trec_metric
from veridical.summaries import QueryValues, RankedQueries

__all__ = [
    "bing",
    "bpref",
    "eleven_point_average",
    "gm_bpref",
    "gm_map",
    "infap",
    "iprec_at_recall",
    "map",
    "map_cut",
    "recip_rank",
]

Floats = npt.NDArray[np.float64]

EPSILON = 1e-5


def _average_precision(ranked: RankedQueries, k: int | None = None) -> Floats:
    return ratio(ranked.totals.precisions(k), ranked.n_relevant())


def _binary_preference(ranked: RankedQueries) -> Floats:
    relevant, R = ranked.relevant(), ranked.n_relevant()
    N = ranked.sums_ideal(nonrelevant(ranked.ideal))
    above = ranked.running(nonrelevant(ranked.grades))
    penalty = ratio(np.minimum(above, R[ranked.query]), np.minimum(N, R)[ranked.query])
    return ratio(ranked.sums(relevant * (1.0 - penalty)), R)


def _interpolated_precision(ranked: RankedQueries, recall: float) -> Floats:
    relevant = ranked.relevant()
    hits = ranked.running(relevant)
    needed = np.floor(recall * ranked.n_relevant() + 0.5)[ranked.query]
    at = relevant & (hits >= needed)
    best = np.zeros(len(ranked))
    np.maximum.at(best, ranked.query[at], (hits / ranked.rank)[at])
    return best


@trec_metric("recip_rank")
def recip_rank(ranked: RankedQueries) -> QueryValues:
    """Reciprocal rank of the first relevant document; the mean over queries.

    Formula
    -------
    1 / its rank, 0 without one

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> recip_rank.function(ranked).value
    0.5
    """
    return every_query(ranked, ratio(1.0, ranked.totals.first_hit()))


@trec_metric("map")
def map(ranked: RankedQueries) -> QueryValues:  # noqa: A001 - the field's name
    """Mean average precision.

    Formula
    -------
    sum over the ranks i of relevant documents of hits(i) / i, over R; the mean over queries

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(map.function(ranked).value, 4)
    0.3
    """
    return every_query(ranked, _average_precision(ranked))


@trec_metric("map_cut", parameters=[K], main="k")
def map_cut(ranked: RankedQueries, k: int) -> QueryValues:
    """Mean average precision of the top k.

    Formula
    -------
    sum over the ranks i <= k of relevant documents of hits(i) / i, over R

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(map_cut.function(ranked, k=3).value, 4)
    0.1667
    """
    return every_query(ranked, _average_precision(ranked, k))


@trec_metric("gm_map", "geometric")
def gm_map(ranked: RankedQueries) -> QueryValues:
    """Geometric mean of average precision over queries.

    Formula
    -------
    exp(mean(log(max(AP, 0.00001))))

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(gm_map.function(ranked).value, 4)
    0.3
    """
    return every_query(ranked, _average_precision(ranked))


@trec_metric("bpref")
def bpref(ranked: RankedQueries) -> QueryValues:
    """How rarely judged non-relevant documents stand above relevant ones; the mean over queries.

    Formula
    -------
    1 / R * sum over retrieved relevant documents of 1 - min(n, R) / min(N, R), n of the N judged
    non-relevant documents standing above it

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    C. Buckley and E. M. Voorhees (2004), Retrieval evaluation with incomplete information.
    doi:10.1145/1008992.1009000

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(bpref.function(ranked).value, 4)
    0.6667
    """
    return every_query(ranked, _binary_preference(ranked))


@trec_metric("gm_bpref", "geometric")
def gm_bpref(ranked: RankedQueries) -> QueryValues:
    """Geometric mean of bpref over queries.

    Formula
    -------
    exp(mean(log(max(bpref, 0.00001))))

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(gm_bpref.function(ranked).value, 4)
    0.6667
    """
    return every_query(ranked, _binary_preference(ranked))


@trec_metric("iprec_at_recall", parameters=[number("recall", low=0.0, high=1.0)], main="recall")
def iprec_at_recall(ranked: RankedQueries, recall: float) -> QueryValues:
    """Interpolated precision at a level of recall; the mean over queries.

    Formula
    -------
    the highest hits(i) / i at ranks i with hits(i) >= recall * R, rounded half up as version 10
    does (version 9 rounded up)

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> iprec_at_recall.function(ranked, recall=0.5).value
    0.4
    """
    return every_query(ranked, _interpolated_precision(ranked, recall))


@trec_metric("11pt_avg")
def eleven_point_average(ranked: RankedQueries) -> QueryValues:
    """Interpolated precision, averaged over recall 0, 0.1, ..., 1; the mean over queries.

    Formula
    -------
    mean of iprec_at_recall at the eleven levels

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(eleven_point_average.function(ranked).value, 4)
    0.3727
    """
    levels = [_interpolated_precision(ranked, level / 10) for level in range(11)]
    return every_query(ranked, np.mean(levels, axis=0))


@trec_metric("infap")
def infap(ranked: RankedQueries) -> QueryValues:
    """Inferred average precision, for pools that were judged in part; the mean over queries.

    Formula
    -------
    1 / R * sum over ranks i of relevant documents of 1/i + (i - 1)/i * pooled/(i - 1) *
    (relevant + e) / (relevant + nonrelevant + 2 e), counted above i, e = 0.00001; a document of a
    negative grade is pooled, and neither of the others

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    E. Yilmaz and J. A. Aslam (2006), Estimating average precision with incomplete and imperfect
    judgments.  doi:10.1145/1183614.1183633

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(infap.function(ranked).value, 4)
    0.3
    """
    relevant = ranked.relevant()
    above = ranked.running(relevant) - relevant
    judged_no = ranked.running(nonrelevant(ranked.grades))
    unjudged = ranked.running(ranked.grades < 0)
    higher = ranked.rank.astype(np.float64) - 1.0
    pooled = ratio(above + judged_no + unjudged, higher)
    expected = (above + EPSILON) / (above + judged_no + 2 * EPSILON)
    inferred = (1.0 + higher * pooled * expected) / ranked.rank
    return every_query(ranked, ratio(ranked.sums(relevant * inferred), ranked.n_relevant()))


@trec_metric("bing")
def bing(ranked: RankedQueries) -> QueryValues:
    """Binary G: a gain discounted by the non-relevant documents above; the mean over queries.

    Formula
    -------
    1 / R * sum over retrieved relevant documents of 1 / log2(2 + documents above that are not
    relevant)

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(bing.function(ranked).value, 4)
    0.3539
    """
    relevant = ranked.relevant()
    others = ranked.rank - ranked.running(relevant)
    return every_query(
        ranked, ratio(ranked.sums(relevant / np.log2(2.0 + others)), ranked.n_relevant())
    )
