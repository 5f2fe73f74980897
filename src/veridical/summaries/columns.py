"""Columns of a summary that are arrays from when one is asked for.

A kernel gives plain memory.  Who prints a mean needs no array of it, and so no numpy, to import
which takes longer than to rank thousands of queries.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from veridical.late import np

if TYPE_CHECKING:
    from veridical.kernels.query_sums import Memory

__all__ = ["column", "marks", "memory"]

_PLAIN = (array, bytearray)


def column(dtype: str) -> Any:
    """Return a field of a dataclass that takes memory or an array, and gives an array.

    Parameters
    ----------
    dtype
        Of the array, as numpy writes it.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Counted:
    ...     counts: object = column("i8")
    >>> Counted(array("q", [2, 3])).counts.sum().item()
    5
    """
    return _Column(dtype)


def memory(one: Any, name: str) -> Memory:
    """Return a column as a kernel takes it, whether or not an array was made of it.

    Parameters
    ----------
    one
        A summary.
    name
        One of its columns.
    """
    found = vars(one)[name]
    if isinstance(found, _PLAIN):
        return found
    return np.ascontiguousarray(found, vars(type(one))[name].dtype)


def marks(one: Any, name: str) -> bytearray:
    """Return a column of truth values as bytes of 0 and 1."""
    return bytearray(memory(one, name))


class _Column:
    def __init__(self, dtype: str) -> None:
        self.dtype = dtype

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, one: Any, owner: type | None = None) -> Any:
        if one is None:
            raise AttributeError(self.name)  # a field without a default
        found = vars(one)[self.name]
        if isinstance(found, _PLAIN):
            found = vars(one)[self.name] = np.frombuffer(found, self.dtype)
        return found

    def __set__(self, one: Any, value: Memory) -> None:
        vars(one)[self.name] = value
