"""``ResultSet``: results by metric and subject, whatever family they are of."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias

from veridical.errors import MetricNameError, MissingExtraError
from veridical.measures import Measure
from veridical.metrics import find
from veridical.report.display import name_text
from veridical.results import Result

if TYPE_CHECKING:
    from veridical.comparison import Comparison
    from veridical.store import Run, Store

__all__ = ["Backend", "ResultSet", "frame_of"]

Key = str | Measure | tuple[str, str | Measure]
Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]


@dataclass(frozen=True, eq=False, kw_only=True)
class ResultSet:
    """A mapping of results: by metric for one subject, by ``(subject, metric)`` for several.

    Names may be given in any form that ``find`` accepts.

    Attributes
    ----------
    results
        Every result, those of groups too, in the order in which they are printed.
    source
        Where the data came from: path, sha256, number of units, ...
    subjects
        What was measured (score columns, runs, systems), in the order given.
    comparisons
        Paired comparisons between subjects.
    keyed_by_subject, only_group
        Whether keys are pairs; the one slice that is shown, or None for the whole.
    """

    schema: ClassVar[str] = "veridical.evaluation/1"
    subject_noun: ClassVar[str] = "subject"

    results: tuple[Result, ...]
    source: Mapping[str, Any]
    subjects: tuple[str, ...]
    comparisons: tuple[Comparison, ...] = ()
    keyed_by_subject: bool = False
    only_group: str | None = None

    @cached_property
    def _shown(self) -> dict[tuple[str | None, str], Result]:
        return {(r.subject, r.metric): r for r in self.results if r.group == self.only_group}

    def __getitem__(self, key: Key) -> Result:
        if isinstance(key, tuple) and len(key) != 2:
            raise MetricNameError(
                f"a key is a metric or (score column, metric), not {str(key)[:80]}",
                fix="write for example ev['roc_auc']",
            )
        subject, name = key if isinstance(key, tuple) else (None, key)
        if subject is None:
            if len(self.subjects) != 1:
                raise MetricNameError(
                    f"{name!s} was measured for {len(self.subjects)} {self.subject_noun}s",
                    fix=f"write ev[{self.subjects[0]!r}, {str(name)!r}] or "
                    f"ev.subject({self.subjects[0]!r})",
                )
            subject = self.subjects[0]
        elif subject not in self.subjects:
            known = ", ".join(map(repr, self.subjects))
            raise MetricNameError(
                f"there is no {self.subject_noun} {subject!r}", fix=f"known: {known}"
            )
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
        """Return metric names, or ``(subject, metric)`` for several subjects."""
        if self.keyed_by_subject:
            return list(self._shown)
        return [metric for _, metric in self._shown]

    def values(self) -> list[Result]:
        """Return the results on everything (not those of groups)."""
        return list(self._shown.values())

    def items(self) -> list[tuple[Any, Result]]:
        """Return pairs of key and result."""
        return list(zip(self.keys(), self.values(), strict=True))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._shown)

    def subject(self, name: str) -> Self:
        """Return the part that belongs to one subject; its keys are metric names."""
        if name not in self.subjects:
            known = ", ".join(map(repr, self.subjects))
            raise MetricNameError(
                f"there is no {self.subject_noun} {name!r}", fix=f"known: {known}"
            )
        return replace(
            self,
            results=tuple(r for r in self.results if r.subject == name),
            subjects=(name,),
            comparisons=(),
            keyed_by_subject=False,
        )

    @property
    def groups(self) -> list[str]:
        """The slices, as ``"column=value"``."""
        return list(dict.fromkeys(r.group for r in self.results if r.group is not None))

    def group(self, name: str) -> Self:
        """Return the results of one slice, keyed like the whole."""
        if name not in self.groups:
            known = ", ".join(map(repr, self.groups)) or "none"
            raise MetricNameError(f"there is no group {name!r}", fix=f"known: {known}")
        return replace(
            self,
            results=tuple(r for r in self.results if r.group == name),
            comparisons=(),
            only_group=name,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints."""
        document: dict[str, Any] = {
            "schema": self.schema,
            "source": dict(self.source),
            "results": [result.to_dict() for result in self.results],
        }
        if self.comparisons:
            document["comparisons"] = [comparison.to_dict() for comparison in self.comparisons]
        return document

    def save(
        self,
        name: str | None = None,
        *,
        tags: Iterable[str] | str = (),
        store: str | os.PathLike[str] | Store | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Run:
        """Keep the results, with what they were computed from, as a run; whole or not at all.

        Parameters
        ----------
        name, tags
            What it is called, and more to find it by.  Several runs may share a name: it then
            stands for the newest.
        store
            Where: a path, a URL of PostgreSQL or an open ``Store``; None for ``VERIDICAL_STORE``
            of the environment, and without it ``.veridical/veridical.db``.
        settings
            What was asked for, as JSON, beyond what the results say themselves.

        Returns
        -------
        Run
            With its id; ``veridical.load_run`` returns it again.

        Raises
        ------
        ParameterError
            A name or a tag that is none.
        StoreError
            It cannot be kept; nothing was.
        """
        from veridical.store.keeping import keep

        return keep(self, name=name, tags=tags, store=store, settings=settings)

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """Return one row a result as a data frame.

        Parameters
        ----------
        backend
            ``"pandas"``, ``"polars"`` or ``"pyarrow"``.

        Raises
        ------
        MissingExtraError
            The library is not installed; pyarrow always is.
        """
        return frame_of(
            {name: [of(result) for result in self.results] for name, of in _COLUMNS.items()},
            backend,
        )


def frame_of(columns: Mapping[str, list[Any]], backend: Backend) -> Any:
    """Return columns as a data frame.

    Parameters
    ----------
    columns
        Name to values, all of one length.
    backend
        As for ``ResultSet.to_frame``.

    Raises
    ------
    MissingExtraError
        The library is not installed.
    """
    import narwhals as nw

    try:
        return nw.from_dict(columns, backend=backend).to_native()
    except ImportError as error:
        raise MissingExtraError(
            f"{backend} is not installed",
            fix=f"pip install {backend}, or take backend='pyarrow'",
        ) from error


_COLUMNS: Mapping[str, Callable[[Result], Any]] = {
    "metric": lambda result: result.metric,
    "subject": lambda result: result.subject and name_text(result.subject),
    "group": lambda result: result.group and name_text(result.group),
    "value": lambda result: result.value,
    "low": lambda result: result.interval and result.interval.low,
    "high": lambda result: result.interval and result.interval.high,
    "level": lambda result: result.interval and result.interval.level,
    "method": lambda result: result.interval and result.interval.method,
    "bounds_low": lambda result: result.bounds and result.bounds.low,
    "bounds_high": lambda result: result.bounds and result.bounds.high,
    "n": lambda result: result.n,
    "n_rows": lambda result: result.n_rows,
    "skip": lambda result: None if result.ok else str(result.reason),
    "detail": lambda result: None if result.ok else result.detail,
}
"""The columns of a data frame of results."""
