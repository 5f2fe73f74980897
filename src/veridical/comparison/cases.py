"""Cases of two runs against each other: those scored on both sides, and the others at their worst.

A case may lack a value because a call failed, and calls fail on hard cases more than on easy ones.
So nothing is said to be better where the values of the missing cases, whatever they are, could
turn the sign of the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.comparison.comparison import COULD_TURN
from veridical.comparison.decisions import bonett_price
from veridical.comparison.kept import Found
from veridical.comparison.matching import Matched
from veridical.comparison.recorded import Recorded
from veridical.evaluation.paired_results import Paired
from veridical.measures import Measure
from veridical.results import Measured
from veridical.stats.paired import mcnemar
from veridical.stats.query_bootstrap import paired_means
from veridical.store.units import Units

__all__ = ["missing_unpaired", "paired_cases"]

Floats: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]

_OPEN: Final = ("scored", "judge_error", "case_error", "pending")
_LOST: Final = ("n_errors", "n_pending", "n_not_applicable")
_OTHER_KIND: Final = "skipped: wrong_case_kind"


@dataclass(frozen=True, slots=True)
class _Side:
    """One metric of one run, case by case.

    Attributes
    ----------
    values
        Shape (n,), NaN where there is none.
    states
        ``state`` or ``state: reason``; "" where the run does not have the case.
    kinds
        The kind of each case.
    """

    values: Floats
    states: npt.NDArray[Any]
    kinds: npt.NDArray[Any]

    def at(self, places: npt.NDArray[np.intp]) -> _Side:
        return _Side(self.values[places], self.states[places], self.kinds[places])

    def then(self, other: _Side) -> _Side:
        pairs = zip(self._arrays, other._arrays, strict=True)
        return _Side(*(np.concatenate(pair) for pair in pairs))

    @property
    def _arrays(self) -> tuple[npt.NDArray[Any], ...]:
        return self.values, self.states, self.kinds

    @property
    def absent(self) -> _Side:
        """The same cases in a run that does not have them."""
        nothing = np.full(len(self.values), np.nan)
        return _Side(nothing, np.full(len(nothing), "", dtype=object), self.kinds)

    @property
    def open(self) -> Mask:
        """Which cases have a value, or would have one had nothing failed."""
        heads = [str(state).partition(":")[0] in _OPEN for state in self.states]
        return np.array(heads, dtype=np.bool_)

    @property
    def other_kinds(self) -> set[str]:
        """Kinds of cases that the metric does not apply to."""
        return set(self.kinds[self.states == _OTHER_KIND].tolist())


def paired_cases(
    measure: Measure,
    runs: tuple[Recorded, Recorded],
    of: tuple[str, str],
    matched: Matched,
    group: str | None = None,
) -> Found | None:
    """Compare two runs in a metric that is a mean over cases.

    Parameters
    ----------
    measure
        The metric.
    runs, of, matched
        The runs, the subject of each, and the cases that they have in common.
    group
        ``"column=value"``, or None for all cases.

    Returns
    -------
    Found or None
        None where a run did not keep what became of its cases, or does not know the group.  Where
        every value is 0 or 1 the test is McNemar's, else a permutation of signs.
    """
    one, two = (_side(run.units, measure, subject) for run, subject in zip(runs, of, strict=True))
    in_a, in_b = (_members(run.units, group) for run in runs)
    if one is None or two is None or in_a is None or in_b is None:
        return None
    both = in_a[matched.at_a] & in_b[matched.at_b]
    only_a = one.at(_places(runs[0].units, matched.only_a, in_a))
    only_b = two.at(_places(runs[1].units, matched.only_b, in_b))
    a = one.at(matched.at_a[both]).then(only_a).then(only_b.absent)
    b = two.at(matched.at_b[both]).then(only_a.absent).then(only_b)
    return _found(measure, a, b, runs[0])


def missing_unpaired(measure: Measure, of_a: Measured, of_b: Measured) -> tuple[int, bool]:
    """Return how many cases lack a value, and whether they could turn the sign of a difference.

    For runs of which only the results are known: which cases they are, and whether they are the
    same on both sides, is not, so that each side is taken at its worst.

    Parameters
    ----------
    measure
        The metric.
    of_a, of_b
        Its results, with their counts.
    """
    bounds = measure.definition.bounds
    low = -np.inf if bounds[0] is None else bounds[0]
    high = np.inf if bounds[1] is None else bounds[1]
    skipped = [one.counts.get("n_skipped", 0) for one in (of_a, of_b)]
    ends, total = [], 0
    for one, more in zip(
        (of_a, of_b), (skipped[0] - skipped[1], skipped[1] - skipped[0]), strict=True
    ):
        missing = sum(one.counts.get(name, 0) for name in _LOST) + max(0, more)
        known, n = one.n * one.value, one.n + missing
        worst = [(known + missing * end) / n if missing else one.value for end in (low, high)]
        ends.append(worst)
        total += missing
    (least_a, most_a), (least_b, most_b) = ends
    settled = least_a > most_b or most_a < least_b
    return total, bool(total) and not settled


def _found(measure: Measure, a: _Side, b: _Side, run: Recorded) -> Found:
    scored = ~(np.isnan(a.values) | np.isnan(b.values))
    elsewhere = sorted(a.other_kinds | b.other_kinds)
    missing = ~scored & (a.open | b.open) & ~np.isin(a.kinds.astype(str), elsewhere)
    if not scored.any():
        return Found(None)
    one, two = a.values[scored], b.values[scored]
    paired = _tested(one, two, measure, run)
    low, high = _extremes(a.values[missing], b.values[missing], measure.definition.bounds)
    total = float((one - two).sum())
    n = len(one) + int(missing.sum())
    notes = paired.notes
    if np.array_equal(one, two):
        notes = (*notes, "no_unit_differs")
    if missing.any():
        notes = (*notes, "common_units")
        if not (total + low > 0 or total + high < 0):
            notes = (*notes, COULD_TURN)
    worst = {"worst_low": (total + low) / n, "worst_high": (total + high) / n}
    bounded = np.isfinite([low, high]).all() and missing.any()
    return Found(
        replace(
            paired,
            notes=notes,
            counts={**paired.counts, "n_missing": int(missing.sum())},
            observed={**paired.observed, **(worst if bounded else {})},
        ),
        (float(one.mean()), float(two.mean())),
    )


def _tested(one: Floats, two: Floats, measure: Measure, run: Recorded) -> Paired:
    settings, better = run.settings, measure.definition.better
    if not np.isin(np.concatenate([one, two]), (0.0, 1.0)).all():
        found = paired_means(one, two, settings.level, settings.replicates, settings.seed)
        return Paired.of_means(found, len(one), better)
    up, down = int((one > two).sum()), int((one < two).sum())
    test = mcnemar(up, down)
    won, lost = (down, up) if better == "lower" else (up, down)
    return Paired(
        difference=float((one - two).mean()),
        n=len(one),
        interval=bonett_price(up, down, len(one), settings.level),
        p_value=test.exact,
        method="mcnemar-exact",
        observed={"mid_p": test.mid_p},
        counts={"n_wins": won, "n_ties": len(one) - up - down, "n_losses": lost},
    )


def _extremes(
    a: Floats, b: Floats, bounds: tuple[float | None, float | None]
) -> tuple[float, float]:
    """Return the smallest and largest sum of a - b that unknown values within bounds allow."""
    if not len(a):
        return 0.0, 0.0
    low = -np.inf if bounds[0] is None else bounds[0]
    high = np.inf if bounds[1] is None else bounds[1]
    smallest = np.where(np.isnan(a), low, a) - np.where(np.isnan(b), high, b)
    largest = np.where(np.isnan(a), high, a) - np.where(np.isnan(b), low, b)
    return float(smallest.sum()), float(largest.sum())


def _side(units: Units | None, measure: Measure, subject: str) -> _Side | None:
    if units is None:
        return None
    values = units.find("value", str(measure), subject)
    states = units.find("state", str(measure), subject)
    kinds = units.find("group", "kind")
    if not (len(values) == len(states) == len(kinds) == 1):
        return None
    numbers = np.ma.asarray(units.columns[values[0]]).astype(np.float64)
    return _Side(
        np.ma.filled(numbers, np.nan),
        np.asarray(units.columns[states[0]], dtype=object),
        np.asarray(units.columns[kinds[0]], dtype=object),
    )


def _places(units: Units | None, ids: Sequence[str], inside: Mask) -> npt.NDArray[np.intp]:
    position = {} if units is None else units.position
    places = (position[unit] for unit in ids)
    return np.array([at for at in places if inside[at]], dtype=np.intp)


def _members(units: Units | None, group: str | None) -> Mask | None:
    """Return which cases are in a group; a case has one kind and language, and many tags."""
    if units is None or group is None:
        return None if units is None else np.ones(len(units), dtype=np.bool_)
    name, _, value = group.partition("=")
    found = units.find("group", name)
    if len(found) != 1:
        return None
    texts = units.columns[found[0]].tolist()
    if name == "tag":
        return np.array([value in strict_json.loads(tags) for tags in texts], np.bool_)
    return np.array([text == value for text in texts], dtype=np.bool_)
