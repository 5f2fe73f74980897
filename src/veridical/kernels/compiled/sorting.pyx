# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Distinct scores with their positives and negatives, by radix sort."""

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy, memset

import numpy as np

from veridical.kernels.arrays import as_bits
from veridical.kernels.compiled.keys cimport bits_of_key, key_of_bits, key_t

cdef enum:
    DIGIT_BITS = 8
    RADIX = 1 << DIGIT_BITS
    MAX_DIGITS = 8


def sorted_groups(positive, scores):
    """Return (distinct scores ascending, positives, negatives)."""
    bits, positives, negatives = groups_of_bits(positive, as_bits(scores))
    return bits.view(scores.dtype), positives, negatives


def sorted_slots(positive, scores):
    """Return (distinct scores of positives ascending, positives, tied negatives, between)."""
    bits, positives, tied, between = slots_of_bits(positive, as_bits(scores))
    return bits.view(scores.dtype), positives, tied, between


def groups_of_bits(const uint8_t[::1] positive, const key_t[::1] bits):
    """The same, on scores given as their bits."""
    cdef Py_ssize_t n = bits.shape[0], n_negative, m
    dtype = np.asarray(bits).dtype
    distinct_array = np.empty(n + 1, dtype)
    positives_array, negatives_array = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    cdef key_t[::1] keys = np.empty(n + 1, dtype), distinct = distinct_array
    cdef int64_t[::1] positives = positives_array, negatives = negatives_array
    cdef int64_t[:, ::1] counts = np.empty((MAX_DIGITS, RADIX), np.int64)
    with nogil:
        n_negative = split_classes(&positive[0], &bits[0], &keys[0], n) if n else 0
        # Until it is filled, the memory of the result is where keys go while they are sorted.
        radix_sort(&keys[0], &distinct[0], &counts[0, 0], n_negative)
        radix_sort(&keys[n_negative], &distinct[0], &counts[0, 0], n - n_negative)
        m = fill_groups(&keys[0], n_negative, n, &distinct[0], &positives[0], &negatives[0])
    columns = distinct_array[:m], positives_array[:m], negatives_array[:m]
    # With many ties, a view would keep much memory alive for a short column.
    return columns if 2 * m > n else tuple(column.copy() for column in columns)


def slots_of_bits(const uint8_t[::1] positive, const key_t[::1] bits):
    """The same as ``sorted_slots``, on scores given as their bits."""
    cdef Py_ssize_t n = bits.shape[0], n_negative, size, m
    dtype = np.asarray(bits).dtype
    cdef key_t[::1] keys = np.empty(n + 1, dtype), scratch = np.empty(n + 1, dtype)
    cdef int64_t[:, ::1] counts = np.empty((MAX_DIGITS, RADIX), np.int64)
    with nogil:
        n_negative = split_classes(&positive[0], &bits[0], &keys[0], n) if n else 0
        radix_sort(&keys[0], &scratch[0], &counts[0, 0], n_negative)
        radix_sort(&keys[n_negative], &scratch[0], &counts[0, 0], n - n_negative)
    size = n - n_negative
    edges_array = np.empty(size + 1, dtype)
    columns_array = np.empty((3, size + 1), np.int64)
    cdef key_t[::1] edges = edges_array
    cdef int64_t[:, ::1] columns = columns_array
    with nogil:
        m = fill_slots(
            &keys[0], n_negative, n, &edges[0], &columns[0, 0], &columns[1, 0], &columns[2, 0]
        )
    parts = edges_array[:m], columns_array[0, :m], columns_array[1, :m], columns_array[2, :m + 1]
    # With many ties, a view would keep much memory alive for a short column.
    return parts if 2 * m > size else tuple(part.copy() for part in parts)


