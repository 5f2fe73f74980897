"""What a worker of a cluster answers when its rows are read again: integers of any size, in pieces.

This module is imported by every worker: it must stay light.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from veridical.engines.again import added
from veridical.engines.partition import ROWS_AT_ONCE, gathered
from veridical.metrics.intervals import Units
from veridical.tables import column_from, read_groups

__all__ = ["SCHEMA", "PartitionSums", "in_pieces", "read_pieces"]

SCHEMA: Final = "place bigint, n bigint"
_SCHEMA: Final = pa.schema({"place": pa.int64(), "n": pa.int64()})
_PIECE_BITS: Final = 32
_PIECES: Final = 128  # any product of two doubles, a billion times over, has fewer bits


@dataclass(frozen=True, eq=False)
class PartitionSums:
    """Sums what a function says about the rows of a partition: Arrow batches in, pieces out.

    Attributes
    ----------
    function
        As for ``RowPass.summed``.
    dtypes
        Score column to its type, in the order of ``s0``, ...
    forecasts
        Score columns that hold forecasts; they are moved into [0, 1].
    group
        Number of a grouping column and the value that is asked for, or None for all rows.
    """

    function: Callable[[Mapping[str, Units]], list[int]]
    dtypes: Mapping[str, str]
    forecasts: frozenset[str]
    group: tuple[int, str] | None = None

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Return the sums of all batches; rows and positives come first."""
        total: list[int] = []
        for table in gathered(batches, ROWS_AT_ONCE):
            positive = table.column("y").to_numpy() == 1
            chosen = self._chosen(table)
            units = {
                name: Units(positive[chosen], self._scores(table, number, name)[chosen])
                for number, name in enumerate(self.dtypes)
            }
            counts = [len(positive[chosen]), int(np.count_nonzero(positive[chosen]))]
            total = added(total, [*counts, *self.function(units)])
        places, n = in_pieces(total)
        yield pa.RecordBatch.from_arrays(
            [pa.array(places, pa.int64()), pa.array(n, pa.int64())], schema=_SCHEMA
        )

    def _scores(self, table: pa.Table, number: int, name: str) -> Any:
        scores = table.column(f"s{number}").to_numpy()
        if name in self.forecasts:
            scores = np.clip(scores, 0, 1)
        return scores.astype(self.dtypes[name])

    def _chosen(self, table: pa.Table) -> Any:
        if self.group is None:
            return slice(None)
        number, value = self.group
        groups = read_groups(column_from("group", table.column(f"g{number}")))
        return dict(groups.members()).get(value, slice(0))


def in_pieces(numbers: Iterable[int]) -> tuple[list[int], list[int]]:
    """Return places and the pieces that stand there; pieces of several answers add up.

    The last piece of a number carries its sign.

    Examples
    --------
    >>> read_pieces(*in_pieces([1 << 70, -3]), 2)
    [1180591620717411303424, -3]
    """
    places, pieces = [], []
    for index, number in enumerate(numbers):
        rest, place = number, index * _PIECES
        while rest:
            last = -(1 << _PIECE_BITS) < rest < 1 << _PIECE_BITS
            piece = rest if last else rest & ((1 << _PIECE_BITS) - 1)
            places.append(place)
            pieces.append(piece)
            rest = (rest - piece) >> _PIECE_BITS
            place += 1
    return places, pieces


def read_pieces(places: Iterable[int], pieces: Iterable[int], n: int) -> list[int]:
    """Return the ``n`` numbers whose pieces, of any number of answers, were added up."""
    numbers = [0] * n
    for place, piece in zip(places, pieces, strict=True):
        index, position = divmod(place, _PIECES)
        numbers[index] += piece << (_PIECE_BITS * position)
    return numbers
