"""Runs and golden sets: queries, documents, and a score or a grade for each pair."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from veridical.errors import InputError
from veridical.tables._words import shown, told_path
from veridical.tables.arrow_numpy import array_of_texts
from veridical.tables.places import Places

__all__ = [
    "DOCUMENT",
    "LARGEST_GRADE",
    "QUERY",
    "Listing",
    "Role",
    "by_query_id",
    "checked_values",
    "from_nested",
    "is_nested",
    "listing_of",
]

Role: TypeAlias = Literal["run", "qrels"]

QUERY = ("query_id", "query-id", "queryid", "qid", "q_id", "query", "topic", "topic_id")
DOCUMENT = (
    "doc_id", "doc-id", "docid", "docno", "did", "document_id", "document-id", "document",
    "corpus-id", "corpus_id", "pid", "passage_id",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """One run or one golden set, as columns.

    Attributes
    ----------
    role
        ``"run"`` or ``"qrels"``.
    queries
        Distinct query ids in the order of their first appearance; also those with no document.
    query
        Position of each row's query in ``queries``, int32, shape (n,).
    document
        Document id of each row: an Arrow dictionary of texts, shape (n,).
    value
        Score of a run, grade of a golden set, float64, shape (n,).
    name
        What a run calls itself (its tag), or "".
    source
        Where it came from, as JSON.
    ids
        The types that ids had: a subset of ``{"text", "int"}``.
    places
        Where its rows are in a file or a table; None of nested dicts, which have none.
    """

    role: Role
    queries: tuple[str, ...]
    query: npt.NDArray[np.int32]
    document: pa.DictionaryArray
    value: npt.NDArray[np.float64]
    name: str = ""
    source: Mapping[str, Any] = field(default_factory=dict)
    ids: frozenset[str] = frozenset({"text"})
    places: Places | None = None

    def __len__(self) -> int:
        return len(self.value)

    def pair(self, row: int) -> tuple[str, str]:
        """Return the query and the document of a row."""
        return self.queries[self.query[row]], self.document[row].as_py()

    def told(self, query: str, document: str) -> str:
        """Return where a document of a query stands, for an error."""
        where = f"query {shown(query)}"
        if self.places is not None:
            of_query = np.flatnonzero(self.query == self.queries.index(query))
            rows = [row for row in of_query.tolist() if self.document[row].as_py() == document]
            return f"{self.places.describe(rows)}, {where}"
        return f"{told_path(str(path))}, {where}" if (path := self.source.get("path")) else where


def listing_of(source: Any, role: Role) -> Listing:
    """Read a run or a golden set.

    Parameters
    ----------
    source
        A path (TREC text, JSON, JSONL, CSV, Parquet, Arrow; a folder as BEIR and ranx write
        them), a dict ``{query: {document: number}}`` or ``{query: [documents]}``, a data frame
        or a dict of columns, or a ``Listing``.
    role
        ``"run"`` or ``"qrels"``.

    Raises
    ------
    InputError, FileFormatError, FileMissingError
        It cannot be read as what it should be; the message says where.
    UnsupportedTypeError
        The object is neither a table nor a dict of queries.

    Examples
    --------
    >>> run = listing_of({"q1": {"d1": 0.5, "d2": 2.0}, "q2": {}}, "run")
    >>> run.queries, run.value.tolist(), run.pair(1)
    (('q1', 'q2'), [0.5, 2.0], ('q1', 'd2'))
    """
    if isinstance(source, Listing):
        if source.role != role:
            raise InputError(f"this is a {source.role}, and a {role} is needed", fix="swap them")
        return source
    if isinstance(source, (str, os.PathLike)):
        from veridical.tables.listing_files import read_listing

        return read_listing(os.fspath(source), role)
    if isinstance(source, Mapping) and is_nested(source):
        return from_nested(source, role)
    from veridical.tables.listing_columns import from_columns

    return from_columns(source, role)


def by_query_id(listing: Listing) -> Listing:
    """Return the same listing, its queries in the order of their ids."""
    order = sorted(range(len(listing.queries)), key=listing.queries.__getitem__)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    queries = tuple(listing.queries[at] for at in order)
    return replace(listing, queries=queries, query=place[listing.query])


def is_nested(source: Mapping[Any, Any]) -> bool:
    """Return whether a dict holds queries, and not columns."""
    names = {name.strip().lower() for name in source if isinstance(name, str)}
    if names & set(QUERY) and names & set(DOCUMENT):
        return all(isinstance(value, Mapping) for value in source.values())
    return all(isinstance(value, (Mapping, list, tuple)) for value in source.values())


def from_nested(source: Mapping[Any, Any], role: Role) -> Listing:
    """Return the listing of ``{query: {document: number}}`` or ``{query: [documents]}``."""
    kinds: set[str] = set()
    queries, position = _distinct_queries(source, kinds)
    documents: list[Collection[Any]] = []
    numbers: list[npt.NDArray[np.float64]] = []
    for query, entries in source.items():
        if isinstance(entries, Mapping):
            documents.append(entries.keys())
            numbers.append(_numbers(entries, query, role))
        elif isinstance(entries, (list, tuple)):
            documents.append(entries)
            # The order of a list is its ranking; the members of a golden set are relevant.
            count = len(entries)
            numbers.append(np.ones(count) if role == "qrels" else np.arange(count, 0.0, -1.0))
        else:
            raise InputError(
                f"the entry of query {shown(query)} is a {type(entries).__name__}",
                fix="give a dict {document: number}, or a list of documents",
            )
    if role == "qrels":
        _encoded(queries)  # those of a run are equal to one of these, or left out
    lengths = [len(entries) for entries in documents]
    return Listing(
        role,
        queries,
        np.repeat(np.array(position, np.int32), lengths),
        _encoded(_texts(chain.from_iterable(documents), kinds, "document")),
        np.concatenate([np.zeros(0), *numbers]),
        source={"kind": "dict"},
        ids=frozenset(kinds),
    )


def _distinct_queries(source: Iterable[Any], kinds: set[str]) -> tuple[tuple[str, ...], list[int]]:
    """Return distinct ids, and where each key stands among them: 1 and "1" are one query."""
    distinct: dict[str, int] = {}
    position = [distinct.setdefault(text, len(distinct)) for text in _texts(source, kinds, "query")]
    return tuple(distinct), position


def _texts(ids: Iterable[Any], kinds: set[str], noun: str) -> list[str]:
    texts = list(ids)
    types = set(map(type, texts))
    if not types:
        return []  # of no kind
    if types == {str}:
        kinds.add("text")
        return texts
    for kind in types:
        if kind is bool or not issubclass(kind, (str, int, np.integer)):
            wrong = next(one for one in texts if type(one) is kind)
            raise InputError(
                f"a {noun} id is a text or a whole number, not {shown(wrong)}",
                why=f"a {kind.__name__} can be written in several ways",
                fix="write the ids as text",
            )
        kinds.add("text" if issubclass(kind, str) else "int")
    try:
        return [_text(one) for one in texts]
    except ValueError as error:
        raise InputError(
            f"a {noun} id has more digits than Python writes", fix="write the ids as text"
        ) from error


def _text(one: Any) -> str:
    """Return what an id holds, whatever its class calls it: enumerations write their own name."""
    if isinstance(one, str):
        return str.__str__(one)
    return int.__repr__(one) if isinstance(one, int) else str(one)


def _encoded(texts: Sequence[str]) -> pa.DictionaryArray:
    """Return ids as Arrow texts; refuse one that UTF-8 cannot write, and so no file can hold."""
    try:
        return array_of_texts(texts).dictionary_encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"the id {shown(error.object)} is no valid text", fix="write it in UTF-8"
        ) from error


def _numbers(entries: Mapping[Any, Any], query: Any, role: Role) -> npt.NDArray[np.float64]:
    if set(map(type, entries.values())) <= {int, float}:
        with suppress(OverflowError):
            return checked_values(np.array([*entries.values()], np.float64), role, str(query))
    noun = "score" if role == "run" else "grade"
    wrong = next(
        (
            (document, value)
            for document, value in entries.items()
            if isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__")
        ),
        None,
    )
    if wrong is None:
        try:
            return checked_values(np.array(list(entries.values()), np.float64), role, str(query))
        except (TypeError, OverflowError):
            wrong = next(iter(entries.items()))
    raise InputError(
        f"the {noun} of document {shown(wrong[0])} is {shown(wrong[1])}",
        where=f"query {shown(query)}",
        why=f"a {noun} is a number",
        fix="correct it",
    )


LARGEST_GRADE = 2.0**53
"""Grades are added up; larger ones would be rounded."""


def checked_values(
    values: npt.NDArray[np.float64], role: Role, where: str
) -> npt.NDArray[np.float64]:
    """Refuse NaN, and grades so large that sums of them are no numbers."""
    bad = np.isnan(values) if role == "run" else ~(np.abs(values) <= LARGEST_GRADE)
    if bad.any():
        raise InputError(
            f"a {'score' if role == 'run' else 'grade'} is {values[bad][0]}",
            where=f"{shown(where)}, entry {int(np.argmax(bad)) + 1:,}",
            why="documents cannot be ordered by it"
            if role == "run"
            else "sums of gains are finite, and exact, up to 2**53",
            fix="correct it, or leave the document out",
        )
    return values
