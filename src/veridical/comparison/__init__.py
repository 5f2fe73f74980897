"""Whether one model is better than another on the same rows, or the data do not show it.

In the order to read them:

* ``comparison``: the answer, a difference with its interval, its test and one sentence.
* ``comparing``: ``compare``, which hands its two sides to ``two_evaluations`` (scores of rows),
  ``units`` (queries, texts, items of evaluations) or ``runs`` (what was recorded).  ``columns``
  compares the score columns of one evaluation.
* ``two_models``: two models metric by metric.  ``pairs`` says whether their rows are the same,
  and ``methods`` which test a metric gets: ``questions`` are its input and output,
  ``summed_tests`` need sums over the rows (``contrasts``, of ``row_values`` or ``decisions``),
  ``replicates`` are of the bootstrap.
* ``runs``, ``trends``: two recorded runs, and many.  ``recorded`` is one of them, from a file
  only where it is ``plausible``.  ``contest`` is one subject of the one against one of the other:
  ``matching`` pairs their units by id, and what both kept decides who compares: ``kept_rows``,
  ``kept_cases``, ``kept_ratings``, ``kept_units`` or, where nothing was, ``unpaired``.
* ``differing``: in what two sides differ, whether that forbids a comparison, and what was
  allowed.  ``forms``: which metrics runs have in common.
* ``wording``: what is said of a comparison, in the ``terminal``, on a ``page``; of a trend
  ``trend_table`` and ``trend_page``.
"""

from typing import TYPE_CHECKING

from veridical.late import loaded_late

if TYPE_CHECKING:
    from veridical.comparison.columns import compare_columns
    from veridical.comparison.comparing import compare
    from veridical.comparison.comparison import Comparison
    from veridical.comparison.runs import RunComparison, compare_recorded
    from veridical.comparison.trends import Trend, trend

__all__ = [
    "Comparison",
    "RunComparison",
    "Trend",
    "compare",
    "compare_columns",
    "compare_recorded",
    "trend",
]

__getattr__ = loaded_late(
    __name__,
    {
        "columns": ["compare_columns"],
        "comparing": ["compare"],
        "comparison": ["Comparison"],
        "runs": ["RunComparison", "compare_recorded"],
        "trends": ["Trend", "trend"],
    },
)
