"""Rows that break careless kernels, and a comparison to the bit."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from veridical.errors import MissingExtraError
from veridical.kernels.choice import VARIABLE, implementation

# Ties, both zeros, the smallest denormal and normal numbers, neighbours of bin edges, extremes.
SPECIAL = [0.0, -0.0, 5e-324, -5e-324, 1e-45, 2.2250738585072014e-308, 1.1754943508222875e-38]
SPECIAL += [0.1, 0.3, 0.30000000000000004, 0.5, 1 - 2**-53, 1 - 2**-24, 1.0, 1 + 2**-52, -1.0, 2.0]
SPECIAL += [3.4028234663852886e38, 1.7976931348623157e308, -1.7976931348623157e308]
INFINITE = [float("inf"), float("-inf")]

dtypes = st.sampled_from([np.float64, np.float32])


@st.composite
def any_rows(draw: st.DrawFn) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Labels and scores from the whole line, with many ties and special values."""
    width = draw(st.sampled_from([32, 64]))
    values = st.one_of(st.sampled_from(SPECIAL + INFINITE), st.floats(allow_nan=False, width=width))
    return _rows(draw, values, np.float32 if width == 32 else np.float64)


@st.composite
def probability_rows(draw: st.DrawFn) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Labels and scores in [0, 1]."""
    width = draw(st.sampled_from([32, 64]))
    special = st.sampled_from([value for value in SPECIAL if 0 <= value <= 1])
    tenths = st.integers(0, 20).map(lambda k: k / 20)
    values = st.one_of(special, tenths, st.floats(0, 1, width=width))
    return _rows(draw, values, np.float32 if width == 32 else np.float64)


def _rows(draw: st.DrawFn, values: st.SearchStrategy[float], dtype: type) -> Any:
    distinct = draw(st.lists(values, min_size=1, max_size=20))
    n = draw(st.integers(0, 80))
    index = draw(arrays.arrays(np.int64, n, elements=st.integers(0, len(distinct) - 1)))
    positive = draw(arrays.arrays(np.bool_, n))
    with np.errstate(over="ignore"):
        return positive, np.array(distinct, dtype=np.float64).astype(dtype)[index]


def same_bits(a: Any, b: Any) -> None:
    """Assert equality of dtype, shape and every bit, signs of zeros included."""
    assert (a.dtype, a.shape) == (b.dtype, b.shape)
    assert a.tobytes() == b.tobytes()


@contextmanager
def forced(backend: str) -> Iterator[None]:
    """Let these kernels run, and put back what was there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, backend)
        implementation.cache_clear()
        try:
            yield
        finally:
            implementation.cache_clear()


def from_both(function: Callable[[], Any]) -> list[Any]:
    """Return what the function gives with numpy and, where they were built, compiled kernels."""
    results = []
    for backend in ("numpy", "compiled"):
        with forced(backend), suppress(MissingExtraError):
            results.append(function())
    return results
