"""Numbers for words: equal ones get the same number, a new one the next.

A short word, of at most eight letters of one byte, is a number itself, and found by one comparison.
Any other is found by its hash, and then compared letter by letter.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp

cdef enum:
    SHORT = 8  # letters

cdef struct Place:
    uint64_t key  # a short word itself, or the hash of a long one
    uint32_t letters  # where a long one stands among all letters, its length first; 0 if short
    int32_t number  # one more than that of the word; 0 where there is no word

cdef struct Vocabulary:
    Place* places
    size_t mask
    int shift  # what leaves of a hash as many bits as there are places
    int32_t count
    uint32_t* letters
    size_t used, room
    uint64_t seed


cdef inline int open_vocabulary(Vocabulary* v, uint64_t seed) except -1 nogil:
    v.mask, v.shift, v.count, v.used, v.room, v.seed, v.letters = 1023, 54, 0, 1, 0, seed, NULL
    v.places = <Place*> calloc(v.mask + 1, sizeof(Place))
    if v.places is NULL:
        with gil:
            raise MemoryError
    return 0


cdef inline void close_vocabulary(Vocabulary* v) noexcept nogil:
    free(v.places)
    free(v.letters)


cdef inline uint32_t* blank(Vocabulary* v, size_t length) except NULL nogil:
    """Return where the letters of the next word are to be written."""
    cdef size_t room
    cdef uint32_t* moved
    if v.used + 1 + length >= v.room:
        room = 2 * (v.used + length) + 1024
        moved = NULL
        if room <= <size_t> 0xFFFFFFFF:
            moved = <uint32_t*> realloc(v.letters, room * sizeof(uint32_t))
        if moved is NULL:
            with gil:
                raise MemoryError
        v.letters, v.room = moved, room
    return v.letters + v.used + 1


cdef inline uint64_t hashed(uint64_t so_far, uint64_t more) noexcept nogil:
    """Return the hash of what there was and something more; its highest bits depend on all."""
    return (so_far ^ more) * <uint64_t> 0x9E3779B97F4A7C15


cdef inline int32_t number_of_short(Vocabulary* v, uint64_t word) except -1 nogil:
    """Return the number of a word of up to eight letters, one a byte, none of them 0."""
    cdef size_t at = hashed(v.seed, word) >> v.shift
    while v.places[at].number:
        if v.places[at].key == word and not v.places[at].letters:
            return v.places[at].number - 1
        at = (at + 1) & v.mask
    return added(v, at, word, 0)


cdef inline int32_t number_of_long(Vocabulary* v, uint32_t length, uint64_t key) except -1 nogil:
    """Return the number of the word that was written to the blank, and is not short.

    Its key is the hash of its letters, one by one, from the seed on.
    """
    cdef uint32_t* own = v.letters + v.used
    cdef uint32_t* other
    cdef size_t at = hashed(v.seed, key) >> v.shift
    while v.places[at].number:
        other = v.letters + v.places[at].letters
        if (
            v.places[at].key == key
            and v.places[at].letters
            and other[0] == length
            and memcmp(other + 1, own + 1, length * sizeof(uint32_t)) == 0
        ):
            return v.places[at].number - 1
        at = (at + 1) & v.mask
    own[0] = length
    v.used += 1 + length
    return added(v, at, key, <uint32_t> (own - v.letters))


cdef inline int32_t added(Vocabulary* v, size_t at, uint64_t key, uint32_t letters) except -1 nogil:
    v.count += 1
    v.places[at] = Place(key, letters, v.count)
    if 2 * <size_t> v.count > v.mask:
        grow(v)
    return v.count - 1


cdef inline int grow(Vocabulary* v) except -1 nogil:
    cdef size_t mask = 4 * v.mask + 3, at, old
    cdef Place* places = <Place*> calloc(mask + 1, sizeof(Place))
    if places is NULL:
        with gil:
            raise MemoryError
    v.shift -= 2
    for old in range(v.mask + 1):
        if v.places[old].number:
            at = hashed(v.seed, v.places[old].key) >> v.shift
            while places[at].number:
                at = (at + 1) & mask
            places[at] = v.places[old]
    free(v.places)
    v.places, v.mask = places, mask
    return 0
