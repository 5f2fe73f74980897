"""Small sets of rows, every order that a bin allows, and the exact value of a metric on each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from veridical.costs import Costs
from veridical.metrics import find
from veridical.results import Result
from veridical.summaries import ConfusionCounts, ScoreBins, ScoreTable
from veridical.summaries.fixed_point import FixedArray

Level = tuple[int, int]
"""Positives and negatives at one score."""


@cache
def weak_orderings(positives: int, negatives: int) -> tuple[tuple[Level, ...], ...]:
    """Return every way to put rows on levels, strictest first; no level is empty."""
    if positives + negatives == 0:
        return ((),)
    return tuple(
        ((p, n), *rest)
        for p in range(positives + 1)
        for n in range(negatives + 1)
        if p + n
        for rest in weak_orderings(positives - p, negatives - n)
    )


def orders_of_split_bin(positives: int, negatives: int) -> list[tuple[Level, ...]]:
    """Return the orders on at least two levels: a split bin has a lowest and a highest score."""
    return [order for order in weak_orderings(positives, negatives) if len(order) > 1]


@dataclass(frozen=True)
class Cell:
    """A bin of scores: rows of both classes, and whether they all tie."""

    positives: int
    negatives: int
    split: bool

    @property
    def orders(self) -> list[tuple[Level, ...]]:
        whole = ((self.positives, self.negatives),)
        return orders_of_split_bin(self.positives, self.negatives) if self.split else [whole]


def scores_of_levels(cell: int, levels: int) -> list[float]:
    """Return descending scores; the outermost two of a cell depend on the cell alone."""
    if levels == 1:
        return [float(cell)]
    return np.linspace(cell + 0.75, cell, levels).tolist()


def table_of(orders: Sequence[Sequence[Level]]) -> ScoreTable:
    """Return the exact table of cells, strictest first, whose rows stand in these orders."""
    levels = []
    for index, order in enumerate(orders):
        scores = scores_of_levels(len(orders) - index, len(order))
        levels += [(score, *level) for score, level in zip(scores, order, strict=True)]
    scores, positives, negatives = (np.array(column) for column in zip(*levels[::-1], strict=True))
    return ScoreTable(
        scores.astype(np.float64),
        FixedArray.from_int(positives),
        FixedArray.from_int(negatives),
        int(positives.sum() + negatives.sum()),
    )


def bins_of(table: ScoreTable) -> ScoreBins:
    """Return the bins of a table whose cells are the whole numbers."""
    atoms = ScoreBins.from_table(table)
    return atoms.gathered(np.floor(table.scores))[1]


def all_rankings(cells: Sequence[Cell]) -> Iterator[ScoreTable]:
    """Yield the exact table of every set of rows that has these cells, strictest first."""
    pending: list[list[tuple[Level, ...]]] = [[]]
    for cell in cells:
        pending = [[*before, order] for before in pending for order in cell.orders]
    yield from map(table_of, pending)


def exact(
    name: str,
    table: ScoreTable,
    *,
    costs: Costs | None = None,
    threshold: float | None = None,
    level: float = 0.95,
) -> Result:
    """Return a metric of an exact table."""
    measure = find(name)
    definition, settings = (
        measure.definition,
        {"costs": costs, "threshold": threshold, "level": level},
    )
    summary: Any = table.at(threshold) if definition.summary is ConfusionCounts else table
    read = definition.settings if summary is table else ()
    return definition.function(
        summary, **measure.arguments(), **{name: settings[name] for name in read}
    )
