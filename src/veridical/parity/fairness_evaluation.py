"""``FairnessEvaluation``: every group against its reference, and the counts behind it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from veridical.evaluation.result_set import ResultSet
from veridical.evaluation.unit_results import UnitSettings
from veridical.metrics.extremes import between_extremes
from veridical.metrics.fairness_rates import four_fifths, plain, ratio
from veridical.metrics.interval_request import Outcome
from veridical.parity.tallies import Tallies
from veridical.results import Interval, Result
from veridical.stats.two_shares import share_interval
from veridical.summaries.compared_groups import ComparedGroups, Share
from veridical.summaries.confusion import Count
from veridical.summaries.open_groups import OpenGroups

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
    highest
        The same; where merged cells leave decisions open, ``shares`` are the lowest that the rates
        can be, and these the highest.
    intervals
        Wilson's, by the same names; none for a share of nothing.
    is_reference, is_small
        Whether others are held against it; whether it has fewer rows than the stated minimum.
    of_highest
        Its rate over the highest rate of the column's groups that are not small; None for 0/0, and
        where rates are open.
    four_fifths
        Whether that ratio is at least 4/5, on exact numbers.
    counts
        What the shares do not tell: open ends, and sums of squares of weights.
    """

    column: str
    group: str
    shares: Mapping[str, Share]
    highest: Mapping[str, Share]
    intervals: Mapping[str, Interval]
    is_reference: bool
    is_small: bool
    of_highest: float | None
    four_fifths: str | None
    counts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """``race=black``."""
        return f"{self.column}={self.group}"

    @property
    def n(self) -> Count:
        """How many rows, or the sum of their weights."""
        return self.shares["favourable"].n

    @property
    def is_open(self) -> bool:
        """Whether merged cells leave its decisions open."""
        return self.shares != self.highest

    def to_dict(self) -> dict[str, Any]:
        """Return the row as one JSON object."""
        return {
            "group": self.name,
            "column": self.column,
            "n": plain(self.n),
            "reference": self.is_reference,
            "small": self.is_small,
            "rates": {
                name: {
                    "hits": plain(share.hits),
                    "n": plain(share.n),
                    "value": share.rate if share.n else None,
                    **({"highest": self.highest[name].rate} if self._is_open(name) else {}),
                    **({} if share.effective is None else {"n_effective": share.effective}),
                    **(
                        {}
                        if math.isinf(share.degrees_of_freedom)
                        else {"degrees_of_freedom": share.degrees_of_freedom}
                    ),
                    "interval": self.intervals[name].to_dict() if name in self.intervals else None,
                }
                for name, share in self.shares.items()
            },
            "of_highest": self.of_highest,
            "four_fifths": self.four_fifths,
            **self.counts,
        }

    def _is_open(self, name: str) -> bool:
        return bool(self.highest[name].n) and self.highest[name] != self.shares[name]


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
    tallies
        The counts of every group, by column.
    references
        The group that others are held against, by column.
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
    tallies: Tallies = field(default_factory=lambda: Tallies(counts={}))
    references: Mapping[str, str] = field(default_factory=dict)
    min_size: int = 0
    calibration: tuple[Result, ...] = ()
    policy: PolicyVerdict | None = None
    summaries: Mapping[str, ComparedGroups | OpenGroups] = field(default_factory=dict)

    @property
    def counts(self) -> Mapping[str, GroupedCounts]:
        """The counts of every group, by column; positive is the favourable outcome.

        Where merged cells leave decisions open, the fewest that can be favourable.
        """
        return self.tallies.counts

    @property
    def labelled(self) -> bool:
        """Whether labels were given."""
        return self.tallies.labelled

    @property
    def ranked(self) -> tuple[str, ...]:
        """The groups in the order of their distance from the reference, without small ones."""
        large = {row.name for row in self.rows() if not row.is_small}
        return tuple(name for name in self.subjects if name in large)

    def rows(self) -> list[GroupRow]:
        """Return every group, references too."""
        return [row for column in self.counts for row in self._rows(column)]

    def _rows(self, column: str) -> Iterator[GroupRow]:
        groups = {name: self.tallies.ends(column, name) for name in self.counts[column]}
        shares = {name: _shares(*ends) for name, ends in groups.items()}
        large = [
            lowest["favourable"]
            for lowest, _ in shares.values()
            if not _is_small(lowest["favourable"], self.min_size)
        ]
        top = max(large, key=lambda share: share.rate, default=None)
        for name, (lowest, highest) in shares.items():
            mine = lowest["favourable"]
            small = _is_small(mine, self.min_size)
            beside = None if small or top is None or not top.hits or self.tallies.most else top
            yield GroupRow(
                column,
                name,
                lowest,
                highest,
                dict(self._intervals(lowest, highest)),
                name == self.references.get(column),
                small,
                None if beside is None else ratio(mine, beside),
                None if beside is None else four_fifths(mine, beside),
                self.tallies.to_dict(column, name),
            )

    def _intervals(
        self, lowest: Mapping[str, Share], highest: Mapping[str, Share]
    ) -> Iterator[tuple[str, Interval]]:
        for name, low in lowest.items():
            high = highest[name]
            if not low.n or not high.n or not (low.is_counted or low.effective):
                continue
            ends = [share_interval(share, self.settings.level) for share in (low, high)]
            found = between_extremes([Outcome(one) for one in ends[: 1 if low == high else 2]])
            if found.interval is not None:
                yield name, found.interval

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
                if isinstance(summary, ComparedGroups)
            ],
            "left_out": {"units": "they are rows"}
            | ({"summaries": "merged cells leave decisions open"} if self.tallies.most else {}),
        }

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the self-contained HTML report and return its path."""
        from veridical.report.fairness_page import fairness_html
        from veridical.writing import write_made

        return write_made(path, lambda: fairness_html(self, title))

    def __repr__(self) -> str:
        from veridical.report.fairness import fairness_text

        return fairness_text(self)


def _is_small(share: Share, min_size: int) -> bool:
    return not share.n or share.worth < min_size


def _shares(few: ComparedGroups, many: ComparedGroups) -> tuple[dict[str, Share], dict[str, Share]]:
    """Return the lowest and the highest that each rate of a group can be."""
    lowest, highest = ({"favourable": one.selected[0]} for one in (few, many))
    if few.labelled:
        for found, one, other in ((lowest, few, many), (highest, many, few)):
            found["favourable_of_deserving"] = one.found[0]
            found["favourable_of_others"] = one.mistaken[0]
            right, wrong = one.found[0].hits, other.mistaken[0].hits
            found["deserving_of_favourable"] = (
                one.borne_out[0] if few is many else Share(right, right + wrong)
            )
    return lowest, highest
