"""pass^k: how likely k trials of one case would all be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import comb

from veridical.bench.scoring.scored import Scored
from veridical.results import Conditions, Measured, Result, Skipped

__all__ = ["all_of_k", "pass_hat_k"]


def all_of_k(n: int, c: int, k: int) -> Fraction | None:
    """Return C(c, k) / C(n, k): the share of choices of k trials of n in which all are right.

    Parameters
    ----------
    n, c
        Trials, and how many of them were right.
    k
        How many are chosen, at least 1; more than n have no value.

    Examples
    --------
    >>> all_of_k(4, 3, 2)
    Fraction(1, 2)
    >>> all_of_k(4, 3, 5) is None
    True
    """
    return Fraction(comb(c, k), comb(n, k)) if k <= n else None


def pass_hat_k(scored: Iterable[Scored], k: int) -> Result:
    """Return the mean of ``all_of_k`` over the cases that were tried at least k times.

    Parameters
    ----------
    scored
        One for each case and trial; an attempt that did not parse is a wrong one.
    k
        How many trials must all be right.
    """
    tried: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for row in scored:
        if not row.infra_error:
            tried[row.case.case_id] += 1
            right[row.case.case_id] += row.correct
    values = [all_of_k(n, right[case], k) for case, n in tried.items()]
    known = [value for value in values if value is not None]
    metric, conditions = "bench.pass_hat_k", Conditions({"k": k})
    if not known:
        detail = f"no case was tried {k} times"
        return Skipped("zero_denominator", detail=detail, metric=metric, conditions=conditions)
    value = float(sum(known, Fraction(0)) / len(known))
    return Measured(value, len(known), metric=metric, conditions=conditions)
