"""``RankingEvaluation``: the results of runs against a golden set, with every query's value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self

from veridical.evaluation.result_set import ResultSet
from veridical.measures import Measure
from veridical.summaries import QueryValues

__all__ = ["RankingEvaluation"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RankingEvaluation(ResultSet):
    """Results by metric, for one or several runs, with comparisons and per-query values.

    Attributes
    ----------
    results, source, subjects, comparisons
        As for ``ResultSet``; the subjects are runs.
    values_by_query
        The value of every query, by (run, canonical metric).
    warnings
        What a reader should know about ids that do not match, in sentences.
    level
        Coverage of the intervals; None where there are none.
    """

    subject_noun: ClassVar[str] = "run"

    values_by_query: Mapping[tuple[str, str], QueryValues] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    level: float | None = 0.95

    def query_values(self, metric: str | Measure, subject: str | None = None) -> QueryValues:
        """Return the value of every query for a metric of one run.

        Parameters
        ----------
        metric
            Name or measure, as for ``ev[...]``.
        subject
            The run; may be left out where there is one.
        """
        result = self[metric if subject is None else (subject, metric)]
        return self.values_by_query[str(result.subject), result.metric]

    def per_query_rows(self) -> Iterator[dict[str, Any]]:
        """Yield one dict a run, metric and query; the value is None where there is none."""
        for (subject, metric), values in self.values_by_query.items():
            numbers, defined = values.values.tolist(), values.defined.tolist()
            for query, value, known in zip(values.ids, numbers, defined, strict=True):
                yield {
                    "subject": subject,
                    "metric": metric,
                    "query": query,
                    "value": value if known else None,
                }

    @property
    def per_query(self) -> Any:
        """One row a run, metric and query, as a pandas data frame."""
        return self.per_query_frame()

    def per_query_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """Return one row a run, metric and query as a data frame.

        Parameters
        ----------
        backend
            ``"pandas"``, ``"polars"`` or ``"pyarrow"``; it must be installed.
        """
        import narwhals as nw

        rows = list(self.per_query_rows())
        names = ("subject", "metric", "query", "value")
        return nw.from_dict(
            {n: [row[n] for row in rows] for n in names}, backend=backend
        ).to_native()

    def subject(self, name: str) -> Self:
        """Return the part that belongs to one run; its keys are metric names."""
        part = super().subject(name)
        kept = {key: values for key, values in self.values_by_query.items() if key[0] == name}
        return replace(part, values_by_query=kept)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints."""
        return {**super().to_dict(), "warnings": list(self.warnings)}

    def __repr__(self) -> str:
        from veridical.ranking.terminal import plain_text

        return plain_text(self)
