"""``DriftEvaluation``: the drift of every column, and what it is read against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from veridical.evaluation.result_set import ResultSet
from veridical.evaluation.unit_results import UnitSettings
from veridical.stability.samples import Kind
from veridical.stability.traffic_light import Light, light_of
from veridical.summaries.shifted_cells import TwoSamples

if TYPE_CHECKING:
    from veridical.stability.reference import Reference

__all__ = ["DriftEvaluation"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DriftEvaluation(ResultSet):
    """Results by metric for one column, by ``(column, metric)`` for several.

    Attributes
    ----------
    results, source, subjects
        As for ``ResultSet``; the subjects are columns, the largest drift first.
    settings
        Level, seed, replicates.
    kinds
        Whether each column was taken for numbers or categories.
    reference
        The cells, to be kept for the next comparison.
    summaries
        What each result was computed from, by (column, canonical metric).
    """

    subject_noun: ClassVar[str] = "column"
    units: ClassVar[str] = "rows"

    settings: UnitSettings = field(default_factory=UnitSettings)
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    reference: Reference | None = None
    summaries: Mapping[tuple[str, str], Any] = field(default_factory=dict)

    def light(self, column: str | None = None) -> Light:
        """Return the traffic light of a column.

        Parameters
        ----------
        column
            May be left out where there is one.

        Raises
        ------
        MetricNameError
            Its index was not measured.
        """
        return light_of(self["drift.psi" if column is None else (column, "drift.psi")])

    def kept(self) -> dict[str, Any]:
        """Return what a run keeps of it: cells and counts, no rows."""
        return {
            "kind": "drift",
            "settings": asdict(self.settings) | {"kinds": dict(self.kinds)},
            "seed": self.settings.seed,
            "summaries": [
                {
                    "subject": column,
                    "group": None,
                    "metric": metric,
                    "summary": summary.to_dict(),
                }
                for (column, metric), summary in self.summaries.items()
                if not isinstance(summary, TwoSamples)
            ],
            "left_out": {"units": "they are rows, and the values of columns"},
        }

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the self-contained HTML report and return its path."""
        from veridical.report.drift_page import drift_html
        from veridical.writing import write_made

        return write_made(path, lambda: drift_html(self, title))

    def __repr__(self) -> str:
        from veridical.report.drift import drift_text

        return drift_text(self)
