"""What the page of a ranking shows query by query: all of them, or a sample that says it is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from veridical.ranking import RankingEvaluation

__all__ = ["Moved", "QuerySample"]

MOST_QUERIES, MOST_VALUES, MOVERS = 2_000, 60_000, 10
_RANKS_SHOWN = 12

Floats: TypeAlias = npt.NDArray[np.float64]
Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Moved:
    """One query on which two runs differ.

    Attributes
    ----------
    query
        Its id.
    value_a, value_b
        Of the metric.
    ranks_a, ranks_b
        Where the relevant documents stand, in words.
    """

    query: str
    value_a: float
    value_b: float
    ranks_a: str
    ranks_b: str


@dataclass(frozen=True, eq=False)
class QuerySample:
    """The queries of an evaluation, and the ones that a page has room for.

    Attributes
    ----------
    ev
        The evaluation.
    """

    ev: RankingEvaluation

    @cached_property
    def metrics(self) -> list[str]:
        """The metrics that have a value for each query."""
        return list(dict.fromkeys(metric for _, metric in self.ev.values_by_query))

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """All queries of the golden set."""
        return next((values.ids for values in self.ev.values_by_query.values()), ())

    @cached_property
    def pairs(self) -> list[Pair]:
        """The runs that were compared, or all pairs where none were."""
        compared = dict.fromkeys((one.a, one.b) for one in self.ev.comparisons)
        return list(compared) or list(combinations(self.ev.subjects, 2))[:1]

    def values(self, run: str, metric: str) -> Floats:
        """Return the value of every query, NaN where it has none, shape (queries,)."""
        found = self.ev.values_by_query[run, metric]
        values = np.where(found.defined, found.values, np.nan)
        if found.ids == self.ids:
            return values
        place = {query: at for at, query in enumerate(found.ids)}
        return values[[place[query] for query in self.ids]]

    def ranks(self, run: str, at: int) -> str:
        """Return where the relevant documents of a query stand in a run, in words."""
        ranked = self.ev.ranked[run]
        at = self._places[run][self.ids[at]]
        relevant = int(ranked.n_relevant()[at])
        if not relevant:
            return "no relevant document is known"
        if not ranked.retrieved[at]:
            return "nothing retrieved"
        rows = slice(int(ranked.starts[at]), int(ranked.starts[at + 1]))
        ranks = ranked.rank[rows][ranked.grades[rows] >= 1].tolist()
        if not ranks:
            return f"none of {relevant:,} relevant found"
        told = ", ".join(f"{rank:,}" for rank in ranks[:_RANKS_SHOWN])
        more = ", ..." if len(ranks) > _RANKS_SHOWN else ""
        return f"{len(ranks):,} of {relevant:,} relevant found, at {told}{more}"

    @cached_property
    def _places(self) -> dict[str, dict[str, int]]:
        """Where each query stands in the ranking of each run."""
        return {
            run: {query: at for at, query in enumerate(ranked.ids)}
            for run, ranked in self.ev.ranked.items()
        }

    def moved(self, pair: Pair, metric: str) -> tuple[list[Moved], list[Moved]]:
        """Return the queries that speak most for the first run, and most for the second."""
        a, b = (self.values(run, metric) for run in pair)
        first, second = self._movers(a - b)
        one, two = (
            [
                Moved(
                    self.ids[at],
                    float(a[at]),
                    float(b[at]),
                    self.ranks(pair[0], at),
                    self.ranks(pair[1], at),
                )
                for at in places
            ]
            for places in (first, second)
        )
        return one, two

    def lowest(self, run: str, metric: str) -> list[tuple[str, float, str]]:
        """Return the queries with the lowest values: id, value, where relevant documents stand."""
        values = self.values(run, metric)
        return [
            (self.ids[at], float(values[at]), self.ranks(run, at)) for at in self._lowest(values)
        ]

    def _lowest(self, values: Floats) -> list[int]:
        order = np.argsort(values, kind="stable")  # NaN last
        return [at for at in order[:MOVERS].tolist() if not np.isnan(values[at])]

    def _movers(self, difference: Floats) -> tuple[list[int], list[int]]:
        order = np.argsort(-difference, kind="stable")
        order = order[~np.isnan(difference[order])]
        up: list[int] = [at for at in order[:MOVERS].tolist() if difference[at] > 0]
        down: list[int] = [at for at in order[::-1][:MOVERS].tolist() if difference[at] < 0]
        return up, down

    @cached_property
    def shown(self) -> list[int]:
        """Places of the queries that the page holds: all, or movers and a random sample."""
        known = self._defined()
        room = min(MOST_QUERIES, MOST_VALUES // max(1, len(self.metrics) * len(self.ev.subjects)))
        if len(known) <= room:
            return list(known.tolist())
        kept: set[int] = set()
        if not self.pairs:
            kept.update(self._lowest(self.values(self.ev.subjects[0], self.metrics[0])))
        for pair in self.pairs:
            a, b = (self.values(run, self.metrics[0]) for run in pair)
            kept.update(*self._movers(a - b))
        generator = np.random.Generator(np.random.PCG64(0))
        drawn = generator.permutation(known).tolist()
        rest = [at for at in drawn if at not in kept][: max(0, room - len(kept))]
        return sorted({*kept, *rest})

    def _defined(self) -> npt.NDArray[np.intp]:
        """Return the queries that have a value in some run and metric."""
        some = np.zeros(len(self.ids), np.bool_)
        for run in self.ev.subjects:
            for metric in self.metrics:
                if (run, metric) in self.ev.values_by_query:
                    some |= ~np.isnan(self.values(run, metric))
        return np.flatnonzero(some)

    @property
    def total(self) -> int:
        """How many queries there are to show."""
        return len(self._defined())

    def of_shown(self, run: str, metric: str) -> list[float | None]:
        """Return the values of the queries that the page holds."""
        if (run, metric) not in self.ev.values_by_query:
            return [None] * len(self.shown)
        values: Sequence[float] = self.values(run, metric)[self.shown].tolist()
        return [None if value != value else value for value in values]  # noqa: PLR0124 - NaN
