"""``Units``: the outcome of every unit of a run, in one compact block of columns."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from veridical import strict_json
from veridical.errors import FileFormatError, InputError, VeridicalError
from veridical.tables.arrow_numpy import array_of_numbers, numpy_of

__all__ = ["MOST_UNITS", "Noun", "Role", "UnitColumn", "Units"]

Noun: TypeAlias = Literal["row", "query", "segment", "item", "case"]
Role: TypeAlias = Literal[
    "value", "state", "score", "label", "weight", "cluster", "group", "statistic", "rating"
]

MOST_UNITS: Final = 1_000_000
"""Runs of more units are kept without them, and say so."""

_SCHEMA: Final = "veridical.units/1"


@dataclass(frozen=True, slots=True)
class UnitColumn:
    """What one column holds for each unit.

    Attributes
    ----------
    role
        ``value`` of a metric, ``state`` that a case is in there, ``score`` of a model, ``label``
        (true where the class is positive), ``weight``, ``cluster``, ``group``, ``statistic``: a
        count that a metric adds up, or ``rating``: the position of a rater's label among all
        labels.
    name
        The metric, the column of the data, or the statistic.
    subject
        The model, run or system that it belongs to; None for what they share.
    """

    role: Role
    name: str
    subject: str | None = None


@dataclass(frozen=True, eq=False)
class Units:
    """Units by id, and columns about them.

    Attributes
    ----------
    noun
        What a unit is: ``row``, ``query``, ``segment``, ``item`` or ``case``.
    ids
        Distinct texts, shape (n,).
    columns
        Column to array, shape (n,): float64, int64, bool, or str objects.  A value that does not
        exist is masked: ``columns`` then holds a ``numpy.ma`` array.

    Examples
    --------
    >>> ndcg = UnitColumn("value", "retrieval.ndcg@10", "bm25")
    >>> units = Units("query", ["q1", "q2"], {ndcg: np.array([1.0, 0.5])})
    >>> Units.from_bytes(units.to_bytes()).column("value", subject="bm25").tolist()
    [1.0, 0.5]
    """

    noun: Noun
    ids: Sequence[str]
    columns: Mapping[UnitColumn, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def position(self) -> dict[str, int]:
        """Id to position."""
        return {unit: at for at, unit in enumerate(self.ids)}

    def find(
        self, role: Role, name: str | None = None, subject: str | None = None
    ) -> list[UnitColumn]:
        """Return the columns of a role, of a name and of a subject where these are given."""
        return [
            column
            for column in self.columns
            if column.role == role
            and name in {None, column.name}
            and subject in {None, column.subject}
        ]

    def column(self, role: Role, name: str | None = None, subject: str | None = None) -> Any:
        """Return the one column that fits.

        Raises
        ------
        InputError
            There is none, or there are several.
        """
        found = self.find(role, name, subject)
        if len(found) != 1:
            raise InputError(
                f"{len(found)} columns of units are {role} {name or ''}".rstrip(),
                fix=f"there are: {', '.join(sorted({c.name for c in self.columns}))}",
            )
        return self.columns[found[0]]

    @cached_property
    def truth_sha256(self) -> str:
        """Hash of the ids with their labels, in order of id: the same units, the same truth."""
        order = sorted(range(len(self.ids)), key=self.ids.__getitem__)
        labels = self.find("label")
        digest = hashlib.sha256()
        values = [self.columns[label].tolist() for label in labels]
        for at in order:
            digest.update(strict_json.canonical([self.ids[at], *(v[at] for v in values)]) + b"\n")
        return digest.hexdigest()

    def to_bytes(self) -> bytes:
        """Return the block: an Arrow file, compressed, which says what each column holds."""
        import pyarrow as pa

        described = [{"role": c.role, "name": c.name, "subject": c.subject} for c in self.columns]
        metadata = {"schema": _SCHEMA, "noun": self.noun, "columns": described}
        arrays = [_texts_to_arrow(self.ids), *(_arrow(values) for values in self.columns.values())]
        names = [str(at) for at in range(len(arrays))]
        table = pa.table(arrays, names=names).replace_schema_metadata(
            {b"veridical": strict_json.canonical(metadata)}
        )
        sink = pa.BufferOutputStream()
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with pa.ipc.new_file(sink, table.schema, options=options) as writer:
            writer.write_table(table)
        return bytes(sink.getvalue())

    @classmethod
    def from_bytes(cls, content: bytes) -> Units:
        """Read back what ``to_bytes`` wrote.

        Raises
        ------
        FileFormatError
            It is no such block.
        """
        import pyarrow as pa

        try:
            table = pa.ipc.open_file(pa.BufferReader(content)).read_all()
            table.validate(full=True)
            held = strict_json.loads(table.schema.metadata[b"veridical"])
            if held["schema"] != _SCHEMA or len(held["columns"]) + 1 != table.num_columns:
                raise FileFormatError(
                    f"expected {_SCHEMA}", fix="check the store with `veridical runs verify`"
                )
            ids, *arrays = (_numpy(column) for column in table.columns)
            columns = [UnitColumn(c["role"], c["name"], c["subject"]) for c in held["columns"]]
            units = cls(held["noun"], ids.tolist(), dict(zip(columns, arrays, strict=True)))
        except (pa.ArrowException, KeyError, TypeError, ValueError, OSError) as error:
            raise FileFormatError(
                f"the outcomes of the units cannot be read: {VeridicalError.what_of(error)[:200]}",
                fix="check the store with `veridical runs verify`",
            ) from error
        if len(units.position) < len(units.ids) or len(units.columns) < len(columns):
            raise FileFormatError(
                "a unit or a column stands twice in a block of units",
                fix="check the store with `veridical runs verify`",
            )
        return units


def _arrow(values: Any) -> Any:
    absent = np.ma.getmaskarray(values) if np.ma.isMaskedArray(values) else None
    plain = np.asarray(np.ma.getdata(values))
    if plain.dtype.kind in "OU":
        return _texts_to_arrow(plain.tolist())
    return array_of_numbers(plain, absent)


def _texts_to_arrow(texts: Sequence[str]) -> Any:
    # Bytes, because Arrow's text has no form for half of a surrogate pair.
    import pyarrow as pa

    coded = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([0, *map(len, coded)], dtype=np.int64)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(coded))]
    return pa.Array.from_buffers(pa.large_binary(), len(coded), buffers)


def _numpy(column: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_large_binary(column.type):
        texts = [value.decode("utf-8", "surrogatepass") for value in column.to_pylist()]
        values = np.empty(len(texts), dtype=object)
        values[:] = texts
        return values
    numbers = numpy_of(column)
    if not column.null_count:
        return numbers
    return np.ma.masked_array(numbers, numpy_of(column.is_null()))
