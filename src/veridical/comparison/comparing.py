"""``compare``: two evaluations, or two score columns of one, on the same rows."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast, overload

from veridical.comparison.comparison import Comparison, adjusted
from veridical.comparison.contrasts import PassSums
from veridical.comparison.differing import FIELDS
from veridical.comparison.methods import announce, resampled, tested, unavailable
from veridical.comparison.pairs import Pair, Side, different_rows, refuse
from veridical.comparison.questions import Question, Tested
from veridical.comparison.replicates import Replicates
from veridical.comparison.units import compare_units
from veridical.comparison.unpaired import unpaired
from veridical.errors import (
    MetricNameError,
    MismatchError,
    ParameterError,
    UnsupportedTypeError,
)
from veridical.evaluation.paired_results import PairedResults
from veridical.finalise import finalise
from veridical.measures import Measure
from veridical.metrics import find
from veridical.metrics.evidence import BinnedEvidence
from veridical.parameters import several
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.slices import Settings, Slice

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation
    from veridical.evaluation.result_set import ResultSet
    from veridical.store import Run

__all__ = ["compare", "compare_columns"]

Name: TypeAlias = str | Measure
Stored: TypeAlias = "str | os.PathLike[str] | Run"
Compared = TypeVar("Compared", bound="ResultSet")
MOST_COLUMNS_ALL_PAIRS = 4


@overload
def compare(
    a: Compared, b: Compared, metric: Name, *, allow: Collection[str] = ()
) -> Comparison: ...


@overload
def compare(
    a: Compared,
    b: Compared,
    metric: list[Name] | tuple[Name, ...] | None = None,
    *,
    allow: Collection[str] = (),
) -> tuple[Comparison, ...]: ...


@overload
def compare(a: Stored, b: Stored, metric: Name, *, allow: Collection[str] = ()) -> Comparison: ...


@overload
def compare(
    a: Stored,
    b: Stored,
    metric: list[Name] | tuple[Name, ...] | None = None,
    *,
    allow: Collection[str] = (),
) -> tuple[Comparison, ...]: ...


def compare(
    a: ResultSet | Stored,
    b: ResultSet | Stored,
    metric: Name | list[Name] | tuple[Name, ...] | None = None,
    *,
    allow: Collection[str] = (),
) -> Comparison | tuple[Comparison, ...]:
    """Compare two models on the same rows, two runs, two systems, or two raters.

    Parameters
    ----------
    a, b
        Two evaluations of one kind and of one subject each; of several, ``ev.subject("boosting")``.
        Models are paired by the order of the rows, so labels, weights and clusters must agree row
        by row; runs by query, on one golden set; systems by text, with the same references; pairs
        of raters by item, where they have one rater in common.  Or two stored runs, by name, as
        ``load_run`` returns them, or as files that ``--json`` wrote: their units are paired by id.
    metric
        One metric, which gives one comparison; several, or None for all that both measured, which
        gives a tuple with p-values adjusted over it.
    allow
        Conditions that may differ, by name (``"threshold"``, ``"costs"``, ``"rows"``, ...); what
        was allowed is recorded in the result.  Models on different rows are compared as
        independent samples, without a test.

    Returns
    -------
    Comparison or tuple of Comparison
        The difference ``a - b`` with its interval, test and verdict.

    Raises
    ------
    MismatchError
        A condition differs that was not allowed to; the message names it.
    ParameterError
        An evaluation has several score columns, or the two share no metric.
    UnsupportedTypeError
        A side is no evaluation, or they are of two kinds.

    Examples
    --------
    >>> import veridical as vd
    >>> data = {"y": [1, 0] * 40, "p": [0.9, 0.1] * 40, "q": [0.9, 0.1, 0.4, 0.6] * 20}
    >>> ev = vd.evaluate(data, label="y", score=["p", "q"])
    >>> found = compare(ev.subject("p"), ev.subject("q"), "binary.roc_auc")
    >>> found.difference.value, found.verdict
    (0.25, 'p better (p < 0.0001)')
    """
    if _are_stored(a, b):
        from veridical.comparison.runs import compare_recorded

        stored = compare_recorded(a, b, metric, groups=(), allow=allow).comparisons
        return stored[0] if isinstance(metric, (str, Measure)) else stored
    a, b = cast("ResultSet", a), cast("ResultSet", b)
    _check_evaluations(a, b)
    allowed = _checked(allow, a, b)
    if isinstance(a, PairedResults):
        return compare_units(a, cast(PairedResults, b), metric, allowed)
    return _compare_scores(cast("Evaluation", a), cast("Evaluation", b), metric, allowed)


def _compare_scores(
    a: Evaluation,
    b: Evaluation,
    metric: Name | list[Name] | tuple[Name, ...] | None,
    allowed: tuple[str, ...],
) -> Comparison | tuple[Comparison, ...]:
    sides = _named(_side(a), _side(b))
    single = isinstance(metric, (str, Measure))
    measures = _measures(a, b, metric)
    _refuse_sources(a, b, sides, measures[0], allowed)
    compared = _Compared(sides, measures, allowed, _elsewhere(a, b))
    results = [compared.measured(measure) for measure in measures]
    for measure, both in zip(measures, results, strict=True):
        compared.announce(measure, both)
    found = adjusted([compared.comparison(*both) for both in zip(measures, results, strict=True)])
    return found[0] if single else found


def compare_columns(
    results: Iterable[Result], slices: Iterable[Slice], settings: Settings
) -> tuple[Comparison, ...]:
    """Compare the score columns of one evaluation in every metric that was measured on all rows.

    Up to four columns are compared pair by pair, more of them with the first.  Holm's adjustment
    is over all metrics and pairs together.

    Parameters
    ----------
    results, slices, settings
        Of one evaluation.
    """
    sides = {
        str(part.subject): Side(str(part.subject), part, settings)
        for part in slices
        if part.group is None
    }
    measured: dict[str, dict[str, Result]] = {}
    for result in results:
        if result.group is None:
            measured.setdefault(result.metric, {})[str(result.subject)] = result
    replicates, sums = Replicates(resampled(find(name) for name in measured)), PassSums()
    every = [
        (
            _Compared((sides[a], sides[b]), (), replicates=replicates, sums=sums),
            find(metric),
            (of_metric[a], of_metric[b]),
        )
        for a, b in _pairs(list(sides))
        for metric, of_metric in measured.items()
        if a in of_metric and b in of_metric
    ]
    for compared, measure, both in every:
        compared.announce(measure, both)
    return adjusted([compared.comparison(measure, both) for compared, measure, both in every])


def _pairs(names: Sequence[str]) -> Iterable[tuple[str, str]]:
    if len(names) <= MOST_COLUMNS_ALL_PAIRS:
        return combinations(names, 2)
    return ((names[0], other) for other in names[1:])


class _Compared:
    """Two sides, and what all their comparisons share."""

    def __init__(
        self,
        sides: tuple[Side, Side],
        measures: Sequence[Measure],
        allowed: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
        replicates: Replicates | None = None,
        sums: PassSums | None = None,
    ) -> None:
        self.a, self.b = sides
        self.pair = Pair(self.a, self.b)
        self.allowed = allowed
        self.notes = notes
        self.replicates = replicates or Replicates(resampled(measures))
        self.sums = sums or PassSums()
        # Rows that are not at hand can be compared as independent samples, if that was allowed.
        self.at_hand = self.a.can_pair(self.b)
        same = not different_rows(self.a, self.b)
        self.paired = same and (self.at_hand or "rows" not in allowed)

    def comparison(
        self, measure: Measure, results: tuple[Result, Result] | None = None
    ) -> Comparison:
        """Return the comparison in one metric, not yet adjusted for others."""
        of_a, of_b = results or self.measured(measure)
        differing = {
            name: (of_a.conditions.get(name), of_b.conditions.get(name))
            for name in of_a.conditions.differences(of_b.conditions)
        }
        refuse(str(measure), differing, self.allowed, self.a.part.group)
        difference, found = self._difference(measure, of_a, of_b)
        return Comparison(
            metric=str(measure),
            a=self.a.name,
            b=self.b.name,
            value_a=of_a.value,
            value_b=of_b.value,
            difference=difference,
            p_value=found.p_value,
            method=found.method,
            better=measure.definition.better,
        )

    def measured(self, measure: Measure) -> tuple[Result, Result]:
        """Return the metric of both sides."""
        return self._measured(measure, self.a), self._measured(measure, self.b)

    def announce(self, measure: Measure, results: tuple[Result, Result]) -> None:
        """Have what the comparison in one metric needs summed in one pass with the others."""
        of_a, of_b = results
        if (
            self.paired
            and self.at_hand
            and isinstance(of_a, Measured)
            and isinstance(of_b, Measured)
        ):
            announce(self._asked(measure, of_a, of_b))

    def _asked(self, measure: Measure, of_a: Measured, of_b: Measured) -> Question:
        return Question(measure, self.pair, of_a, of_b, self.replicates, self.sums)

    def _measured(self, measure: Measure, side: Side) -> Result:
        if measure.definition.probabilities and not side.has_forecasts:
            return Skipped("not_probabilities", detail=f"{side.name!r} has scores outside [0, 1]")
        # On the same rows the difference has its own interval; those of the sides do not matter.
        return finalise(measure, side.part, replace(side.settings, intervals=not self.paired))

    def _difference(self, measure: Measure, of_a: Result, of_b: Result) -> tuple[Result, Tested]:
        if isinstance(of_a, Skipped) or isinstance(of_b, Skipped):
            skipped = _skipped((self.a, of_a), (self.b, of_b))
            return self._passported(measure, skipped, of_a), _NONE
        value = of_a.value - of_b.value
        lost = self._lost(measure, of_a, of_b)
        if lost is not None:
            return self._passported(measure, lost, of_a), _NONE
        asked = self._asked(measure, of_a, of_b)
        found = tested(asked) if self.paired else unpaired(of_a, of_b)
        result = Measured(value, min(of_a.n, of_b.n), interval=found.interval, notes=found.notes)
        return self._passported(measure, result, of_a, found.observed), found

    def _lost(self, measure: Measure, of_a: Measured, of_b: Measured) -> Skipped | None:
        """Return why two models on the same rows cannot be compared, or None where they can."""
        if not self.paired:
            return None
        if self.at_hand:
            return unavailable(self._asked(measure, of_a, of_b))
        binned = any(isinstance(s.part.evidence, BinnedEvidence) for s in (self.a, self.b))
        needed = (
            "which are no longer known where scores were counted in bins: evaluate the rows exactly"
            if binned
            else "which were not kept: evaluate both score columns of the rows in one call"
        )
        detail = f"a paired comparison needs the rows, {needed}"
        return Skipped("unsupported_by_engine", detail=detail)

    def _passported(
        self,
        measure: Measure,
        result: Result,
        of_a: Result,
        observed: Mapping[str, Any] | None = None,
    ) -> Result:
        settings = {k: v for k, v in of_a.conditions.settings.items() if k not in self.allowed}
        if self.allowed:
            settings["allowed"] = self.allowed
        return replace(
            result,
            metric=str(measure),
            subject=f"{self.a.name} - {self.b.name}",
            group=self.a.part.group,
            n_rows=of_a.n_rows,
            conditions=Conditions({**settings, "paired": self.paired}, observed),
            notes=(*result.notes, *self.notes),
        )


_NONE = Tested("none")


def _skipped(*sides: tuple[Side, Result]) -> Skipped:
    """Return the skip of the first side that has no value."""
    side, result = next((s, r) for s, r in sides if isinstance(r, Skipped))
    return Skipped(result.reason, detail=f"{side.name}: {result.detail}")


def _checked(allow: Collection[str], *sides: ResultSet) -> tuple[str, ...]:
    conditions = several(allow)
    if isinstance(allow, str) or not all(isinstance(one, str) for one in conditions):
        raise ParameterError(
            f"allow= is a list of names of conditions, not {str(allow)[:80]!r}",
            fix="write allow=['threshold'], for example",
        )
    known = {"rows", *FIELDS}
    known |= {name for ev in sides for result in ev.results for name in result.conditions.settings}
    unknown = [name for name in conditions if name not in known]
    if unknown:
        near = difflib.get_close_matches(unknown[0], sorted(known), n=1)
        raise ParameterError(
            f"{unknown[0][:80]!r} is no condition of these evaluations",
            where="allow=",
            why="what was allowed is recorded, so it must mean something",
            fix=f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}",
        )
    return tuple(sorted(conditions))


def _are_stored(*sides: object) -> bool:
    from veridical.store.run import Run

    return all(isinstance(side, (str, os.PathLike, Run)) for side in sides)


def _check_evaluations(a: object, b: object) -> None:
    from veridical.evaluation import Evaluation

    for given in (a, b):
        if not isinstance(given, (Evaluation, PairedResults)):
            raise UnsupportedTypeError(
                f"an object of type {type(given).__name__} is no evaluation",
                why="a comparison needs the labels beside the scores",
                fix="evaluate both score columns at once, and give ev.subject(...) of each",
            )
    if type(a) is not type(b):
        raise UnsupportedTypeError(
            f"an object of type {type(a).__name__} and one of type {type(b).__name__}",
            why="they measure different things",
            fix="compare two evaluations of one kind",
        )


def _side(ev: Evaluation) -> Side:
    if len(ev.subjects) != 1:
        raise ParameterError(
            f"an evaluation of {len(ev.subjects)} score columns cannot be one side",
            fix=f"choose one, for example ev.subject({ev.subjects[0]!r})",
        )
    part = next((part for part in ev.slices if part.group == ev.only_group), None)
    if part is None:
        raise MismatchError(
            "this evaluation no longer has the summaries of its rows",
            why="a comparison is computed from them",
            fix="evaluate the data again",
        )
    return Side(ev.subjects[0], part, ev.settings)


def _named(a: Side, b: Side) -> tuple[Side, Side]:
    """Tell two sides of one name apart."""
    if a.name != b.name:
        return a, b
    return replace(a, name=f"{a.name} (a)"), replace(b, name=f"{b.name} (b)")


def _measures(
    a: Evaluation, b: Evaluation, metric: Name | list[Name] | tuple[Name, ...] | None
) -> tuple[Measure, ...]:
    if metric is None:
        shared = [
            r.metric for r in a.values() if r.metric in {other.metric for other in b.values()}
        ]
        if not shared:
            raise ParameterError(
                "the two evaluations have no metric in common", fix="name the metric to compare"
            )
        return tuple(find(name) for name in shared)
    measures = tuple(find(name) for name in several(metric))
    if not measures:
        raise MetricNameError("no metric is named", fix="name one, or give None for all")
    return measures


def _refuse_sources(
    a: Evaluation, b: Evaluation, sides: tuple[Side, Side], first: Measure, allowed: tuple[str, ...]
) -> None:
    """Raise where the two were measured on different rows or on another label."""
    differing: dict[str, tuple[object, object]] = {}
    for name in ("label", "positive"):
        one, two = a.source.get(name), b.source.get(name)
        # The value that was named matters only where it makes other rows positive.
        if one != two and (name == "label" or different_rows(*sides)):
            differing[name] = (one, two)
    for name in different_rows(*sides):
        differing[name] = (_described(a, sides[0], name), _described(b, sides[1], name))
    refuse(str(first), differing, allowed, sides[0].part.group)


def _described(ev: Evaluation, side: Side, name: str) -> str:
    rows = side.part.rows
    if rows is None or name == "rows":
        digest = ev.source.get("sha256")  # rows that a stored run kept have none of their own
        return f"{side.part.evidence.rows:,} rows" + (f" (sha256 {digest[:12]})" if digest else "")
    given = rows.weight if name == "weight" else rows.codes
    return "none" if given is None else "given"


def _elsewhere(a: Evaluation, b: Evaluation) -> tuple[str, ...]:
    """Say so where rows of two sources were matched by nothing but their order."""
    one, two = a.source.get("path"), b.source.get("path")
    if one is None and two is None:
        return ()
    return () if one == two or PurePath(str(one)) == PurePath(str(two)) else ("paired_by_position",)
