"""``Decisions``: which rows were decided favourably, which deserved it, and their groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError, LabelError, ParameterError
from veridical.measures import format_value
from veridical.parameters import number
from veridical.parity.references import chosen_references
from veridical.parity.sums import ClusterSums, cell_spreads, cell_sums
from veridical.parity.tallies import Tallies
from veridical.stats.resolution import FEW_UNITS
from veridical.summaries import ConfusionCounts, GroupedCounts
from veridical.tables import (
    Column,
    Groups,
    LabelReader,
    content_hash,
    read_clusters,
    read_groups,
    read_weights,
)
from veridical.tables import read_numbers as read_floats
from veridical.tables._words import counted, listed, shown

__all__ = ["Decisions", "favoured_by_score", "read_decisions"]

MOST_GROUPS = 1000

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """Decisions about rows.

    Attributes
    ----------
    favoured
        bool, shape (n,): whether the decision was the favourable one.
    deserving
        bool, shape (n,): whether the label is the favourable one; None without labels.
    groups
        By column.
    settings
        What decides, and what was taken for favourable.
    weight, cluster
        float64 and int64, shape (n,): how much each row counts, and whom it belongs to; or None.
    n_skipped
        Rows that were left out because something was missing.
    notes
        What a reader must know about the values.
    """

    favoured: Mask
    deserving: Mask | None
    groups: Mapping[str, Groups]
    settings: Mapping[str, str]
    weight: npt.NDArray[np.float64] | None = None
    cluster: npt.NDArray[np.int64] | None = None
    n_skipped: int = 0
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """How many rows."""
        return len(self.favoured)

    @property
    def sha256(self) -> str:
        """Hash of the content."""
        columns: dict[str, Any] = {"favoured": self.favoured}
        if self.deserving is not None:
            columns["deserving"] = self.deserving
        drawn = {"weight": self.weight, "cluster": self.cluster}
        columns |= {name: values for name, values in drawn.items() if values is not None}
        return content_hash(columns | {f"group {k}": v for k, v in self.groups.items()})

    @property
    def is_fractional(self) -> bool:
        """Whether a weight is no whole number; else a row of weight w counts as w rows."""
        return self.weight is not None and bool((self.weight != np.floor(self.weight)).any())

    def passport(self) -> dict[str, Any]:
        """Return what holds for every result of these rows."""
        skipped = {"n_skipped": self.n_skipped} if self.n_skipped else {}
        return {"n_rows": self.n, "counts": skipped, "notes": self.notes}

    def tallied(self, references: Sequence[str] = ()) -> Tallies:
        """Return the counts of every group; positive is the favourable outcome.

        Parameters
        ----------
        references
            Whom groups will be held against, as for ``chosen_references``: with these they may
            have clusters in common.
        """
        places, counts = self._places(), {}
        for column, groups in self.groups.items():
            sums = cell_sums(places[column], self.weight, 4 * len(groups.names))
            by_group = [sums[at : at + 4] for at in range(0, len(sums), 4)]
            of = zip(groups.names, by_group, strict=True)
            counts[column] = GroupedCounts({name: ConfusionCounts(*four) for name, four in of})
        tallies = Tallies(counts=counts, labelled=self.deserving is not None)
        if self.cluster is None and not self.is_fractional:
            return tallies
        chosen = {} if self.cluster is None else chosen_references(counts, references)[0]
        spreads, shared = {}, {}
        for column, place in places.items():
            names, clusters = self.groups[column].names, None
            if self.cluster is not None:
                clusters = ClusterSums.of(place, self.weight, self.cluster)
                found = clusters.shared(len(names), names.index(chosen[column]))
                shared[column] = {names[group]: sums for group, sums in found.items()}
            of_groups = cell_spreads(place, self.weight, clusters, len(names))
            spreads[column] = dict(zip(names, of_groups, strict=True))
        return replace(tallies, spreads=spreads, shared=shared)

    def _places(self) -> dict[str, npt.NDArray[np.int64]]:
        """Return, by column, four times the group of each row plus the cell it counts in."""
        deserving = np.zeros(self.n, np.bool_) if self.deserving is None else self.deserving
        cell = ((~deserving) * 1 + (~self.favoured) * 2).astype(np.int64)
        return {
            column: groups.codes.astype(np.int64) * 4 + cell
            for column, groups in self.groups.items()
        }


def read_decisions(
    decision: Column,
    groups: Sequence[Column],
    *,
    favourable: Any,
    label: Column | None = None,
    favourable_label: Any = None,
    weight: Column | None = None,
    cluster: Column | None = None,
    missing: Literal["error", "drop"] = "error",
) -> Decisions:
    """Return the decisions of columns that were read.

    Parameters
    ----------
    decision, groups, label
        n rows each.
    favourable, favourable_label
        The value of the decision, and of the label, that is good for whom it is about; the same
        one by default.
    weight, cluster
        How much each row counts; whom it belongs to.
    missing
        ``"error"``, or ``"drop"`` to leave out rows whose decision or label is missing.

    Raises
    ------
    InputError, LabelError, ParameterError
        Something is missing, or does not fit.
    """
    if missing not in {"error", "drop"}:
        raise ParameterError(f"missing= is error or drop, not {missing!r}", fix="give one of them")
    if favourable is None:
        raise ParameterError(
            "favourable= is missing",
            why="whether a decision is good for whom it is about, no data say: in credit a flag "
            "is a denial",
            fix="name the favourable value: favourable=0 (--favourable 0), for example",
        )
    others = [one for one in (label, weight, cluster) if one is not None]
    _check_lengths([decision, *groups, *others])
    reader = LabelReader(favourable)
    favoured, lost = reader.read(decision)
    deserving, label_lost = None, None
    if label is not None:
        deserving, label_lost = _read_label(label, favourable, favourable_label, reader)
    keep = np.ones(len(decision), np.bool_)
    for column, absent in ((decision, lost), (label, label_lost)):
        if column is not None and absent is not None:
            _check_missing(column, absent, missing)
            keep &= ~absent
    settings = {"decision": decision.name, "favourable": str(favourable)}
    if label is not None:
        of_label = favourable if favourable_label is None else favourable_label
        settings["favourable_label"] = str(of_label)
    weights = None if weight is None else read_weights(weight)[keep]
    clusters = None if cluster is None else read_clusters(cluster)[keep]
    decisions = Decisions(
        favoured[keep],
        None if deserving is None else deserving[keep],
        {column.name: _grouped(column, keep) for column in groups},
        settings,
        weights,
        clusters,
        int((~keep).sum()),
    )
    return replace(decisions, notes=tuple(_notes(decisions)))


def _notes(decisions: Decisions) -> Iterator[str]:
    if decisions.n and not decisions.favoured.any():
        yield "favourable_absent"
    if decisions.weight is not None:
        yield "effective_rows" if decisions.is_fractional else "frequency_weights"
    if decisions.cluster is not None:
        yield "effective_clusters"
        there = slice(None) if decisions.weight is None else decisions.weight > 0
        if len(np.unique(decisions.cluster[there])) < FEW_UNITS:
            yield "few_clusters"


def favoured_by_score(score: Column, threshold: float | None) -> Column:
    """Return the decisions that a threshold makes: 1 where the score is at least that, else 0."""
    if threshold is None:
        raise ParameterError(
            "a score alone is no decision", fix="give threshold= (--threshold), or decision="
        )
    scores, missing = read_floats(score)
    at = number("threshold", threshold)
    flagged = (scores >= at).astype(np.int64)
    return Column(f"{score.name} >= {format_value(at)}", flagged, missing, score.places)


def _read_label(
    label: Column, favourable: Any, favourable_label: Any, decisions: LabelReader
) -> tuple[Mask, Mask | None]:
    reader = LabelReader(favourable if favourable_label is None else favourable_label)
    deserving, lost = reader.read(label)
    if favourable_label is None and not deserving.any():
        known = {value for side in decisions.classes.values() for value in side}
        others = [value for value in reader.classes["negative"] if value not in known]
        if others:
            raise LabelError(
                f"no label is the favourable value {shown(favourable)}",
                where=f"column {shown(label.name)}",
                why=f"the labels are written otherwise than the decisions: {', '.join(others)}",
                fix="name the favourable label: favourable_label= (--favourable-label; in a model "
                "file favourable_label)",
            )
    return deserving, lost


def _check_missing(column: Column, absent: Mask, missing: str) -> None:
    if missing == "error" and absent.any():
        raise InputError(
            f"{counted(int(absent.sum()), 'row')} without {shown(column.name)}",
            where=column.where(absent),
            why="who is left out silently may be one group more than another",
            fix="complete it, or leave such rows out with missing='drop' (--missing drop)",
        )


def _check_lengths(columns: Sequence[Column]) -> None:
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        told = ", ".join(f"{shown(c.name)} has {len(c):,}" for c in columns)
        raise InputError(f"the columns differ in length: {told}", fix="give one value a row")


def _grouped(column: Column, keep: Mask) -> Groups:
    groups = read_groups(column).kept(keep)
    if len(groups.names) > MOST_GROUPS:
        raise InputError(
            f"column {shown(column.name)} has {len(groups.names):,} groups",
            why=f"more than {MOST_GROUPS:,} are names of rows or numbers, such as "
            f"{listed(groups.names, 3)}",
            fix="name a column of groups, or put its values into bands",
        )
    return groups
