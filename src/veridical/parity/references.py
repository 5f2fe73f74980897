"""Which group of each column the others are held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridical.errors import InputError, ParameterError
from veridical.summaries import GroupedCounts
from veridical.summaries.grouped import MISSING_GROUP

__all__ = ["chosen_references"]


def chosen_references(
    counts: Mapping[str, GroupedCounts], asked: Sequence[str] = ()
) -> tuple[dict[str, str], list[str]]:
    """Return the reference of each column, and the columns for which none was asked for.

    There it is the largest group that has a name, of two as large the first.

    Parameters
    ----------
    counts
        The groups of each column.
    asked
        Values; or ``"column=value"``, which several columns need.

    Raises
    ------
    ParameterError
        No such group.
    InputError
        There are no rows.

    Examples
    --------
    >>> from veridical.summaries import ConfusionCounts
    >>> sizes = {"a": ConfusionCounts(tp=2), "b": ConfusionCounts(tp=3)}
    >>> chosen_references({"race": GroupedCounts(sizes)})
    ({'race': 'b'}, ['race'])
    """
    chosen = dict(_read(counts, one) for one in asked)
    by_size = [column for column in counts if column not in chosen]
    references = {
        column: chosen[column] if column in chosen else _largest(groups)
        for column, groups in counts.items()
    }
    return references, by_size


def _read(counts: Mapping[str, GroupedCounts], asked: str) -> tuple[str, str]:
    found = [
        (column, name)
        for column, groups in counts.items()
        for name in groups
        if asked == f"{column}={name}" or (asked == name and len(counts) == 1)
    ]
    if len(found) == 1:
        return found[0]
    known = [f"{column}={name}" for column, groups in counts.items() for name in groups]
    raise ParameterError(
        f"there is no group {asked[:80]!r}",
        fix=f"the groups are {', '.join(known[:10])}" + (" and others" if known[10:] else ""),
    )


def _largest(groups: GroupedCounts) -> str:
    if not groups:
        raise InputError("there are no rows", fix="give data with rows")
    return max(groups, key=lambda name: (name != MISSING_GROUP, groups[name].n))
