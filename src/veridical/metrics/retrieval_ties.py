"""Retrieval metrics where equal scores have no order: the mean over all orders of them.

Every order of the documents of one score is as likely as any other, and the value of a query is
the expectation of the metric.  It is computed in closed form, group by group.

Notation: a group of n documents of one score, m of them relevant, stands below ``before`` others;
``top`` of its ranks lie among the first k.

References
----------
F. McSherry and M. Najork (2008), Computing information retrieval performance measures efficiently
in the presence of tied scores, ECIR.  doi:10.1007/978-3-540-78646-7_38 (precision, recall, F1,
average precision, reciprocal rank, nDCG; the others follow from the same definition).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from veridical.late import np
from veridical.metrics.retrieval_ranks import stopping
from veridical.metrics.retrieval_values import gains, ideal_dcg, of_relevant, ratio
from veridical.summaries import QueryValues, TiedQueries

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "EXPECTED",
    "bpref",
    "err",
    "f1",
    "judged",
    "map",
    "mrr",
    "ndcg",
    "precision",
    "r_precision",
    "rbp",
    "recall",
    "success",
]

Floats: TypeAlias = "npt.NDArray[np.float64]"
Counts: TypeAlias = "npt.NDArray[np.int64]"


def _top(before: Counts, size: Counts, k: float | Floats | None) -> Counts:
    """Return how many ranks of each group lie among the first k."""
    if k is None:
        return size
    return np.clip(np.asarray(k) - before, 0, size).astype(np.int64)


def _hits(tied: TiedQueries, k: float | Floats | None, rel: float) -> Floats:
    """Return the expected number of relevant documents among the first k of each query."""
    g = tied.groups(rel)
    cut = k[g.query] if isinstance(k, np.ndarray) else k
    return tied.in_queries(g.relevant * _top(g.before, g.size, cut) / g.size)


def recall(tied: TiedQueries, k: int, rel: float = 1.0) -> QueryValues:
    """Each relevant document counts with the share of its ranks that lie in the top k."""
    ranked = tied.ranked
    return of_relevant(ranked, ratio(_hits(tied, k, rel), ranked.n_relevant(rel)), rel)


def precision(tied: TiedQueries, k: int, rel: float = 1.0) -> QueryValues:
    """As for recall."""
    return of_relevant(tied.ranked, _hits(tied, k, rel) / k, rel)


def f1(tied: TiedQueries, k: int, rel: float = 1.0) -> QueryValues:
    """2 * expected hits / (k + R)."""
    values = 2.0 * _hits(tied, k, rel) / (k + tied.ranked.n_relevant(rel))
    return of_relevant(tied.ranked, values, rel)


def r_precision(tied: TiedQueries, rel: float = 1.0) -> QueryValues:
    """Expected precision in the top R."""
    R = tied.ranked.n_relevant(rel)
    return of_relevant(tied.ranked, ratio(_hits(tied, R, rel), R), rel)


def judged(tied: TiedQueries, k: int) -> QueryValues:
    """Each judged document counts with the share of its ranks that lie in the top k."""
    in_top = np.minimum(tied.ranked.retrieved, k).astype(np.float64)
    shares = _top(tied.before, tied.size, k) / tied.size
    return of_relevant(tied.ranked, ratio(tied.ranked.sums(shares), in_top))


def success(tied: TiedQueries, k: int, rel: float = 1.0) -> QueryValues:
    """1 less the chance that no relevant document lies in the top k.

    Of one group that is the product over i < m of (n - top - i) / (n - i).
    """
    g = tied.groups(rel)
    top = _top(g.before, g.size, k)
    none = np.ones(len(tied.ranked))
    for group in np.flatnonzero((g.relevant > 0) & (top > 0)).tolist():
        i = np.arange(g.relevant[group])
        chances = (g.size[group] - top[group] - i) / (g.size[group] - i)
        none[g.query[group]] *= np.prod(np.maximum(chances, 0.0))
    return of_relevant(tied.ranked, 1.0 - none, rel)


def mrr(tied: TiedQueries, k: int | None = None, rel: float = 1.0) -> QueryValues:
    """Sum over the ranks j of the first group with a relevant document of P(first is at j) / rank.

    P(none at 1 ... j) falls from rank to rank by (n - m - j + 1) / (n - j + 1).
    """
    g = tied.groups(rel)
    values = np.zeros(len(tied.ranked))
    for group in np.flatnonzero((g.relevant > 0) & (g.relevant_above == 0)).tolist():
        n, m = int(g.size[group]), g.relevant[group]
        j = np.arange(1, n - m + 2)
        none = np.cumprod((n - m - j + 1) / (n - j + 1))
        first = np.append(1.0, none[:-1]) - none
        rank = g.before[group] + j
        values[g.query[group]] = np.sum((first / rank)[rank <= (np.inf if k is None else k)])
    return of_relevant(tied.ranked, values, rel)


def map(tied: TiedQueries, k: int | None = None, rel: float = 1.0) -> QueryValues:  # noqa: A001 - the field's name
    """Sum over the groups of m / n * the sum over their ranks of expected hits / rank, over R.

    At place j of its group a relevant document has (j - 1) (m - 1) / (n - 1) other relevant ones
    of the group above it.
    """
    g = tied.groups(rel)
    top = _top(g.before, g.size, k)
    harmonic = _sums(np.reciprocal, g.before + g.size)
    slope = ratio(g.relevant - 1.0, (g.size - 1).astype(np.float64))
    constant = 1.0 + g.relevant_above - slope * (g.before + 1.0)
    steps = constant * (harmonic[g.before + top] - harmonic[g.before]) + slope * top
    alone = np.where(top > 0, (1.0 + g.relevant_above) / (g.before + 1.0), 0.0)
    precisions = np.where(g.size == 1, alone, steps) * g.relevant / g.size
    R = tied.ranked.n_relevant(rel)
    return of_relevant(tied.ranked, ratio(tied.in_queries(precisions), R), rel)


def ndcg(tied: TiedQueries, k: int | None = None, gain: str = "linear") -> QueryValues:
    """Each document gains its mean discount over the ranks of its group."""
    ranked, g = tied.ranked, tied.groups()
    top = _top(g.before, g.size, k)
    discounts = _sums(lambda rank: 1.0 / np.log2(rank + 1.0), g.before + g.size)
    mean = (discounts[g.before + top] - discounts[g.before]) / g.size
    alone = np.where(top > 0, 1.0 / np.log2(g.before + 2.0), 0.0)
    dcg = tied.in_groups(gains(ranked.grades, gain)) * np.where(g.size == 1, alone, mean)
    return of_relevant(ranked, ratio(tied.in_queries(dcg), ideal_dcg(ranked, k, gain)))


def bpref(tied: TiedQueries, rel: float = 1.0) -> QueryValues:
    """The mean penalty over 0, 1, ..., u of the u judged non-relevant documents of the group."""
    ranked, g = tied.ranked, tied.groups(rel)
    R = ranked.n_relevant(rel)
    N = ranked.sums_ideal(ranked.ideal < rel)
    cut, most = R[g.query], np.minimum(N, R)[g.query]
    total = _capped_sum(g.others_above + g.others + 1.0, cut) - _capped_sum(g.others_above, cut)
    penalty = ratio(total / (g.others + 1.0), most)
    kept = tied.in_queries(g.relevant * (1.0 - penalty))
    return of_relevant(ranked, ratio(kept, R), rel)


def _capped_sum(n: Floats, cut: Floats) -> Floats:
    """Return the sum over i < n of min(i, cut)."""
    below = np.minimum(n, cut + 1.0)
    return below * (below - 1.0) / 2.0 + (n - below) * cut


def rbp(tied: TiedQueries, p: float = 0.8, k: int | None = None, rel: float = 1.0) -> QueryValues:
    """Each relevant document gains the mean of (1 - p) p^(rank - 1): p^before (1 - p^top) / n."""
    g = tied.groups(rel)
    top = _top(g.before, g.size, k)
    mean = np.power(p, g.before) * (1.0 - np.power(p, top)) / g.size
    return of_relevant(tied.ranked, tied.in_queries(g.relevant * mean), rel)


def err(tied: TiedQueries, max: float | None = None, k: int | None = None) -> QueryValues:  # noqa: A002 - the parameter is called max
    """Sum over the ranks of the chance to stop there, over the rank.

    To be left after j documents of a group has the mean over all j of them of the product of
    1 - s.  It is built up document by document; one that nobody judged has s = 0.
    """
    ranked, g = tied.ranked, tied.groups()
    goes_on = 1.0 - stopping(ranked, max)
    values, left = np.zeros(len(ranked)), np.ones(len(ranked))
    starts = np.append(tied.first, len(ranked.rank)).tolist()
    for group, (start, end) in enumerate(pairwise(starts)):
        n, query = int(g.size[group]), g.query[group]
        after = np.ones(n - (end - start) + 1)
        for one in goes_on[start:end].tolist():
            i, members = np.arange(len(after) + 1), len(after)
            padded = np.append(after, 0.0)
            before = np.append(0.0, after)
            after = ((members - i) * padded + i * one * before) / members
        rank = g.before[group] + np.arange(1, n + 1)
        steps = (after[:-1] - after[1:]) / rank
        values[query] += left[query] * np.sum(steps if k is None else steps[rank <= k])
        left[query] *= after[-1]
    return of_relevant(ranked, values)


def _sums(function: Callable[[Floats], Floats], ends: Counts) -> Floats:
    """Return the sums of a function over the ranks 1 to r, for r = 0 up to the greatest end."""
    longest = int(ends.max(initial=0))
    return np.append(0.0, np.cumsum(function(np.arange(1.0, longest + 1.0))))


EXPECTED: dict[str, Callable[..., QueryValues]] = {
    one.__name__: one
    for one in (
        bpref, err, f1, judged, map, mrr, ndcg, precision, r_precision, rbp, recall, success,
    )
}  # fmt: skip
"""By the name of a metric of the family ``retrieval``, its expectation."""
