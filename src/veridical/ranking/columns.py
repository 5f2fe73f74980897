"""Runs and golden sets in columns, put in rank order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from veridical.errors import InputError
from veridical.ranking.ordering import Duplicates, Ordered, Ties
from veridical.ranking.row_order import (
    Codes,
    by_document,
    by_score,
    firsts,
    members,
    repeated,
    starts,
    tied_rows,
)
from veridical.summaries import RankedQueries, TiedQueries
from veridical.tables._words import counted, shown
from veridical.tables.arrow_numpy import array_of_numbers, array_of_texts, give_back, numpy_of
from veridical.tables.listings import Listing, by_query_id

__all__ = ["ordered", "refuse_twice"]


def ordered(
    run: Listing,
    qrels: Listing,
    ties: Ties = "docid_desc",
    duplicates: Duplicates = "error",
) -> Ordered:
    """Put a run in rank order, and look up the grades of its documents.

    Parameters
    ----------
    run, qrels
        What was retrieved, and what was judged, no document of a query twice.
    ties
        ``"docid_desc"``: equal scores by document id descending, by bytes, as trec_eval does;
        ``"input"``: in the order given; ``"average"``: all orders, the ranks being those of
        the first rule; ``"error"``: refuse them.
    duplicates
        ``"error"``, or ``"keep-first"`` to keep the best rank of each document of a query.

    Raises
    ------
    InputError
        A document stands twice in a query, or equal scores are refused.
    """
    qrels = by_query_id(qrels)
    place = {query: index for index, query in enumerate(qrels.queries)}
    target = np.array([place.get(query, -1) for query in run.queries], np.int32)
    query, document, value = _known(run, target)
    judged_code, code, texts = _common_codes(qrels.document, document)
    width = max(1, len(texts))
    judged_key = qrels.query.astype(np.int64) * width + judged_code
    if (order := by_score(query, value)) is not None:
        query = query[order]
        code = code[order]
        value = value[order]
    del order  # of a large run each of these is as large as all of it
    tied = tied_rows(query, value)
    del value
    if tied.any() and ties == "error":
        _refuse_ties(tied, query, code, texts, qrels)
    if tied.any() and ties in {"docid_desc", "average"}:
        code = by_document(tied, code, texts)
    key = query.astype(np.int64)
    key *= width
    key += code
    left_out = 0
    if duplicates == "error":
        refuse_twice(run, repeated(key, query), qrels.queries, texts)
    elif (keep := firsts(key, query)) is not None:
        left_out = len(key) - len(keep)
        group = np.cumsum(~tied)[keep]
        tied = np.append(False, group[1:] == group[:-1])
        key, query, code = key[keep], query[keep], code[keep]
    ranked, relevant, judged = _graded(key, query, judged_key, qrels)
    del key
    listed = np.zeros(len(qrels.queries), np.bool_)
    listed[target[target >= 0]] = True
    return Ordered(
        ranked,
        listed,
        _touching(tied, relevant),
        left_out,
        tuple(q for q, t in zip(run.queries, target.tolist(), strict=True) if t < 0),
        _own_ids(query, code, texts, qrels),
        _in_groups(ranked, tied, judged, query) if ties == "average" else None,
    )


def _in_groups(
    ranked: RankedQueries, tied: npt.NDArray[np.bool_], judged: Codes, query: Codes
) -> TiedQueries:
    """Return where the groups of equal scores stand that hold the judged rows."""
    heads = np.flatnonzero(np.append(~tied, True))
    group = np.searchsorted(heads, judged, side="right") - 1
    first, size = heads[group], heads[group + 1] - heads[group]
    return TiedQueries(ranked, first - np.searchsorted(query, query[first]), size)


def _own_ids(query: Codes, code: Codes, texts: pa.Array, qrels: Listing) -> tuple[str, ...]:
    """Return the queries that retrieved a document with the id of the query."""
    same = pc.index_in(array_of_texts(qrels.queries), value_set=texts)
    of_query = numpy_of(same.cast(pa.int64()), null=-1).astype(np.int32)
    own = np.unique(query[of_query[query] == code])
    return tuple(qrels.queries[at] for at in own.tolist())


def _known(
    run: Listing, target: Codes
) -> tuple[Codes, pa.DictionaryArray, npt.NDArray[np.float64]]:
    """Return the rows of the queries that the golden set has."""
    query = target[run.query] if len(run) else np.zeros(0, np.int32)
    if (target >= 0).all():
        return query, run.document, run.value
    rows = np.flatnonzero(query >= 0)
    return query[rows], run.document.take(array_of_numbers(rows)), run.value[rows]


def _graded(
    key: Codes, query: Codes, judged_key: Codes, qrels: Listing
) -> tuple[RankedQueries, npt.NDArray[np.bool_], Codes]:
    """Return the ranking with its grades, which rows are relevant, and the rows that are judged."""
    n_queries = len(qrels.queries)
    found = pc.index_in(array_of_numbers(key), value_set=array_of_numbers(judged_key))
    judged = np.flatnonzero(numpy_of(found.is_valid()))
    first = starts(query, n_queries)
    grades = qrels.value[numpy_of(found.drop_null())]
    relevant = np.zeros(len(key), np.bool_)
    relevant[judged] = grades >= 1
    ranked = RankedQueries(
        qrels.queries,
        np.ones(n_queries, np.bool_),
        np.diff(first),
        starts(query[judged], n_queries),
        judged + 1 - first[query[judged]],
        grades,
        starts(np.sort(qrels.query), n_queries),
        qrels.value[np.lexsort((-qrels.value, qrels.query))],
    )
    return ranked, relevant, judged


def _common_codes(a: pa.DictionaryArray, b: pa.DictionaryArray) -> tuple[Codes, Codes, pa.Array]:
    """Return codes of both columns in one dictionary, and its texts."""
    kind = pa.dictionary(pa.int32(), pa.large_string())
    both = pa.chunked_array([a.cast(kind), b.cast(kind)]).unify_dictionaries()
    codes = [numpy_of(chunk.indices) for chunk in both.chunks]
    give_back()
    return codes[0], codes[1], both.chunk(0).dictionary


def _refuse_ties(
    tied: npt.NDArray[np.bool_], query: Codes, code: Codes, texts: pa.Array, qrels: Listing
) -> None:
    row, rows = int(np.argmax(tied)), counted(int(tied.sum()), "such row")
    one, two = (texts[int(code[at])].as_py() for at in (row - 1, row))
    raise InputError(
        f"documents {shown(one)} and {shown(two)} have the same score",
        where=f"query {shown(qrels.queries[query[row]])}; {rows} in all",
        why="their order would decide the metric",
        fix="break the ties in the run, or choose ties=docid_desc",
    )


def refuse_twice(run: Listing, twice: Codes, queries: Sequence[str], texts: pa.Array) -> None:
    """Refuse documents that stand more than once in a query of a run.

    Parameters
    ----------
    run
        Where they stand.
    twice
        For each row that is one too many its query, times the number of texts, and its document.
    queries, texts
        What their codes stand for.

    Raises
    ------
    InputError
        There is one.
    """
    if len(twice):
        at, document = divmod(int(twice[0]), max(1, len(texts)))
        pair = queries[at], texts[document].as_py()
        raise InputError(
            f"document {shown(pair[1])} stands more than once",
            where=f"{run.told(*pair)}; {counted(len(twice), 'such row')} in all",
            why="it would be counted twice",
            fix="correct the run, or keep the best rank of each with duplicates=keep-first "
            "(--duplicates keep-first)",
        )


def _touching(tied: npt.NDArray[np.bool_], relevant: npt.NDArray[np.bool_]) -> int:
    """Return how many groups of equal scores hold a relevant document."""
    if not tied.any():
        return 0
    group = np.cumsum(~tied)
    return len(np.unique(group[members(tied) & relevant]))
