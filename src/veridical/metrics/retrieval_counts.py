"""Retrieval metrics that count relevant documents among the first k.

Notation: hits(k) relevant documents in the top k, R relevant documents in the golden set.
"""

from __future__ import annotations

from veridical.kernels.query_sums import quotients
from veridical.late import np
from veridical.metrics.retrieval_values import REL, K, of_relevant, ratio, retrieval_metric
from veridical.summaries import QueryValues, RankedQueries

__all__ = ["f1", "judged", "precision", "r_precision", "recall", "success"]


@retrieval_metric(parameters=[K, REL], main="k", aliases=["recall_at_k", "r@k"])
def recall(ranked: RankedQueries, k: int, rel: float = 1.0) -> QueryValues:
    """Share of the relevant documents that stand in the top k; the mean over queries.

    Formula
    -------
    hits(k) / R

    When it is undefined
    --------------------
    A query without a relevant document is left out and counted.  If there is no other, skipped
    ``no_relevant``.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> recall.function(ranked, k=5).value
    0.6666666666666666
    """
    totals = ranked.totals
    return of_relevant(ranked, quotients(totals.hits(k, rel), totals.relevant(rel)), rel)


@retrieval_metric(parameters=[K, REL], main="k", aliases=["precision_at_k", "p", "p@k"])
def precision(ranked: RankedQueries, k: int, rel: float = 1.0) -> QueryValues:
    """Share of the first k ranks that hold a relevant document; the mean over queries.

    Always divided by k, also where fewer documents were retrieved.

    Formula
    -------
    hits(k) / k

    When it is undefined
    --------------------
    As for ``retrieval.recall``.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> precision.function(ranked, k=5).value
    0.4
    """
    return of_relevant(ranked, quotients(ranked.totals.hits(k, rel), k), rel)


@retrieval_metric(parameters=[K, REL], main="k", aliases=["f1_at_k", "f_at_k"])
def f1(ranked: RankedQueries, k: int, rel: float = 1.0) -> QueryValues:
    """Harmonic mean of precision and recall in the top k; the mean over queries.

    Formula
    -------
    2 * hits(k) / (k + R)

    When it is undefined
    --------------------
    As for ``retrieval.recall``.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, chapter 7.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> f1.function(ranked, k=5).value
    0.5
    """
    return of_relevant(ranked, 2.0 * ranked.hits(k, rel) / (k + ranked.n_relevant(rel)), rel)


@retrieval_metric(
    parameters=[K, REL],
    main="k",
    aliases=["hit_rate", "hits_at_k", "success_at_k", "hit_rate_at_k"],
)
def success(ranked: RankedQueries, k: int, rel: float = 1.0) -> QueryValues:
    """Share of the queries with a relevant document in the top k: the hit rate.

    Formula
    -------
    1 if hits(k) > 0, else 0

    When it is undefined
    --------------------
    As for ``retrieval.recall``.

    References
    ----------
    E. M. Voorhees (2005), The TREC Robust Retrieval Track, SIGIR Forum 39(1).

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[0, 3], [0, 0]], [[3], [1]])
    >>> success.function(ranked, k=5).value
    0.5
    """
    return of_relevant(ranked, (ranked.hits(k, rel) > 0).astype(np.float64), rel)


@retrieval_metric(parameters=[REL], aliases=["rprec", "r_prec"])
def r_precision(ranked: RankedQueries, rel: float = 1.0) -> QueryValues:
    """Precision in the top R, R being the number of relevant documents; the mean over queries.

    Formula
    -------
    hits(R) / R

    When it is undefined
    --------------------
    As for ``retrieval.recall``.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[0, 3, 2, 0]], [[3, 2]])
    >>> r_precision.function(ranked).value
    0.5
    """
    relevant = ranked.n_relevant(rel)
    in_top = ranked.sums(ranked.relevant(rel) & (ranked.rank <= relevant[ranked.query]))
    return of_relevant(ranked, ratio(in_top, relevant), rel)


@retrieval_metric(parameters=[K], main="k", aliases=["judged_at_k"])
def judged(ranked: RankedQueries, k: int) -> QueryValues:
    """Share of the documents in the top k that anybody judged; the mean over queries.

    Where it is low, every other metric of the run is a guess: unjudged counts as not relevant.

    Formula
    -------
    judged documents in the top k / documents in the top k; 0 where nothing was retrieved

    When it is undefined
    --------------------
    As for ``retrieval.recall``.

    References
    ----------
    C. Buckley and E. M. Voorhees (2004), Retrieval evaluation with incomplete information.
    doi:10.1145/1008992.1009000

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> judged.function(ranked, k=5).value
    0.4
    """
    return of_relevant(ranked, quotients(ranked.totals.judged(k), ranked.totals.in_top(k)))
