"""Whether one model is better than another on the same rows, or the data do not show it."""

from typing import TYPE_CHECKING

from veridical.late import loaded_late

if TYPE_CHECKING:
    from veridical.comparison.comparing import compare, compare_columns
    from veridical.comparison.comparison import Comparison

__all__ = ["Comparison", "compare", "compare_columns"]

__getattr__ = loaded_late(
    __name__, {"comparing": ["compare", "compare_columns"], "comparison": ["Comparison"]}
)
