"""``RagEvaluation``: the results of a pipeline, with every case they were computed from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from veridical import strict_json
from veridical.evaluation.result_set import ResultSet
from veridical.rag.outcomes import STATES, Outcome
from veridical.rag.record import Attempted
from veridical.store.units import UnitColumn, Units

__all__ = ["RagEvaluation"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RagEvaluation(ResultSet):
    """Results by metric, on all cases and by kind of case.

    Attributes
    ----------
    results, source, subjects
        As for ``ResultSet``; the one subject is the pipeline.
    records
        Every case and repeat, in the order of the dataset.
    summaries
        Group (None for all cases) and metric to the outcomes that the result was computed from.
    """

    subject_noun: ClassVar[str] = "pipeline"
    kind: ClassVar[str] = "rag"

    records: tuple[Attempted, ...] = ()
    summaries: Mapping[tuple[str | None, str], Any] = field(default_factory=dict)

    def units(self) -> Units:
        """Return what became of every case in every metric, for ``Store``.

        A case that was asked several times has the mean of its scored repeats as its value, and
        is in the state of the first repeat that was scored, or else of the first.
        """
        repeats: dict[str, list[Attempted]] = {}
        for record in self.records:
            repeats.setdefault(record.case.id, []).append(record)
        cases = [same[0].case for same in repeats.values()]
        columns: dict[UnitColumn, Any] = {
            UnitColumn("group", "kind"): _texts([case.kind for case in cases])
        }
        if any(case.language for case in cases):
            columns[UnitColumn("group", "language")] = _texts([c.language or "" for c in cases])
        if any(case.tags for case in cases):
            tags = [strict_json.dumps(list(case.tags), indent=None) for case in cases]
            columns[UnitColumn("group", "tag")] = _texts(tags)
        for metric in self.records[0].outcomes if self.records else ():
            outcomes = [[one.outcomes[metric] for one in same] for same in repeats.values()]
            for subject in self.subjects:
                columns[UnitColumn("value", metric, subject)] = _values(outcomes)
                columns[UnitColumn("state", metric, subject)] = _texts(list(map(_state, outcomes)))
        return Units("case", list(repeats), columns)

    def kept(self) -> dict[str, Any]:
        """Return what ``store.drafts.draft`` keeps of it beside its document."""
        return {
            "kind": self.kind,
            "seed": self.source["seed"],
            "data_sha256": self.source["sha256"],
            "units": self.units(),
            "settings": {name: self.source[name] for name in ("level", "repeats", "source_match")},
            "summaries": [
                {
                    "subject": self.subjects[0],
                    "group": group,
                    "metric": metric,
                    "summary": summary.to_dict(),
                }
                for (group, metric), summary in self.summaries.items()
            ],
        }

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the self-contained HTML report and return its path."""
        from veridical.rag.showing import worst_first
        from veridical.report.rag_page import write_rag_report

        cases = worst_first(self.records, self.source["source_match"])
        return write_rag_report(self, cases, path, title)

    def __repr__(self) -> str:
        from veridical.rag.terminal import plain_text

        return plain_text(self)


def _values(outcomes: Sequence[Sequence[Outcome]]) -> Any:
    """Return the mean of each case's scored repeats; masked where there is none."""
    scored = [[one.value for one in same if one.value is not None] for same in outcomes]
    means = np.array([sum(each) / len(each) if each else 0.0 for each in scored], dtype=np.float64)
    return np.ma.masked_array(means, np.array([not each for each in scored], dtype=np.bool_))


def _state(outcomes: Sequence[Outcome]) -> str:
    first = min(outcomes, key=lambda one: STATES.index(one.state) != 0)
    return f"{first.state}: {first.reason}" if first.reason else first.state


def _texts(values: Sequence[str]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
