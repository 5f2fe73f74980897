"""``TextEvaluation``: results of systems against references, with what each text adds to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from veridical.errors import MismatchError, ParameterError
from veridical.evaluation.paired_results import Paired, PairedResults
from veridical.evaluation.unit_results import UnitSettings
from veridical.measures import Measure
from veridical.metrics.text_results import SegmentSums
from veridical.stats.paired_sums import paired_sums
from veridical.stats.query_bootstrap import paired_means

__all__ = ["TextEvaluation"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TextEvaluation(PairedResults):
    """Results by metric for one system, by ``(system, metric)`` for several.

    Attributes
    ----------
    results, source, subjects, comparisons
        As for ``ResultSet``; the subjects are systems.
    settings
        Level, seed, replicates.
    sums
        What each text adds, by (system, canonical metric).
    summaries
        What each result was computed from, by the same keys.
    texts, references
        The candidates of each system; the references of each candidate.  Empty for vectors.
    """

    subject_noun: ClassVar[str] = "system"
    units: ClassVar[str] = "texts"

    settings: UnitSettings = field(default_factory=UnitSettings)
    sums: Mapping[tuple[str, str], SegmentSums] = field(default_factory=dict)
    summaries: Mapping[tuple[str, str], Any] = field(default_factory=dict)
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    references: Sequence[Sequence[str]] = ()

    def text_values(self, metric: str | Measure, subject: str | None = None) -> Floats:
        """Return the value of every text, for a metric that is their mean.

        Parameters
        ----------
        metric
            Name or measure, as for ``ev[...]``.
        subject
            The system; may be left out where there is one.

        Returns
        -------
        ndarray
            float64, shape (texts,); NaN where a text has none.

        Raises
        ------
        ParameterError
            The metric is a score of the whole corpus.
        """
        result = self[metric if subject is None else (subject, metric)]
        sums = self.sums[str(result.subject), result.metric]
        if sums.score is not None:
            raise ParameterError(
                f"{result.metric} is a score of the whole corpus",
                fix="ask for text.bleu, text.rouge_l or another mean over texts",
            )
        return sums.rows[:, 0]

    def subject(self, name: str) -> Self:
        """Return the part that belongs to one system; its keys are metric names."""
        return replace(
            super().subject(name),
            sums={key: sums for key, sums in self.sums.items() if key[0] == name},
            summaries={key: one for key, one in self.summaries.items() if key[0] == name},
            texts={system: texts for system, texts in self.texts.items() if system == name},
        )

    def comparable(self, measure: Measure) -> bool:
        """Whether it is known what each text adds."""
        return (self.subjects[0], str(measure)) in self.sums

    def unlike(self, other: Self) -> Mapping[str, tuple[object, object]]:  # noqa: ARG002
        """Return nothing: references and tokenisers are conditions of the results."""
        return {}

    def paired_with(self, other: Self, measure: Measure) -> Paired | None:
        """Compare two systems on the texts that have a value in both."""
        one, two = (ev.sums[ev.subjects[0], str(measure)] for ev in (self, other))
        if len(one.rows) != len(two.rows):
            raise MismatchError(
                f"there are {len(one.rows):,} and {len(two.rows):,} texts",
                why="no text can be paired with its like",
                fix="give the same texts to both systems",
            )
        drawn = self.settings.level, self.settings.replicates, self.settings.seed
        both = ~(np.isnan(one.rows) | np.isnan(two.rows)).any(axis=1)
        if not both.any():
            return None
        a, b = one.rows[both], two.rows[both]
        if one.score is None:
            found = paired_means(a[:, 0], b[:, 0], *drawn)
            return Paired.of_means(found, len(a), measure.definition.better)
        level, replicates, seed = drawn
        sums = paired_sums(a, b, one.score, level=level, replicates=replicates, seed=seed)
        return Paired(
            difference=float(self[measure]) - float(other[measure]),
            n=len(a),
            interval=sums.interval,
            p_value=sums.p_value,
            method="approximate-randomisation",
            notes=sums.notes,
        )

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the self-contained HTML report and return its path."""
        from veridical.evaluation.text import example
        from veridical.report.text_page import text_html
        from veridical.writing import write_made

        return write_made(path, lambda: text_html(self, title, example()))

    def __repr__(self) -> str:
        from veridical.report.text import overlap_text

        return overlap_text(self)
