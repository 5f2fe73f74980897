"""Whether one result meets one rule: bounds against an interval, margins, numbers and shares."""

from __future__ import annotations

from veridical.policy.schema import Rule
from veridical.policy.verdict import RowVerdict
from veridical.results import Measured, Result

__all__ = ["SCORES", "decide", "meets"]

SCORES = frozenset({"binary", "calibration", "cost"})
"""Families whose rows left out stand beside ``n_rows``; elsewhere they are part of it."""

_NO_ESTIMATE = frozenset({"no_interval_degenerate", "no_interval_replicates"})
"""Notes of a metric that has intervals, on data that do not yield one: too few or too uniform."""

Decision = tuple[RowVerdict, str]


def decide(rule: Rule, result: Measured, difference: Result | None = None) -> Decision:
    """Return the verdict on a rule, and what must be said about it.

    Parameters
    ----------
    rule
        What is asked.
    result
        What was measured.
    difference
        What was measured minus the baseline; None without a baseline.

    Examples
    --------
    >>> rule = Rule(metric="binary.roc_auc", at_least=0.9)
    >>> decide(rule, Measured(0.85))
    ('not met', '')
    """
    if too_many := _shares(rule, result):
        return too_many
    if rule.min_n is not None and result.n < rule.min_n:
        return "undecided", f"n = {result.n:,}, fewer than {rule.min_n:,}"
    found = [_bounds(rule, result)]
    if rule.no_worse_than is not None:
        found.append(_no_worse(rule, difference))
    for verdict in ("not met", "undecided"):
        if any(one == verdict for one, _ in found):
            return next(decision for decision in found if decision[0] == verdict)
    return "met", "; ".join(why for _, why in found if why)


def meets(rule: Rule, low: float, value: float, high: float) -> bool:
    """Return whether everything from ``low`` to ``high`` is within every bound."""
    floor, ceiling = _limits(rule)
    return low >= floor and high <= ceiling and _value_meets(rule, value)


def _shares(rule: Rule, result: Measured) -> Decision | None:
    """Return what the shares left out and in error decide; None where they are small enough."""
    skipped, errors = result.counts.get("n_skipped", 0), result.counts.get("n_errors")
    beside = skipped if result.metric.partition(".")[0] in SCORES else 0
    read = (result.n_rows or 0) + beside
    if rule.max_skip_rate is not None and skipped > rule.max_skip_rate * read:
        return "not met", f"{skipped:,} of {read:,} were left out"
    if rule.max_error_rate is not None:
        if errors is None:
            return "undecided", "errors were not counted in this run"
        if errors > rule.max_error_rate * (read + errors):
            return "not met", f"{errors:,} of {read + errors:,} ended in an error"
    return None


def _bounds(rule: Rule, result: Measured) -> Decision:
    if not rule.bounds:
        return "met", ""
    interval = result.interval
    low, high = (interval.low, interval.high) if interval else (result.value, result.value)
    if _misses(rule, low, result.value, high):
        return "not met", ""
    if not meets(rule, low, result.value, high):
        return "undecided", "the interval straddles the bound"
    return _within(rule, result)


def _within(rule: Rule, result: Measured) -> Decision:
    """Return whether a rule that everything known meets is met: not if the interval is unknown."""
    if result.interval is not None or rule.value is not None:
        return "met", ""
    if rule.lower_bound is not None or rule.upper_bound is not None:
        return "undecided", "the rule is about the interval, and there is none"
    if _NO_ESTIMATE & set(result.notes):
        return "undecided", "the interval could not be estimated"
    return "met", "no interval: the value decides"


def _no_worse(rule: Rule, difference: Result | None) -> Decision:
    if not isinstance(difference, Measured):
        why = "no baseline was given" if difference is None else difference.detail
        return "undecided", f"not compared with a baseline: {why}"
    if "no_unit_differs" in difference.notes:
        return "met", "no unit differs from the baseline"
    interval, margin = difference.interval, rule.margin or 0.0
    if interval is None:
        return "undecided", "the difference from the baseline has no interval"
    is_lower_better = rule.measure.definition.better == "lower"
    worst, best = (
        (-interval.high, -interval.low) if is_lower_better else (interval.low, interval.high)
    )
    if best < -margin:
        return "not met", "worse than the baseline by more than the margin"
    if worst < -margin:
        return "undecided", "the interval of the difference from the baseline straddles the margin"
    return "met", ""


def _misses(rule: Rule, low: float, value: float, high: float) -> bool:
    """Whether everything from ``low`` to ``high`` is beyond a bound."""
    floor, ceiling = _limits(rule)
    return high < floor or low > ceiling or not _value_meets(rule, value)


def _limits(rule: Rule) -> tuple[float, float]:
    floors = [b for b in (rule.at_least, rule.lower_bound) if b is not None]
    ceilings = [b for b in (rule.at_most, rule.upper_bound) if b is not None]
    return max(floors, default=float("-inf")), min(ceilings, default=float("inf"))


def _value_meets(rule: Rule, value: float) -> bool:
    if rule.value is None:
        return True
    if rule.measure.definition.better == "lower":
        return value <= rule.value
    return value >= rule.value
