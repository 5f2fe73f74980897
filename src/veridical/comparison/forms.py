"""The metrics that runs have in common, and which form of one a bare name stands for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from veridical.comparison.recorded import Recorded
from veridical.errors import MetricNameError
from veridical.measures import Measure
from veridical.metrics import find

__all__ = ["form_measured", "measured_in_all"]


def measured_in_all(places: Iterable[tuple[Recorded, str]]) -> list[str]:
    """Return the metrics that every run measured on all units, by canonical name.

    Parameters
    ----------
    places
        Each run with its subject; at least one.
    """
    first, *others = (
        [r.metric for r in run.results if str(r.subject) == subject and r.group is None]
        for run, subject in places
    )
    return [metric for metric in first if all(metric in those for those in others)]


def form_measured(name: str | Measure, measured: Sequence[str], where: str, fix: str) -> Measure:
    """Return the metric of a name; a bare name finds the one form that was measured.

    Parameters
    ----------
    name
        As it was asked for.
    measured
        Canonical names.
    where, fix
        For an error: in what it was not measured, and what to do.

    Raises
    ------
    MetricNameError
        It was not measured, or in several forms.

    Examples
    --------
    >>> str(form_measured("recall", ["binary.recall@fpr=0.01"], "both", ""))
    'binary.recall@fpr=0.01'
    """
    measure = find(name, {metric.partition(".")[0] for metric in measured})
    if str(measure) in measured:
        return measure
    bare = f"{measure.family}.{measure.name}"
    forms = [m for m in measured if m.partition("@")[0].partition(",")[0] == bare]
    if len(forms) != 1 or measure.parameters:
        raise MetricNameError(f"{measure} was not measured in {where}", fix=fix)
    return find(forms[0])
