"""Between Arrow and numpy without a copy, and without the import of pandas.

Arrow's own ``to_numpy`` and ``array`` import pandas wherever it is installed, which takes longer
than reading a million rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["array_of_numbers", "array_of_texts", "give_back", "numpy_of"]


def numpy_of(data: pa.Array | pa.ChunkedArray, null: float = 0) -> npt.NDArray[Any]:
    """Return numbers or booleans as one numpy array, with ``null`` in the place of nulls.

    Examples
    --------
    >>> numpy_of(pa.array([True, False])).tolist()
    [True, False]
    """
    if data.null_count:
        filling = array_of_numbers(np.full(1, null, data.type.to_pandas_dtype()))
        data = data.fill_null(filling[0])
    if isinstance(data, pa.ChunkedArray):
        arrays = [numpy_of(chunk) for chunk in data.chunks]
        if len(arrays) == 1:
            return arrays[0]
        return np.concatenate(arrays) if arrays else numpy_of(pa.nulls(0, data.type))
    if pa.types.is_boolean(data.type):  # eight a byte in Arrow, one in numpy
        return numpy_of(data.cast(pa.uint8())).view(np.bool_)
    dtype = np.dtype(data.type.to_pandas_dtype())
    if len(data) == 0:
        return np.zeros(0, dtype)
    buffer = data.buffers()[1]
    return np.frombuffer(buffer, dtype, count=len(data), offset=data.offset * dtype.itemsize)


def array_of_numbers(
    values: npt.NDArray[Any], null: npt.NDArray[np.bool_] | None = None
) -> pa.Array:
    """Return numbers as an Arrow array, null where ``null`` holds.

    Examples
    --------
    >>> array_of_numbers(np.array([1, 2]), np.array([True, False])).to_pylist()
    [None, 2]
    """
    if values.dtype == np.bool_:
        return array_of_numbers(values.view(np.uint8), null).cast(pa.bool_())
    bits = None
    if null is not None:
        bits = pa.py_buffer(np.packbits(~null, bitorder="little"))
    data = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [bits, data])


def array_of_texts(texts: Sequence[str]) -> pa.Array:
    """Return texts as an Arrow array of type ``large_string``.

    Raises
    ------
    UnicodeEncodeError
        A text holds half a surrogate pair, which UTF-8 cannot write.

    Examples
    --------
    >>> array_of_texts(["a", "é"]).to_pylist()
    ['a', 'é']
    """
    encoded = [text.encode("utf-8") for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.large_string(), len(encoded), buffers)


def give_back() -> None:
    """Give the system the memory that Arrow keeps for later: after large columns as much again."""
    pa.default_memory_pool().release_unused()
