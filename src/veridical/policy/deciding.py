"""Whether one result meets one rule: bounds against an interval, margins, numbers and shares."""

from __future__ import annotations

from veridical.policy.schema import LEVEL, Rule
from veridical.policy.verdict import RowVerdict
from veridical.results import Measured, Result

__all__ = ["SCORES", "as_good_as_baseline", "decide", "meets", "too_many_errors"]

SCORES = frozenset({"binary", "calibration", "cost"})
"""Families whose rows left out stand beside ``n_rows``; elsewhere they are part of it."""

_NO_METHOD = frozenset({"no_interval_known", "no_interval_binned"})
"""Notes of a metric for which there is no interval on any data."""

Decision = tuple[RowVerdict, str]
Ends = tuple[float, float]


def decide(
    rule: Rule, result: Measured, difference: Result | None = None, level: float = LEVEL
) -> Decision:
    """Return the verdict on a rule, and what must be said about it.

    Parameters
    ----------
    rule
        What is asked.
    result
        What was measured.
    difference
        What was measured minus the baseline; None without a baseline.
    level
        The coverage of intervals that the rule is about.

    Examples
    --------
    >>> rule = Rule(metric="binary.roc_auc", at_least=0.9)
    >>> decide(rule, Measured(0.85))
    ('not met', '')
    """
    if too_many := _shares(rule, result):
        return too_many
    if rule.min_n is not None and (few := _too_few(rule.min_n, result)):
        return "undecided", few
    found = [_bounds(rule, result, level)]
    if rule.no_worse_than is not None:
        found.append(_no_worse(rule, difference, level))
    for verdict in ("not met", "undecided"):
        if any(one == verdict for one, _ in found):
            return next(decision for decision in found if decision[0] == verdict)
    return "met", "; ".join(why for _, why in found if why)


def meets(rule: Rule, value: float) -> bool:
    """Return whether a value without any uncertainty is within every bound."""
    return _within(rule, (value, value), (value, value))


def as_good_as_baseline(
    rule: Rule, value: float, result: Measured, difference: Result | None
) -> bool:
    """Return whether a value is no worse than the baseline's, where the rule asks for that.

    Parameters
    ----------
    rule
        What is asked.
    value
        The value to hold against the baseline's.
    result, difference
        What was measured, and that minus the baseline.
    """
    if rule.margin is None:
        return True
    if not isinstance(difference, Measured):
        return False
    ahead = value - (result.value - difference.value)
    return (-ahead if rule.measure.definition.better == "lower" else ahead) >= -rule.margin


def _shares(rule: Rule, result: Measured) -> Decision | None:
    """Return what the shares left out and in error decide; None where they are small enough."""
    elsewhere = result.counts.get("n_skipped_wrong_case_kind", 0)
    skipped = result.counts.get("n_skipped", 0) - elsewhere
    beside = skipped if result.metric.partition(".")[0] in SCORES else 0
    read = (result.n_rows or 0) + beside - elsewhere
    if rule.max_skip_rate is not None and skipped > rule.max_skip_rate * read:
        return "not met", f"{skipped:,} of {read:,} were left out"
    if rule.max_error_rate is not None and "n_errors" not in result.counts:
        return "undecided", "errors were not counted in this run"
    return too_many_errors(rule, result)


def too_many_errors(rule: Rule, result: Result) -> Decision | None:
    """Return that too many units ended in an error, or None.

    Parameters
    ----------
    rule
        What is asked.
    result
        What was measured, or why it was not: too many are too many without a value too.
    """
    errors = result.counts.get("n_errors", 0)
    if rule.max_error_rate is None or not errors:
        return None
    tried = (result.n_rows or 0) + errors
    if "n_case_errors" in result.counts:
        # Cases that were skipped, for being of another kind say, would dilute the rate.
        tried = result.n + result.counts.get("n_not_applicable", 0) + errors
    if errors > rule.max_error_rate * tried:
        return "not met", f"{errors:,} of {tried:,} ended in an error"
    return None


def _too_few(least: int, result: Measured) -> str:
    """Say that a value rests on too few units; nothing where it does not.

    A sum of fractional weights is no number of anything: rows are counted.
    """
    rows = result.counts.get("n_rows_counted")
    if rows is None and "no_interval_without_rows" in result.notes:
        rows = min(result.n, result.n_rows or 0)  # a summary knows of all its rows together
    if rows is None:
        return f"n = {result.n:,}, fewer than {least:,}" if result.n < least else ""
    return f"{rows:,} rows, fewer than {least:,}" if rows < least else ""


