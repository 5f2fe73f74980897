"""What the metrics of fairness have in common: two rates, their counts, tests and intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from veridical.metrics.interval_request import Outcome
from veridical.metrics.outcomes import counted
from veridical.metrics.unit_intervals import Question
from veridical.results import Conditions, Interval, Measured, Result, Skipped
from veridical.stats.two_shares import (
    MOST_OF_FISHER,
    difference_interval,
    fisher_test,
    ratio_interval,
    z_test,
)
from veridical.summaries.compared_groups import ComparedGroups, Share
from veridical.summaries.confusion import Count

__all__ = [
    "difference",
    "four_fifths",
    "larger_difference",
    "newcombe",
    "of_rates",
    "p_values",
    "plain",
    "ratio",
    "rows_behind",
    "score_of_ratio",
    "skipped",
    "without_labels",
]


def ratio(a: Share, b: Share) -> float | None:
    """Return the ratio of two rates, rounded once; None for x/0 and 0/0."""
    return float(Fraction(a.hits * b.n) / (b.hits * a.n)) if b.hits else None


def four_fifths(a: Share, b: Share) -> str | None:
    """Return whether 4/5 <= a/b <= 5/4, decided on exact numbers; None for 0/0.

    Counts of rows are whole, and sums of weights are whole numbers of 2**-52: nothing is rounded.

    Examples
    --------
    >>> four_fifths(Share(40, 100), Share(50, 100)), four_fifths(Share(39, 100), Share(50, 100))
    ('passes', 'fails')
    """
    mine, other = a.hits * b.n, b.hits * a.n
    if not mine and not other:
        return None
    return "passes" if 5 * mine >= 4 * other and 4 * mine <= 5 * other else "fails"


def of_rates(a: Share, b: Share) -> dict[str, Any]:
    """Return the counts behind two rates, the rates, and what the rows are worth."""
    found: dict[str, Any] = {}
    for side, share in (("group", a), ("reference", b)):
        found[f"{side}_hits"], found[f"{side}_n"] = plain(share.hits), plain(share.n)
    for side, share in (("group", a), ("reference", b)):
        found[f"{side}_rate"] = share.rate
    for side, share in (("group", a), ("reference", b)):
        if share.effective is not None:
            found[f"{side}_n_effective"] = share.effective
    for side, share in (("group", a), ("reference", b)):
        if math.isfinite(share.degrees_of_freedom):
            found[f"{side}_degrees_of_freedom"] = share.degrees_of_freedom
    if a.correlation:
        found["correlation"] = a.correlation
    return found


def rows_behind(*shares: Share) -> dict[str, int]:
    """Return how many rows there are where ``n`` is the sum of their weights."""
    rows = [one.n if one.counted is None else one.counted for one in shares]
    whole = [row for row in rows if isinstance(row, int)]  # sums of weights that nobody counted
    differ = any(row != one.n for row, one in zip(rows, shares, strict=True))
    return {"n_rows_counted": sum(whole)} if differ and len(whole) == len(rows) else {}


def plain(count: Count) -> int | float:
    """Return a count as a number of JSON."""
    return count if isinstance(count, int) else float(count)


def p_values(a: Share, b: Share) -> dict[str, Any]:
    """Return the p-values of tests of equal rates: Fisher's counts rows, z the effective ones.

    Of more rows than Fisher's can count, z tells the same.
    """
    if not all(one.is_counted or one.effective is not None for one in (a, b)):
        return {}  # sums of weights of nobody knows how many rows
    found = z_test(a, b)
    of_z = {} if found is None else {"z": found[0], "z_p_value": found[1]}
    is_exact = a.is_counted and b.is_counted and a.n + b.n <= MOST_OF_FISHER
    exact = {"fisher_p_value": fisher_test(a, b)} if is_exact else {}
    return {**exact, **of_z}


def difference(a: Share, b: Share, reason: str, noun: str) -> Result:
    """Return the difference of two rates, or why there is none.

    Parameters
    ----------
    a, b
        Of the group and of the reference.
    reason, noun
        Why it is skipped where one of them has no ``noun``.
    """
    if not a.n or not b.n:
        return skipped(reason, a, b, noun)
    # Over the common denominator: rounded once.
    value = float(Fraction(a.hits * b.n - b.hits * a.n) / (a.n * b.n))
    observed = {**of_rates(a, b), "per_10_000": 10_000 * value, **p_values(a, b)}
    rows = rows_behind(a, b)
    return Measured(value, round(a.n + b.n), conditions=Conditions(observed=observed), counts=rows)


def skipped(
    reason: str, a: Share, b: Share, noun: str, observed: Mapping[str, Any] | None = None
) -> Skipped:
    """Return why two rates cannot be compared, with the counts."""
    (hits, n), (of_hits, of_n) = ((counted(one.hits), counted(one.n)) for one in (a, b))
    if observed is None:
        detail = f"the group has {n} {noun}, the reference {of_n}"
    else:
        detail = f"{noun}: {hits} of {n} in the group, {of_hits} of {of_n} in the "
        detail += "reference, which is 0/0" if not a.hits else "reference, which is x/0"
    total = round(a.n + b.n)
    return Skipped(reason, total, detail=detail, conditions=Conditions(observed=observed))


def without_labels(groups: ComparedGroups) -> Skipped | None:
    """Return that there are no labels, or None."""
    return None if groups.labelled else Skipped("no_labels")


def newcombe(result: Measured, question: Question) -> Outcome:
    """Newcombe's interval, from Wilson's of both rates."""
    a, b = _shares(question)
    return Outcome(difference_interval(a, b, question.level))


def score_of_ratio(result: Measured, question: Question) -> Outcome:
    """Koopman's score interval of a ratio of two rates."""
    a, b = _shares(question)
    return Outcome(ratio_interval(a, b, question.level))


def larger_difference(result: Measured, question: Question) -> Outcome:
    """The larger ends of Newcombe's intervals of both differences, without their signs.

    The lower one of two of the square root of the level: either of two equal rates would else be
    called unequal twice as often as the level says.
    """
    both = question.level**0.5
    lows = [_unsigned(difference_interval(a, b, both))[0] for a, b in _shares(question)]
    highs = [_unsigned(difference_interval(a, b, question.level))[1] for a, b in _shares(question)]
    low, high = min(max(lows), result.value), max(highs)
    return Outcome(Interval(low, high, question.level, "newcombe-larger"))


def _shares(question: Question) -> Any:
    statistic = question.definition.statistic
    assert statistic is not None  # noqa: S101 - whoever asks for these intervals gives one
    return statistic(question.summary)


def _unsigned(interval: Interval) -> tuple[float, float]:
    smaller, larger = sorted((abs(interval.low), abs(interval.high)))
    return (0.0 if 0.0 in interval else smaller), larger
