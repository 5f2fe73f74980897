# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Exact sums of numbers and of their powers, in fixed point."""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

import numpy as np

cdef enum:
    EXPONENTS = 2047  # of finite doubles
    EXPONENT_BITS = 0x7FF
    MANTISSA_BITS = 52
    BLOCK = 1024  # so many whole parts, or units, of at most 2**52 add up in 63 bits
    POWERS = 4


def power_sums(const double[::1] values, double most):
    """Return the sums, int64 of shape (4, 4), infinite values, and others above ``most``.

    A row is a power; the columns are the upper part (from bit 26) and the lower 26 bits of the
    sums of the whole parts, and of the rest in units of 2**-52.
    """
    cdef Py_ssize_t n = values.shape[0], start = 0, size
    totals_array = np.zeros((POWERS, 4), np.int64)
    cdef int64_t[:, ::1] totals = totals_array
    cdef int64_t infinite = 0, outside = 0
    with nogil:
        while start < n:
            size = min(<Py_ssize_t> BLOCK, n - start)
            add_block(&values[start], size, most, totals, &infinite, &outside)
            start += size
    return totals_array, infinite, outside


cdef void add_block(
    const double* values, Py_ssize_t n, double most, int64_t[:, ::1] totals,
    int64_t* infinite, int64_t* outside,
) noexcept nogil:
    cdef int64_t whole[POWERS]
    cdef int64_t units[POWERS]
    cdef Py_ssize_t i, k
    cdef double x, square
    for k in range(POWERS):
        whole[k] = units[k] = 0
    for i in range(n):
        x = values[i]
        if not (x >= 0 and x <= most):
            infinite[0] += x == INFINITY
            outside[0] += x != INFINITY
            continue
        square = x * x
        add(x, &whole[0], &units[0])
        add(square, &whole[1], &units[1])
        add(square * x, &whole[2], &units[2])
        add(square * square, &whole[3], &units[3])
    for k in range(POWERS):
        totals[k, 0] += whole[k] >> 26
        totals[k, 1] += whole[k] & ((1 << 26) - 1)
        totals[k, 2] += units[k] >> 26
        totals[k, 3] += units[k] & ((1 << 26) - 1)


cdef inline void add(double x, int64_t* whole, int64_t* units) noexcept nogil:
    """Add the whole part, and the rest in units of 2**-52, half to even.

    In [1, 2] neighbouring doubles are 2**-52 apart, so that adding 1 rounds exactly so, and the
    bits count the steps from 1.
    """
    cdef int64_t part = <int64_t> x
    cdef double one = 1.0, shifted = (x - <double> part) + 1.0
    cdef uint64_t bits, bits_of_one
    memcpy(&bits, &shifted, sizeof(double))
    memcpy(&bits_of_one, &one, sizeof(double))
    whole[0] += part
    units[0] += <int64_t> (bits - bits_of_one)


def moment_sums(const double[::1] values):
    """Return exact sums by exponent, int64 of shape (3, 2047, 2), and how many are not finite.

    The first axis is the values, their squares and their fourth powers; the last the upper part
    (from bit 26) and the lower 26 bits of the signed mantissas.
    """
    totals_array = np.zeros((3, EXPONENTS, 2), np.int64)
    cdef int64_t[:, :, ::1] totals = totals_array
    cdef Py_ssize_t i
    cdef int64_t outside = 0
    cdef double x, square
    with nogil:
        for i in range(values.shape[0]):
            x = values[i]
            square = x * x
            if not square * square < INFINITY:
                outside += 1
                continue
            add_mantissa(x, totals[0])
            add_mantissa(square, totals[1])
            add_mantissa(square * square, totals[2])
    return totals_array, outside


cdef inline void add_mantissa(double x, int64_t[:, ::1] totals) noexcept nogil:
    cdef uint64_t bits
    cdef int64_t mantissa
    cdef Py_ssize_t exponent
    memcpy(&bits, &x, sizeof(double))
    exponent = (bits >> MANTISSA_BITS) & EXPONENT_BITS
    mantissa = bits & ((<uint64_t> 1 << MANTISSA_BITS) - 1)
    if exponent:
        mantissa |= <int64_t> 1 << MANTISSA_BITS
    if bits >> 63:
        mantissa = -mantissa
    totals[exponent, 0] += mantissa >> 26
    totals[exponent, 1] += mantissa & ((1 << 26) - 1)
