"""How many groups are slices that a person can read, and in which order they stand."""

from __future__ import annotations

from collections.abc import Iterable

from veridical.errors import InputError
from veridical.summaries.grouped import MISSING_GROUP

__all__ = ["MOST_GROUPS", "check_number_of_groups", "in_order"]

MOST_GROUPS = 1000
"""More slices than this cannot be read by a person; a column with more is refused."""


def check_number_of_groups(column: str, n: int) -> None:
    """Refuse a grouping column with more than ``MOST_GROUPS`` distinct values."""
    if n > MOST_GROUPS:
        raise InputError(
            f"column {column!r} has {n:,} distinct values or more",
            why=f"groups are slices to compare side by side, at most {MOST_GROUPS:,} of them",
            fix="bin the column first, or give it as cluster= if its values are repeated units",
        )


def in_order(names: Iterable[str]) -> list[str]:
    """Return group names in order: numbers as numbers, else as text; missing last.

    Examples
    --------
    >>> in_order({"10", "9", "(missing)"}), in_order({"b", "a"})
    (['9', '10', '(missing)'], ['a', 'b'])
    """
    ordered = sorted(names)
    try:
        ordered.sort(key=lambda name: float("inf") if name == MISSING_GROUP else float(name))
    except ValueError:
        ordered.sort(key=lambda name: name == MISSING_GROUP)
    return ordered
