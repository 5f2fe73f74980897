# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Rows counted on the line, a fixed grid of keys."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

import numpy as np

from veridical.kernels.compiled.keys cimport score_t

cdef enum:
    MANTISSA_BITS = 52
    KEPT_BITS = 60  # of a magnitude: 8 of the exponent, and the mantissa


def histogram_counts(const uint8_t[::1] positive, const score_t[::1] scores, int bits):
    """Return (positives, negatives, lowest, highest) of each bin."""
    cdef Py_ssize_t n = scores.shape[0], bins = <Py_ssize_t> 1 << bits
    dtype = np.asarray(scores).dtype
    counts_array = np.zeros((bins, 2), np.int64)
    low_array, high_array = np.full(bins, np.inf, dtype), np.full(bins, -np.inf, dtype)
    cdef int64_t[:, ::1] counts = counts_array
    cdef score_t[::1] low = low_array, high = high_array
    cdef Py_ssize_t i
    cdef int64_t key
    cdef score_t score
    with nogil:
        for i in range(n):
            score = scores[i] + <score_t> 0.0  # -0.0 becomes 0.0
            key = line_key(score, bits)
            counts[key, positive[i] != 0] += 1
            if score < low[key]:
                low[key] = score
            if score > high[key]:
                high[key] = score
    return counts_array[:, 1].copy(), counts_array[:, 0].copy(), low_array, high_array


cdef inline int64_t line_key(double score, int bits) noexcept nogil:
    """Return the top bits of the ordered image with the exponent cut from 11 bits to 8."""
    cdef uint64_t image, magnitude, offset = <uint64_t> (1023 - 127) << MANTISSA_BITS
    cdef uint64_t middle = <uint64_t> 1 << KEPT_BITS
    memcpy(&image, &score, sizeof(double))
    magnitude = image & ((<uint64_t> 1 << 63) - 1)
    magnitude = 0 if magnitude < offset else min(magnitude - offset, middle - 1)
    image = middle - 1 - magnitude if image >> 63 else middle + magnitude
    return image >> (KEPT_BITS + 1 - bits)
