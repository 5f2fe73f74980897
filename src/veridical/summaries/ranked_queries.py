"""``RankedQueries``: the grades of what each query retrieved, in rank order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.kernels.query_sums import Memory, both, positive
from veridical.late import np
from veridical.summaries.base import check_schema
from veridical.summaries.columns import column, marks
from veridical.summaries.query_totals import QueryTotals

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["RankedQueries"]

Floats: TypeAlias = "npt.NDArray[np.float64]"
Counts: TypeAlias = "npt.NDArray[np.int64]"
Mask: TypeAlias = "npt.NDArray[np.bool_]"


@dataclass(frozen=True, eq=False)
class RankedQueries:
    """Everything that retrieval metrics need of a run and a golden set, without a document id.

    Documents that nobody judged gain nothing anywhere, so that only the judged ones are kept, with
    their ranks.  Those of all queries stand one after the other; ``starts[q]`` up to
    ``starts[q + 1]`` are those of query q, best rank first.

    Attributes
    ----------
    ids
        Queries of the golden set, Q of them.
    included
        Which of them are averaged over, bool, shape (Q,).
    retrieved
        Documents that each query retrieved, judged or not, int64, shape (Q,).
    starts
        int64, shape (Q + 1,).
    rank, grades
        Rank from 1, int64, and grade, float64, of each judged document that was retrieved,
        shape (N,).
    ideal_starts, ideal
        The judged grades of each query, highest first: shape (Q + 1,) and (J,).

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> ranked.hits(5).tolist(), ranked.n_relevant().tolist()
    ([2.0], [3.0])
    """

    schema: ClassVar[str] = "veridical.ranked_queries/1"

    ids: tuple[str, ...]
    included: Mask = column("?")
    retrieved: Counts = column("i8")
    starts: Counts = column("i8")
    rank: Counts = column("i8")
    grades: Floats = column("f8")
    ideal_starts: Counts = column("i8")
    ideal: Floats = column("f8")

    @classmethod
    def from_lists(
        cls, grades: Sequence[Sequence[float | None]], ideal: Sequence[Sequence[float]]
    ) -> RankedQueries:
        """Return the ranking of queries q0, q1, ... from grades in rank order, None if unjudged."""
        judged = [[(r, g) for r, g in enumerate(one, 1) if g is not None] for one in grades]
        flat = [pair for one in judged for pair in one]
        return cls(
            tuple(f"q{index}" for index in range(len(grades))),
            np.ones(len(grades), np.bool_),
            np.array([len(one) for one in grades], np.int64),
            np.cumsum([0, *map(len, judged)]),
            np.array([rank for rank, _ in flat], np.int64),
            np.array([grade for _, grade in flat], np.float64),
            np.cumsum([0, *map(len, ideal)]),
            np.array([grade for one in ideal for grade in sorted(one, reverse=True)], np.float64),
        )

    @cached_property
    def totals(self) -> QueryTotals:
        """What its documents add up to, without numpy."""
        return QueryTotals(self)

    @property
    def n_included(self) -> int:
        """Queries that are averaged over."""
        return marks(self, "included").count(1)

    def averaged_over(self, included: Mask) -> RankedQueries:
        """Return the same ranking, averaged over other queries."""
        return replace(self, included=included)

    def __len__(self) -> int:
        return len(self.ids)

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        arrays = {name: getattr(self, name).tolist() for name in _COLUMNS}
        return {"schema": self.schema, "ids": list(self.ids), **arrays}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RankedQueries:
        """Read back what ``to_dict`` wrote.

        Raises
        ------
        FileFormatError
            The arrays do not fit each other, or a grade or rank is none.
        """
        check_schema(data, cls.schema)
        arrays = {name: np.array(data[name], dtype=dtype) for name, dtype in _COLUMNS.items()}
        read = cls(tuple(data["ids"]), **arrays)
        if not _fits(read):
            raise FileFormatError(
                "the ranks and grades of the queries contradict each other",
                fix="measure the run again",
            )
        return read

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())

    @cached_property
    def query(self) -> Counts:
        """Query of each judged document that was retrieved, shape (N,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @cached_property
    def ideal_query(self) -> Counts:
        """Query of each judged document, shape (J,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.ideal_starts))

    @cached_property
    def ideal_rank(self) -> Counts:
        """Rank of each judged document in the ideal list, shape (J,)."""
        before = np.repeat(self.ideal_starts[:-1], np.diff(self.ideal_starts))
        return np.arange(1, len(self.ideal) + 1) - before

    @property
    def max_grade(self) -> float:
        """The highest grade of the golden set, 0 where there is none above it."""
        return max(0.0, float(self.ideal.max(initial=0.0)))

    def relevant(self, rel: float = 1.0) -> Mask:
        """Return which of the judged documents have a grade of at least ``rel``, shape (N,)."""
        return self.grades >= rel

    def n_relevant(self, rel: float = 1.0) -> Floats:
        """Return how many documents of the golden set are relevant, shape (Q,)."""
        return np.asarray(self.totals.relevant(rel))

    def answerable(self, rel: float = 1.0) -> Memory:
        """Return which queries are averaged over and have a relevant document, a byte for each."""
        if rel not in self._answerable:
            relevant = positive(self.totals.relevant(rel))
            self._answerable[rel] = both(marks(self, "included"), relevant)
        return self._answerable[rel]

    @cached_property
    def _answerable(self) -> dict[float, bytearray]:
        return {}

    def hits(self, k: int | None = None, rel: float = 1.0) -> Floats:
        """Return the relevant documents among the top k, or among all, shape (Q,)."""
        return np.asarray(self.totals.hits(k, rel))

    def sums(self, values: npt.NDArray[np.number] | Mask) -> Floats:
        """Return the sum over each query's judged documents, in rank order, shape (Q,)."""
        return _sums(self.query, values, len(self))

    def sums_ideal(self, values: npt.NDArray[np.number] | Mask) -> Floats:
        """Return the sum over each query's ideal list, best first, shape (Q,)."""
        return _sums(self.ideal_query, values, len(self))

    def running(self, values: npt.NDArray[np.number] | Mask) -> Floats:
        """Return the sum of the values down to each document, itself included, shape (N,)."""
        return _running(values, self.starts)

    def running_ideal(self, values: npt.NDArray[np.number] | Mask) -> Floats:
        """Return the sum of the values down to each rank of the ideal list, shape (J,)."""
        return _running(values, self.ideal_starts)


_COLUMNS: dict[str, str] = {
    "included": "?",
    "retrieved": "i8",
    "starts": "i8",
    "rank": "i8",
    "grades": "f8",
    "ideal_starts": "i8",
    "ideal": "f8",
}


def _fits(read: RankedQueries) -> bool:
    queries = len(read.ids)
    per_query = all(len(column) == queries for column in (read.included, read.retrieved))
    starts = ((read.starts, read.rank), (read.ideal_starts, read.ideal))
    return (
        per_query
        and all(isinstance(query, str) for query in read.ids)
        and len(set(read.ids)) == queries
        and len(read.rank) == len(read.grades)
        and all(_cuts(cuts, queries, len(column)) for cuts, column in starts)
        and bool((read.rank >= 1).all() and (read.retrieved >= 0).all())
        and bool(np.isfinite(read.grades).all() and np.isfinite(read.ideal).all())
    )


def _cuts(starts: Counts, parts: int, total: int) -> bool:
    """Whether the starts cut an array of ``total`` into ``parts``."""
    return (
        len(starts) == parts + 1
        and int(starts[0]) == 0
        and int(starts[-1]) == total
        and bool((np.diff(starts) >= 0).all())
    )


def _sums(query: Counts, values: npt.NDArray[np.number] | Mask, queries: int) -> Floats:
    return np.bincount(query, values, minlength=queries).astype(np.float64, copy=False)


def _running(values: npt.NDArray[np.number] | Mask, starts: Counts) -> Floats:
    total = np.cumsum(values, dtype=np.float64)
    before = np.concatenate([np.zeros(1), total])[starts[:-1]]
    running: Floats = total - np.repeat(before, np.diff(starts))
    return running
