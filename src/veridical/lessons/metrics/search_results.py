"""Section 4: how good a list of search results is, held against what should have been found.

Textbook convention here: a query for which nothing is relevant scores 0.  The library leaves it out
of the mean, and says so.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from veridical.lessons.metrics.checks import top
from veridical.lessons.metrics.confusion_matrix import share

__all__ = [
    "dcg_at_k",
    "mean_reciprocal_rank",
    "ndcg_at_k",
    "precision_at_k",
    "recall_at_k",
    "reciprocal_rank",
]


def recall_at_k(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Return which share of what is relevant stands among the first ``k``.

    Parameters
    ----------
    ranked
        Ids of documents, the best first.
    relevant
        Ids of all documents that should be found.
    k
        How many results count, at least 1.

    Examples
    --------
    >>> round(recall_at_k(["d7", "d3", "d9", "d1", "d4"], {"d3", "d4", "d8"}, k=5), 3)
    0.667
    """
    return share(_hits(ranked, relevant, k), len(set(relevant)))


def precision_at_k(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Return which share of the first ``k`` places holds something relevant.

    It is always divided by ``k``, also where the list is shorter.

    Examples
    --------
    >>> precision_at_k(["d7", "d3", "d9", "d1", "d4"], {"d3", "d4", "d8"}, k=5)
    0.4
    """
    return _hits(ranked, relevant, k) / k


def _hits(ranked: Sequence[str], relevant: Collection[str], k: int) -> int:
    hits = 0
    for document in top(ranked, k):
        if document in relevant:
            hits += 1
    return hits


def reciprocal_rank(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Return 1 / the rank of the first relevant document, and 0 where there is none.

    Examples
    --------
    >>> reciprocal_rank(["d7", "d3", "d9", "d1", "d4"], {"d3", "d4", "d8"})
    0.5
    """
    for rank, document in enumerate(ranked, start=1):
        if document in relevant:
            return 1 / rank
    return 0.0


def mean_reciprocal_rank(runs: Iterable[tuple[Sequence[str], Collection[str]]]) -> float:
    """Return the mean of the reciprocal ranks of several queries; 0 without queries.

    Parameters
    ----------
    runs
        One pair a query: its ranked list, and what is relevant.

    Examples
    --------
    >>> mean_reciprocal_rank([(["a", "b"], {"b"}), (["a", "b"], {"a"})])
    0.75
    """
    ranks = [reciprocal_rank(ranked, relevant) for ranked, relevant in runs]
    return share(sum(ranks), len(ranks))


def dcg_at_k(gains: Sequence[float], k: int) -> float:
    """Return the sum of the first ``k`` gains, each worth less the lower it stands.

    Rank r is divided by log2(r + 1): the first place counts in full, the tenth 0.29 of it.

    References
    ----------
    Järvelin and Kekäläinen (2002), ACM Transactions on Information Systems 20,
    doi:10.1145/582415.582418

    Examples
    --------
    >>> round(dcg_at_k([0, 3, 0, 0, 2], k=5), 4)
    2.6665
    """
    total = 0.0
    for rank, gain in enumerate(gains[:k], start=1):
        total += gain / math.log2(rank + 1)
    return total


def ndcg_at_k(ranked: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return the DCG of a list, divided by that of the best list there could be.

    Parameters
    ----------
    ranked
        Ids of documents, the best first.
    grades
        From an id to how relevant it is; an id that is absent has grade 0, and a negative grade
        gains nothing.
    k
        How many results count, at least 1.

    Examples
    --------
    >>> grades = {"d3": 3, "d4": 2, "d8": 1}
    >>> round(ndcg_at_k(["d7", "d3", "d9", "d1", "d4"], grades, k=5), 4)
    0.56
    """
    gains = [max(grades.get(document, 0), 0) for document in top(ranked, k)]
    ideal = sorted((max(grade, 0) for grade in grades.values()), reverse=True)
    return share(dcg_at_k(gains, k), dcg_at_k(ideal, k))
