"""Ids as spans of UTF-8, and their order by bytes, which is the order of their characters."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcmp

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

    /* Put the places of the keys in ascending order; 0 where two keys are equal, for then some
       place stays empty. */
    VERIDICAL_TWICE
    static int veridical_order(const int64_t *keys, ptrdiff_t n, int64_t *places)
    {
        int64_t empty = 0;
        for (ptrdiff_t i = 0; i < n; i++)
            places[i] = -1;
        for (ptrdiff_t i = 0; i < n; i++) {
            int64_t key = keys[i], below = 0;
            for (ptrdiff_t j = 0; j < n; j++)
                below += keys[j] < key;
            places[below] = i;
        }
        for (ptrdiff_t i = 0; i < n; i++)
            empty += places[i] < 0;
        return empty == 0;
    }

    static inline uint32_t veridical_four_of(const unsigned char *t)
    {
        return (uint32_t)t[0] << 24 | (uint32_t)t[1] << 16 | (uint32_t)t[2] << 8 | t[3];
    }

    /* The first eight bytes of a text as a number that orders as they do. */
    static inline uint64_t veridical_key(const char *text, ptrdiff_t size)
    {
        const unsigned char *t = (const unsigned char *)text;
        uint64_t key = 0;
        if (size >= 4) { /* the last four come without those of them that came already */
            size = size < 8 ? size : 8;
            key = (uint64_t)veridical_four_of(t + size - 4) << 8 * (8 - size);
            return (uint64_t)veridical_four_of(t) << 32 | (uint32_t)key;
        }
        for (ptrdiff_t i = 0; i < size; i++)
            key |= (uint64_t)t[i] << (56 - 8 * i);
        return key;
    }
    """
    bint order_of_keys "veridical_order"(
        const int64_t *keys, Py_ssize_t n, int64_t *places
    ) noexcept nogil
    uint64_t first_eight "veridical_key"(const char *, Py_ssize_t) noexcept nogil

cdef enum:
    MOST_COUNTED = 64  # ids, up to which counting beats sorting


cdef struct span_t:
    const char *text
    Py_ssize_t size
    int64_t place
    int64_t key


cdef inline int compared(const void *a, const void *b) noexcept nogil:
    cdef const span_t *one = <const span_t *> a
    cdef const span_t *two = <const span_t *> b
    cdef int order = (one.key > two.key) - (one.key < two.key)
    if order == 0:
        order = memcmp(one.text, two.text, min(one.size, two.size))
    return order if order else (one.size > two.size) - (one.size < two.size)


cdef inline int64_t key_after(const span_t *span, Py_ssize_t shared) noexcept nogil:
    """Eight bytes after those that all ids share, as a number that orders as they do."""
    cdef uint64_t key = first_eight(span.text + shared, span.size - shared)
    return <int64_t> (key ^ (<uint64_t> 1 << 63))


cdef inline Py_ssize_t shared_bytes(const span_t *spans, Py_ssize_t n) noexcept nogil:
    """How many bytes all ids begin with."""
    cdef Py_ssize_t i, j, shared = spans[0].size if n else 0
    for i in range(1, n):
        shared = min(shared, spans[i].size)
        j = 0
        while j < shared and spans[i].text[j] == spans[0].text[j]:
            j += 1
        shared = j
    return shared


cdef inline void sort_spans(span_t *spans, Py_ssize_t n) noexcept nogil:
    """Sort by bytes; each span still tells the place where it stood."""
    cdef int64_t keys[MOST_COUNTED]
    cdef int64_t places[MOST_COUNTED]
    cdef span_t moved[MOST_COUNTED]
    cdef Py_ssize_t i, shared = shared_bytes(spans, n)
    for i in range(n):
        spans[i].key = key_after(&spans[i], shared)
    if n <= MOST_COUNTED:
        for i in range(n):
            keys[i], moved[i] = spans[i].key, spans[i]
        if order_of_keys(keys, n, places):
            for i in range(n):
                spans[i] = moved[places[i]]
            return
    qsort(spans, n, sizeof(span_t), compared)
