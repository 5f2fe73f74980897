# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums of forecasts in equal-width bins, in fixed point."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

import numpy as np

from veridical.kernels.compiled.keys cimport score_t

cdef enum:
    BLOCK = 2048  # so many units of at most 2**52 add up in 63 bits
    LANES = 4  # neighbouring rows are mostly of one bin: none waits for the sum before it


cdef struct Sums:
    # Of one bin: counts, then sums in units of 2**-52 of which each block adds one.
    int64_t n
    int64_t y
    uint64_t p
    uint64_t p2
    uint64_t py


def reliability_sums(
    const uint8_t[::1] positive, const score_t[::1] scores, const score_t[::1] edges
):
    """Return the sums, int64 of shape (bins, 8), and the number of rows outside [0, 1].

    The columns are n, sum of y, and the upper and lower 32 bits of the sums of p, p^2 and p*y.
    """
    cdef Py_ssize_t n = scores.shape[0], bins = edges.shape[0] - 1, start = 0, size
    totals_array = np.zeros((bins, 8), np.int64)
    cdef int64_t[:, ::1] totals = totals_array
    cdef uint8_t[::1] memory = np.zeros(LANES * bins * sizeof(Sums), np.uint8)
    cdef Sums* sums = <Sums*> &memory[0]
    cdef int64_t outside = 0
    with nogil:
        while start < n:
            size = min(<Py_ssize_t> BLOCK, n - start)
            outside += add_block(&positive[start], &scores[start], size, &edges[0], bins, sums)
            carry(sums, bins, totals)
            start += size
    return totals_array, outside


cdef int64_t add_block(
    const uint8_t* positive, const score_t* scores, Py_ssize_t n,
    const score_t* edges, Py_ssize_t bins, Sums* sums,
) noexcept nogil:
    cdef Py_ssize_t i
    cdef int64_t outside = 0
    cdef uint64_t units
    cdef double p
    cdef Sums* bin
    for i in range(n):
        if not (scores[i] >= 0 and scores[i] <= 1):
            outside += 1
            continue
        p = scores[i]
        bin = sums + LANES * bin_of(scores[i], edges, bins) + i % LANES
        units = units_of(p)
        bin.n += 1
        bin.p += units
        bin.p2 += units_of(p * p)
        if positive[i]:
            bin.y += 1
            bin.py += units
    return outside


cdef inline Py_ssize_t bin_of(score_t score, const score_t* edges, Py_ssize_t bins) noexcept nogil:
    """Return the bin (edge, edge] of a score; the product only guesses, the edges decide."""
    cdef Py_ssize_t bin = min(<Py_ssize_t> (score * bins), bins - 1)
    while bin > 0 and score <= edges[bin]:
        bin -= 1
    while bin < bins - 1 and score > edges[bin + 1]:
        bin += 1
    return bin


cdef inline uint64_t units_of(double p) noexcept nogil:
    """Return p in units of 2**-52, half to even, for p in [0, 1].

    In [1, 2] neighbouring doubles are 2**-52 apart, so that adding 1 rounds exactly so, and the
    bits count the steps from 1.
    """
    cdef double one = 1.0, shifted = p + 1.0
    cdef uint64_t bits, bits_of_one
    memcpy(&bits, &shifted, sizeof(double))
    memcpy(&bits_of_one, &one, sizeof(double))
    return bits - bits_of_one


cdef void carry(Sums* sums, Py_ssize_t bins, int64_t[:, ::1] totals) noexcept nogil:
    """Move the sums of a block to the totals: 32 bits at a time, 2**31 blocks fit."""
    cdef Py_ssize_t lane, k
    cdef uint64_t lower = (<uint64_t> 1 << 32) - 1
    for lane in range(LANES * bins):
        k = lane // LANES
        totals[k, 0] += sums[lane].n
        totals[k, 1] += sums[lane].y
        totals[k, 2] += sums[lane].p >> 32
        totals[k, 3] += sums[lane].p & lower
        totals[k, 4] += sums[lane].p2 >> 32
        totals[k, 5] += sums[lane].p2 & lower
        totals[k, 6] += sums[lane].py >> 32
        totals[k, 7] += sums[lane].py & lower
        sums[lane] = Sums(0, 0, 0, 0, 0)
