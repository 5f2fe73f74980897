"""Numbers for words: equal ones get the same number, a new one the next."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp

cdef enum:
    HEAD = 2  # before its letters, a word has its number and its length

cdef struct Place:
    uint32_t hash
    uint32_t word  # where the word stands among all letters; nothing stands at 0

cdef struct Vocabulary:
    Place* places
    size_t mask
    int32_t count
    uint32_t* letters
    size_t used, room
    uint64_t seed


cdef inline int open_vocabulary(Vocabulary* v, uint64_t seed) except -1 nogil:
    v.mask, v.count, v.used, v.room, v.seed, v.letters = 1023, 0, 1, 0, seed, NULL
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
    if v.used + HEAD + length >= v.room:
        room = 2 * (v.used + length) + 1024
        moved = NULL
        if room <= <size_t> 0xFFFFFFFF:
            moved = <uint32_t*> realloc(v.letters, room * sizeof(uint32_t))
        if moved is NULL:
            with gil:
                raise MemoryError
        v.letters, v.room = moved, room
    return v.letters + v.used + HEAD


cdef inline uint64_t hashed(uint64_t so_far, uint32_t letter) noexcept nogil:
    """Return the hash of some letters and one more; it begins with the seed."""
    return (so_far ^ letter) * <uint64_t> 0x9E3779B97F4A7C15


cdef inline int32_t number_of(
    Vocabulary* v, uint32_t length, uint64_t hash_of_letters
) except -1 nogil:
    """Return the number of the word that was written to the blank."""
    cdef uint32_t* own = v.letters + v.used
    cdef uint32_t hash = <uint32_t> (hash_of_letters >> 32)
    cdef size_t at = hash & v.mask
    cdef uint32_t* other
    while v.places[at].word:
        other = v.letters + v.places[at].word
        if (
            v.places[at].hash == hash
            and other[1] == length
            and memcmp(other + HEAD, own + HEAD, length * sizeof(uint32_t)) == 0
        ):
            return <int32_t> other[0]
        at = (at + 1) & v.mask
    own[0], own[1] = v.count, length
    v.places[at] = Place(hash, <uint32_t> v.used)
    v.used += HEAD + length
    v.count += 1
    if 2 * <size_t> v.count > v.mask:
        grow(v)
    return v.count - 1


cdef inline int grow(Vocabulary* v) except -1 nogil:
    cdef size_t mask = 4 * v.mask + 3, at, old
    cdef Place* places = <Place*> calloc(mask + 1, sizeof(Place))
    if places is NULL:
        with gil:
            raise MemoryError
    for old in range(v.mask + 1):
        if v.places[old].word:
            at = v.places[old].hash & mask
            while places[at].word:
                at = (at + 1) & mask
            places[at] = v.places[old]
    free(v.places)
    v.places, v.mask = places, mask
    return 0
