"""Means over cases of which some have no value: the value, its interval, and all the counts."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from veridical.metrics.interval_request import Outcome
from veridical.metrics.unit_intervals import Question
from veridical.reasons import SkipReason
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.stats.proportions import wilson
from veridical.stats.query_bootstrap import over_queries
from veridical.summaries.case_outcomes import CaseOutcomes

__all__ = ["case_counts", "mean_over_cases", "over_cases"]


def mean_over_cases(outcomes: CaseOutcomes) -> Result:
    """Return the mean of what is scored, or why nothing is; percentiles beside it.

    A percentile is a value that was observed: the one at the nearest rank, ``max(1, ceil(f n))``.
    """
    values = outcomes.values
    if values:
        ordered = sorted(values)
        places = {f"p{f}": ordered[max(1, -(-f * len(ordered) // 100)) - 1] for f in (50, 95)}
        mean = math.fsum(values) / len(values)
        return Measured(mean, len(values), conditions=Conditions(observed=places))
    return _unmeasured(outcomes)


def _unmeasured(outcomes: CaseOutcomes) -> Skipped:
    """Return why nothing is scored: what became of most cases that the metric is about.

    That a case of another kind failed is counted as an error, and is no reason: whoever removed
    the cause and ran it again would have no value either.
    """
    n = len(outcomes.rows)
    about = [row for row in outcomes.rows if row[0] not in outcomes.elsewhere]
    of = CaseOutcomes(tuple(about))
    failed = Counter(of.reasons("judge_error")) + Counter(of.reasons("case_error"))
    became = Counter(
        {
            **of.reasons("skipped"),
            **of.reasons("not_applicable"),
            SkipReason.ERRORS: failed.total(),
            SkipReason.PENDING: of.count("pending"),
        }
    )
    became[SkipReason.WRONG_CASE_KIND] += n - len(about)
    found = {SkipReason(reason): count for reason, count in became.items() if count}
    # That a metric is about cases of another kind explains less than anything else.
    found.pop(SkipReason.WRONG_CASE_KIND, None) if len(found) > 1 else None
    if not found:
        return Skipped("no_rows", detail="there is no case")
    reason = max(found, key=found.__getitem__)
    code = f", most often {failed.most_common(1)[0][0]}" if reason == SkipReason.ERRORS else ""
    return Skipped(reason, detail=f"{found[reason]:,} of {n:,} cases: {reason.sentence}{code}")


def over_cases(result: Measured, question: Question) -> Outcome:
    """Wilson's interval where each case has one value of 0 or 1; else a bootstrap over cases.

    Repeats of a case stay together: they say little more than one of them.
    """
    by_case = question.summary.by_case
    values = [value for same in by_case.values() for value in same]
    if len(values) == len(by_case) and set(values) <= {0.0, 1.0}:
        return Outcome(wilson(sum(values), len(values), question.level))
    if len(set(values)) == 1:
        return Outcome(None, notes=("no_interval_uniform",))
    means = np.array([math.fsum(same) / len(same) for same in by_case.values()])
    interval = over_queries(means, question.level, question.replicates, question.seed)
    if interval is None:
        return Outcome(None, notes=("no_interval_degenerate",))
    if result.value not in interval:  # cases that were scored unequally often weigh unequally
        low, high = min(interval.low, result.value), max(interval.high, result.value)
        interval = type(interval)(low, high, interval.level, interval.method)
    return Outcome(interval, units=len(means), replicates=question.replicates)


def case_counts(outcomes: CaseOutcomes) -> dict[str, int]:
    """Return what became of the cases that are in no mean: with ``n`` they add up to all.

    Examples
    --------
    >>> rows = [("c1", 1, "scored", 1.0, ""), ("c2", 1, "case_error", None, "timeout")]
    >>> case_counts(CaseOutcomes.of(rows))["n_errors"]
    1
    """
    judge, case = outcomes.count("judge_error"), outcomes.count("case_error")
    reasons = outcomes.reasons("skipped")
    return {
        "n_skipped": sum(reasons.values()),
        **{f"n_skipped_{reason}": n for reason, n in reasons.items()},
        "n_not_applicable": outcomes.count("not_applicable"),
        "n_judge_errors": judge,
        "n_case_errors": case,
        "n_errors": judge + case,
        "n_pending": outcomes.count("pending"),
    }
