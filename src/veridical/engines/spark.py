"""The engine for Spark: exact, and nothing but counts comes back from the cluster.

Labels, missing scores and groups are counted by ``group_by`` (``survey``).  The first pass groups
the positives by score; their distinct scores are the edges of the slots.  The second pass sends
the edges to the workers, which count their rows into the slots between them (``partition``); the
cluster adds the counts up.  Nothing is sorted, and no row is collected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import narwhals as nw
import numpy as np
import pyarrow as pa

from veridical import strict_json
from veridical.engines.again import changed
from veridical.engines.batches import BatchEvidence, Plan
from veridical.engines.group_by import counts_by_score
from veridical.engines.partition import SCHEMA, Counted, Key, PartitionCounter, counted
from veridical.engines.partition_sums import SCHEMA as SUMS_SCHEMA
from veridical.engines.partition_sums import PartitionSums, read_pieces
from veridical.engines.read import Read, refuse_rows
from veridical.engines.survey import CLASS, Survey, group_column, score_column, survey
from veridical.errors import InputError, MissingExtraError
from veridical.extras import install_command
from veridical.metrics.intervals import Units
from veridical.slices import Slice
from veridical.summaries import ScoreSlots
from veridical.tables import ContentHash, Roles
from veridical.tables.lazy_frame import running

__all__ = ["MOST_EDGES", "SparkPass", "from_workers", "spark_slices"]

MOST_EDGES: Final = 1 << 24
"""Distinct scores of positives that the driver holds and every worker is sent (134 MB)."""
_NO_LABELS: Final = np.zeros(0, np.bool_)
_NO_SCORES: Final = np.zeros(0)


def spark_slices(source: Any, roles: Roles, plan: Plan) -> tuple[list[Slice], Read]:
    """Summarise a Spark data frame where it is.

    Parameters
    ----------
    source
        A Spark data frame, classic or of Spark Connect.  It is read four times or more: cache it
        if it is expensive to compute.
    roles
        Which column is what; neither weights, clusters nor price columns.
    plan
        What the metrics will ask for.

    Raises
    ------
    ParameterError
        Weights, clusters or price columns, which need the rows in memory.
    MissingColumnError, LabelError, ScoreError, InputError
        As ``survey``; or there are more than ``MOST_EDGES`` distinct scores of positives; or the
        data changed between two passes.
    MissingExtraError
        pandas is not installed here, or veridical not on the workers.
    """
    refuse_rows(roles)
    rows = survey(source, roles)
    empty = _slots(rows, plan)
    forecasts = frozenset(name for name, held in rows.probabilities.items() if held)
    counter = PartitionCounter(empty, roles.scores, roles.groups, forecasts)
    done = counted(empty, from_workers(rows.frame, counter, SCHEMA, _added))
    for (_, group), one in done.items():
        if one.positives != one.slots.total_positives or (
            group is None and one.slots.rows != rows.n_rows
        ):
            raise changed()
    passes = {
        group: SparkPass(rows, one.slots.rows, one.positives, group)
        for (subject, group), one in done.items()
        if subject == roles.scores[0] and len(roles.scores) > 1
    }
    slices = [
        replace(
            rows.slice(*key, BatchEvidence(one.slots, one.reliabilities, one.losses)),
            again=passes.get(key[1]),
        )
        for key, one in done.items()
    ]
    return slices, rows.read(_hash(done))


@dataclass(frozen=True, eq=False)
class SparkPass:
    """Reads the rows of a Spark data frame again, on its workers.

    Attributes
    ----------
    rows
        The survey of the data frame.
    n_rows, n_positive
        Rows of the group that were counted, and positives among these.
    group
        ``"column=value"``, or None for all rows.
    """

    rows: Survey
    n_rows: int
    n_positive: int
    group: str | None = None

    def summed(self, function: Callable[[Mapping[str, Units]], list[int]]) -> list[int]:
        """Return the sums of what a function says about each batch of rows.

        Raises
        ------
        InputError
            The data frame is not what it was when it was counted.
        """
        forecasts = frozenset(name for name, held in self.rows.probabilities.items() if held)
        sums = PartitionSums(function, self.rows.dtypes, forecasts, self._group())
        answer = from_workers(self.rows.frame, sums, SUMS_SCHEMA, _added_up)
        places, pieces = (answer.column(name).to_pylist() for name in ("place", "n"))
        nothing = {name: Units(_NO_LABELS, _NO_SCORES.astype(d)) for name, d in sums.dtypes.items()}
        n_rows, n_positive, *total = read_pieces(places, pieces, 2 + len(function(nothing)))
        if (n_rows, n_positive) != (self.n_rows, self.n_positive):
            raise changed()
        return total

    def _group(self) -> tuple[int, str] | None:
        for number, name in enumerate(self.rows.roles.groups):
            if self.group is not None and self.group.startswith(f"{name}="):
                return number, self.group.removeprefix(f"{name}=")
        return None


def _slots(rows: Survey, plan: Plan) -> dict[Key, Counted]:
    """Return the slots of every slice, around the scores of its positives: the first pass."""
    empty: dict[Key, Counted] = {}
    groups = [group_column(number) for number in range(len(rows.roles.groups))]
    for number, subject in enumerate(rows.roles.scores):
        ours = score_column(number)
        positives = rows.frame.filter(nw.col(CLASS) == 1).group_by(*groups, ours)
        with running("spark"):
            table = _collected(positives.agg(nw.len().alias("n")).head(MOST_EDGES + 1))
        if table.num_rows > MOST_EDGES:
            raise InputError(
                f"the positives have more than {MOST_EDGES:,} distinct scores",
                where=f"column {subject!r}",
                why="exact slots send the score of every positive to every worker",
                fix="summarise the data with vd.summarise(...) and evaluate the summary",
            )
        scores = rows.scores(table.column(ours), subject)
        n = table.column("n").cast(pa.int64()).to_numpy()
        for group, chosen in rows.members(table):
            found = counts_by_score(scores[chosen], np.ones(len(n[chosen]), np.bool_), n[chosen])
            counts = found.positives.whole
            slots = ScoreSlots.from_edges(found.scores, counts, plan.thresholds)
            summed = (plan.bins, plan.losses) if rows.probabilities[subject] else ((), ())
            empty[subject, group] = Counted.nothing(slots, *summed)
    return empty


def from_workers(
    frame: nw.LazyFrame[Any],
    function: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    schema: str,
    combined: Callable[[nw.LazyFrame[Any]], nw.LazyFrame[Any]],
) -> pa.Table:
    """Run a function on the Arrow batches of each partition, and a query on its answers.

    Parameters
    ----------
    frame
        Of Spark.
    function, schema
        What a worker does with the batches of a partition, and the columns of its answer.
    combined
        The query on all answers.

    Raises
    ------
    MissingExtraError
        pandas is not installed here, or veridical not on the workers.
    """
    try:
        answers: nw.LazyFrame[Any] = nw.from_native(frame.to_native().mapInArrow(function, schema))
        return _collected(combined(answers))
    except ImportError as error:  # PySpark says which version it needs
        raise MissingExtraError(
            "Spark cannot run functions on Arrow batches here",
            why=str(error),
            fix=install_command("spark"),
        ) from error
    except Exception as error:
        if "No module named 'veridical'" in str(error):
            raise MissingExtraError(
                "veridical is not installed on the workers of the cluster",
                why="they count their own rows, so that no row leaves them",
                fix="install it there, or let PYSPARK_PYTHON name a Python that has it",
            ) from error
        with running("spark"):
            raise


def _added_up(answers: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    return answers.group_by("place").agg(nw.col("n").sum())


def _added(answers: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    return answers.group_by("slice", "place").agg(nw.col("n").sum())


def _collected(frame: nw.LazyFrame[Any]) -> pa.Table:
    return frame.collect(backend="pyarrow").to_native()


def _hash(done: Mapping[Key, Counted]) -> str:
    """Return a hash of the counts: rows on a cluster have no order that a hash could follow."""
    content = ContentHash()
    for (subject, group), one in done.items():
        slots = one.slots
        for name in ("edges", "positives", "tied", "between"):
            content.update({strict_json.dumps([name, subject, group]): getattr(slots, name)})
    return content.hexdigest()
