"""``compare_rag``: two runs of pipelines, case by case, judged alike or not at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any, Final

from veridical.comparison.differing import told
from veridical.comparison.recorded import Recorded, recorded
from veridical.comparison.runs import RunComparison, compare_recorded
from veridical.errors import MismatchError, ParameterError
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import several
from veridical.rag.scoring import METRICS

__all__ = ["JUDGE_CONDITIONS", "MIXED_JUDGES", "compare_rag"]

JUDGE_CONDITIONS: Final = ("judge_model", "judge", "prompt_sha256")
"""Conditions that differ between judges: the model, its endpoint and parameters, the prompt."""

MIXED_JUDGES: Final = (
    "MIXED JUDGES: the two were judged differently ({}), so that a difference may be one of "
    "judges and not of pipelines"
)
"""The banner over what was allowed all the same."""

_LEFT_OUT: Final = (
    "abstention and overrefusal are left out: refusals that a judge found and those of the "
    "heuristic are never compared"
)


def compare_rag(
    a: Any,
    b: Any,
    metrics: Iterable[str] | None = None,
    *,
    allow_mixed_judges: bool = False,
    allow: Collection[str] = (),
    store: str | None = None,
) -> RunComparison:
    """Compare two RAG runs on the cases that are scored in both.

    Parameters
    ----------
    a, b
        Stored runs by name or id, files that ``--json`` wrote, or evaluations.
    metrics
        What to compare; None for every metric that both measured.
    allow_mixed_judges
        Whether judges of other models, parameters or prompts may be compared; recorded.  Refusals
        that a judge found and those of the heuristic are left out even then.
    allow
        Further conditions that may differ.
    store
        Where stored runs are; None for the usual place.

    Raises
    ------
    MismatchError
        The judges differ, or another condition that was not allowed to.
    ParameterError
        One of the runs is no RAG run.
    MetricNameError
        A metric was not measured in both.
    """
    one, two = recorded(a, store), recorded(b, store)
    for run in (one, two):
        if run.kind != "rag":
            raise ParameterError(
                f"{run.label} is no RAG run but {run.kind}",
                fix="compare it with `veridical compare`",
            )
    if metrics is not None:
        metrics = _with_companion(several(metrics))
    measured = _measured_in_both(one, two, metrics)
    differing = _differing(one, two, measured)
    judges = [name for name in JUDGE_CONDITIONS if name in differing]
    if judges and not allow_mixed_judges:
        raise _refusal(one, two, judges[0], differing[judges[0]])
    notes = [MIXED_JUDGES.format(", ".join(judges))] if judges else []
    if "abstention" in differing and metrics is None:
        metrics = [metric for metric in measured if not _is_refusal(metric)]
        notes.append(_LEFT_OUT)
    found = compare_recorded(one, two, metrics, allow=(*allow, *judges), store=store)
    return replace(found, notes=tuple(notes))


def _with_companion(asked: Iterable[str | Measure]) -> list[str]:
    """Return what is asked for, overrefusal beside abstention: the one says nothing alone."""
    names = [str(find(name)) for name in asked]
    beside = ["robustness.overrefusal"] if "robustness.abstention" in names else []
    return list(dict.fromkeys([*names, *beside]))


def _measured_in_both(a: Recorded, b: Recorded, asked: Iterable[str] | None) -> list[str]:
    """Return the canonical names of what will be compared, in the order of the first run."""
    theirs = {result.metric for result in b.results}
    shared = dict.fromkeys(result.metric for result in a.results if result.metric in theirs)
    if asked is None:
        return list(shared)
    named = {str(find(name)).partition("@")[0] for name in several(asked)}
    return [metric for metric in shared if metric.partition("@")[0] in named]


def _differing(
    a: Recorded, b: Recorded, metrics: Iterable[str]
) -> dict[str, tuple[object, object]]:
    """Return the conditions in which the two differ in any of these metrics."""
    found: dict[str, tuple[object, object]] = {}
    for metric in metrics:
        one, two = (run.find(metric, run.subject(None)) for run in (a, b))
        if one is None or two is None:
            continue
        for name in one.conditions.differences(two.conditions):
            found.setdefault(name, (one.conditions.get(name), two.conditions.get(name)))
    return found


def _is_refusal(metric: str) -> bool:
    known = METRICS.get(metric.partition("@")[0])
    return known is not None and known.contract == "refusal"


def _refusal(a: Recorded, b: Recorded, name: str, both: tuple[object, object]) -> MismatchError:
    one, two = map(told, both)
    return MismatchError(
        f"the two were judged differently, in {name}: {one} and {two}",
        where=f"{a.label} and {b.label}",
        why="the difference would be one of judges as much as of pipelines",
        fix="judge both alike, name metrics without a judge with --metric, or allow it: "
        "--allow-mixed-judges",
    )
