"""``Decisions``: which rows were decided favourably, which deserved it, and their groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError, LabelError, ParameterError
from veridical.measures import format_value
from veridical.parameters import number
from veridical.summaries import ConfusionCounts, GroupedCounts
from veridical.summaries.compared_groups import ComparedGroups
from veridical.tables import Column, Groups, LabelReader, content_hash, read_groups
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
    n_skipped
        Rows that were left out because something was missing.
    notes
        What a reader must know about the values.
    """

    favoured: Mask
    deserving: Mask | None
    groups: Mapping[str, Groups]
    settings: Mapping[str, str]
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
        return content_hash(columns | {f"group {k}": v for k, v in self.groups.items()})

    def counted(self, column: str) -> GroupedCounts:
        """Return the counts of every group of a column; positive is the favourable outcome."""
        groups = self.groups[column]
        deserving = np.zeros(self.n, np.bool_) if self.deserving is None else self.deserving
        cell = groups.codes.astype(np.int64) * 4 + deserving * 2 + self.favoured
        cells = np.bincount(cell, minlength=4 * len(groups.names)).reshape(-1, 4).tolist()
        return GroupedCounts(
            {
                name: ConfusionCounts(tp=tp, fp=fp, fn=fn, tn=tn)
                for name, (tn, fp, fn, tp) in zip(groups.names, cells, strict=True)
            }
        )

    def beside(self, counts: GroupedCounts, group: str, reference: str) -> ComparedGroups:
        """Return two groups as what metrics of fairness are computed from."""
        return ComparedGroups(counts[group], counts[reference], self.deserving is not None)


def read_decisions(
    decision: Column,
    groups: Sequence[Column],
    *,
    favourable: Any,
    label: Column | None = None,
    favourable_label: Any = None,
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
    _check_lengths([decision, *groups, *([] if label is None else [label])])
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
    notes = () if favoured[keep].any() or not keep.any() else ("favourable_absent",)
    return Decisions(
        favoured[keep],
        None if deserving is None else deserving[keep],
        {column.name: _grouped(column, keep) for column in groups},
        settings,
        int((~keep).sum()),
        notes,
    )


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
                fix="name the favourable label: favourable_label= (--favourable-label)",
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
