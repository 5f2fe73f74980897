"""Ranks of the judged documents of each query, straight from dictionaries.

A document that nobody judged gains nothing, so its rank is never asked for.  The rank of a judged
one is one more than the number of documents that score higher, which takes no sorting.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from veridical.kernels.choice import implementation

__all__ = ["RankedDicts", "rank_dicts"]


class RankedDicts(NamedTuple):
    """The ranks of the judged documents, queries in the order of their ids by bytes.

    Attributes
    ----------
    queries
        The ids of the golden set, as they are there.
    retrieved, listed
        Documents that each query retrieved, and 1 where the run has the query; int64, shape (Q,).
    counts
        Judged documents among them, int64, shape (Q,).
    rank, grades
        Their ranks and grades, query by query, best first; int64 and float64.
    ideal_counts, ideal
        How many judged documents each query has, int64, shape (Q,), and their grades, highest
        first.
    own
        Queries that retrieved a document with the id of the query.
    ties
        Groups of equal scores that hold a relevant document.
    query_lengths, query_texts, lengths, texts, judged
        The judgements in the order of query and document: how many bytes the ids of queries and
        of documents have, uint32, these bytes, and the grades, float64.
    """

    queries: list[Any]
    retrieved: npt.NDArray[np.int64]
    listed: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    rank: npt.NDArray[np.int64]
    grades: npt.NDArray[np.float64]
    ideal_counts: npt.NDArray[np.int64]
    ideal: npt.NDArray[np.float64]
    own: list[Any]
    ties: int
    query_lengths: npt.NDArray[np.uint32]
    query_texts: bytes | bytearray
    lengths: npt.NDArray[np.uint32]
    texts: bytes | bytearray
    judged: npt.NDArray[np.float64]


def rank_dicts(run: Any, qrels: Any) -> RankedDicts | None:
    """Rank by score descending, ties by the text of the document id descending.

    Parameters
    ----------
    run, qrels
        ``{query: {document: number}}``.

    Returns
    -------
    RankedDicts or None
        None where they are anything but plain dicts of floats and ints whose ids are all text, or
        all ints: those need a careful reader.

    Examples
    --------
    >>> found = rank_dicts({"q": {"a": 0.5, "b": 0.9, "c": 0.5}}, {"q": {"a": 2, "d": 1}})
    >>> found.rank.tolist(), found.grades.tolist(), found.ideal.tolist(), found.ties
    ([3], [2.0], [2.0, 1.0], 1)
    """
    if type(run) is not dict or type(qrels) is not dict:
        return None
    kinds = set(map(type, run)) | set(map(type, qrels))
    if len(kinds) != 1 or not kinds <= {str, int} or set(map(type, run.values())) != {dict}:
        return None
    kind = next((type(one) for entries in qrels.values() for one in entries), str)
    if kind not in {str, int}:
        return None
    found = implementation("ranking").rank_dicts(run, qrels, kind, kinds.pop())
    return None if found is None else RankedDicts(*found)
