# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""How many scores lie below, between and exactly at given edges, in one pass."""

from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np

from veridical.kernels.compiled.keys cimport key_of_score, score_t

cdef enum:
    BLOCK = 4096  # rows whose scores and indices stay in the first-level cache
    LINEAR = 8  # edges that are compared one by one rather than by halving


cdef struct Table:
    # Where to look for a score: edges [start[b], start[b + 1]) have bucket b.
    uint64_t first_key
    int shift
    const int32_t* start


def slot_counts(const score_t[::1] edges, const score_t[::1] scores):
    """Return (between, tied)."""
    cdef Py_ssize_t m = edges.shape[0], n = scores.shape[0], start = 0, size
    counts_array = np.zeros(2 * m + 1, np.int64)  # slots in order: between, tied, between, ...
    cdef int64_t[::1] counts = counts_array
    start_array = bucket_starts(edges)
    cdef const int32_t[::1] starts = start_array
    cdef Table table
    if m == 0:
        return np.array([n], np.int64), counts_array[1:]
    table = Table(key_of_score(edges[0]), bucket_shift(edges), &starts[0])
    with nogil:
        while start < n:
            size = min(<Py_ssize_t> BLOCK, n - start)
            count_block(&scores[start], size, &edges[0], m, table, &counts[0])
            start += size
    return counts_array[::2].copy(), counts_array[1::2].copy()


cdef int bucket_shift(const score_t[::1] edges) noexcept:
    """Drop as many low bits of a key as leave four buckets an edge, and at least 2**12 in all."""
    cdef uint64_t span = key_of_score(edges[edges.shape[0] - 1]) - key_of_score(edges[0])
    cdef uint64_t limit = max(<uint64_t> 1 << 12, <uint64_t> (4 * edges.shape[0]))
    cdef int shift = 0
    while span >> shift >= limit:
        shift += 1
    return shift


cdef bucket_starts(const score_t[::1] edges):
    """Return the first edge in or after each bucket, and m at the end."""
    if edges.shape[0] == 0:
        return np.zeros(1, np.int32)
    cdef int shift = bucket_shift(edges)
    cdef uint64_t first = key_of_score(edges[0])
    cdef uint64_t last = (key_of_score(edges[edges.shape[0] - 1]) - first) >> shift
    starts_array = np.empty(last + 2, np.int32)
    cdef int32_t[::1] starts = starts_array
    cdef Py_ssize_t edge = 0, bucket
    for bucket in range(starts.shape[0]):
        while (
            edge < edges.shape[0]
            and ((key_of_score(edges[edge]) - first) >> shift) < <uint64_t> bucket
        ):
            edge += 1
        starts[bucket] = edge
    return starts_array


cdef void count_block(
    const score_t* scores, Py_ssize_t n, const score_t* edges, Py_ssize_t m, Table table,
    int64_t* counts,
) noexcept nogil:
    cdef int32_t inside[BLOCK]
    cdef Py_ssize_t i, count = 0
    cdef int64_t below = 0
    cdef score_t lowest = edges[0], highest = edges[m - 1]
    for i in range(n):
        below += scores[i] < lowest
    for i in range(n):
        inside[count] = i
        count += (scores[i] >= lowest) & (scores[i] <= highest)
    counts[0] += below
    counts[2 * m] += n - below - count
    for i in range(count):
        counts[slot_of(scores[inside[i]], edges, table)] += 1


cdef inline Py_ssize_t slot_of(score_t score, const score_t* edges, Table table) noexcept nogil:
    """Return 2 * a + 1 at edge a, and 2 * a just below it; the score is within the edges."""
    cdef uint64_t bucket = (key_of_score(score) - table.first_key) >> table.shift
    cdef int32_t a = table.start[bucket], stop = table.start[bucket + 1], middle
    while stop - a > LINEAR:
        middle = (a + stop) // 2
        if edges[middle] < score:
            a = middle + 1
        else:
            stop = middle
    while a < stop and edges[a] < score:
        a += 1
    return 2 * <Py_ssize_t> a + (edges[a] == score)
