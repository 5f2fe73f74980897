"""Names of rows: one that stands in the data twice is found before it narrows every interval."""

from __future__ import annotations

import numpy as np

from veridical.errors import InputError
from veridical.tables.column import Column
from veridical.tables.groups import Groups, read_groups

__all__ = ["read_ids"]


def read_ids(column: Column) -> Groups:
    """Return the name of each row; no two share one, and rows without a name would.

    Raises
    ------
    InputError
        Two rows share a value.

    Examples
    --------
    >>> from veridical.tables import column_from
    >>> read_ids(column_from("id", [7, 5])).names
    ['5', '7']
    """
    ids = read_groups(column)
    rows_of_code = np.bincount(ids.codes)
    repeated = rows_of_code[ids.codes] > 1
    if repeated.any():
        same = np.flatnonzero(ids.codes == ids.codes[np.argmax(repeated)])
        values = int((rows_of_code > 1).sum())
        raise InputError(
            "the id column names more than one row by the same value",
            where=f"{values:,} such values, the first in {column.where(same)}",
            why="a row that is counted twice narrows every interval",
            fix="remove the duplicates; if rows repeat a customer, give --cluster instead of --id",
        )
    return ids
