"""Sharing rows between threads, where counts of parts add up to the counts of the whole."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import add
from typing import Any, TypeVar

import numpy.typing as npt

from veridical.errors import ParameterError

__all__ = ["over_chunks"]

# Below this many rows a thread costs more than it saves.
_FEWEST_ROWS = 1 << 16

T = TypeVar("T")


def over_chunks(count: Callable[..., T], columns: Sequence[npt.NDArray[Any]], threads: int) -> T:
    """Return the sum of ``count(*parts)`` over consecutive parts of the columns.

    Compiled loops and numpy release the interpreter's lock, so that plain threads run at once.
    Sums of counts are exact, so how the rows are parted never shows.
    """
    if threads < 1:
        raise ParameterError(f"threads is {threads}", fix="use 1 or more")
    n = len(columns[0])
    parts = max(1, min(threads, n // _FEWEST_ROWS))
    if parts == 1:
        return count(*columns)
    cuts = [n * part // parts for part in range(parts + 1)]
    chunks = [
        [column[start:stop] for column in columns] for start, stop in itertools.pairwise(cuts)
    ]
    with ThreadPoolExecutor(parts) as pool:
        return reduce(add, pool.map(lambda chunk: count(*chunk), chunks))
