"""trec_eval's measures of gain: nDCG in its forms, and rank-biased precision."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veridical.metrics.retrieval_values import K, dcg, discounts, gains, ideal_dcg, ratio
from veridical.metrics.trec_values import every_query, trec_metric
from veridical.summaries import QueryValues, RankedQueries

__all__ = [
    "ndcg",
    "ndcg_cut",
    "ndcg_rel",
    "rbp",
    "rbp_resid",
    "rndcg",
]

Floats = npt.NDArray[np.float64]

PERSISTENCE = 0.9


def _ndcg(ranked: RankedQueries, k: int | None = None) -> Floats:
    return ratio(dcg(ranked, k), ideal_dcg(ranked, k))


def _running_ideal(ranked: RankedQueries) -> Floats:
    """Return the ideal DCG down to each rank of the ideal list."""
    return ranked.running_ideal(gains(ranked.ideal) / discounts(ranked.ideal_rank))


def _last(values: Floats, starts: npt.NDArray[np.int64]) -> Floats:
    """Return the last value of each query, 0 where it has none."""
    padded = np.append(values, 0.0)
    return np.where(np.diff(starts) > 0, padded[starts[1:] - 1], 0.0)


@trec_metric("ndcg")
def ndcg(ranked: RankedQueries) -> QueryValues:
    """Normalised discounted cumulative gain of the whole list; the mean over queries.

    Formula
    -------
    DCG / ideal DCG, DCG = sum over ranks i of grade / log2(i + 1)

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    K. Jaervelin and J. Kekaelaeinen (2002), Cumulated gain-based evaluation of IR techniques.
    doi:10.1145/582415.582418

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(ndcg.function(ranked).value, 4)
    0.56
    """
    return every_query(ranked, _ndcg(ranked))


@trec_metric("ndcg_cut", parameters=[K], main="k")
def ndcg_cut(ranked: RankedQueries, k: int) -> QueryValues:
    """Normalised discounted cumulative gain of the top k; the mean over queries.

    Formula
    -------
    DCG(k) / ideal DCG(k), DCG(k) = sum over ranks i <= k of grade / log2(i + 1)

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    K. Jaervelin and J. Kekaelaeinen (2002), Cumulated gain-based evaluation of IR techniques.
    doi:10.1145/582415.582418

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(ndcg_cut.function(ranked, k=3).value, 4)
    0.3975
    """
    return every_query(ranked, _ndcg(ranked, k))


@trec_metric("ndcg_rel")
def ndcg_rel(ranked: RankedQueries) -> QueryValues:
    """NDCG averaged over the ranks of the relevant documents; the mean over queries.

    Formula
    -------
    mean over documents of grade > 0 of nDCG at their rank, at the end of the list for those that
    were not retrieved

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(ndcg_rel.function(ranked).value, 4)
    0.5214
    """
    running = ranked.running(gains(ranked.grades) / discounts(ranked.rank))
    ideal = _running_ideal(ranked)
    total, ideal_total = _last(running, ranked.starts), _last(ideal, ranked.ideal_starts)
    judged = np.diff(ranked.ideal_starts)
    place = np.minimum(ranked.rank, judged[ranked.query]) - 1 + ranked.ideal_starts[ranked.query]
    gained = ranked.grades > 0
    at_rank = np.zeros(len(running))
    at_rank[gained] = running[gained] / ideal[place[gained]]
    n_gains = ranked.sums_ideal((ranked.ideal > 0).astype(np.float64))
    missed = (n_gains - ranked.sums(gained)) * ratio(total, ideal_total)
    return every_query(ranked, ratio(ranked.sums(at_rank) + missed, n_gains))


@trec_metric("rndcg")
def rndcg(ranked: RankedQueries) -> QueryValues:
    """NDCG averaged over the ranks at which the ideal grade changes; the mean over queries.

    Formula
    -------
    mean of nDCG(c) over c = number of documents of at least each positive grade, and of nDCG of
    the whole list where that is longer than R + 1

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    NIST, trec_eval 10.0, https://github.com/usnistgov/trec_eval.

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(rndcg.function(ranked).value, 4)
    0.3504
    """
    running = ranked.running(gains(ranked.grades) / discounts(ranked.rank))
    ideal = _running_ideal(ranked)
    values = np.zeros(len(ranked))
    for query in np.flatnonzero((ranked.n_relevant() > 0) & (ranked.retrieved > 0)):
        own = slice(ranked.starts[query], ranked.starts[query + 1])
        best = slice(ranked.ideal_starts[query], ranked.ideal_starts[query + 1])
        grades, length = ranked.ideal[best], int(ranked.retrieved[query])
        changes = np.flatnonzero(np.diff(grades, append=0.0) * (grades > 0)) + 1
        points = [*changes.tolist(), *([length] if length > changes[-1] + 1 else [])]
        # Between two judged documents the DCG stands still.
        reached = np.append(0.0, running[own])[np.searchsorted(ranked.rank[own], points, "right")]
        values[query] = np.mean(reached / ideal[best][np.minimum(points, len(grades)) - 1])
    return every_query(ranked, values)


@trec_metric("rbp")
def rbp(ranked: RankedQueries) -> QueryValues:
    """Rank-biased precision with persistence 0.9; the mean over queries.

    Formula
    -------
    0.1 * sum over the ranks i of relevant documents of 0.9^(i - 1)

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    A. Moffat and J. Zobel (2008), Rank-biased precision for measurement of retrieval
    effectiveness.  doi:10.1145/1416950.1416952

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(rbp.function(ranked).value, 5)
    0.15561
    """
    steps = ranked.relevant() * PERSISTENCE ** (ranked.rank - 1.0)
    return every_query(ranked, (1.0 - PERSISTENCE) * ranked.sums(steps))


@trec_metric("rbp_resid", better="lower")
def rbp_resid(ranked: RankedQueries) -> QueryValues:
    """What rank-biased precision could gain from unjudged documents; the mean over queries.

    Formula
    -------
    0.9^(documents in the list) + 0.1 * sum over the ranks i of unjudged documents of 0.9^(i - 1);
    0 where all were judged

    When it is undefined
    --------------------
    Without any query: skipped ``no_rows``.  A query without a relevant document counts as 0.

    References
    ----------
    A. Moffat and J. Zobel (2008), Rank-biased precision for measurement of retrieval
    effectiveness.  doi:10.1145/1416950.1416952

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> round(rbp_resid.function(ranked).value, 5)
    0.84439
    """
    judged = ranked.grades >= 0
    listed = ranked.retrieved.astype(np.float64)
    beyond = PERSISTENCE**listed
    weights = judged * PERSISTENCE ** (ranked.rank - 1.0)
    seen = 1.0 - beyond - (1.0 - PERSISTENCE) * ranked.sums(weights)
    unjudged = listed > ranked.sums(judged)
    return every_query(ranked, np.where(unjudged, seen + beyond, 0.0))
