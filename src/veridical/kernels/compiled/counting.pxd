"""Ranks by counting: one more than the number of scores that are higher."""

from libc.stdint cimport int64_t
from libc.stdlib cimport qsort

cdef extern from *:
    """
    #include <stdint.h>
    #include <stddef.h>

    #if defined(__GNUC__)
    #define veridical_prefetch(p) __builtin_prefetch(p)
    #else
    #define veridical_prefetch(p) ((void)(p))
    #endif

    #ifndef VERIDICAL_TWICE
    /* The same loop twice: a processor with wide registers takes the second.  Only integers are
       added up, so that both give the same. */
    #if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
    #define VERIDICAL_TWICE __attribute__((target_clones("default", "avx2")))
    #else
    #define VERIDICAL_TWICE
    #endif
    #endif

    VERIDICAL_TWICE
    static void veridical_count(
        const double *scores, ptrdiff_t n, double score, int64_t *above, int64_t *equal)
    {
        int64_t higher = 0, same = 0;
        for (ptrdiff_t i = 0; i < n; i++) {
            higher += scores[i] > score;
            same += scores[i] == score;
        }
        *above = higher;
        *equal = same;
    }
    """
    void prefetch "veridical_prefetch"(const void *) noexcept nogil
    void count_scores "veridical_count"(
        const double *scores, Py_ssize_t n, double score, int64_t *above, int64_t *equal
    ) noexcept nogil

cdef enum:
    MOST_COMPARED = 1 << 24  # scores times judged documents of a query, above which sorting wins


cdef inline void insert(
    int64_t *rank, double *grades, Py_ssize_t n, int64_t new_rank, double grade
) noexcept nogil:
    """Keep the documents of a query in rank order."""
    cdef Py_ssize_t i = n
    while i > 0 and rank[i - 1] > new_rank:
        rank[i], grades[i] = rank[i - 1], grades[i - 1]
        i -= 1
    rank[i], grades[i] = new_rank, grade


cdef inline int descending(const void *a, const void *b) noexcept nogil:
    cdef double x = (<const double *> a)[0], y = (<const double *> b)[0]
    return (x < y) - (x > y)


cdef inline void sort_descending(double *values, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef double moved
    if n > 64:
        qsort(values, n, sizeof(double), descending)
        return
    for i in range(1, n):
        moved, j = values[i], i
        while j > 0 and values[j - 1] < moved:
            values[j] = values[j - 1]
            j -= 1
        values[j] = moved
