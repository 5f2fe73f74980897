"""``Evaluation``: the results of one evaluation, with everything needed to print or plot them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from veridical.evaluation.result_set import ResultSet
from veridical.slices import Settings, Slice

if TYPE_CHECKING:
    from veridical.policy import PolicyVerdict
    from veridical.portable import Summary
    from veridical.tables import Rows

__all__ = ["Evaluation"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Evaluation(ResultSet):
    """Results by metric, for one or several score columns, with slices and comparisons.

    A mapping of the results on all rows.  With one score column the keys are metric names; with
    several they are ``(subject, metric)``.

    Attributes
    ----------
    results, source, subjects, comparisons
        As for ``ResultSet``; the subjects are score columns.
    settings
        Threshold, prices, level, seed.
    slices
        The summaries behind the results, for charts and for re-evaluation.
    rows
        The rows with their ids, where ``id`` named them and they are in memory; else None.
    summary
        The summary that was evaluated, where it was one.
    policy
        What the policy says about the results; None where none was given.
    """

    subject_noun: ClassVar[str] = "score column"

    settings: Settings
    slices: tuple[Slice, ...] = ()
    rows: Rows | None = None
    summary: Summary | None = None
    policy: PolicyVerdict | None = None

    def subject(self, name: str) -> Self:
        """Return the part that belongs to one score column; its keys are metric names."""
        return replace(
            super().subject(name),
            slices=tuple(s for s in self.slices if s.subject == name),
            rows=self.rows and replace(self.rows, scores={name: self.rows.scores[name]}),
            summary=self.summary if len(self.subjects) == 1 else None,
            policy=self.policy and self.policy.subject(name),
        )

    def group(self, name: str) -> Self:
        """Return the results of one slice, keyed like the whole."""
        return replace(
            super().group(name),
            slices=tuple(s for s in self.slices if s.group == name),
            rows=None,
            summary=None,
            policy=None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints."""
        document = super().to_dict()
        if self.policy is not None:
            document["policy"] = self.policy.to_dict()
        return document

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the self-contained HTML report and return its path."""
        from veridical.report.assemble import write_report

        return write_report(self, path, title=title)

    @property
    def plot(self) -> Any:
        """Charts on matplotlib axes: ``ev.plot.roc(ax=None)`` and friends (extra ``figures``)."""
        from veridical.report.assemble import Plots

        return Plots(self)

    def __repr__(self) -> str:
        from veridical.report.plain import plain_table

        return plain_table(self)

    def _repr_html_(self) -> str:
        from veridical.report.plain import html_table

        return html_table(self)
