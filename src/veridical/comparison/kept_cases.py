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
from veridical.comparison.kept_units import Found
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
    a, b = (one.counts.get("n_skipped", 0) for one in (of_a, of_b))
    # What one side skips and the other does not, it may have lost.
    missing_a, missing_b = _lost(of_a) + max(0, a - b), _lost(of_b) + max(0, b - a)
    least_a, most_a = _means_at_worst(of_a, missing_a, _ends(measure))
    least_b, most_b = _means_at_worst(of_b, missing_b, _ends(measure))
    settled = least_a > most_b or most_a < least_b
    missing = missing_a + missing_b
    return missing, bool(missing) and not settled


def _lost(result: Measured) -> int:
    return sum(result.counts.get(name, 0) for name in _LOST)


def _means_at_worst(
    result: Measured, missing: int, ends: tuple[float, float]
) -> tuple[float, float]:
    """Return the smallest and the largest mean that the missing values allow."""
    if not missing:
        return result.value, result.value
    known, n = result.n * result.value, result.n + missing
    low, high = ((known + missing * end) / n for end in ends)
    return low, high


def _ends(measure: Measure) -> tuple[float, float]:
    """Return between what values of a metric are, infinite where nothing bounds them."""
    low, high = measure.definition.bounds
    return -np.inf if low is None else low, np.inf if high is None else high


def _found(measure: Measure, a: _Side, b: _Side, run: Recorded) -> Found:
    """Return the difference over cases that both score, and what the others could make of it."""
    scored = ~(np.isnan(a.values) | np.isnan(b.values))
    if not scored.any():
        return Found(None)
    one, two = a.values[scored], b.values[scored]
    paired = _tested(one, two, measure, run)
    if np.array_equal(one, two):
        paired = replace(paired, notes=(*paired.notes, "no_unit_differs"))
    elsewhere = sorted(a.other_kinds | b.other_kinds)
    missing = ~scored & (a.open | b.open) & ~np.isin(a.kinds.astype(str), elsewhere)
    total = float((one - two).sum())
    low, high = _extremes(a.values[missing], b.values[missing], _ends(measure))
    paired = _with_missing(paired, int(missing.sum()), total + low, total + high)
    return Found(paired, (float(one.mean()), float(two.mean())))


def _with_missing(paired: Paired, missing: int, least: float, most: float) -> Paired:
    """Say how many cases lack a value, and whether theirs could turn the sum of differences."""
    paired = replace(paired, counts={**paired.counts, "n_missing": missing})
    if not missing:
        return paired
    notes = (*paired.notes, "common_units")
    if not (least > 0 or most < 0):
        notes = (*notes, COULD_TURN)
    observed = dict(paired.observed)
    if np.isfinite([least, most]).all():
        n = paired.n + missing
        observed |= {"worst_low": least / n, "worst_high": most / n}
    return replace(paired, notes=notes, observed=observed)


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


def _extremes(a: Floats, b: Floats, ends: tuple[float, float]) -> tuple[float, float]:
    """Return the smallest and largest sum of a - b that unknown values between ends allow."""
    if not len(a):
        return 0.0, 0.0
    low, high = ends
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
