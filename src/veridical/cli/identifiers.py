"""``--id``: a row that stands in the data twice is found before it narrows every interval."""

from __future__ import annotations

from veridical.errors import InputError

__all__ = ["check_unique"]


def check_unique(file: str, column: str) -> None:
    """Raise unless every row has its own value of ``column``; rows without one share it.

    Parameters
    ----------
    file
        The data.
    column
        The column that names each row.

    Raises
    ------
    InputError
        Two rows share a value.
    """
    import numpy as np

    from veridical.tables import open_table, read_groups

    names = open_table(file).read([column])[column]
    codes = read_groups(names).codes
    rows_of_code = np.bincount(codes)
    repeated = rows_of_code[codes] > 1
    if repeated.any():
        same = np.flatnonzero(codes == codes[np.argmax(repeated)])
        values = int((rows_of_code > 1).sum())
        raise InputError(
            "the id column names more than one row by the same value",
            where=f"{values:,} such values, the first in {names.where(same)}",
            why="a row that is counted twice narrows every interval",
            fix="remove the duplicates; if rows repeat a customer, give --cluster instead of --id",
        )
