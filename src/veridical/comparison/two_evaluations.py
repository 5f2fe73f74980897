"""Two evaluations of scores: what is a side of which, and whether their rows are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeAlias

from veridical.comparison.comparison import Comparison, names_apart
from veridical.comparison.contrasts import PassSums
from veridical.comparison.differing import refuse
from veridical.comparison.methods import resampled
from veridical.comparison.pairs import Side, different_rows
from veridical.comparison.replicates import Replicates
from veridical.comparison.two_models import Asked, TwoModels, compared
from veridical.errors import MetricNameError, MismatchError, ParameterError
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import several

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation

__all__ = ["compare_scores"]

Name: TypeAlias = str | Measure


def compare_scores(
    a: Evaluation,
    b: Evaluation,
    metric: Name | Sequence[Name] | None,
    allowed: tuple[str, ...],
) -> tuple[Comparison, ...]:
    """Do what ``compare`` does, for evaluations of score columns.

    Parameters
    ----------
    a, b
        Of one score column each.
    metric, allowed
        As for ``compare``.
    """
    sides = _sides(a, b)
    measures = _measures(a, b, metric)
    _refuse_other_rows(a, b, sides, measures[0], allowed)
    models = TwoModels(
        *sides, Replicates(resampled(measures)), PassSums(), allowed, _notes_on_sources(a, b)
    )
    return compared([Asked(models, measure, models.measured(measure)) for measure in measures])


def _sides(a: Evaluation, b: Evaluation) -> tuple[Side, Side]:
    one, two = _side(a), _side(b)
    names = names_apart(one.name, two.name)
    return replace(one, name=names[0]), replace(two, name=names[1])


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


def _measures(
    a: Evaluation, b: Evaluation, metric: Name | Sequence[Name] | None
) -> tuple[Measure, ...]:
    if metric is None:
        of_b = {result.metric for result in b.values()}
        shared = [result.metric for result in a.values() if result.metric in of_b]
        if not shared:
            raise ParameterError(
                "the two evaluations have no metric in common", fix="name the metric to compare"
            )
        return tuple(find(name) for name in shared)
    measures = tuple(find(name) for name in several(metric))
    if not measures:
        raise MetricNameError("no metric is named", fix="name one, or give None for all")
    return measures


def _refuse_other_rows(
    a: Evaluation, b: Evaluation, sides: tuple[Side, Side], first: Measure, allowed: tuple[str, ...]
) -> None:
    """Raise where the two were measured on different rows or on another label."""
    other_rows = different_rows(*sides)
    differing: dict[str, tuple[object, object]] = {}
    for name in ("label", "positive"):
        one, two = a.source.get(name), b.source.get(name)
        # The value that was named matters only where it makes other rows positive.
        if one != two and (name == "label" or other_rows):
            differing[name] = (one, two)
    for name in other_rows:
        differing[name] = (_described(a, sides[0], name), _described(b, sides[1], name))
    refuse(str(first), differing, allowed, sides[0].part.group)


def _described(ev: Evaluation, side: Side, name: str) -> str:
    rows = side.part.rows
    if rows is None or name == "rows":
        digest = ev.source.get("sha256")  # rows that a stored run kept have none of their own
        return f"{side.part.evidence.rows:,} rows" + (f" (sha256 {digest[:12]})" if digest else "")
    given = rows.weight if name == "weight" else rows.codes
    return "none" if given is None else "given"


def _notes_on_sources(a: Evaluation, b: Evaluation) -> tuple[str, ...]:
    """Say so where rows of two sources were matched by nothing but their order."""
    one, two = a.source.get("path"), b.source.get("path")
    same = one == two or PurePath(str(one)) == PurePath(str(two))
    return () if same else ("paired_by_position",)
