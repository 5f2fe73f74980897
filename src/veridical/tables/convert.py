"""Anything that holds one value a row, as a ``Column``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from veridical.errors import InputError, UnsupportedTypeError
from veridical.kernels.labels import text_codes, whole_numbers
from veridical.tables._words import shown
from veridical.tables.arrow_numpy import array_of_numbers, array_of_texts, numpy_of
from veridical.tables.column import Column
from veridical.tables.exact_integers import is_rounded, may_be_rounded, rounded_error
from veridical.tables.places import Places

__all__ = ["EXACT_DIGITS", "column_from", "column_from_arrow"]

# A decimal of up to 15 significant digits and its nearest double name each other.
EXACT_DIGITS = 15
_NARROW = {"float16", "bfloat16", "float8_e5m2", "float8_e4m3fn"}


def column_from(name: str, data: Any) -> Column:
    """Return ``data`` as a column.

    Parameters
    ----------
    name
        The column's name.
    data
        A numpy array (masked ones too), list, tuple, range, Arrow array, a series of pandas,
        polars or any library that speaks the Arrow C interface, or a tensor.  One dimension.

    Raises
    ------
    UnsupportedTypeError
        The object is not a column.
    InputError
        It has more than one dimension, nested values or mixed types.

    Examples
    --------
    >>> column_from("y", [1, None, 0]).null.tolist()
    [False, True, False]
    """
    if isinstance(data, Column):
        return data
    library = type(data).__module__.partition(".")[0]
    if library == "torch":
        data = _from_tensor(data)
    if type(data) is np.ndarray:
        return _from_numpy(name, data)
    if library == "pandas":
        return _from_pandas(name, data)
    arrow = _as_arrow(data)
    if arrow is not None:
        return column_from_arrow(name, arrow)
    if hasattr(data, "__array__"):
        return _from_numpy(name, np.asanyarray(data))
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _from_sequence(name, data)
    raise _not_a_column(name, data)


def _as_arrow(data: Any) -> pa.Array | pa.ChunkedArray | None:
    if isinstance(data, (pa.Array, pa.ChunkedArray)):
        return data
    if hasattr(data, "__arrow_c_stream__"):
        return pa.chunked_array(data)
    return pa.array(data) if hasattr(data, "__arrow_c_array__") else None


def _not_a_column(name: str, data: Any) -> UnsupportedTypeError:
    unordered = isinstance(data, (set, frozenset, Mapping))
    once = isinstance(data, Iterable) and not isinstance(data, (str, bytes))
    why = "its values have no order" if unordered else ""
    return UnsupportedTypeError(
        f"an object of type {type(data).__name__} is not a column of values",
        where=f"column {shown(name)}",
        why=why,
        fix="pass list(...) of it" if once and not unordered else "pass a list or an array",
    )


def _from_tensor(data: Any) -> npt.NDArray[Any]:
    tensor = data.detach().cpu()
    if str(tensor.dtype) == "torch.bfloat16":
        tensor = tensor.float()
    array: npt.NDArray[Any] = tensor.numpy()
    return array


def _from_pandas(name: str, data: Any) -> Column:
    if isinstance(getattr(data, "dtype", None), np.dtype) and data.dtype.kind in "fiub":
        return _from_numpy(name, data.to_numpy())
    if getattr(data, "ndim", 1) != 1:
        raise _not_one_dimension(name, data.shape)
    return _from_objects(name, data)


def _from_numpy(name: str, data: npt.NDArray[Any]) -> Column:
    if data.ndim == 2 and data.shape[1] == 1:
        data = data[:, 0]
    if data.ndim != 1:
        raise _not_one_dimension(name, data.shape)
    null = None
    if isinstance(data, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(data)
        null, data = (mask if mask.any() else None), data.filled(_filling(data.dtype))
    if not data.dtype.isnative:
        data = data.astype(data.dtype.newbyteorder("="))
    kind = data.dtype.kind
    if kind not in "iub" and data.dtype.name in _NARROW:  # a name takes longer than a kind
        data, kind = data.astype(np.float32), "f"
    if kind == "f" and data.dtype.itemsize > 8:
        return Column(name, _narrowed(name, data), null)
    if kind in "fiub":
        return Column(name, data, null)
    if kind in "OU" and null is None:
        return _from_values(name, data.tolist())
    if kind in "OUMmTS":
        return _from_objects(name, data, null)
    raise UnsupportedTypeError(
        f"values of type {data.dtype} cannot be read",
        where=f"column {shown(name)}",
        fix="convert them to numbers or text",
    )


def _filling(dtype: np.dtype[Any]) -> Any:
    """What stands under a mask: a value that no check complains about."""
    return np.zeros((), dtype).item() if dtype.kind in "fiub" else None


def _narrowed(name: str, data: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    narrow = data.astype(np.float64)
    changed = (narrow != data) & ~np.isnan(data)
    if changed.any():
        raise InputError(
            f"{data.dtype} values do not fit into float64",
            where=Column(name, narrow).where(changed),
            why="rounding could tie values that differ",
            fix="round them yourself: values.astype(numpy.float64)",
        )
    return narrow


def _not_one_dimension(name: str, shape: tuple[int, ...]) -> InputError:
    two_classes = len(shape) == 2 and shape[1] == 2
    return InputError(
        f"one value a row is needed, not an array of shape {shape}",
        where=f"column {shown(name)}",
        why="a row has one label and one score for each model",
        fix="take the column of the positive class: p[:, 1]"
        if two_classes
        else "pass one column at a time",
    )


def _from_sequence(name: str, data: Sequence[Any]) -> Column:
    if len(data) == 0:
        return Column(name, np.zeros(0))
    column = _from_plain_list(name, data) if type(data) is list else None
    if column is not None:
        return column
    try:
        array = np.asarray(data)
    except (ValueError, TypeError, OverflowError):  # ragged, or None among arrays
        array = np.empty(0, dtype=object)
    if array.ndim > 1:
        return _from_numpy(name, array)
    # Of anything else numpy makes one type too eagerly: NaN among texts becomes the text "nan".
    if array.dtype.kind in "fiubmM" and len(array) == len(data):
        if array.dtype.kind == "f" and may_be_rounded(array):
            array = _not_rounded(name, data, array)
        return _from_numpy(name, array)
    return _from_values(name, list(data))


def _not_rounded(
    name: str, data: Sequence[Any], array: npt.NDArray[np.floating[Any]]
) -> npt.NDArray[Any]:
    """Return integers of both halves of uint64 as such: for numpy the two have float64 in common.

    Raises ``ScoreError`` where an integer would be rounded, and no type holds them all.
    """
    rows = [row for row, v in enumerate(data) if isinstance(v, int) and is_rounded(v)]
    if not rows:
        return array
    if all(isinstance(v, int) and 0 <= v < 2**64 for v in data):
        return np.array(data, dtype=np.uint64)
    raise rounded_error(len(rows), [data[row] for row in rows], Column(name, array).where(rows))


def _from_plain_list(name: str, data: list[Any]) -> Column | None:
    """Return a list of nothing but ints, or of texts and None, as a column; None for any other."""
    numbers = whole_numbers(data)
    if numbers is not None:
        return Column(name, numbers)
    found = text_codes(data)
    try:
        return _from_codes(name, *found) if found is not None and found[1] else None
    except UnicodeEncodeError:
        return None


def _from_codes(name: str, codes: npt.NDArray[np.int32], texts: list[str]) -> Column:
    indices = array_of_numbers(codes, codes < 0 if codes.min() < 0 else None)
    return Column(name, pa.DictionaryArray.from_arrays(indices, array_of_texts(texts)))


def _from_values(name: str, data: list[Any]) -> Column:
    """Return Python values as a column: text by a dictionary of its own, else as Arrow reads it."""
    codes: dict[str, int] = {}
    try:
        rows = [codes.setdefault(v, len(codes)) if isinstance(v, str) else _absent(v) for v in data]
        if codes:
            return _from_codes(name, np.array(rows, dtype=np.int32), list(codes))
    except (ValueError, TypeError):
        return _from_objects(name, data)
    return column_from_arrow(name, pa.nulls(len(data)))


def _absent(value: Any) -> int:
    """Return the code -1 for None and NaN; anything else is not text."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return -1
    raise TypeError("not text")


