"""``Reference``: the cells of a reference and their counts, frozen in a file with a hash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.errors import FileFormatError, FileMissingError, MismatchError
from veridical.parameters import names as names_of
from veridical.parameters import whole
from veridical.stability.samples import (
    Kind,
    Sample,
    content_of,
    kinds_of,
    samples_of,
    without_names,
)
from veridical.summaries.partition import Partition
from veridical.summaries.shifted_cells import ShiftedCells
from veridical.tables import Table, open_table
from veridical.writing import write_atomically

__all__ = ["FrozenColumn", "Reference", "chosen_columns", "common_columns"]

_SCHEMA: Final = "veridical.drift_reference/1"
_LARGEST_FILE: Final = 1 << 28


@dataclass(frozen=True, eq=False)
class FrozenColumn:
    """One column of a reference.

    Attributes
    ----------
    kind
        Numbers or categories.
    partition
        Its cells; None where it has no value, so that nothing can be cut.
    counts
        Rows in each cell.
    smallest, largest
        Of its numbers.
    """

    kind: Kind
    partition: Partition
    counts: npt.NDArray[np.int64]
    smallest: float | None = None
    largest: float | None = None

    @classmethod
    def of(cls, sample: Sample, bins: int) -> Self:
        """Freeze a column in cells of its own."""
        if sample.kind == "categorical" or not len(sample.numbers):
            partition = Partition.of_levels(sample.levels)
            return cls("categorical", partition, _counted(partition, sample))
        partition = Partition.of_numbers(sample.numbers, bins)
        counts = _counted(partition, sample)
        return cls("numeric", partition, counts, sample.smallest, sample.largest)

    def beside(self, current: Sample) -> ShiftedCells:
        """Return the counts of both sides."""
        below = above = 0
        if self.smallest is not None and self.largest is not None:
            below = int(np.count_nonzero(current.numbers < self.smallest))
            above = int(np.count_nonzero(current.numbers > self.largest))
        counts = _counted(self.partition, current)
        return ShiftedCells(self.counts, counts, self.partition, below, above)


@dataclass(frozen=True, eq=False)
class Reference:
    """What current data are compared with, without any of its rows.

    Attributes
    ----------
    columns
        Name to its cells and counts.
    bins
        Into how many quantiles numbers were cut.
    n
        Rows.
    source
        Where they came from.

    Examples
    --------
    >>> data = {"age": [20, 30, 40, 50], "kind": ["a", "a", "b", "b"]}
    >>> reference = Reference.freeze(data, bins=2)
    >>> reference.columns["age"].partition.names, reference.columns["kind"].kind
    (('<= 30', '> 30', '(missing)'), 'categorical')
    """

    columns: Mapping[str, FrozenColumn]
    bins: int
    n: int
    source: Mapping[str, Any]

    @classmethod
    def freeze(
        cls,
        data: Any,
        *,
        columns: Sequence[str] | str | None = None,
        categorical: Sequence[str] | str = (),
        bins: int = 10,
    ) -> Self:
        """Cut every column into cells, and count its rows in them.

        Parameters
        ----------
        data
            As for ``evaluate``.
        columns
            Which; by default all but text that names rows: a file of cells would hold it.
        categorical
            Columns of numbers that are codes.
        bins
            Cells of a column of numbers, at least 2.

        Raises
        ------
        InputError, MissingColumnError, FileFormatError
            The data cannot be used as they are; the message says where and what to do.
        """
        table = open_table(data)
        chosen = chosen_columns(table, columns)
        kinds = kinds_of(table, chosen, names_of("categorical", categorical))
        samples = samples_of(table, kinds)
        if columns is None:
            samples = without_names(samples, stacklevel=3)
        return cls.of(samples, bins, table.describe())

    @classmethod
    def of(cls, samples: Mapping[str, Sample], bins: int, source: Mapping[str, Any]) -> Self:
        """Freeze columns that were read."""
        bins = whole("bins", bins, 2, 10_000)
        n = max((sample.n for sample in samples.values()), default=0)
        frozen = {name: FrozenColumn.of(sample, bins) for name, sample in samples.items()}
        return cls(frozen, bins, n, {**source, "sha256": content_of(samples)})

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document, with the hash of all that stands above it."""
        document: dict[str, Any] = {
            "schema": _SCHEMA,
            "bins": self.bins,
            "n": self.n,
            "source": dict(self.source),
            "columns": {
                name: {
                    "kind": column.kind,
                    "partition": column.partition.to_dict(),
                    "counts": column.counts.tolist(),
                    "smallest": column.smallest,
                    "largest": column.largest,
                }
                for name, column in self.columns.items()
            },
        }
        return {**document, "sha256": strict_json.sha256(document)}

    @property
    def sha256(self) -> str:
        """Hash of the content."""
        return str(self.to_dict()["sha256"])

    def save(self, path: str | Path) -> Path:
        """Write the reference, whole or not at all."""
        return write_atomically(path, strict_json.dumps(self.to_dict()) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a reference.

        Raises
        ------
        FileMissingError, FileFormatError
            There is none, or it was changed since it was frozen.
        """
        try:
            with Path(path).open("rb") as file:
                content = file.read(_LARGEST_FILE + 1)
        except OSError as error:
            raise FileMissingError(
                f"the reference cannot be read: {error.strerror}",
                where=str(path),
                fix="check the path, or freeze one with `veridical drift --freeze`",
            ) from error
        try:
            if len(content) > _LARGEST_FILE:
                raise FileFormatError(
                    "it is larger than any reference", fix="freeze the reference again"
                )
            return cls.from_dict(strict_json.loads(content.decode("utf-8")))
        except (KeyError, TypeError, ValueError, AttributeError, FileFormatError) as error:
            told = error.what if isinstance(error, FileFormatError) else "it is no reference"
            raise FileFormatError(
                told, where=str(path), fix="freeze the reference again"
            ) from error

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        content = {key: value for key, value in data.items() if key != "sha256"}
        if data.get("schema") != _SCHEMA:
            raise FileFormatError(
                f"expected {_SCHEMA}, found {str(data.get('schema'))[:60]!r}",
                fix="freeze the reference again",
            )
        if strict_json.sha256(content) != data["sha256"]:
            raise FileFormatError(
                "the content is not what the hash says: it was changed",
                fix="freeze the reference again",
            )
        columns = {name: _column(column) for name, column in data["columns"].items()}
        return cls(columns, whole("bins", data["bins"], 2), int(data["n"]), dict(data["source"]))


def chosen_columns(table: Table, columns: Sequence[str] | str | None) -> tuple[str, ...]:
    """Return the columns that were asked for, or all."""
    return tuple(table.names) if columns is None else names_of("columns", columns)


def common_columns(
    reference: Iterable[str], current: Iterable[str], asked: tuple[str, ...] | None
) -> tuple[str, ...]:
    """Return the columns that both sides have.

    Raises
    ------
    MismatchError
        There is none.
    """
    there = set(current)
    common = asked or tuple(name for name in reference if name in there)
    if not common:
        raise MismatchError(
            "the two have no column in common", fix="compare files with the same columns"
        )
    return common


def _counted(partition: Partition, sample: Sample) -> npt.NDArray[np.int64]:
    if partition.numeric:
        return partition.count(sample.numbers, sample.missing)
    return partition.count_levels(sample.levels, sample.missing)


def _column(data: Mapping[str, Any]) -> FrozenColumn:
    partition = Partition.from_dict(data["partition"])
    frozen = ShiftedCells.from_dict(
        {
            "schema": ShiftedCells.schema,
            "reference": data["counts"],
            "current": data["counts"],
            "partition": data["partition"],
            "below": 0,
            "above": 0,
        }
    )
    ends = data["smallest"], data["largest"]
    if not all(end is None or type(end) in {int, float} for end in ends):
        raise FileFormatError("smallest and largest are numbers", fix="freeze the reference again")
    kind: Kind = "numeric" if partition.numeric else "categorical"
    return FrozenColumn(kind, partition, frozen.reference, *ends)