def _bounds(rule: Rule, result: Measured, level: float) -> Decision:
    if not rule.bounds:
        return "met", ""
    interval, certified = result.interval, result.bounds
    if rule.bounds.keys() != {"value"} and (narrow := _too_narrow(result, level)):
        return "undecided", narrow
    known = (certified.low, certified.high) if certified else (result.value, result.value)
    ends = (interval.low, interval.high) if interval else known
    ends = (min(ends[0], known[0]), max(ends[1], known[1]))
    if _beyond(rule, ends, known):
        return "not met", ""
    if not _within(rule, ends, known):
        what = "interval straddles" if interval else "certified bounds straddle"
        return "undecided", f"the {what} the bound"
    return _met(rule, result)


def _met(rule: Rule, result: Measured) -> Decision:
    """Return whether a rule that everything known meets is met: not if the interval is unknown.

    The value decides where a metric never has an interval.  One that has, and lacks it here, was
    measured on too few units, on units that all say the same, or without looking for it.
    """
    if result.interval is not None or rule.value is not None:
        return "met", ""
    if rule.lower_bound is not None or rule.upper_bound is not None:
        return "undecided", "the rule is about the interval, and there is none"
    if rule.measure.definition.interval is not None and not _NO_METHOD & set(result.notes):
        return "undecided", "the interval could not be estimated"
    return "met", "no interval: the value decides"


def _too_narrow(result: Measured, level: float) -> str:
    """Say that an interval covers less than asked for; nothing where it does not."""
    interval = result.interval
    if interval is None:
        return ""
    if "few_replicates" in result.notes:
        return "too few bootstrap replicates: the interval is too narrow"
    if interval.level < level:
        asked = f"the policy asks for {100 * level:g}%"
        return f"a {100 * interval.level:g}% interval is too narrow: {asked}"
    return ""


def _unusable(difference: Measured, level: float) -> str:
    """Say why the interval of a difference decides nothing; nothing where it may."""
    if "missing_could_turn" in difference.notes:
        return f"{difference.counts['n_missing']:,} missing cases could turn the difference"
    return _too_narrow(difference, level)


def _no_worse(rule: Rule, difference: Result | None, level: float) -> Decision:
    if not isinstance(difference, Measured):
        why = "no baseline was given" if difference is None else difference.detail
        return "undecided", f"not compared with a baseline: {why}"
    if "no_unit_differs" in difference.notes:
        return "met", "no unit differs from the baseline"
    interval, margin = difference.interval, rule.margin or 0.0
    unusable = "the difference from the baseline has no interval"
    if interval is None or (unusable := _unusable(difference, level)):
        return "undecided", unusable
    is_lower_better = rule.measure.definition.better == "lower"
    worst, best = (
        (-interval.high, -interval.low) if is_lower_better else (interval.low, interval.high)
    )
    if best < -margin:
        return "not met", "worse than the baseline by more than the margin"
    if worst < -margin:
        return "undecided", "the interval of the difference from the baseline straddles the margin"
    return "met", ""


def _within(rule: Rule, ends: Ends, known: Ends) -> bool:
    """Whether an interval is within every bound, and the value, as far as known, where it must."""
    floor, ceiling = _limits(rule)
    return ends[0] >= floor and ends[1] <= ceiling and all(_reaches(rule, v) for v in known)


def _beyond(rule: Rule, ends: Ends, known: Ends) -> bool:
    """Whether all of an interval is beyond a bound, or the value, as far as known, misses its."""
    floor, ceiling = _limits(rule)
    return ends[1] < floor or ends[0] > ceiling or not any(_reaches(rule, v) for v in known)


def _limits(rule: Rule) -> Ends:
    floors = [b for b in (rule.floor, rule.lower_bound) if b is not None]
    ceilings = [b for b in (rule.ceiling, rule.upper_bound) if b is not None]
    return max(floors, default=float("-inf")), min(ceilings, default=float("inf"))


def _reaches(rule: Rule, value: float) -> bool:
    """Whether a value keeps a rule about the value alone."""
    if rule.value is None:
        return True
    if rule.measure.definition.better == "lower":
        return value <= rule.value
    return value >= rule.value