def _from_objects(name: str, data: Any, null: npt.NDArray[np.bool_] | None = None) -> Column:
    try:
        arrow = pa.array(data, from_pandas=True, mask=null)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise _mixed_types(name, data, error) from error
    return column_from_arrow(name, arrow)


def _mixed_types(name: str, data: Any, error: Exception) -> InputError:
    first: dict[str, int] = {}
    for row, value in enumerate(data):
        if value is not None and value == value:  # noqa: PLR0124 - NaN differs from itself
            first.setdefault(type(value).__name__, row)
    told = ", ".join(f"{kind} in row {row}" for kind, row in list(first.items())[:3])
    return InputError(
        f"the column {shown(name)} has {'mixed types' if len(first) > 1 else 'unusable values'}",
        where=told,
        why=shown(str(error), 120),
        fix="convert the column to one type: numbers, booleans or text",
    )


def column_from_arrow(
    name: str, data: pa.Array | pa.ChunkedArray, places: Places | None = None
) -> Column:
    """Return an Arrow array as a column, without a copy where it is one chunk without nulls."""
    places = places or Places()
    kind = data.type
    if isinstance(kind, pa.BaseExtensionType):
        data, kind = _storage(data), kind.storage_type
    if pa.types.is_dictionary(kind) and not _is_text(kind.value_type):
        data = _with_plain_dictionary(data)
        kind = data.type
    if pa.types.is_nested(kind):
        raise InputError(
            f"the column {shown(name)} holds {kind}, not one value a row",
            where=places.title,
            fix="write the value you mean into a column of its own",
        )
    if pa.types.is_duration(kind):
        raise UnsupportedTypeError(
            f"the column {shown(name)} holds {kind}: its numbers would depend on the unit",
            where=places.title,
            fix="divide it by a unit first, for example by one second",
        )
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return _from_arrow_numbers(name, data, places)
    if pa.types.is_decimal(kind):
        return _from_decimals(name, data, places)
    if pa.types.is_null(kind):
        return Column(name, np.zeros(len(data)), np.ones(len(data), dtype=np.bool_), places)
    return Column(name, _one_array(_text(name, data, places)), None, places)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _with_plain_dictionary(data: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return a dictionary of text as Arrow's compute functions know it, any other one decoded."""
    if isinstance(data, pa.ChunkedArray):
        chunks = data.chunks or [pa.array([], type=data.type)]
        return pa.chunked_array([_with_plain_dictionary(chunk) for chunk in chunks])
    if pa.types.is_string_view(data.type.value_type):
        texts = data.dictionary.cast(pa.large_string())
        return pa.DictionaryArray.from_arrays(data.indices, texts)
    return data.dictionary_decode()


def _storage(data: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    if isinstance(data, pa.ChunkedArray):
        return pa.chunked_array([c.storage for c in data.chunks], type=data.type.storage_type)
    return data.storage


def _one_array(data: pa.Array | pa.ChunkedArray) -> pa.Array:
    if not isinstance(data, pa.ChunkedArray):
        return data
    if pa.types.is_dictionary(data.type):
        data = data.unify_dictionaries()
    if data.num_chunks == 1:
        return data.chunk(0)
    return pa.concat_arrays(data.chunks) if data.num_chunks else pa.array([], type=data.type)


def _text(
    name: str, data: pa.Array | pa.ChunkedArray, places: Places
) -> pa.Array | pa.ChunkedArray:
    """Return text as it is; dates, times and text in other containers as text."""
    kind = data.type
    if _is_text(kind) or (pa.types.is_dictionary(kind) and _is_text(kind.value_type)):
        return data
    try:
        return data.cast(pa.large_string())
    except (pa.ArrowException, ValueError) as error:
        raise InputError(
            f"the column {shown(name)} holds {kind}, which is neither numbers nor text",
            where=places.title,
            why=shown(str(error), 120),
            fix="write the column as numbers or as text",
        ) from error


def _from_arrow_numbers(name: str, data: pa.Array | pa.ChunkedArray, places: Places) -> Column:
    null = numpy_of(data.is_null()) if data.null_count else None
    values = numpy_of(data)
    if values.dtype == np.float16:
        values = values.astype(np.float32)
    return Column(name, values, null, places)


def _from_decimals(name: str, data: pa.Array | pa.ChunkedArray, places: Places) -> Column:
    digits = data.type.precision
    # Through text: the direct cast multiplies by a power of ten, which rounds twice.
    numbers = data.cast(pa.string()).cast(pa.float64())
    column = _from_arrow_numbers(name, numbers, places)
    if digits <= EXACT_DIGITS:
        return column
    return Column(name, column.values, column.null, places, ("decimals_rounded",))
