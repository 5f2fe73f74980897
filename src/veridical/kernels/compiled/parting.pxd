"""Setting the marks of a word apart with spaces, as regular expressions do from left to right."""

from libc.stdint cimport uint16_t, uint32_t
from libc.stdlib cimport realloc

from veridical.kernels.compiled.characters cimport (
    ALONE, Book, DIGIT, HYPHEN, NO_DIGIT, NO_NUMBER, POINT, PUNCTUATION, SYMBOL, character_t, properties,
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


cdef inline int spread(
    const Book* book, const character_t* text, Py_ssize_t n, Line* out, uint16_t alone
) except -1 nogil:
    """Write a word with a space on both sides of each such character; return what it holds."""
    cdef Py_ssize_t i, used = 1
    cdef uint16_t has, found = 0
    reserve(out, 3 * n + 2)
    # A space at both ends: 13a reads lines so, and elsewhere it changes nothing any more.
    out.at[0] = 32
    for i in range(n):
        has = properties(book, text[i])
        found |= has
        if has & alone:
            out.at[used], out.at[used + 1], out.at[used + 2] = 32, text[i], 32
            used += 3
        else:
            out.at[used] = text[i]
            used += 1
    out.at[used] = 32
    out.n = used + 1
    return found


cdef inline int part(
    const Book* book, Line* line, Line* out, uint16_t first, uint16_t second, bint before
) except -1 nogil:
    """Part each such pair, with a space before it, or else behind it; the lines change places."""
    cdef Py_ssize_t i = 0, n = 0
    cdef uint16_t has = properties(book, line.at[0]) if line.n else 0, following
    reserve(out, 2 * line.n)
    while i + 1 < line.n:
        following = properties(book, line.at[i + 1])
        if not (has & first and following & second):
            out.at[n] = line.at[i]
            n += 1
            i += 1
            has = following
            continue
        if before:
            out.at[n] = 32
            n += 1
        out.at[n], out.at[n + 1], out.at[n + 2] = line.at[i], 32, line.at[i + 1]
        n += 3
        if not before:
            out.at[n] = 32
            n += 1
        i += 2
        has = properties(book, line.at[i]) if i < line.n else 0
    if i < line.n:
        out.at[n] = line.at[i]
        n += 1
    out.n = n
    line[0], out[0] = out[0], line[0]
    return 0


cdef inline int part_13a(
    const Book* book, const character_t* text, Py_ssize_t n, Line* line, Line* other, uint16_t alone
) except -1 nogil:
    """Part a word as mteval-v13a does; other characters may be set apart as well."""
    cdef int found = spread(book, text, n, line, ALONE | alone)
    if found & POINT:
        part(book, line, other, NO_DIGIT, POINT, False)
        part(book, line, other, POINT, NO_DIGIT, True)
    if found & HYPHEN:
        part(book, line, other, DIGIT, HYPHEN, False)
    return 0


cdef inline int part_intl(
    const Book* book, const character_t* text, Py_ssize_t n, Line* line, Line* other,
    bint after_space, bint before_space,
) except -1 nogil:
    """Part a word as mteval-v14 does, which parts less at the ends of a text."""
    cdef Py_ssize_t i
    reserve(line, n + 2)
    line.n = 0
    if after_space:
        line.at[0], line.n = 32, 1
    for i in range(n):
        line.at[line.n + i] = text[i]
    line.n += n
    if before_space:
        line.at[line.n] = 32
        line.n += 1
    part(book, line, other, NO_NUMBER, PUNCTUATION, False)
    part(book, line, other, PUNCTUATION, NO_NUMBER, True)
    spread(book, <const uint32_t*> line.at, line.n, other, SYMBOL)
    line[0], other[0] = other[0], line[0]
    return 0
