"""pass^k: how likely k trials of one case would all be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb
from typing import Final

from veridical.bench.scoring.scored import Scored
from veridical.results import Conditions, Measured, Result

__all__ = ["MOST_K", "all_of_k", "pass_hat_k"]

MOST_K: Final = 10
"""Beyond it nobody reads on."""


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


def pass_hat_k(scored: Iterable[Scored]) -> tuple[Result, ...]:
    """Return the mean of ``all_of_k`` over the cases that were tried at least k times.

    Parameters
    ----------
    scored
        One for each case and trial; an attempt that did not parse is a wrong one.

    Returns
    -------
    tuple
        For k from 1 to the most trials of a case, or to ``MOST_K``.
    """
    tried: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for row in scored:
        if not row.infra_error:
            tried[row.case.case_id] += 1
            right[row.case.case_id] += row.correct
    cases = Counter((n, right[case]) for case, n in tried.items())
    most = min(MOST_K, max(tried.values(), default=0))
    return tuple(_mean(cases, k) for k in range(1, most + 1))


def _mean(cases: Mapping[tuple[int, int], int], k: int) -> Measured:
    known = [(all_of_k(n, c, k), times) for (n, c), times in cases.items()]
    total = sum((value * times for value, times in known if value is not None), Fraction(0))
    n = sum(times for value, times in known if value is not None)
    return Measured(float(total / n), n, metric="bench.pass_hat_k", conditions=Conditions({"k": k}))
