"""``compare_recorded``: two recorded runs, in every metric and group that both measured."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from veridical.comparison.comparison import POWER, Comparison, adjusted
from veridical.comparison.contest import Contest
from veridical.comparison.differing import Allowed, check_allowed, refusal
from veridical.comparison.forms import form_measured, measured_in_all
from veridical.comparison.matching import Matched
from veridical.comparison.recorded import Recorded, recorded
from veridical.errors import ParameterError
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import several
from veridical.tables._words import listed
from veridical.writing import write_made

__all__ = ["MOST_GROUPS", "RunComparison", "compare_recorded"]

MOST_GROUPS = 50
"""Beyond so many groups only those that are named are compared."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RunComparison:
    """What two runs say about each other.

    Attributes
    ----------
    a, b
        The runs; every difference is a minus b.
    comparisons
        One a metric and pair of subjects, on everything; p-values adjusted over all of them.
    groups
        The same within groups; p-values adjusted over all of these.
    matched
        How units were paired; None where one run did not keep them.
    allowed
        Conditions that differ, and were allowed to.
    groups_left_out
        How many groups were not compared, because there are too many.
    notes
        What else must be said about the whole: subjects or metrics that were left out, and why.
    """

    schema: ClassVar[str] = "veridical.comparison/1"

    a: Recorded
    b: Recorded
    comparisons: tuple[Comparison, ...]
    groups: tuple[Comparison, ...] = ()
    matched: Matched | None = None
    allowed: tuple[Allowed, ...] = ()
    groups_left_out: int = 0
    notes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether no metric could be compared."""
        return not any(one.difference.ok for one in (*self.comparisons, *self.groups))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints."""
        return {
            "schema": self.schema,
            "a": self.a.described(),
            "b": self.b.described(),
            "pairing": None if self.matched is None else self.matched.to_dict(),
            "allowed": [one.to_dict() for one in self.allowed],
            "power": POWER,
            "comparisons": [one.to_dict() for one in self.comparisons],
            "groups": [one.to_dict() for one in self.groups],
            "groups_left_out": self.groups_left_out,
            "notes": list(self.notes),
        }

    def report(self, path: str | Path, title: str | None = None) -> Path:
        """Write a self-contained HTML page.

        Parameters
        ----------
        path
            Where to write; an existing file is replaced, whole or not at all.
        title
            The page's heading; both runs by default.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        from veridical.comparison.page import comparison_html

        return write_made(path, lambda: comparison_html(self, title))

    def __repr__(self) -> str:
        from veridical.comparison.terminal import comparison_text

        return comparison_text(self)


def compare_recorded(
    a: Any,
    b: Any,
    metrics: Iterable[str | Measure] | str | Measure | None = None,
    *,
    subject: str | None = None,
    against: str | None = None,
    groups: Sequence[str] | None = None,
    allow: Collection[str] = (),
    store: str | None = None,
) -> RunComparison:
    """Compare two runs that were measured before.

    Parameters
    ----------
    a, b
        Stored runs by name or id, files that ``--json`` wrote, or evaluations.
    metrics
        What to compare; None for every metric that both measured.
    subject, against
        The score column, run or system of the first, and of the second where it has another name.
        By default every subject that both have, or the only one of each; the others are named in
        the notes.
    groups
        Groups to compare within; None for all that both have, up to fifty.
    allow
        Conditions that may differ; what was used of it is recorded.
    store
        Where stored runs are; None for the usual place.

    Raises
    ------
    MismatchError
        A condition differs that was not allowed to; the message names it and both values.
    MetricNameError, ParameterError
        A metric that was not measured in both, a subject or condition that does not exist.
    FileMissingError, FileFormatError
        A file cannot be read.

    Examples
    --------
    >>> import veridical as vd
    >>> data = {"y": [1, 0] * 40, "p": [0.9, 0.1] * 40, "q": [0.9, 0.1, 0.4, 0.6] * 20}
    >>> p, q = (vd.evaluate(data, "roc_auc", label="y", score=name) for name in "pq")
    >>> compare_recorded(p, q, "roc_auc").comparisons[0].verdict
    'p better (p < 0.0001)'
    """
    one, two = recorded(a, store), recorded(b, store)
    may_differ = check_allowed(allow, one, two)
    if one.kind != two.kind:
        raise refusal({"kind": (one.kind, two.kind)}, (one.label, two.label))
    shared = [name for name in one.groups if name in two.groups]
    chosen = _groups(shared, groups)
    asked = None if metrics is None else several(metrics)
    found: list[Comparison] = []
    in_groups: list[Comparison] = []
    used: dict[str, Allowed] = {}
    matched = None
    pairs = _subjects(one, two, subject, against)
    for of in pairs:
        measures = _measures(one, two, of, asked)
        contest = Contest(one, two, of, may_differ, measures)
        found += [contest.comparison(measure) for measure in measures]
        in_groups += [contest.comparison(m, group) for group in chosen for m in measures]
        used |= {allowed.field: allowed for allowed in contest.used}
        matched = contest.matched
    return RunComparison(
        a=one,
        b=two,
        comparisons=adjusted(found),
        groups=adjusted(in_groups),
        matched=matched,
        allowed=tuple(used.values()),
        groups_left_out=0 if groups is not None else len(shared) - len(chosen),
        notes=() if subject or against else tuple(_left_out(one, two, pairs)),
    )


def _subjects(
    a: Recorded, b: Recorded, subject: str | None, against: str | None
) -> list[tuple[str, str]]:
    if subject is not None or against is not None:
        return [(a.subject(subject), b.subject(against or subject))]
    both = [(name, name) for name in a.subjects if name in b.subjects]
    return both or [(a.subject(None), b.subject(None))]


def _left_out(a: Recorded, b: Recorded, pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Say which subjects the other run has none for."""
    for which, run, compared in (
        ("first", a, {one for one, _ in pairs}),
        ("second", b, {other for _, other in pairs}),
    ):
        alone = [name for name in run.subjects if name not in compared]
        if alone:
            yield f"only in the {which}, and not compared: {listed(alone)}"


def _groups(shared: Sequence[str], asked: Sequence[str] | None) -> list[str]:
    if asked is None:
        return list(shared[:MOST_GROUPS])
    for name in asked:
        if name not in shared:
            known = ", ".join(map(repr, shared[:20])) or "none"
            raise ParameterError(f"the runs do not share a group {name!r}", fix=f"known: {known}")
    return list(asked)


def _measures(
    a: Recorded, b: Recorded, of: tuple[str, str], asked: Iterable[str | Measure] | None
) -> list[Measure]:
    """Return the metrics to compare."""
    shared = measured_in_all(zip((a, b), of, strict=True))
    if asked is not None:
        fix = f"both have {', '.join(shared)}"
        return [form_measured(name, shared, "both", fix) for name in asked]
    if not shared:
        raise ParameterError(
            f"{a.label} and {b.label} have no metric in common",
            fix="measure the same metrics in both",
        )
    return [find(metric) for metric in shared]
