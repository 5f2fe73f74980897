"""Summarising a Spark data frame where it is: each partition at home, then sums of summaries."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import narwhals as nw
import pyarrow as pa

from veridical import strict_json
from veridical.engines.partition import ROWS_AT_ONCE, gathered
from veridical.engines.read import refuse_rows
from veridical.engines.spark import from_workers
from veridical.engines.survey import CLASS, group_column, score_column, survey
from veridical.errors import ScoreError
from veridical.portable.counting import NUMBERS, empty_summary, summary_of
from veridical.portable.header import Header
from veridical.portable.running import RunningSum
from veridical.portable.summary import Summary
from veridical.tables import Roles, Rows, column_from, read_groups

__all__ = ["summarise_on_spark"]

_SCHEMA: Final = "bundle bigint, summary binary"
_ARROW: Final = pa.schema({"bundle": pa.int64(), "summary": pa.binary()})
# The workers add the summaries of their partitions until so few are left.
_BUNDLES: Final = 8


def summarise_on_spark(source: Any, roles: Roles, header: Header, *, refuse: bool) -> Summary:
    """Summarise a Spark data frame; no row is collected.

    Parameters
    ----------
    source
        A Spark data frame.
    roles, header
        Which column is what, and the choices of the summary.
    refuse
        Whether scores that have no place on their grid are an error; else they get another one.

    Raises
    ------
    ParameterError
        Rows have weights.
    MissingColumnError, LabelError, ScoreError, InputError
        The data cannot be used as they are.
    MissingExtraError
        pandas is not installed here, or veridical not on the workers.
    """
    refuse_rows(roles)
    rows = survey(source, roles)
    homeless = [
        name
        for name, held in header.scores.items()
        if held.startswith("probability") and rows.clamped[name] is None
    ]
    if homeless and refuse:
        raise ScoreError(
            f"column {homeless[0]!r} holds scores outside [0, 1]",
            why="they have no place on the grid of forecasts",
            fix=f"use a grid {NUMBERS}",
        )
    header = replace(header, scores={**header.scores, **dict.fromkeys(homeless, NUMBERS)})

    def bundled(answers: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        bundles = answers.to_native().groupBy("bundle")
        added: nw.LazyFrame[Any] = nw.from_native(
            bundles.applyInArrow(lambda table: _bundle(table, header), _SCHEMA)
        )
        return added

    answer = from_workers(rows.frame, _Partition(roles, rows.dtypes, header), _SCHEMA, bundled)
    total = _running()
    for written in answer.column("summary").to_pylist():
        total.add(_read(written))
    summary = total.value(empty_summary(header))
    missing = dict(sorted(rows.missing.items()))
    summary = replace(summary, tally=replace(summary.tally, n_read=rows.n_read, missing=missing))
    # Rows on a cluster have no order that a hash could follow: the content stands for them.
    return replace(summary, sources={summary.sha256: 1} if rows.n_read else {})


@dataclass(frozen=True, eq=False)
class _Partition:
    """What a worker does: Arrow batches of a survey in, their summary out."""

    roles: Roles
    dtypes: Mapping[str, str]
    header: Header

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        task = TaskContext.get()
        total = _running()
        for table in gathered(batches, ROWS_AT_ONCE):
            total.add(summary_of(self._rows(table), self.header))
        yield _written(0 if task is None else task.partitionId(), total, self.header)

    def _rows(self, table: pa.Table) -> Rows:
        columns = {
            name: table.column(score_column(number)).to_numpy().astype(self.dtypes[name])
            for number, name in enumerate(self.roles.scores)
        }
        groups = {
            name: read_groups(column_from(name, table.column(group_column(number))))
            for number, name in enumerate(self.roles.groups)
        }
        positive = table.column(CLASS).to_numpy() == 1
        return Rows(positive, columns, groups=groups, n_read=len(positive))


def _running() -> RunningSum[Summary]:
    return RunningSum(lambda summary: summary.size)


def _bundle(table: pa.Table, header: Header) -> pa.Table:
    """Add the summaries of several partitions, on a worker."""
    total = _running()
    for written in table.column("summary").to_pylist():
        total.add(_read(written))
    return pa.Table.from_batches([_written(table.column("bundle")[0].as_py(), total, header)])


def _written(number: int, total: RunningSum[Summary], header: Header) -> pa.RecordBatch:
    document = strict_json.canonical(total.value(empty_summary(header)).to_dict())
    columns = [pa.array([number % _BUNDLES]), pa.array([zlib.compress(document)])]
    return pa.RecordBatch.from_arrays(columns, schema=_ARROW)


def _read(written: bytes) -> Summary:
    return Summary.from_dict(strict_json.loads(zlib.decompress(written)))
