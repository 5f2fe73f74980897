"""``RankingEvaluation``: the results of runs against a golden set, with every query's value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from veridical.evaluation.paired_results import Paired, PairedResults
from veridical.evaluation.result_set import Backend, frame_of
from veridical.late import np
from veridical.measures import Measure
from veridical.report.display import name_text
from veridical.stats.query_bootstrap import paired_means
from veridical.summaries import QueryValues, RankedQueries

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["RankingEvaluation"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RankingEvaluation(PairedResults):
    """Results by metric, for one or several runs, with comparisons and per-query values.

    Attributes
    ----------
    results, source, subjects, comparisons
        As for ``ResultSet``; the subjects are runs.
    values_by_query
        The value of every query, by (run, canonical metric).
    ranked
        Where the judged documents stand in each run.
    warnings
        What a reader should know about ids that do not match, in sentences.
    level
        Coverage of the intervals; None where there are none.
    """

    subject_noun: ClassVar[str] = "run"
    units: ClassVar[str] = "queries"

    values_by_query: Mapping[tuple[str, str], QueryValues] = field(default_factory=dict)
    ranked: Mapping[str, RankedQueries] = field(default_factory=dict)
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

    def per_query_frame(self, backend: Backend = "pandas") -> Any:
        """Return one row a run, metric and query as a data frame.

        Parameters
        ----------
        backend
            ``"pandas"``, ``"polars"`` or ``"pyarrow"``.

        Raises
        ------
        MissingExtraError
            The library is not installed; pyarrow always is.
        """
        rows = list(self.per_query_rows())
        columns = {
            name: [name_text(row[name]) for row in rows] for name in ("subject", "metric", "query")
        }
        return frame_of({**columns, "value": [row["value"] for row in rows]}, backend)

    def subject(self, name: str) -> Self:
        """Return the part that belongs to one run; its keys are metric names."""
        part = super().subject(name)
        kept = {key: values for key, values in self.values_by_query.items() if key[0] == name}
        return replace(part, values_by_query=kept, ranked={name: self.ranked[name]})

    def comparable(self, measure: Measure) -> bool:
        """Whether the metric is a mean over queries."""
        of_queries = (self.subjects[0], str(measure)) in self.values_by_query
        return of_queries and measure.definition.interval is not None

    def unlike(self, other: Self) -> Mapping[str, tuple[object, object]]:  # noqa: ARG002
        """Return nothing: golden set, averaging and ties are conditions of the results."""
        return {}

    def paired_with(self, other: Self, measure: Measure) -> Paired | None:
        """Compare two runs on the queries that have a value in both."""
        if not self.comparable(measure):
            of_a, of_b = (float(ev[measure]) for ev in (self, other))
            return Paired(difference=of_a - of_b, n=self[measure].n, notes=("not_tested",))
        one, two = (ev.query_values(measure) for ev in (self, other))
        at_one, at_two = _common(one.ids, two.ids)
        both = one.defined[at_one] & two.defined[at_two]
        if not both.any():
            return None
        a, b = one.values[at_one][both], two.values[at_two][both]
        drawn = self.source["replicates"], self.source["seed"]
        found = paired_means(a, b, self.level or 0.95, *drawn)
        return Paired.of_means(found, len(a), measure.definition.better)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints."""
        return {**super().to_dict(), "warnings": list(self.warnings)}

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the self-contained HTML report and return its path."""
        from veridical.report.ranking_page import ranking_html
        from veridical.writing import write_made

        return write_made(path, lambda: ranking_html(self, title))

    def __repr__(self) -> str:
        from veridical.ranking.terminal import plain_text

        return plain_text(self)


def _common(one: Sequence[str], two: Sequence[str]) -> tuple[Any, Any]:
    """Return where the ids that both have stand in each."""
    if one == two:
        return slice(None), slice(None)
    place = {query: at for at, query in enumerate(two)}
    pairs = [(at, place[query]) for at, query in enumerate(one) if query in place]
    at_one, at_two = np.array(pairs, np.intp).reshape(-1, 2).T
    return at_one, at_two
