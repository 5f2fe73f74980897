"""Two answers to the same case: which is right more often, and how far chance could explain it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from veridical.bench.scoring.rates import LEVEL, MANY_CLUSTERS
from veridical.results import Interval, Measured, Result, Skipped
from veridical.stats.paired import mcnemar, minimum_detectable_effect, permutation_test
from veridical.stats.standard_error import scaled_interval, standard_error, unit_totals

__all__ = ["Pair", "Paired", "paired"]


@dataclass(frozen=True, slots=True)
class Pair:
    """One unit that both answered.

    Attributes
    ----------
    a, b
        Share of trials with a hit, in [0, 1].
    template
        The cluster.
    """

    a: float
    b: float
    template: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """A against B on the same units.

    Attributes
    ----------
    metric
        Which share.
    difference
        A minus B, with Student's interval over templates.
    value_a, value_b
        The two means; None where there is no pair.
    only_a, only_b
        Units that tell the two apart.
    p_value
        Two-sided; None where there is no pair.
    method
        ``mcnemar-exact``, or ``permutation`` where a unit was tried more than once.
    detectable
        The difference that would be found in 4 of 5 such comparisons; None where it is not known.
    """

    metric: str
    difference: Result
    value_a: float | None
    value_b: float | None
    only_a: int
    only_b: int
    p_value: float | None
    method: str
    detectable: float | None


def paired(metric: str, pairs: Sequence[Pair], *, empty: str, level: float = LEVEL) -> Paired:
    """Compare two agents, or one agent on cases and their twins.

    Parameters
    ----------
    metric
        Its name.
    pairs
        The units, in an order that does not depend on how they arrived.
    empty
        What is said where there is none.
    level
        Of the interval.

    Examples
    --------
    >>> found = paired("bench.exact_match", [Pair(1, 0, str(t)) for t in range(6)], empty="none")
    >>> found.difference.value, found.p_value, found.method
    (1.0, 0.03125, 'mcnemar-exact')
    """
    differences = np.array([one.a - one.b for one in pairs], dtype=np.float64)
    only_a, only_b = int((differences > 0).sum()), int((differences < 0).sum())
    if not pairs:
        skipped = Skipped("no_rows", detail=empty, metric=metric)
        return Paired(
            metric=metric,
            difference=skipped,
            value_a=None,
            value_b=None,
            only_a=0,
            only_b=0,
            p_value=None,
            method="mcnemar-exact",
            detectable=None,
        )
    single = all(one.a in (0.0, 1.0) and one.b in (0.0, 1.0) for one in pairs)
    difference, detectable = _difference(metric, pairs, differences, level)
    return Paired(
        metric=metric,
        difference=difference,
        value_a=sum(one.a for one in pairs) / len(pairs),
        value_b=sum(one.b for one in pairs) / len(pairs),
        only_a=only_a,
        only_b=only_b,
        p_value=mcnemar(only_a, only_b).exact if single else permutation_test(differences),
        method="mcnemar-exact" if single else "permutation",
        detectable=detectable,
    )


def _difference(
    metric: str, pairs: Sequence[Pair], differences: np.ndarray, level: float
) -> tuple[Measured, float | None]:
    mean = float(differences.mean())
    names = sorted({one.template for one in pairs})
    places = {name: at for at, name in enumerate(names)}
    units = np.array([places[one.template] for one in pairs], dtype=np.intp)
    # Deviations from the mean, so that templates of unequal size do not look like a difference.
    totals = unit_totals(differences - mean, units=units)
    error = standard_error(totals) if len(names) > 1 else None
    interval = scaled_interval(mean, error, level, "student-clusters")
    if error is None or not isinstance(interval, Interval):
        note = ("no_interval_degenerate",)
        return Measured(mean, len(pairs), metric=metric, notes=note), None
    within = Interval(
        max(-1.0, interval.low), min(1.0, interval.high), interval.level, interval.method
    )
    notes = ("few_clusters",) if len(names) < MANY_CLUSTERS else ()
    return (
        Measured(mean, len(pairs), interval=within, metric=metric, notes=notes),
        minimum_detectable_effect(error.value, level),
    )
