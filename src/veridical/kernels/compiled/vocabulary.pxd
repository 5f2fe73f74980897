"""Numbers for words: equal ones get the same number, a new one the next."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp

cdef struct Word:
    uint64_t hash
    Py_ssize_t start, length
    int32_t number  # one more than it says, so that cleared memory is an empty place

cdef struct Vocabulary:
    Word* table
    size_t mask
    Py_ssize_t count
    uint32_t* letters  # of all words, one after the other
    Py_ssize_t used, room
    uint64_t seed


cdef inline int open_vocabulary(Vocabulary* v, uint64_t seed) except -1 nogil:
    v.mask, v.count, v.used, v.room, v.seed, v.letters = 1023, 0, 0, 0, seed, NULL
    v.table = <Word*> calloc(v.mask + 1, sizeof(Word))
    if v.table is NULL:
        with gil:
            raise MemoryError
    return 0


cdef inline void close_vocabulary(Vocabulary* v) noexcept nogil:
    free(v.table)
    free(v.letters)


cdef inline uint32_t* blank(Vocabulary* v, Py_ssize_t length) except NULL nogil:
    """Return where the letters of the next word are to be written."""
    cdef Py_ssize_t room
    cdef uint32_t* moved
    if v.used + length >= v.room:
        room = 2 * (v.used + length) + 1024
        moved = <uint32_t*> realloc(v.letters, room * sizeof(uint32_t))
        if moved is NULL:
            with gil:
                raise MemoryError
        v.letters, v.room = moved, room
    return v.letters + v.used


cdef inline uint64_t hashed(uint64_t so_far, uint32_t letter) noexcept nogil:
    return (so_far ^ letter) * <uint64_t> 0x9E3779B97F4A7C15


cdef inline int32_t number_of(
    Vocabulary* v, Py_ssize_t length, uint64_t hash_of_letters
) except -1 nogil:
    """Return the number of the word that was written to the blank."""
    cdef uint64_t hash = hash_of_letters ^ (hash_of_letters >> 32)
    cdef size_t at = hash & v.mask
    cdef uint32_t* letters = v.letters + v.used
    cdef Word* word = &v.table[at]
    while word.number:
        if (
            word.hash == hash
            and word.length == length
            and memcmp(v.letters + word.start, letters, length * sizeof(uint32_t)) == 0
        ):
            return word.number - 1
        at = (at + 1) & v.mask
        word = &v.table[at]
    if v.count >= 0x7FFFFFFE:
        with gil:
            raise OverflowError("more than 2^31 different words")
    v.count += 1
    word.hash, word.start, word.length, word.number = hash, v.used, length, <int32_t> v.count
    v.used += length
    if 2 * v.count > <Py_ssize_t> v.mask:
        grow(v)
    return <int32_t> v.count - 1


cdef inline int grow(Vocabulary* v) except -1 nogil:
    cdef size_t mask = 4 * v.mask + 3, at, old
    cdef Word* table = <Word*> calloc(mask + 1, sizeof(Word))
    if table is NULL:
        with gil:
            raise MemoryError
    for old in range(v.mask + 1):
        if v.table[old].number:
            at = v.table[old].hash & mask
            while table[at].number:
                at = (at + 1) & mask
            table[at] = v.table[old]
    free(v.table)
    v.table, v.mask = table, mask
    return 0
