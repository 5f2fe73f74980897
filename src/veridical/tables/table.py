"""``Table``: named columns of anything, read when asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from veridical.tables.column import Column

__all__ = ["BATCH_ROWS", "Table"]

BATCH_ROWS = 1 << 18


class Table(ABC):
    """Named columns, read when asked for.

    Attributes
    ----------
    names
        The columns there are.
    """

    names: list[str]

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return what this is, as JSON: ``kind``, and ``path``, ``files`` where it is files."""

    def size(self) -> tuple[int | None, int]:
        """Return how many rows there are, None if that cannot be known without reading, and bytes.

        Bytes are those of files; rows in memory have none.
        """
        return None, 0

    @abstractmethod
    def read(self, names: Sequence[str], numbers: Collection[str] = ()) -> dict[str, Column]:
        """Return the named columns, whole.

        Parameters
        ----------
        names
            Columns to read; no other is touched.
        numbers
            Those of them that hold numbers, for files that do not know types.

        Raises
        ------
        MissingColumnError
            There is no such column; the error lists what there is.
        InputError
            A column occurs twice, or a file is damaged.
        """

    @abstractmethod
    def batches(
        self, names: Sequence[str], numbers: Collection[str] = (), size: int = BATCH_ROWS
    ) -> Iterator[dict[str, Column]]:
        """Yield the named columns in batches of about ``size`` rows."""
