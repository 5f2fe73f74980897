"""One portable value for a whole data set: it holds counts and no rows, and it can be added."""

from veridical.portable.counting import summarise, summary_of
from veridical.portable.files import is_summary
from veridical.portable.header import Header, Tally
from veridical.portable.slicing import evidence_of, slices_of
from veridical.portable.summary import Summary

__all__ = [
    "Header",
    "Summary",
    "Tally",
    "evidence_of",
    "is_summary",
    "slices_of",
    "summarise",
    "summary_of",
]
