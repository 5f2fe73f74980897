"""``FairnessEvaluation``: every group against its reference, and the counts behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from veridical.evaluation.result_set import ResultSet
from veridical.evaluation.unit_results import UnitSettings
from veridical.metrics.fairness_rates import four_fifths
from veridical.results import Interval, Result
from veridical.stats.proportions import wilson
from veridical.summaries.compared_groups import ComparedGroups, Share

if TYPE_CHECKING:
    from veridical.policy import PolicyVerdict
    from veridical.summaries import GroupedCounts

__all__ = ["FairnessEvaluation", "GroupRow"]


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One group of one column.

    Attributes
    ----------
    column, group
        ``race`` and ``black``.
    shares
        By name: ``favourable`` decisions among all; with labels also ``favourable_of_deserving``,
        ``favourable_of_others`` and ``deserving_of_favourable``.
    intervals
        Wilson's, by the same names; none for a share of nothing.
    is_reference, is_small
        Whether others are held against it; whether it has fewer rows than the stated minimum.
    of_highest
        Its rate over the highest rate of the column's groups that are not small; None for 0/0.
    four_fifths
        Whether that ratio is at least 4/5, on whole numbers.
    """

    column: str
    group: str
    shares: Mapping[str, Share]
    intervals: Mapping[str, Interval]
    is_reference: bool
    is_small: bool
    of_highest: float | None
    four_fifths: str | None

    @property
    def name(self) -> str:
        """``race=black``."""
        return f"{self.column}={self.group}"

    @property
    def n(self) -> int:
        """How many rows."""
        return self.shares["favourable"].n

    def to_dict(self) -> dict[str, Any]:
        """Return the row as one JSON object."""
        return {
            "group": self.name,
            "column": self.column,
            "n": self.n,
            "reference": self.is_reference,
            "small": self.is_small,
            "rates": {
                name: {
                    "hits": share.hits,
                    "n": share.n,
                    "value": share.rate if share.n else None,
                    "interval": self.intervals[name].to_dict() if name in self.intervals else None,
                }
                for name, share in self.shares.items()
            },
            "of_highest": self.of_highest,
            "four_fifths": self.four_fifths,
        }


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class FairnessEvaluation(ResultSet):
    """Results by metric where one group is compared, by ``(group, metric)`` for several.

    Attributes
    ----------
    results, source, subjects
        As for ``ResultSet``; the subjects are groups, as ``"column=value"``, by how far their rate
        of favourable decisions is from the reference's, small ones last.
    settings
        The level of the intervals, and whether there are any.
    counts
        The counts of every group, by column; positive is the favourable outcome.
    references
        The group that others are held against, by column.
    labelled
        Whether labels were given.
    min_size
        Groups of fewer rows are shown, and not ranked.
    calibration
        Where scores and labels are given: calibration metrics of every group.
    policy
        What a policy says about each group; None where none was given.
    summaries
        What the results were computed from, by group.
    """

    subject_noun: ClassVar[str] = "group"
    units: ClassVar[str] = "rows"

    settings: UnitSettings = field(default_factory=UnitSettings)
    counts: Mapping[str, GroupedCounts] = field(default_factory=dict)
    references: Mapping[str, str] = field(default_factory=dict)
    labelled: bool = False
    min_size: int = 0
    calibration: tuple[Result, ...] = ()
    policy: PolicyVerdict | None = None
    summaries: Mapping[str, ComparedGroups] = field(default_factory=dict)

    @property
    def ranked(self) -> tuple[str, ...]:
        """The groups in the order of their distance from the reference, without small ones."""
        large = {row.name for row in self.rows() if not row.is_small}
        return tuple(name for name in self.subjects if name in large)

    def rows(self) -> list[GroupRow]:
        """Return every group, references too."""
        return [row for column in self.counts for row in self._rows(column)]

    def _rows(self, column: str) -> Iterator[GroupRow]:
        groups = {
            name: ComparedGroups(counts, labelled=self.labelled)
            for name, counts in self.counts[column].items()
        }
        large = [g.selected[0] for g in groups.values() if g.selected[0].n >= self.min_size]
        highest = max(large, key=lambda share: share.rate, default=None)
        for name, group in groups.items():
            shares = _shares(group)
            mine = shares["favourable"]
            small = mine.n < self.min_size
            beside = None if small or highest is None or not highest.hits else highest
            yield GroupRow(
                column,
                name,
                shares,
                {key: wilson(*one, self.settings.level) for key, one in shares.items() if one.n},
                name == self.references.get(column),
                small,
                None if beside is None else mine.hits * beside.n / (mine.n * beside.hits),
                None if beside is None else four_fifths(mine, beside),
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints."""
        document = super().to_dict()
        document["groups"] = [row.to_dict() for row in self.rows()]
        document["ranked"] = list(self.ranked)
        if self.calibration:
            document["calibration"] = [result.to_dict() for result in self.calibration]
        if self.policy is not None:
            document["policy"] = self.policy.to_dict()
        return document

    def kept(self) -> dict[str, Any]:
        """Return what a run keeps of it: counts of groups, no rows."""
        return {
            "kind": "fairness",
            "settings": asdict(self.settings)
            | {"references": dict(self.references), "min_size": self.min_size},
            "seed": self.settings.seed,
            "data_sha256": self.source.get("sha256"),
            "summaries": [
                {"subject": name, "group": None, "metric": None, "summary": summary.to_dict()}
                for name, summary in self.summaries.items()
            ],
            "left_out": {"units": "they are rows"},
        }

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the self-contained HTML report and return its path."""
        from veridical.report.fairness_page import write_fairness_report

        return write_fairness_report(self, path, title)

    def __repr__(self) -> str:
        from veridical.report.fairness import fairness_text

        return fairness_text(self)


def _shares(group: ComparedGroups) -> dict[str, Share]:
    shares = {"favourable": group.selected[0]}
    if group.labelled:
        shares["favourable_of_deserving"] = group.found[0]
        shares["favourable_of_others"] = group.mistaken[0]
        shares["deserving_of_favourable"] = group.borne_out[0]
    return shares