cdef Py_ssize_t split_classes(
    const uint8_t* positive, const key_t* bits, key_t* keys, Py_ssize_t n
) noexcept nogil:
    """Write the keys of negatives from the front, those of positives from the back."""
    cdef Py_ssize_t front = 0, back = n - 1, i
    cdef key_t key
    for i in range(n):
        key = key_of_bits(bits[i])
        # Both ends are written and one is kept: no branch for the processor to mispredict.
        keys[front] = key
        keys[back] = key
        back -= positive[i] != 0
        front += positive[i] == 0
    return front


cdef void radix_sort(key_t* keys, key_t* scratch, int64_t* counts, Py_ssize_t n) noexcept nogil:
    """Sort by one digit at a time, the lowest first; digits that all keys share cost nothing."""
    cdef Py_ssize_t i
    cdef int digit, digits = (8 * sizeof(key_t) + DIGIT_BITS - 1) // DIGIT_BITS, shift
    cdef key_t* source = keys
    cdef key_t* target = scratch
    cdef int64_t* places
    if n < 2:
        return
    memset(counts, 0, digits * RADIX * sizeof(int64_t))
    for i in range(n):
        for digit in range(digits):
            counts[digit * RADIX + ((keys[i] >> (digit * DIGIT_BITS)) & (RADIX - 1))] += 1
    for digit in range(digits):
        shift = digit * DIGIT_BITS
        places = counts + digit * RADIX
        if places[(keys[0] >> shift) & (RADIX - 1)] == n:
            continue
        scatter(source, target, places, shift, n)
        source, target = target, source
    if source != keys:
        memcpy(keys, source, n * sizeof(key_t))


cdef void scatter(
    const key_t* source, key_t* target, int64_t* places, int shift, Py_ssize_t n
) noexcept nogil:
    """Move each key to its place by one digit; ``places`` comes in as the digit's counts."""
    cdef int64_t start = 0, count
    cdef Py_ssize_t i
    cdef int value
    for value in range(RADIX):
        count = places[value]
        places[value] = start
        start += count
    for i in range(n):
        value = (source[i] >> shift) & (RADIX - 1)
        target[places[value]] = source[i]
        places[value] += 1


cdef Py_ssize_t fill_groups(
    const key_t* keys, Py_ssize_t i_end, Py_ssize_t j_end,
    key_t* distinct, int64_t* positives, int64_t* negatives,
) noexcept nogil:
    """Merge sorted negatives [0, i_end) and positives [i_end, j_end); return how many groups."""
    cdef Py_ssize_t i = 0, j = i_end, m = 0, i_start, j_start
    cdef key_t key
    while i < i_end or j < j_end:
        key = lowest(keys, i, i_end, j, j_end)
        i_start, j_start = i, j
        while i < i_end and keys[i] == key:
            i += 1
        while j < j_end and keys[j] == key:
            j += 1
        distinct[m] = bits_of_key(key)
        negatives[m] = i - i_start
        positives[m] = j - j_start
        m += 1
    return m


cdef Py_ssize_t fill_slots(
    const key_t* keys, Py_ssize_t i_end, Py_ssize_t j_end,
    key_t* edges, int64_t* positives, int64_t* tied, int64_t* between,
) noexcept nogil:
    """Merge as ``fill_groups`` does, with one entry a score of positives; return how many."""
    cdef Py_ssize_t i = 0, j = i_end, m = 0, start
    cdef key_t key
    while j < j_end:
        key = keys[j]
        start = j
        while j < j_end and keys[j] == key:
            j += 1
        positives[m] = j - start
        start = i
        while i < i_end and keys[i] < key:
            i += 1
        between[m] = i - start
        start = i
        while i < i_end and keys[i] == key:
            i += 1
        tied[m] = i - start
        edges[m] = bits_of_key(key)
        m += 1
    between[m] = i_end - i
    return m


cdef inline key_t lowest(
    const key_t* keys, Py_ssize_t i, Py_ssize_t i_end, Py_ssize_t j, Py_ssize_t j_end
) noexcept nogil:
    if j == j_end:
        return keys[i]
    if i == i_end:
        return keys[j]
    return min(keys[i], keys[j])
