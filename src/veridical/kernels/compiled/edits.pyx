# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Translation edit rate: insertions, deletions, substitutions and shifts of words.

Of the table of edit distances only what lies in tercom's beam around the diagonal is kept.
"""

from libc.math cimport ceil, floor
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

import numpy as np

# The limits of tercom, on which its numbers depend.
cdef enum:
    LONGEST_SHIFT = 10
    FURTHEST_SHIFT = 50
    BEAM = 25
    MOST_CANDIDATES = 1000
    INFINITE = 1 << 30

cdef struct Shift:
    int32_t gain
    Py_ssize_t length, start, to

cdef struct Search:
    int32_t* words  # of the candidate, n
    int32_t* moved  # the same after a shift
    const int32_t* target  # words of the reference, m
    Py_ssize_t n, m
    int64_t* low  # first column of each row of the table, n + 1
    int64_t* high  # the column behind its last
    int64_t* at  # where the row's column 0 is, or would be
    int32_t* table
    int32_t* scratch  # two rows, 2 (m + 1)
    int64_t* beside  # for each word of the reference, the candidate's
    uint8_t* wrong  # words of the candidate that are not the reference's
    uint8_t* missed  # words of the reference that are not the candidate's
    int tried
    Shift best


def fewest_edits(
    const int32_t[::1] ids, const int64_t[::1] offsets,
    const int64_t[::1] candidates, const int64_t[::1] references,
):
    """Return how many edits turn each candidate into its reference, int64, shape (pairs,)."""
    cdef Py_ssize_t pairs = candidates.shape[0], i, n, m
    cdef int64_t[::1] found = np.zeros(pairs, np.int64)
    lengths = np.diff(offsets)
    cdef Py_ssize_t longest = lengths.max(initial=0) + 1
    cdef int32_t[:, ::1] words = np.empty((4, longest), np.int32)
    cdef int64_t[:, ::1] places = np.empty((4, longest), np.int64)
    cdef uint8_t[:, ::1] marks = np.empty((2, longest), np.uint8)
    cdef int32_t[::1] table = np.empty(most_cells(lengths[candidates], lengths[references]), np.int32)
    cdef Search search
    search.words, search.moved, search.scratch = &words[0, 0], &words[1, 0], &words[2, 0]
    search.low, search.high, search.at = &places[0, 0], &places[1, 0], &places[2, 0]
    search.beside, search.wrong, search.missed = &places[3, 0], &marks[0, 0], &marks[1, 0]
    search.table = &table[0]
    with nogil:
        for i in range(pairs):
            search.n = offsets[candidates[i] + 1] - offsets[candidates[i]]
            search.m = offsets[references[i] + 1] - offsets[references[i]]
            if not search.n or not search.m:
                found[i] = search.n + search.m
                continue
            search.target = &ids[offsets[references[i]]]
            memcpy(search.words, &ids[offsets[candidates[i]]], search.n * sizeof(int32_t))
            found[i] = edits(&search)
    return np.asarray(found)


def most_cells(n, m):
    """Return what the largest table holds: 2 BEAM columns of each row, and two whole rows."""
    return int((n * 2 * BEAM + 5 * (n + m + 1)).max(initial=1))


cdef int64_t edits(Search* s) noexcept nogil:
    """Shift as long as that lowers the edit distance, the best shift first."""
    cdef int64_t shifts = 0
    cdef int32_t distance
    set_beam(s)
    s.tried = 0
    while True:
        fill_table(s)
        distance = s.table[s.at[s.n] + s.m]
        align(s)
        find_best(s, distance)
        if s.best.gain <= 0 or s.tried >= MOST_CANDIDATES:
            return shifts + distance
        shifts += 1
        move(s, s.best.start, s.best.length, s.best.to)
        s.words, s.moved = s.moved, s.words


cdef void set_beam(Search* s) noexcept nogil:
    """Say which columns of each row lie in the beam; the first and the last row end at m."""
    cdef double ratio = <double> s.m / <double> s.n
    cdef int64_t beam = BEAM if ratio / 2 <= BEAM else <int64_t> ceil(ratio / 2 + BEAM), centre, used
    cdef Py_ssize_t i
    s.low[0], s.high[0], s.at[0] = 0, s.m + 1, 0
    used = s.m + 1
    for i in range(1, s.n + 1):
        centre = <int64_t> floor(i * ratio)
        s.low[i] = max(0, centre - beam)
        s.high[i] = s.m + 1 if i == s.n else min(s.m + 1, centre + beam)
        s.at[i] = used - s.low[i]
        used += s.high[i] - s.low[i]


cdef void fill_table(Search* s) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(s.m + 1):
        s.table[i] = <int32_t> i
    for i in range(1, s.n + 1):
        fill_row(s, i, s.words[i - 1], s.table + s.at[i - 1], s.table + s.at[i])


cdef inline void fill_row(
    const Search* s, Py_ssize_t i, int32_t word, const int32_t* above, int32_t* row
) noexcept nogil:
    """Write row i of the table inside its beam, from the row above inside that one's."""
    cdef int64_t j, low = s.low[i - 1], high = s.high[i - 1]
    cdef int32_t left = INFINITE, cost
    for j in range(s.low[i], s.high[i]):
        cost = above[j] + 1 if low <= j < high else INFINITE
        if j:
            if low < j <= high:
                cost = min(cost, above[j - 1] + (word != s.target[j - 1]))
            cost = min(cost, left + 1)
        left = min(cost, <int32_t> INFINITE)
        row[j] = left


