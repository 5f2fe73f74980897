"""Setting marks apart with spaces, as regular expressions do from left to right."""

from libc.stdint cimport uint16_t, uint32_t
from libc.stdlib cimport free, realloc

from veridical.kernels.compiled.characters cimport (
    ALONE, Book, DIGIT, HYPHEN, NO_DIGIT, NO_NUMBER, POINT, PUNCTUATION, SPACE, SYMBOL, properties,
)

cdef struct Line:
    uint32_t* at
    Py_ssize_t n, room


cdef inline int reserve(Line* line, Py_ssize_t room) except -1 nogil:
    cdef uint32_t* moved
    if line.room < room:
        moved = <uint32_t*> realloc(line.at, room * sizeof(uint32_t))
        if moved is NULL:
            with gil:
                raise MemoryError
        line.at, line.room = moved, room
    return 0


cdef inline int spread(const Book* book, Line* line, Line* out, uint16_t alone) except -1 nogil:
    """Write the line with a space on both sides of each such character."""
    cdef Py_ssize_t i, n = 0
    cdef uint32_t code
    reserve(out, 3 * line.n)
    for i in range(line.n):
        code = line.at[i]
        if properties(book, code) & alone:
            out.at[n], out.at[n + 1], out.at[n + 2] = 32, code, 32
            n += 3
        else:
            out.at[n] = code
            n += 1
    out.n = n
    return 0


cdef inline int part(
    const Book* book, Line* line, Line* out, uint16_t first, uint16_t second, bint before
) except -1 nogil:
    """Write the line with each such pair parted, and a space before it, or else behind it."""
    cdef Py_ssize_t i = 0, n = 0
    reserve(out, 2 * line.n)
    while i < line.n:
        if (
            i + 1 < line.n
            and properties(book, line.at[i]) & first
            and properties(book, line.at[i + 1]) & second
        ):
            if before:
                out.at[n] = 32
                n += 1
            out.at[n], out.at[n + 1], out.at[n + 2] = line.at[i], 32, line.at[i + 1]
            n += 3
            if not before:
                out.at[n] = 32
                n += 1
            i += 2
        else:
            out.at[n] = line.at[i]
            n += 1
            i += 1
    out.n = n
    return 0


cdef inline int part_13a(
    const Book* book, Line* line, Line* other, uint16_t alone
) except -1 nogil:
    """Part a line, which begins and ends with a space, as mteval-v13a does."""
    spread(book, line, other, ALONE | alone)
    part(book, other, line, NO_DIGIT, POINT, False)
    part(book, line, other, POINT, NO_DIGIT, True)
    part(book, other, line, DIGIT, HYPHEN, False)
    return 0


cdef inline int part_intl(const Book* book, Line* line, Line* other) except -1 nogil:
    """Part a line as mteval-v14 does."""
    while line.n and properties(book, line.at[line.n - 1]) & SPACE:
        line.n -= 1
    part(book, line, other, NO_NUMBER, PUNCTUATION, False)
    part(book, other, line, PUNCTUATION, NO_NUMBER, True)
    spread(book, line, other, SYMBOL)
    line[0], other[0] = other[0], line[0]
    return 0
