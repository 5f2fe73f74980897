"""The engine for rows in memory: rows in, one summary a score column and group out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from veridical.costs import Costs
from veridical.engines.evidence import RowEvidence
from veridical.engines.groups import check_number_of_groups
from veridical.metrics.intervals import Units
from veridical.results import Conditions
from veridical.slices import Slice
from veridical.tables import Groups, Rows

__all__ = ["slices"]


def slices(
    rows: Rows,
    costs: Costs | None = None,
    *,
    thresholds: Sequence[float] = (),
    threads: int = 1,
    probabilities: Mapping[str, bool],
) -> Iterator[Slice]:
    """Yield one slice for each score column: all rows first, then each value of each group.

    Parameters
    ----------
    rows, costs
        Checked rows; prices, of which some may be columns.
    thresholds
        Thresholds at which decisions will be asked about.
    threads
        How many threads may count.
    probabilities
        Score column to whether it holds forecasts, which are clamped into [0, 1].

    Raises
    ------
    InputError
        A grouping column has more than ``MOST_GROUPS`` distinct values.
    """
    groups = {name: _indices(name, groups) for name, groups in rows.groups.items()}
    for subject in rows.scores:
        scores, clamped = (
            rows.probabilities(subject) if probabilities[subject] else (rows.scores[subject], 0)
        )
        context = _Context(rows, subject, scores, clamped, costs, tuple(thresholds), threads)
        yield context.part(None, None)
        for name, members in groups.items():
            for value, index in members.items():
                yield context.part(f"{name}={value}", index)


def _indices(name: str, groups: Groups) -> Mapping[str, npt.NDArray[np.intp]]:
    check_number_of_groups(name, len(groups.names))
    return dict(groups.members())


@dataclass(frozen=True, eq=False)
class _Context:
    """What the slices of one score column share."""

    rows: Rows
    subject: str
    scores: npt.NDArray[np.floating]
    clamped: int
    costs: Costs | None
    thresholds: tuple[float, ...]
    threads: int

    def part(self, group: str | None, index: npt.NDArray[np.intp] | None) -> Slice:
        chosen = self._present(index)
        rows, weight = self.rows, self.rows.weight
        positive, scores = rows.positive[chosen], self.scores[chosen]
        weights = None if weight is None else weight[chosen]
        costs = self._cost_columns(chosen)
        evidence = RowEvidence(positive, scores, weights, costs, self.thresholds, self.threads)
        codes = None if rows.cluster is None else _renumbered(rows.cluster[chosen])
        units = Units(positive, scores, weights, codes, costs)
        sampled = weights is not None and not np.array_equal(weights, np.floor(weights))
        return Slice(
            self.subject,
            group,
            evidence,
            units=units if codes is not None or sampled else None,
            rows=units,
            conditions=self._conditions(codes),
            notes=self._notes(codes, sampled=sampled),
            counts={"n_skipped": rows.n_skipped} if rows.n_skipped else {},
        )

    def _present(self, index: npt.NDArray[np.intp] | None) -> slice | npt.NDArray[np.intp]:
        """Return the rows of a slice without those of weight zero, which are absent."""
        weight = self.rows.weight
        if weight is None or weight.all():
            return slice(None) if index is None else index
        return np.flatnonzero(weight) if index is None else index[weight[index] > 0]

    def _cost_columns(
        self, chosen: slice | npt.NDArray[np.intp]
    ) -> dict[str, npt.NDArray[np.float64]]:
        if self.costs is None:
            return {}
        prices = {name: getattr(self.costs, name) for name in ("fn", "fp", "review")}
        return {
            f"{name}_cost": self.rows.costs[name][chosen]
            for name, price in prices.items()
            if isinstance(price, str)
        }

    def _conditions(self, codes: npt.NDArray[np.intp] | None) -> Conditions:
        settings = {} if self.rows.weight is None else {"weighted": True}
        observed = {"n_clamped": self.clamped} if self.clamped else {}
        if codes is not None:
            observed["n_clusters"] = int(codes.max(initial=-1)) + 1
        return Conditions(settings, observed)

    def _notes(self, codes: npt.NDArray[np.intp] | None, *, sampled: bool) -> tuple[str, ...]:
        notes: tuple[str, ...] = ("clamped",) if self.clamped else ()
        if self.rows.weight is not None:
            notes += ("sampling_weights",) if sampled else ("frequency_weights",)
        return notes + (("clustered",) if codes is not None else ())


def _renumbered(codes: npt.NDArray[np.integer]) -> npt.NDArray[np.intp]:
    renumbered: npt.NDArray[np.intp] = np.unique(codes, return_inverse=True)[1].ravel()
    return renumbered
