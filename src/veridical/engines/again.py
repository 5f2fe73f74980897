"""Rows of a source that is read in batches, read once more for what several models say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from veridical.errors import InputError
from veridical.metrics.intervals import Units
from veridical.tables import Roles, Rows, iter_rows

__all__ = ["BatchPass", "added", "changed", "members"]

Progress = Callable[[str, int], None]


@dataclass(frozen=True, eq=False)
class BatchPass:
    """Reads the rows of a source again, in batches.

    Attributes
    ----------
    source, roles
        As for ``iter_rows``.
    clamped
        Score columns whose forecasts are moved into [0, 1].
    n_rows, n_positive
        Rows of the group that were counted, and positives among these.
    group
        ``"column=value"``, or None for all rows.
    progress
        Called with ``"comparison"`` and the rows done so far.
    """

    source: Any
    roles: Roles
    clamped: frozenset[str]
    n_rows: int
    n_positive: int
    group: str | None = None
    progress: Progress | None = field(default=None, repr=False)

    def summed(self, function: Callable[[Mapping[str, Units]], list[int]]) -> list[int]:
        """Return the sums of what a function says about each batch of rows.

        Raises
        ------
        InputError
            The source is not what it was when it was counted.
        """
        total: list[int] = []
        n_rows = n_positive = done = 0
        for rows in iter_rows(self.source, self.roles):
            units = self._units(rows)
            first = next(iter(units.values()))
            n_rows += len(first.positive)
            n_positive += int(np.count_nonzero(first.positive))
            total = added(total, function(units))
            done += rows.n_read
            if self.progress:
                self.progress("comparison", done)
        if (n_rows, n_positive) != (self.n_rows, self.n_positive):
            raise changed()
        return total

    def _units(self, rows: Rows) -> dict[str, Units]:
        chosen = dict(members(rows)).get(self.group, slice(0))
        return {
            name: Units(
                rows.positive[chosen],
                np.clip(scores[chosen], 0, 1) if name in self.clamped else scores[chosen],
            )
            for name, scores in rows.scores.items()
        }


def members(rows: Rows) -> Iterable[tuple[str | None, Any]]:
    """Yield all rows, then the rows of each group.

    Examples
    --------
    >>> from veridical.tables import read_rows
    >>> data = {"y": [1, 0, 1], "p": [0.9, 0.2, 0.4], "g": ["a", "b", "a"]}
    >>> rows = read_rows(data, Roles("y", ("p",), groups=("g",)))
    >>> [group for group, _ in members(rows)]
    [None, 'g=a', 'g=b']
    """
    yield None, slice(None)
    for name, groups in rows.groups.items():
        for value, chosen in groups.members():
            yield f"{name}={value}", chosen


def added(one: list[int], two: list[int]) -> list[int]:
    """Return the sums of two lists, number by number; an empty list changes nothing.

    Examples
    --------
    >>> added([], [1, 2]), added([1, 2], [3, -4])
    ([1, 2], [4, -2])
    """
    if not (one and two):
        return one or two
    return [a + b for a, b in zip(one, two, strict=True)]


def changed() -> InputError:
    """Return the error for data that differ between two passes."""
    return InputError(
        "the data changed between the two passes",
        why="positives of the one would be ranked among negatives of the other",
        fix="run again on a source that nothing writes to",
    )
