"""``compare``: which kind of things two sides are, and who compares them."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast, overload

from veridical.comparison.comparison import Comparison
from veridical.comparison.differing import allowed_between
from veridical.comparison.two_evaluations import compare_scores
from veridical.comparison.units import compare_units
from veridical.errors import UnsupportedTypeError
from veridical.evaluation.paired_results import PairedResults
from veridical.measures import Measure

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation
    from veridical.evaluation.result_set import ResultSet
    from veridical.store import Run

__all__ = ["compare"]

Name: TypeAlias = str | Measure
Stored: TypeAlias = "str | os.PathLike[str] | Run"
Compared = TypeVar("Compared", bound="ResultSet")


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

        found = compare_recorded(a, b, metric, groups=(), allow=allow).comparisons
    else:
        found = _compare_measured(cast("ResultSet", a), cast("ResultSet", b), metric, allow)
    return found[0] if isinstance(metric, (str, Measure)) else found


def _are_stored(*sides: object) -> bool:
    from veridical.store.run import Run

    return all(isinstance(side, (str, os.PathLike, Run)) for side in sides)


def _compare_measured(
    a: ResultSet,
    b: ResultSet,
    metric: Name | list[Name] | tuple[Name, ...] | None,
    allow: Collection[str],
) -> tuple[Comparison, ...]:
    _check_evaluations(a, b)
    allowed = allowed_between(allow, a, b)
    if isinstance(a, PairedResults):
        return compare_units(a, cast(PairedResults, b), metric, allowed)
    return compare_scores(cast("Evaluation", a), cast("Evaluation", b), metric, allowed)


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
