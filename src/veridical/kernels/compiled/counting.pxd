"""Ranks by counting: one more than the number of scores that are higher."""

from libc.stdint cimport int64_t
from libc.stdlib cimport qsort

cdef extern from *:
    """
    #include <stdint.h>
    #include <stddef.h>

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
    void count_scores "veridical_count"(
        const double *scores, Py_ssize_t n, double score, int64_t *above, int64_t *equal
    ) noexcept nogil

cdef enum:
    MOST_COMPARED = 1 << 24  # scores times judged documents of a query, above which sorting wins
    GRADES = 8


cdef inline int descending(const void *a, const void *b) noexcept nogil:
    cdef double x = (<const double *> a)[0], y = (<const double *> b)[0]
    return (x < y) - (x > y)


cdef inline void sort_descending(double *values, Py_ssize_t n) noexcept nogil:
    """Sort grades: nearly always small whole numbers, which are counted."""
    cdef Py_ssize_t times[GRADES]
    cdef Py_ssize_t i, j, at = 0
    for i in range(GRADES):
        times[i] = 0
    for i in range(n):
        if not 0 <= values[i] < GRADES or values[i] != <double> <int> values[i]:
            qsort(values, n, sizeof(double), descending)
            return
        times[<int> values[i]] += 1
    for i in range(GRADES - 1, -1, -1):
        for j in range(times[i]):
            values[at + j] = i
        at += times[i]
