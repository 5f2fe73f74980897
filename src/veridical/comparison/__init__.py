"""Whether one model is better than another on the same rows, or the data do not show it."""

from veridical.comparison.comparing import compare, compare_columns
from veridical.comparison.comparison import Comparison

__all__ = ["Comparison", "compare", "compare_columns"]
