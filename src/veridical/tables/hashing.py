"""A hash of the data itself, the same for the same rows in every file format and frame."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from veridical import strict_json
from veridical.tables.arrow_numpy import array_of_numbers, array_of_texts, numpy_of
from veridical.tables.groups import Groups

__all__ = ["ContentHash", "content_hash"]

_BLOCK = 1 << 16

Content = npt.NDArray[Any] | Groups


class ContentHash:
    """A sha256 that columns flow into, in blocks of any size.

    Booleans are hashed as bytes 0 and 1, numbers as little-endian float64 with -0.0 as 0.0
    (float32 is widened, which is exact), groups as their names in UTF-8 and the lengths of these.
    Neither the order of the columns nor the size of the blocks matters; the order of the rows does.

    Examples
    --------
    >>> whole, blocks = ContentHash(), ContentHash()
    >>> whole.update({"p": np.array([0.25, 0.5])})
    >>> blocks.update({"p": np.array([0.25], dtype=np.float32)})
    >>> blocks.update({"p": np.array([0.5], dtype=np.float32)})
    >>> whole.hexdigest() == blocks.hexdigest()
    True
    """

    def __init__(self) -> None:
        self._streams: dict[str, list[Any]] = {}
        self._rows: dict[str, int] = {}

    def update(self, columns: Mapping[str, Content]) -> None:
        """Add the next rows of each column."""
        for name, values in columns.items():
            streams = self._streams.setdefault(name, [hashlib.sha256(), hashlib.sha256()])
            self._rows[name] = self._rows.get(name, 0) + len(values)
            blocks = _names(values) if isinstance(values, Groups) else _numbers(values)
            for pieces in blocks:
                for stream, piece in zip(streams, pieces, strict=False):
                    stream.update(piece)

    def hexdigest(self) -> str:
        """Return the sha256 of all that was added, in hexadecimal."""
        return strict_json.sha256(
            {
                name: [self._rows[name], *(stream.hexdigest() for stream in streams)]
                for name, streams in self._streams.items()
            }
        )


def content_hash(columns: Mapping[str, Content]) -> str:
    """Return the sha256 of whole columns; see ``ContentHash``."""
    content = ContentHash()
    content.update(columns)
    return content.hexdigest()


def _numbers(values: npt.NDArray[Any]) -> Iterator[tuple[Any, ...]]:
    if values.dtype == np.bool_:
        yield (np.ascontiguousarray(values).view(np.uint8),)
        return
    for start in range(0, len(values), _BLOCK):
        block = values[start : start + _BLOCK].astype("<f8")
        block += 0.0
        yield (block,)


def _names(groups: Groups) -> Iterator[tuple[Any, ...]]:
    names = array_of_texts(groups.names)
    for start in range(0, len(groups), _BLOCK):
        texts = names.take(array_of_numbers(groups.codes[start : start + _BLOCK]))
        lengths = numpy_of(pc.binary_length(texts)).astype("<i8")
        text = texts.buffers()[2]
        yield (lengths, text if text is not None else b"")
