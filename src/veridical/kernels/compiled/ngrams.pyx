# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""n-grams that a candidate shares with its references.

An n-gram is named by a number, which is looked up by the name of its first n - 1 tokens and its last
token, together 64 bits.  So equal names are equal n-grams, however long, and one whose beginning was
already missing on the other side is never looked at again.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

import numpy as np

cdef packed struct Place:
    uint64_t key
    uint32_t stamp  # of the table that it belongs to: a new table needs no clearing
    int32_t name

cdef packed struct Gram:
    int64_t at, stop  # its first token, and the end of its text
    int32_t name  # of its first n - 1 tokens
    int32_t text  # which reference it stands in

cdef packed struct Name:
    int32_t most, times, text  # occurrences in one reference, in the latest, and which that is
    int32_t used  # by the candidate

cdef struct Work:
    Place* places  # of n-grams by hash
    Place* tokens  # of single tokens by number
    uint64_t mask
    uint32_t stamp
    int32_t n_names
    Name* names
    Gram* candidate
    Gram* reference
    Py_ssize_t n_candidate, n_reference

PLACE = np.dtype([("key", np.uint64), ("stamp", np.uint32), ("name", np.int32)])
GRAM = np.dtype([("at", np.int64), ("stop", np.int64), ("name", np.int32), ("text", np.int32)])
NAME = np.dtype([(name, np.int32) for name in ("most", "times", "text", "used")])


def clipped_matches(
    const int32_t[::1] ids, const int64_t[::1] offsets, const int64_t[::1] candidates,
    const int64_t[::1] references, const int64_t[::1] first, int order, int shortest,
):
    """Return matches by n-gram length, int64, shape (candidates, order - shortest + 1)."""
    cdef Py_ssize_t n = candidates.shape[0], i
    cdef uint64_t size = 16
    lengths = np.diff(offsets)
    longest = lengths[candidates].max(initial=0)
    sums = np.concatenate([[0], np.cumsum(lengths[references])])
    most = np.diff(sums[np.asarray(first)]).max(initial=0)
    matches_array = np.zeros((n, order - shortest + 1), np.int64)
    if not longest or not most:
        return matches_array
    if most >= 0x7FFFFFFF:
        raise OverflowError("references of more than 2^31 tokens")
    while size < 4 * <uint64_t> most:
        size *= 2
    cdef Place[::1] places = np.zeros(size, PLACE), tokens = np.zeros(np.max(ids) + 1, PLACE)
    cdef Name[::1] names = np.empty(most, NAME)
    cdef Gram[::1] candidate = np.empty(longest, GRAM), reference = np.empty(most, GRAM)
    cdef int64_t[:, ::1] matches = matches_array
    cdef Work work
    work.places, work.tokens, work.names, work.stamp = &places[0], &tokens[0], &names[0], 0
    work.candidate, work.reference = &candidate[0], &reference[0]
    cdef const int64_t[::1] own
    with nogil:
        for i in range(n):
            own = references[first[i]:first[i + 1]]
            if order == shortest and own.shape[0] == 1:
                matches[i, 0] = count_alone(&work, &ids[0], offsets, candidates[i], own[0], order)
                continue
            list_tokens(&work, &ids[0], offsets, candidates[i], own)
            count(&work, &ids[0], order, shortest, &matches[i, 0])
    return matches_array


cdef void list_tokens(
    Work* work, const int32_t* ids, const int64_t[::1] offsets, int64_t candidate,
    const int64_t[::1] references,
) noexcept nogil:
    """List where n-grams begin in a candidate and its references."""
    cdef Py_ssize_t i
    cdef Gram* gram = work.candidate
    work.n_candidate = list_text(gram, ids, offsets, candidate, 0)
    work.n_reference = 0
    for i in range(references.shape[0]):
        gram = work.reference + work.n_reference
        work.n_reference += list_text(gram, ids, offsets, references[i], <int32_t> i)
    set_size(work, work.n_reference)


cdef inline void set_size(Work* work, Py_ssize_t tokens) noexcept nogil:
    """Use as much of the table as so many tokens need, which then stays near."""
    work.mask = 15
    while work.mask + 1 < 4 * <uint64_t> tokens:
        work.mask = 2 * work.mask + 1


cdef Py_ssize_t list_text(
    Gram* gram, const int32_t* ids, const int64_t[::1] offsets, int64_t text, int32_t which
) noexcept nogil:
    cdef int64_t start = offsets[text], stop = offsets[text + 1], at
    for at in range(start, stop):
        gram[at - start] = Gram(at, stop, ids[at], which)
    return stop - start


