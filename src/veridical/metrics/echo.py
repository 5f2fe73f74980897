"""The family ``echo``: whether an answer repeats what was expected, to the letter."""

from __future__ import annotations

from veridical.measures import metric
from veridical.metrics.case_means import mean_over_cases, over_cases
from veridical.results import Result
from veridical.summaries.case_outcomes import CaseOutcomes

__all__ = [
    "exact_match",
]


@metric("echo", summary=CaseOutcomes, bounds=(0, 1), interval=over_cases)
def exact_match(outcomes: CaseOutcomes) -> Result:
    """Share of the answers that equal the expected one, white space around both apart.

    Formula
    -------
    1 where the two are the same text, else 0.

    When it is undefined
    --------------------
    No answer: skipped ``no_answer``; no expected answer: ``no_reference``.

    References
    ----------
    P. Rajpurkar, J. Zhang, K. Lopyrev and P. Liang (2016), SQuAD: 100,000+ questions for machine
    comprehension of text.  doi:10.18653/v1/D16-1264

    Examples
    --------
    >>> rows = [("c1", 1, "scored", 1.0, ""), ("c2", 1, "scored", 0.0, "")]
    >>> exact_match.function(CaseOutcomes.of(rows)).value
    0.5
    """
    return mean_over_cases(outcomes)
