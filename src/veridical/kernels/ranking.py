"""Ranks of the judged documents of each query, straight from dictionaries.

A document that nobody judged gains nothing, so its rank is never asked for.  The rank of a judged
one is one more than the number of documents that score higher, which takes no sorting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from veridical.kernels.choice import implementation

if TYPE_CHECKING:
    from veridical.kernels.query_sums import Memory

__all__ = ["Judgements", "Ranks", "rank_dicts"]


class Judgements(NamedTuple):
    """A golden set, in the order of the ids of queries and of documents by bytes.

    Attributes
    ----------
    queries
        The ids of its queries, Q of them, as texts.
    counts
        Judged documents of each, int64, shape (Q,).
    ideal
        Their grades, highest first, query by query, float64, shape (J,).
    query_lengths, query_texts
        How many bytes the id of each query has, uint32, and these bytes.
    lengths, texts
        The same of documents, shape (J,).
    grades
        Their grades, float64, shape (J,).
    """

    queries: list[str]
    counts: Memory
    ideal: Memory
    query_lengths: Memory
    query_texts: bytes | bytearray
    lengths: Memory
    texts: bytes | bytearray
    grades: Memory


class Ranks(NamedTuple):
    """Where the judged documents stand in a run.

    Attributes
    ----------
    retrieved
        Documents that each query of the golden set retrieved, int64, shape (Q,).
    listed
        Whether the run has the query, one byte each.
    counts
        Judged documents among those that were retrieved, int64, shape (Q,).
    rank, grades
        Their ranks and grades, query by query, best first; int64 and float64.
    own
        Queries that retrieved a document with the id of the query.
    ties
        Groups of equal scores that hold a relevant document.
    """

    retrieved: Memory
    listed: Memory
    counts: Memory
    rank: Memory
    grades: Memory
    own: list[str]
    ties: int


def rank_dicts(run: Any, qrels: Any) -> tuple[Ranks, Judgements] | None:
    """Rank by score descending, ties by the text of the document id descending.

    Parameters
    ----------
    run, qrels
        ``{query: {document: number}}``.

    Returns
    -------
    tuple or None
        None where they are anything but plain dicts of floats and ints whose ids are all text, or
        all ints: those need a careful reader.

    Examples
    --------
    >>> ranks, judged = rank_dicts({"q": {"a": 0.5, "b": 0.9, "c": 0.5}}, {"q": {"a": 2, "d": 1}})
    >>> ranks.rank.tolist(), ranks.grades.tolist(), judged.ideal.tolist(), ranks.ties
    ([3], [2.0], [2.0, 1.0], 1)
    """
    if type(run) is not dict or type(qrels) is not dict or not run or not qrels:
        return None
    listed = (entries for entries in qrels.values() if type(entries) is dict)
    kind = next((type(one) for entries in listed for one in entries), str)
    query_kind = type(next(iter(qrels)))
    if not {kind, query_kind} <= {str, int}:
        return None
    found = implementation("ranking").rank_dicts(run, qrels, kind, query_kind)
    if found is None:
        return None
    ranks = Ranks(*found[0])
    return ranks._replace(listed=ranks.listed > 0), Judgements(*found[1])