cdef inline int32_t cell(const Search* s, Py_ssize_t i, Py_ssize_t j) noexcept nogil:
    return s.table[s.at[i] + j] if s.low[i] <= j < s.high[i] else INFINITE


cdef void align(Search* s) noexcept nogil:
    """Walk the edits back from the end; of equal ones substitution, then deletion, is taken."""
    cdef Py_ssize_t i = s.n, j = s.m
    cdef bint differs
    cdef int32_t cost
    while i or j:
        cost = cell(s, i, j)
        differs = i == 0 or j == 0 or s.words[i - 1] != s.target[j - 1]
        if i and j and cost == cell(s, i - 1, j - 1) + differs:
            i -= 1
            j -= 1
            s.wrong[i] = s.missed[j] = differs
            s.beside[j] = i
        elif i and cost == cell(s, i - 1, j) + 1:
            i -= 1
            s.wrong[i] = True
        else:
            j -= 1
            s.beside[j], s.missed[j] = i - 1, True


cdef void find_best(Search* s, int32_t distance) noexcept nogil:
    """Try the shifts of blocks that both sides have, and keep the best."""
    cdef Py_ssize_t start, at, length, longest
    s.best = Shift(-INFINITE, 0, 0, 0)
    for start in range(s.n):
        for at in range(max(0, start - FURTHEST_SHIFT), min(s.m, start + FURTHEST_SHIFT + 1)):
            longest = min(LONGEST_SHIFT, min(s.n - start, s.m - at))
            for length in range(1, longest + 1):
                if s.words[start + length - 1] != s.target[at + length - 1]:
                    break
                if not any_of(s.wrong + start, length) or not any_of(s.missed + at, length):
                    continue
                if start <= s.beside[at] < start + length:
                    continue
                try_targets(s, distance, start, at, length)
                if s.tried >= MOST_CANDIDATES:
                    return


cdef inline bint any_of(const uint8_t* marks, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if marks[i]:
            return True
    return False


cdef void try_targets(
    Search* s, int32_t distance, Py_ssize_t start, Py_ssize_t at, Py_ssize_t length
) noexcept nogil:
    """Try a block before the reference's block, and behind each of its words."""
    cdef Py_ssize_t position, to, last = -1
    cdef Shift shift
    for position in range(at - 1, at + length):
        to = 0 if position < 0 else s.beside[position] + 1
        if to != last:
            s.tried += 1
            move(s, start, length, to)
            shift = Shift(distance - distance_of_moved(s, min(start, to)), length, start, to)
            if better(&shift, &s.best):
                s.best = shift
        last = to


cdef bint better(const Shift* a, const Shift* b) noexcept nogil:
    """Largest gain, longest block, earliest origin, earliest target."""
    if a.gain != b.gain:
        return a.gain > b.gain
    if a.length != b.length:
        return a.length > b.length
    return a.start < b.start if a.start != b.start else a.to < b.to


cdef void move(Search* s, Py_ssize_t start, Py_ssize_t length, Py_ssize_t to) noexcept nogil:
    """Write the words with a block moved."""
    cdef Py_ssize_t end = start + length, before, i, k = 0
    # Words of the rest that come before the block.
    if to < start:
        before = to
    elif to > end:
        before = to - length
    else:
        before = min(to, s.n - length)
    for i in range(s.n - length):
        if i == before:
            k += length
        s.moved[k] = s.words[i if i < start else i + length]
        k += 1
    memcpy(s.moved + before, s.words + start, length * sizeof(int32_t))


cdef int32_t distance_of_moved(Search* s, Py_ssize_t same) noexcept nogil:
    """Return the edit distance of the moved words, of which the first ones stayed."""
    cdef Py_ssize_t i
    cdef const int32_t* above = s.table + s.at[same]
    cdef int32_t* row = s.scratch
    cdef int32_t* other = s.scratch + s.m + 1
    for i in range(same + 1, s.n + 1):
        fill_row(s, i, s.moved[i - 1], above, row)
        above = row
        row, other = other, row
    return above[s.m]
