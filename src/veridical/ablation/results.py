"""``Ablation``: every metric per combination, and what each factor moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from veridical.ablation.experiment import Experiment
from veridical.errors import MetricNameError
from veridical.metrics import find
from veridical.results import Result

if TYPE_CHECKING:
    from veridical.comparison import Comparison
    from veridical.evaluation.result_set import Backend

__all__ = ["Ablation", "Term"]


@dataclass(frozen=True, kw_only=True)
class Term:
    """A factor, or a pair of factors, and what it moves in one metric.

    Attributes
    ----------
    metric
        Canonical name.
    factors
        One factor for a main effect, two for an interaction; none for what is beyond the pairs.
    means
        Of a main effect: the mean of each level over the levels of the other factors, each
        counting once.
    contrasts
        Of a main effect: each level's mean minus that of the reference.  Of an interaction: how
        much more the first factor moves at a level of the second than at its reference.
    statistic, df
        F and its degrees of freedom; None where there is no test.
    p_value, p_adjusted
        Of "it moves nothing"; Holm's over all terms and metrics together.
    n_tests
        How many these were.
    level
        Coverage of the intervals; what is shown is shown at 1 minus it.
    """

    metric: str
    factors: tuple[str, ...]
    means: tuple[Result, ...] = ()
    contrasts: tuple[Result, ...] = ()
    statistic: float | None = None
    df: tuple[int, float] | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    n_tests: int = 0
    level: float = 0.95

    @property
    def kind(self) -> str:
        """``main effect``, ``interaction`` or ``beyond pairs``."""
        return ("beyond pairs", "main effect", "interaction")[len(self.factors)]

    @property
    def label(self) -> str:
        """How it is written."""
        return " \N{MULTIPLICATION SIGN} ".join(self.factors) or "three factors and more"

    @property
    def shown(self) -> bool:
        """Whether an effect is shown after adjustment for all tests."""
        return self.p_adjusted is not None and self.p_adjusted <= 1 - self.level

    @property
    def verdict(self) -> str:
        """One phrase: an effect, none shown, or not tested."""
        if self.p_value is None:
            return "not tested"
        return "effect" if self.shown else "no effect shown"

    def to_dict(self) -> dict[str, Any]:
        """Return the term as one JSON object."""
        return {
            "metric": self.metric,
            "kind": self.kind,
            "factors": list(self.factors),
            "means": [one.to_dict() for one in self.means],
            "contrasts": [one.to_dict() for one in self.contrasts],
            "f_statistic": self.statistic,
            "df": None if self.df is None else list(self.df),
            "p_value": self.p_value,
            "p_adjusted": self.p_adjusted,
            "n_tests": self.n_tests,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Ablation:
    """What a factorial experiment says.

    ``found["loss=focal, lr=0.1", "roc_auc"]`` is the mean over the runs of that combination.

    Attributes
    ----------
    experiment
        Its factors and runs.
    results
        Every metric of every combination; the subject is the combination.
    runs
        Every metric of every run, in the order of the table.
    terms
        Main effects and interactions, metric by metric.
    source
        Where it came from, how it was measured, what the runs share.
    """

    schema: ClassVar[str] = "veridical.ablation/1"
    subject_noun: ClassVar[str] = "combination"
    units: ClassVar[str] = "runs"
    comparisons: ClassVar[tuple[Comparison, ...]] = ()

    experiment: Experiment
    results: tuple[Result, ...]
    runs: tuple[Mapping[str, Result], ...]
    terms: tuple[Term, ...]
    source: Mapping[str, Any] = field(default_factory=dict)

    @property
    def subjects(self) -> tuple[str, ...]:
        """The combinations that have runs."""
        return tuple(map(self.experiment.name_of, self.experiment.cells))

    @property
    def metrics(self) -> tuple[str, ...]:
        """What was measured, by canonical name."""
        return tuple(dict.fromkeys(one.metric for one in self.results))

    @property
    def level(self) -> float:
        """Coverage of the intervals."""
        return float(self.source["level"])

    @property
    def is_empty(self) -> bool:
        """Whether no combination has a value."""
        return not any(one.ok for one in self.results)

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Result]:
        return {(str(one.subject), one.metric): one for one in self.results}

    def __getitem__(self, key: tuple[str, str]) -> Result:
        cell, metric = key
        found = self._by_name.get((cell, metric)) or self._by_name.get((cell, self._named(metric)))
        if found is None:
            known = ", ".join(map(repr, self.subjects))
            raise MetricNameError(f"there is no combination {cell!r}", fix=f"known: {known}"[:500])
        return found

    def term(self, metric: str, *factors: str) -> Term:
        """Return the effect of a factor, or the interaction of two.

        Raises
        ------
        MetricNameError
            There is none.
        """
        wanted = self._named(metric)
        for one in self.terms:
            if one.metric == wanted and set(one.factors) == set(factors):
                return one
        known = dict.fromkeys(one.label for one in self.terms)
        raise MetricNameError(
            f"there is no effect of {' and '.join(factors) or 'nothing'} on {metric}",
            fix=f"known: {', '.join(known)}"[:500],
        )

    def _named(self, metric: str) -> str:
        named = metric if metric in self.metrics else str(find(metric))
        if named not in self.metrics:
            raise MetricNameError(
                f"{named} was not measured", fix=f"measured: {', '.join(self.metrics)}"[:500]
            )
        return named

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints."""
        experiment = self.experiment
        return {
            "schema": self.schema,
            "source": dict(self.source),
            "factors": [
                {"name": one.name, "levels": list(one.levels), "reference": one.levels[0]}
                for one in (*experiment.factors, *experiment.constants)
            ],
            "results": [one.to_dict() for one in self.results],
            "terms": [one.to_dict() for one in self.terms],
            "runs": [
                {
                    "levels": dict(
                        zip([f.name for f in experiment.factors], planned.levels, strict=True)
                    ),
                    "seed": planned.seed or None,
                    planned.kind: planned.source if isinstance(planned.source, str) else None,
                    "results": [one.to_dict() for one in measured.values()],
                }
                for planned, measured in zip(experiment.runs, self.runs, strict=True)
            ],
        }

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """Return one row a combination and metric as a data frame.

        Parameters
        ----------
        backend
            ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
        """
        from veridical.evaluation.result_set import ResultSet

        results = ResultSet(results=self.results, source={}, subjects=self.subjects)
        return results.to_frame(backend)

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the self-contained HTML report and return its path."""
        from veridical.report.ablation_page import ablation_html
        from veridical.writing import write_made

        return write_made(path, lambda: ablation_html(self, title))

    def __repr__(self) -> str:
        from veridical.report.ablation import ablation_text

        return ablation_text(self)
