"""What a worker of a cluster does with its rows: counts and sums, in one flat form that adds up.

Everything that a partition answers is ``(slice, place, n)`` with integers, so the cluster adds the
answers of all partitions with a plain ``sum``.  Places from 0 on are slots; negative ones are
pieces of 32 bits of the exact sums, which have more bits than any column.

This module is imported by every worker: it must stay light.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from veridical.summaries import LossSums, ReliabilityTable, ScoreSlots
from veridical.summaries.losses import ClassLoss, Loss
from veridical.tables import column_from, read_groups

__all__ = ["ROWS_AT_ONCE", "SCHEMA", "Counted", "Key", "PartitionCounter", "counted", "gathered"]

Key: TypeAlias = tuple[str, str | None]
Floats: TypeAlias = npt.NDArray[np.float64] | npt.NDArray[np.float32]
Integers: TypeAlias = npt.NDArray[np.int64]

SCHEMA: Final = "slice int, place bigint, n bigint"
_SCHEMA: Final = pa.schema({"slice": pa.int32(), "place": pa.int64(), "n": pa.int64()})

_PIECE_BITS: Final = 32
_PIECES: Final = 8  # sums have at most 104 bits behind the point and 64 before it
_SUMS: Final = ("n", "sum_p", "sum_y", "sum_p2", "sum_py")
_CLASS_SUMS: Final = tuple(one.name for one in fields(ClassLoss))
ROWS_AT_ONCE: Final = 1 << 18


@dataclass(frozen=True, eq=False)
class Counted:
    """What was counted of one slice, in a partition or in all of them.

    Attributes
    ----------
    slots
        Negatives in the slots; positives at the edges are those of all partitions.
    positives
        Positives seen.
    reliabilities, losses
        Sums of forecasts; empty where the scores are none.
    """

    slots: ScoreSlots
    positives: int
    reliabilities: Mapping[int, ReliabilityTable]
    losses: Mapping[tuple[Loss, float], LossSums]

    @classmethod
    def nothing(
        cls, slots: ScoreSlots, bins: Iterable[int], losses: Iterable[tuple[Loss, float]]
    ) -> Counted:
        """Start with empty slots."""
        dtype = str(slots.edges.dtype)
        return cls(
            slots,
            0,
            {count: ReliabilityTable.empty(count, dtype) for count in sorted(bins)},
            {(loss, clip): LossSums(loss, clip) for loss, clip in sorted(losses)},
        )

    def with_rows(self, positive: npt.NDArray[np.bool_], scores: Floats) -> Counted:
        """Return the counts with these rows added."""
        reliabilities = {
            bins: table + ReliabilityTable.from_rows(positive, scores, bins=bins)
            for bins, table in self.reliabilities.items()
        }
        losses = {
            (loss, clip): sums + LossSums.from_rows(positive, scores, loss, clip)
            for (loss, clip), sums in self.losses.items()
        }
        return Counted(
            self.slots.counted(positive, scores),
            self.positives + int(np.count_nonzero(positive)),
            reliabilities,
            losses,
        )

    def flat(self) -> tuple[Integers, Integers]:
        """Return places and what stands there, zeros left out."""
        slots = np.concatenate([self.slots.tied, self.slots.between])
        held = np.flatnonzero(slots)
        mask = (1 << _PIECE_BITS) - 1
        pieces = np.array(
            [
                (total >> (_PIECE_BITS * piece)) & mask
                for total in self._totals()
                for piece in range(_PIECES)
            ],
            dtype=np.int64,
        )
        set_pieces = np.flatnonzero(pieces)
        return (
            np.concatenate([held, -1 - set_pieces]),
            np.concatenate([slots[held], pieces[set_pieces]]),
        )

    def filled(self, places: Integers, n: Integers) -> Counted:
        """Return what the added places of all partitions say; the inverse of ``flat``."""
        m = len(self.slots.edges)
        slots = np.zeros(2 * m + 1, dtype=np.int64)
        slots[places[places >= 0]] = n[places >= 0]
        totals = [0] * len(self._totals())
        for place, piece in zip(
            (-1 - places[places < 0]).tolist(), n[places < 0].tolist(), strict=True
        ):
            totals[place // _PIECES] += piece << (_PIECE_BITS * (place % _PIECES))
        rest = iter(totals)
        positives = next(rest)
        reliabilities = {
            bins: ReliabilityTable(
                bins,
                **{name: tuple(next(rest) for _ in range(bins)) for name in _SUMS},
                dtype=table.dtype,
            )
            for bins, table in self.reliabilities.items()
        }
        losses = {
            (loss, clip): LossSums(
                loss, clip, *(ClassLoss(*(next(rest) for _ in _CLASS_SUMS)) for _ in range(2))
            )
            for loss, clip in self.losses
        }
        counted_slots = ScoreSlots(self.slots.edges, self.slots.positives, slots[:m], slots[m:])
        return Counted(counted_slots, positives, reliabilities, losses)

    def _totals(self) -> list[int]:
        totals = [self.positives]
        for table in self.reliabilities.values():
            for name in _SUMS:
                totals += getattr(table, name)
        for sums in self.losses.values():
            for one in (sums.positives, sums.negatives):
                totals += [getattr(one, name) for name in _CLASS_SUMS]
        return totals


@dataclass(frozen=True, eq=False)
class PartitionCounter:
    """Counts the rows of a partition: Arrow batches in, ``SCHEMA`` out.

    Attributes
    ----------
    empty
        Slice to its empty slots, agreed on before; in the order of their numbers.
    subjects, groups
        The score columns (``s0``, ... in a batch) and the grouping columns (``g0``, ...).
    forecasts
        Score columns that hold forecasts; they are moved into [0, 1].
    """

    empty: Mapping[Key, Counted]
    subjects: tuple[str, ...]
    groups: tuple[str, ...]
    forecasts: frozenset[str]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Return the counts of all batches."""
        seen: dict[Key, Counted] = {}
        for table in gathered(batches, self._rows_at_once):
            self._add(seen, table)
        for number, key in enumerate(self.empty):
            if key in seen:
                places, n = seen[key].flat()
                slices = np.full(len(places), number, dtype=np.int32)
                yield pa.RecordBatch.from_arrays([slices, places, n], schema=_SCHEMA)

    @property
    def _rows_at_once(self) -> int:
        # Adding to slots costs as much as there are slots: not for every small batch.
        return max(ROWS_AT_ONCE, *(len(one.slots.edges) for one in self.empty.values()))

    def _add(self, seen: dict[Key, Counted], table: pa.Table) -> None:
        positive = table.column("y").to_numpy() == 1
        parts = list(self._parts(table))
        for number, subject in enumerate(self.subjects):
            scores = table.column(f"s{number}").to_numpy()
            if subject in self.forecasts:
                scores = np.clip(scores, 0, 1)
            for group, chosen in parts:
                empty = self.empty.get((subject, group))
                if empty is None:
                    raise ValueError("a group appeared between two passes over the data")
                typed = scores[chosen].astype(empty.slots.edges.dtype)
                before = seen.get((subject, group), empty)
                seen[subject, group] = before.with_rows(positive[chosen], typed)

    def _parts(self, table: pa.Table) -> Iterator[tuple[str | None, Any]]:
        yield None, slice(None)
        for number, name in enumerate(self.groups):
            groups = read_groups(column_from(name, table.column(f"g{number}")))
            for value, chosen in groups.members():
                yield f"{name}={value}", chosen


def gathered(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.Table]:
    """Yield tables of at least ``rows`` rows, and what is left."""
    held: list[pa.RecordBatch] = []
    n = 0
    for batch in batches:
        held.append(batch)
        n += batch.num_rows
        if n >= rows:
            yield pa.Table.from_batches(held)
            held, n = [], 0
    if n:
        yield pa.Table.from_batches(held)


def counted(empty: Mapping[Key, Counted], table: pa.Table) -> dict[Key, Counted]:
    """Return what all partitions counted, from the sums of their answers."""
    slices, places, n = (table.column(name).to_numpy() for name in ("slice", "place", "n"))
    order = np.argsort(slices, kind="stable")
    cuts = np.searchsorted(slices[order], np.arange(len(empty) + 1))
    return {
        key: one.filled(places[order[start:stop]], n[order[start:stop]])
        for (key, one), start, stop in zip(empty.items(), cuts[:-1], cuts[1:], strict=True)
    }
