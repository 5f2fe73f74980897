"""trec_eval's measures that count documents.

Notation: hits(k) relevant documents in the top k, R relevant documents in the golden set.
"""

from __future__ import annotations

import numpy as np

from veridical.metrics.retrieval_values import K, ratio
from veridical.metrics.trec_values import every_query, nonrelevant, trec_metric
from veridical.summaries import QueryValues, RankedQueries

__all__ = [
    "num_nonrel_judged_ret",
    "num_q",
    "num_rel",
    "num_rel_ret",
    "num_ret",
    "p",
    "recall",
    "rprec",
    "set_f",
    "set_map",
    "set_p",
    "set_recall",
    "set_relative_p",
    "success",
]


@trec_metric("num_q", "sum")
def num_q(ranked: RankedQueries) -> QueryValues:
    """Queries that are averaged over; the sum over queries.

    Formula
    -------
    1 for each query

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> num_q.function(ranked).value
    1.0
    """
    return every_query(ranked, np.ones(len(ranked)))


@trec_metric("num_ret", "sum")
def num_ret(ranked: RankedQueries) -> QueryValues:
    """Documents that were retrieved; the sum over queries.

    Formula
    -------
    documents in the list

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> num_ret.function(ranked).value
    5.0
    """
    return every_query(ranked, ranked.retrieved)


@trec_metric("num_rel", "sum")
def num_rel(ranked: RankedQueries) -> QueryValues:
    """Relevant documents of the golden set; the sum over queries.

    Formula
    -------
    R

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> num_rel.function(ranked).value
    3.0
    """
    return every_query(ranked, ranked.n_relevant())


@trec_metric("num_rel_ret", "sum")
def num_rel_ret(ranked: RankedQueries) -> QueryValues:
    """Relevant documents that were retrieved; the sum over queries.

    Formula
    -------
    hits in the whole list

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> num_rel_ret.function(ranked).value
    2.0
    """
    return every_query(ranked, ranked.hits())


@trec_metric("num_nonrel_judged_ret", "sum")
def num_nonrel_judged_ret(ranked: RankedQueries) -> QueryValues:
    """Retrieved documents that were judged not relevant; the sum over queries.

    Formula
    -------
    documents of grade 0 in the list

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> num_nonrel_judged_ret.function(ranked).value
    0.0
    """
    return every_query(ranked, ranked.sums(nonrelevant(ranked.grades)))


@trec_metric("p", parameters=[K], main="k")
def p(ranked: RankedQueries, k: int) -> QueryValues:
    """Precision in the top k; the mean over queries.

    Formula
    -------
    hits(k) / k

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> p.function(ranked, k=5).value
    0.4
    """
    return every_query(ranked, ranked.hits(k) / k)


@trec_metric("recall", parameters=[K], main="k")
def recall(ranked: RankedQueries, k: int) -> QueryValues:
    """Recall in the top k; the mean over queries.

    Formula
    -------
    hits(k) / R

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(recall.function(ranked, k=5).value, 4)
    0.6667
    """
    return every_query(ranked, ratio(ranked.hits(k), ranked.n_relevant()))


@trec_metric("success", parameters=[K], main="k")
def success(ranked: RankedQueries, k: int) -> QueryValues:
    """Share of the queries with a relevant document in the top k.

    Formula
    -------
    1 if hits(k) > 0, else 0

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> success.function(ranked, k=1).value
    0.0
    """
    return every_query(ranked, ranked.hits(k) > 0)


@trec_metric("rprec")
def rprec(ranked: RankedQueries) -> QueryValues:
    """Precision in the top R; the mean over queries.

    Formula
    -------
    hits(R) / R

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(rprec.function(ranked).value, 4)
    0.3333
    """
    relevant = ranked.n_relevant()
    in_top = ranked.sums(ranked.relevant() & (ranked.rank <= relevant[ranked.query]))
    return every_query(ranked, ratio(in_top, relevant))


@trec_metric("set_p")
def set_p(ranked: RankedQueries) -> QueryValues:
    """Precision of everything retrieved; the mean over queries.

    Formula
    -------
    hits / documents in the list

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> set_p.function(ranked).value
    0.4
    """
    return every_query(ranked, ratio(ranked.hits(), ranked.retrieved.astype(np.float64)))


@trec_metric("set_relative_p")
def set_relative_p(ranked: RankedQueries) -> QueryValues:
    """Precision of everything retrieved over the highest that was possible; the mean over queries.

    Formula
    -------
    hits / min(documents in the list, R)

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(set_relative_p.function(ranked).value, 4)
    0.6667
    """
    possible = np.minimum(ranked.retrieved, ranked.n_relevant())
    return every_query(ranked, ratio(ranked.hits(), possible))


@trec_metric("set_recall")
def set_recall(ranked: RankedQueries) -> QueryValues:
    """Recall of everything retrieved; the mean over queries.

    Formula
    -------
    hits / R

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(set_recall.function(ranked).value, 4)
    0.6667
    """
    return every_query(ranked, ratio(ranked.hits(), ranked.n_relevant()))


@trec_metric("set_map")
def set_map(ranked: RankedQueries) -> QueryValues:
    """Precision times recall of everything retrieved; the mean over queries.

    Formula
    -------
    hits^2 / (documents in the list * R)

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(set_map.function(ranked).value, 4)
    0.2667
    """
    hits = ranked.hits()
    return every_query(ranked, ratio(hits * hits, ranked.retrieved * ranked.n_relevant()))


@trec_metric("set_f")
def set_f(ranked: RankedQueries) -> QueryValues:
    """F1 of everything retrieved; the mean over queries.

    Formula
    -------
    2 * hits / (documents in the list + R)

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> set_f.function(ranked).value
    0.5
    """
    return every_query(ranked, ratio(2.0 * ranked.hits(), ranked.retrieved + ranked.n_relevant()))
