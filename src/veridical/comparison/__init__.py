"""Whether one model is better than another on the same rows, or the data do not show it."""

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
