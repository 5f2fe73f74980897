"""Columns of a query: the key of a forecast, its bin, and sums of it as integers.

Every step is exact or rounds once, as IEEE 754 says: a comparison, a product with a power of two,
a difference of neighbours, a floor.  So every engine gives the same integers as numpy.
Only ``with_columns`` computes: to aggregate a computed expression is slow on some engines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import narwhals as nw

from veridical.summaries.fixed_point import FRACTION_BITS
from veridical.summaries.reliability import bin_edges

__all__ = ["bin_column", "halves", "with_bin", "with_key", "with_squared_errors", "with_units"]

# Powers of two that halve the search for an exponent: up to 63 near 0, up to 31 near 1.
_STEPS: Final = (32, 16, 8, 4, 2, 1)
_STEPS_NEAR_1: Final = _STEPS[1:]
_HALF: Final = 2.0 ** (FRACTION_BITS // 2)

_P = nw.col("p")

Frame = nw.LazyFrame[Any]


def with_key(frame: Frame, bits: int) -> Frame:
    """Add ``key``, the key of each forecast ``p`` on the probability grid; see ``KeyGrid``.

    In [2**-(j+1), 2**-j) the key counts bins of p * 2**j; near 1 it counts those of
    (1 - p) * 2**j down, where 1 - p is exact.  The exponent j is searched for by halving.

    Parameters
    ----------
    frame
        With a column ``p`` of float64 in [0, 1].
    bits
        How fine the grid is, 4 to 32.
    """
    frame = frame.with_columns(
        low=_P, low_exponent=nw.lit(0.0), high=1.0 - _P, high_exponent=nw.lit(0.0)
    )
    for step in _STEPS:
        moved = _scaled("low", nw.col("low") < 2.0**-step, step)
        if step in _STEPS_NEAR_1:
            moved |= _scaled("high", nw.col("high") <= 2.0**-step, step)
        frame = frame.with_columns(**moved)
    block = float(1 << (bits - 4))  # bins in a zone
    near_0 = (63.0 - nw.col("low_exponent")) * block + (nw.col("low") * (2 * block)).floor()
    between = (_P * (16 * block)).floor() + 60 * block
    above = ((1.0 - nw.col("high")) * (2 * block)).floor()
    near_1 = (nw.col("high_exponent") + 71.0) * block + above
    key = _either(_P < 1 / 16, near_0, _either(_P < 15 / 16, between, near_1))
    return frame.with_columns(key=key.cast(nw.Int64))


def _scaled(name: str, small: nw.Expr, step: int) -> dict[str, nw.Expr]:
    value, exponent = nw.col(name), nw.col(f"{name}_exponent")
    return {
        name: _either(small, value * 2.0**step, value),
        f"{name}_exponent": _either(small, exponent + float(step), exponent),
    }


def _either(condition: nw.Expr, then: nw.Expr, otherwise: nw.Expr) -> nw.Expr:
    return nw.when(condition).then(then).otherwise(otherwise)


def bin_column(bins: int) -> str:
    """Return what the column of the bins is called, one for each number of bins."""
    return f"bin{bins}"


def with_bin(frame: Frame, bins: int, dtype: str) -> Frame:
    """Add the right-closed bin of ``p``: how many inner edges lie below it; see ``bin_index``.

    Edges are literals.  A bin that is guessed by a product and corrected by m / bins would take two
    comparisons only, but polars divides by a literal, or by a column of one row, by multiplying
    with its reciprocal, which rounds twice.

    Parameters
    ----------
    frame
        With a column ``p`` of float64 in [0, 1].
    bins
        Number of equal-width bins of [0, 1].
    dtype
        ``"float64"`` or ``"float32"``: what the forecasts were, and what the edges are rounded to.
    """
    edges = bin_edges(bins, dtype)[1:-1].astype(float).tolist()
    zero, one = nw.lit(0, dtype=nw.Int64), nw.lit(1, dtype=nw.Int64)
    terms = [_either(edge < _P, one, zero) for edge in edges]
    while len(terms) > 1:  # in pairs: a chain of a thousand additions is too deep for a parser
        terms = [_added(terms[i : i + 2]) for i in range(0, len(terms), 2)]
    return frame.with_columns((terms[0] if terms else zero).alias(bin_column(bins)))


def _added(terms: Sequence[nw.Expr]) -> nw.Expr:
    return terms[0] if len(terms) == 1 else terms[0] + terms[1]


def with_squared_errors(frame: Frame, positive: nw.Expr) -> Frame:
    """Add ``p2``, the square of ``p``, and ``loss`` to ``loss4``: powers of the squared error.

    Parameters
    ----------
    frame
        With a column ``p`` of float64 in [0, 1].
    positive
        Whether a row is positive.
    """
    loss, loss2 = nw.col("loss"), nw.col("loss2")
    frame = frame.with_columns(error=_either(positive, 1.0 - _P, _P))
    frame = frame.with_columns(p2=_P * _P, loss=nw.col("error") * nw.col("error"))
    frame = frame.with_columns(loss2=loss * loss)
    return frame.with_columns(loss3=loss2 * loss, loss4=loss2 * loss2)


def halves(name: str) -> tuple[str, str]:
    """Return what the integer halves of a column are called: units of 2**-26 and of 2**-52."""
    return f"{name}_upper", f"{name}_lower"


def with_units(frame: Frame, names: Sequence[str]) -> Frame:
    """Add each column in units of 2**-52, rounded half to even, as two integers to be summed.

    Parameters
    ----------
    frame
        With the named columns, float64 in [0, 1].
    """
    for name in names:
        upper, lower = map(nw.col, halves(name))
        rest = nw.col("rest")
        upper_name, lower_name = halves(name)
        frame = frame.with_columns((nw.col(name) * _HALF).floor().alias(upper_name))
        frame = frame.with_columns(rest=(nw.col(name) * _HALF - upper) * _HALF)
        frame = frame.with_columns(rest.floor().alias(lower_name))
        odd = lower - (lower * 0.5).floor() * 2.0 == 1.0
        up = (rest - lower > 0.5) | ((rest - lower == 0.5) & odd)
        frame = frame.with_columns(
            upper.cast(nw.Int64), _either(up, lower + 1.0, lower).cast(nw.Int64).alias(lower_name)
        )
    return frame