cdef int64_t count_alone(
    Work* work, const int32_t* ids, const int64_t[::1] offsets, int64_t candidate,
    int64_t reference, int n,
) noexcept nogil:
    """Count matches of tokens or of pairs alone, with one reference: nothing is continued."""
    cdef int64_t i, matches = 0
    cdef uint64_t key
    cdef Place* place
    work.stamp += 1
    set_size(work, offsets[reference + 1] - offsets[reference])
    for i in range(offsets[reference], offsets[reference + 1] - n + 1):
        key = <uint64_t> ids[i] << 32 | <uint64_t> ids[i + n - 1]
        place = find(work, key, n)
        if place.stamp != work.stamp:
            place.stamp, place.key, place.name = work.stamp, key, 0
        place.name += 1  # how many of them are left
    for i in range(offsets[candidate], offsets[candidate + 1] - n + 1):
        place = find(work, <uint64_t> ids[i] << 32 | <uint64_t> ids[i + n - 1], n)
        if place.stamp == work.stamp and place.name:
            place.name -= 1
            matches += 1
    return matches


cdef void count(
    Work* work, const int32_t* ids, int order, int shortest, int64_t* matches
) noexcept nogil:
    cdef int n
    for n in range(shortest, order + 1):
        work.stamp += 1
        work.n_names = 0
        name_references(work, ids, n, n < order)
        matches[n - shortest] = match_candidate(work, ids, n, n < order)
        if n == order or not work.n_candidate:
            return
        drop_unmatched(work)


cdef void name_references(Work* work, const int32_t* ids, int n, bint go_on) noexcept nogil:
    """Name each n-gram of the references, and count the most that any one of them has."""
    cdef Py_ssize_t i, kept = 0
    cdef Gram* gram
    cdef Name* name
    cdef Place* place
    for i in range(work.n_reference):
        gram = &work.reference[i]
        if gram.at + n > gram.stop:
            continue
        place = find(work, key_of(gram, ids, n), n)
        if place.stamp != work.stamp:
            place.stamp, place.key, place.name = work.stamp, key_of(gram, ids, n), work.n_names
            work.names[work.n_names] = Name(0, 0, gram.text, 0)
            work.n_names += 1
        name = &work.names[place.name]
        if name.text != gram.text:
            name.text, name.times = gram.text, 0
        name.times += 1
        name.most = max(name.most, name.times)
        if go_on:
            work.reference[kept] = Gram(gram.at, gram.stop, place.name, gram.text)
            kept += 1
    work.n_reference = kept


cdef int64_t match_candidate(Work* work, const int32_t* ids, int n, bint go_on) noexcept nogil:
    """Count n-grams that a reference has as often, and keep those that one has at all."""
    cdef Py_ssize_t i, kept = 0
    cdef int64_t matches = 0
    cdef Gram* gram
    cdef Place* place
    for i in range(work.n_candidate):
        gram = &work.candidate[i]
        if gram.at + n > gram.stop:
            continue
        place = find(work, key_of(gram, ids, n), n)
        if place.stamp != work.stamp:
            continue
        matches += work.names[place.name].used < work.names[place.name].most
        work.names[place.name].used += 1
        if go_on:
            work.candidate[kept] = Gram(gram.at, gram.stop, place.name, gram.text)
            kept += 1
    work.n_candidate = kept
    return matches


cdef void drop_unmatched(Work* work) noexcept nogil:
    """Keep the n-grams of references that the candidate has: no other continues to a match."""
    cdef Py_ssize_t i, kept = 0
    for i in range(work.n_reference):
        if work.names[work.reference[i].name].used:
            work.reference[kept] = work.reference[i]
            kept += 1
    work.n_reference = kept


cdef inline uint64_t key_of(const Gram* gram, const int32_t* ids, int n) noexcept nogil:
    return <uint64_t> gram.name << 32 | <uint64_t> ids[gram.at + n - 1]


cdef inline Place* find(Work* work, uint64_t key, int n) noexcept nogil:
    """Return the place of an n-gram, or the free one where it belongs."""
    cdef uint64_t at
    if n == 1:
        return &work.tokens[<uint32_t> key]
    at = (key * <uint64_t> 0x9E3779B97F4A7C15 >> 32) & work.mask
    while work.places[at].stamp == work.stamp and work.places[at].key != key:
        at = (at + 1) & work.mask
    return &work.places[at]
