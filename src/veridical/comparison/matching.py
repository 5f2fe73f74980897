"""Units of two runs matched by their ids, and the rows of a model rebuilt from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.comparison.recorded import Recorded
from veridical.metrics.evidence import TableEvidence
from veridical.metrics.intervals import Units as Rows
from veridical.results import Conditions
from veridical.slices import Slice
from veridical.summaries import ScoreTable

if TYPE_CHECKING:
    from veridical.store import Units

__all__ = ["At", "Matched", "has_scores", "match", "model_slice"]

At: TypeAlias = npt.NDArray[np.intp]
_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Matched:
    """The units that two runs have in common, and those that each has alone.

    Attributes
    ----------
    noun
        What a unit is: ``row``, ``query``, ``segment``, ``case``.
    at_a, at_b
        Positions of the common units in each run, shape (n,), in the order of the first.
    only_a, only_b
        Ids that the other run lacks, in order.
    """

    noun: str
    at_a: At
    at_b: At
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """How many units are common."""
        return len(self.at_a)

    @property
    def places(self) -> tuple[At, At]:
        """Positions of the common units in the first and in the second run."""
        return self.at_a, self.at_b

    @property
    def plural(self) -> str:
        """What several units are called."""
        return "queries" if self.noun == "query" else f"{self.noun}s"

    @property
    def whole(self) -> bool:
        """Whether neither run has a unit that the other lacks."""
        return not (self.only_a or self.only_b)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as JSON, with the first few ids that were lost."""
        return {
            "unit": self.noun,
            "n_paired": self.n,
            "n_only_a": len(self.only_a),
            "n_only_b": len(self.only_b),
            "first_only_a": list(self.only_a[:_SHOWN]),
            "first_only_b": list(self.only_b[:_SHOWN]),
        }


def match(a: Units, b: Units) -> Matched:
    """Match the units of two runs by id.

    Examples
    --------
    >>> from veridical.store import Units
    >>> found = match(Units("query", ["q1", "q2"]), Units("query", ["q2", "q3", "q4"]))
    >>> found.n, found.only_a, found.only_b
    (1, ('q1',), ('q3', 'q4'))
    """
    if a.ids == b.ids:
        every = np.arange(len(a), dtype=np.intp)
        return Matched(a.noun, every, every)
    there = b.position
    pairs = [(at, there[unit]) for at, unit in enumerate(a.ids) if unit in there]
    at_a, at_b = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    only_a = tuple(unit for unit in a.ids if unit not in there)
    only_b = tuple(unit for unit in b.ids if unit not in a.position)
    return Matched(a.noun, at_a, at_b, only_a, only_b)


def has_scores(run: Recorded, subject: str) -> bool:
    """Return whether the labels and scores of single rows were kept."""
    units = run.units
    return (
        units is not None
        and bool(units.find("label"))
        and bool(units.find("score", subject=subject))
    )


def model_slice(
    run: Recorded, subject: str, group: str | None = None, at: At | None = None
) -> Slice | None:
    """Return a score column as it was measured, from the rows that were kept.

    Parameters
    ----------
    run
        A run that ``has_scores``.
    subject, group
        The score column; a slice, or None for all rows.
    at
        Positions of the rows to keep, in order; None for all.

    Returns
    -------
    Slice or None
        None where the run does not hold the column of the group.
    """
    units = run.units
    assert units is not None  # noqa: S101 - the caller asked has_scores
    rows = np.arange(len(units)) if at is None else at
    if group is not None:
        inside = _members(units, group)
        if inside is None:
            return None
        rows = rows[inside[rows]]
    positive = np.asarray(units.column("label"))[rows].astype(np.bool_)
    scores = np.asarray(units.column("score", subject=subject))[rows]
    weight = _optional(units, "weight", rows)
    cluster = _optional(units, "cluster", rows)
    codes = None if cluster is None else np.unique(cluster, return_inverse=True)[1].ravel()
    weights = None if weight is None else weight.astype(np.float64)
    kept = Rows(positive, scores, weights, codes)
    sampled = weights is not None and not np.array_equal(weights, np.floor(weights))
    return Slice(
        subject,
        group,
        TableEvidence(ScoreTable.from_rows(positive, scores, weight=weights)),
        units=kept if codes is not None or sampled else None,
        rows=kept,
        conditions=Conditions({} if weights is None else {"weighted": True}),
    )


def _members(units: Units, group: str) -> npt.NDArray[np.bool_] | None:
    for column in units.find("group"):
        if group.startswith(f"{column.name}="):
            value = group.removeprefix(f"{column.name}=")
            inside: npt.NDArray[np.bool_] = np.array(
                [str(one) == value for one in units.columns[column]], dtype=np.bool_
            )
            return inside
    return None


def _optional(units: Units, role: Any, rows: At) -> npt.NDArray[Any] | None:
    found = units.find(role)
    return None if not found else np.asarray(units.columns[found[0]])[rows]
