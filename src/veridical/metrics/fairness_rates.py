"""What the metrics of fairness have in common: two rates, their counts, tests and intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veridical.metrics.interval_request import Outcome
from veridical.metrics.unit_intervals import Question
from veridical.results import Conditions, Interval, Measured, Result, Skipped
from veridical.stats.two_shares import difference_interval, fisher_test, ratio_interval, z_test
from veridical.summaries.compared_groups import ComparedGroups, Share

__all__ = [
    "difference",
    "four_fifths",
    "larger_difference",
    "newcombe",
    "of_rates",
    "p_values",
    "ratio",
    "score_of_ratio",
    "skipped",
    "without_labels",
]


def ratio(a: Share, b: Share) -> float | None:
    """Return the ratio of two rates, rounded once; None for x/0 and 0/0."""
    return a.hits * b.n / (b.hits * a.n) if b.hits else None


def four_fifths(a: Share, b: Share) -> str | None:
    """Return whether 4/5 <= a/b <= 5/4, decided on whole numbers; None for 0/0.

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
    """Return the counts behind two rates, and the rates."""
    return {
        "group_hits": a.hits,
        "group_n": a.n,
        "reference_hits": b.hits,
        "reference_n": b.n,
        "group_rate": a.rate,
        "reference_rate": b.rate,
    }


def p_values(a: Share, b: Share) -> dict[str, Any]:
    """Return the p-values of two tests of equal rates."""
    found = z_test(a, b)
    of_z = {} if found is None else {"z": found[0], "z_p_value": found[1]}
    return {"fisher_p_value": fisher_test(a, b), **of_z}


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
    value = (a.hits * b.n - b.hits * a.n) / (a.n * b.n)
    observed = {**of_rates(a, b), "per_10_000": 10_000 * value, **p_values(a, b)}
    return Measured(value, a.n + b.n, conditions=Conditions(observed=observed))


def skipped(
    reason: str, a: Share, b: Share, noun: str, observed: Mapping[str, Any] | None = None
) -> Skipped:
    """Return why two rates cannot be compared, with the counts."""
    if observed is None:
        detail = f"the group has {a.n:,} {noun}, the reference {b.n:,}"
    else:
        detail = f"{noun}: {a.hits:,} of {a.n:,} in the group, {b.hits:,} of {b.n:,} in the "
        detail += "reference, which is 0/0" if not a.hits else "reference, which is x/0"
    return Skipped(reason, a.n + b.n, detail=detail, conditions=Conditions(observed=observed))


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
