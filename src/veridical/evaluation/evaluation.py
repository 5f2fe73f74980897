"""``Evaluation``: the results of one evaluation, with everything needed to print or plot them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from veridical.errors import MetricNameError
from veridical.finalise import Settings, Slice
from veridical.measures import Measure
from veridical.metrics import find
from veridical.results import Result

if TYPE_CHECKING:
    from veridical.comparison import Comparison
    from veridical.policy import PolicyVerdict

__all__ = ["SCHEMA", "Evaluation"]

SCHEMA = "veridical.evaluation/1"
Key = str | Measure | tuple[str, str | Measure]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Results by metric, for one or several score columns, with slices and comparisons.

    A mapping of the results on all rows.  With one score column the keys are metric names; with
    several they are ``(subject, metric)``.  Names may be given in any form that ``find`` accepts.

    Attributes
    ----------
    results
        Every result, those of groups too, in the order in which they are printed.
    source
        Where the data came from: path, sha256, rows, label, positive, ...
    settings
        Threshold, prices, level, seed.
    subjects
        The score columns, in the order given.
    comparisons
        Paired comparisons between score columns.
    slices
        The summaries behind the results, for charts and for re-evaluation.
    policy
        What the policy says about the results; None where none was given.
    """

    results: tuple[Result, ...]
    source: Mapping[str, Any]
    settings: Settings
    subjects: tuple[str, ...]
    comparisons: tuple[Comparison, ...] = ()
    slices: tuple[Slice, ...] = ()
    policy: PolicyVerdict | None = None
    keyed_by_subject: bool = False
    only_group: str | None = None

    @cached_property
    def _shown(self) -> dict[tuple[str | None, str], Result]:
        return {(r.subject, r.metric): r for r in self.results if r.group == self.only_group}

    def __getitem__(self, key: Key) -> Result:
        subject, name = key if isinstance(key, tuple) else (None, key)
        if subject is None:
            if len(self.subjects) != 1:
                raise MetricNameError(
                    f"{name!s} was measured for {len(self.subjects)} score columns",
                    fix=f"write ev[{self.subjects[0]!r}, {str(name)!r}] or "
                    f"ev.subject({self.subjects[0]!r})",
                )
            subject = self.subjects[0]
        elif subject not in self.subjects:
            known = ", ".join(map(repr, self.subjects))
            raise MetricNameError(f"there is no score column {subject!r}", fix=f"known: {known}")
        return self._find(subject, name)

    def _find(self, subject: str, name: str | Measure) -> Result:
        exact = self._shown.get((subject, str(name)))
        if exact is not None:
            return exact
        for result in self._shown.values():
            if result.subject == subject and result.requested == name:
                return result
        families = {metric.partition(".")[0] for _, metric in self._shown}
        measure = find(name, families)
        if (subject, str(measure)) in self._shown:
            return self._shown[subject, str(measure)]
        # A bare name finds the one result of that metric, whatever its parameters (bins=15).
        bare = f"{measure.family}.{measure.name}"
        same = [
            result
            for (who, metric), result in self._shown.items()
            if who == subject and metric.partition("@")[0].partition(",")[0] == bare
        ]
        if len(same) == 1 and not measure.parameters:
            return same[0]
        raise MetricNameError(
            f"{measure} was not measured",
            fix=f"add it to the metrics; measured: {', '.join(m for _, m in self._shown)}",
        )

    def __contains__(self, key: object) -> bool:
        try:
            self[key]  # type: ignore[index]
        except (MetricNameError, ValueError, TypeError):
            return False
        return True

    def keys(self) -> list[Any]:
        """Return metric names, or ``(subject, metric)`` for several score columns."""
        if self.keyed_by_subject:
            return list(self._shown)
        return [metric for _, metric in self._shown]

    def values(self) -> list[Result]:
        """Return the results on all rows."""
        return list(self._shown.values())

    def items(self) -> list[tuple[Any, Result]]:
        """Return pairs of key and result."""
        return list(zip(self.keys(), self.values(), strict=True))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._shown)

    def subject(self, name: str) -> Evaluation:
        """Return the part that belongs to one score column; its keys are metric names."""
        if name not in self.subjects:
            known = ", ".join(map(repr, self.subjects))
            raise MetricNameError(f"there is no score column {name!r}", fix=f"known: {known}")
        return replace(
            self,
            results=tuple(r for r in self.results if r.subject == name),
            subjects=(name,),
            slices=tuple(s for s in self.slices if s.subject == name),
            comparisons=(),
            policy=self.policy and self.policy.subject(name),
            keyed_by_subject=False,
        )

    @property
    def groups(self) -> list[str]:
        """The slices, as ``"column=value"``."""
        return list(dict.fromkeys(r.group for r in self.results if r.group is not None))

    def group(self, name: str) -> Evaluation:
        """Return the results of one slice, keyed like the whole."""
        if name not in self.groups:
            known = ", ".join(map(repr, self.groups)) or "none"
            raise MetricNameError(f"there is no group {name!r}", fix=f"known: {known}")
        return replace(
            self,
            results=tuple(r for r in self.results if r.group == name),
            slices=tuple(s for s in self.slices if s.group == name),
            comparisons=(),
            policy=None,
            only_group=name,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints."""
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "source": dict(self.source),
            "results": [result.to_dict() for result in self.results],
        }
        if self.comparisons:
            document["comparisons"] = [comparison.to_dict() for comparison in self.comparisons]
        if self.policy is not None:
            document["policy"] = self.policy.to_dict()
        return document

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """Return one row a result as a data frame.

        Parameters
        ----------
        backend
            ``"pandas"``, ``"polars"`` or ``"pyarrow"``; it must be installed.
        """
        import narwhals as nw

        rows = [_flat(result) for result in self.results]
        columns = {name: [row[name] for row in rows] for name in _flat_names()}
        return nw.from_dict(columns, backend=backend).to_native()

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


def _flat_names() -> tuple[str, ...]:
    return (
        "metric", "subject", "group", "value", "low", "high", "level", "method", "bounds_low",
        "bounds_high", "n", "n_rows", "skip", "detail",
    )  # fmt: skip


def _flat(result: Result) -> dict[str, Any]:
    interval = result.interval
    return {
        "metric": result.metric,
        "subject": result.subject,
        "group": result.group,
        "value": result.value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "level": interval.level if interval else None,
        "method": interval.method if interval else None,
        "bounds_low": result.bounds.low if result.bounds else None,
        "bounds_high": result.bounds.high if result.bounds else None,
        "n": result.n,
        "n_rows": result.n_rows,
        "skip": None if result.ok else str(result.reason),
        "detail": None if result.ok else result.detail,
    }
