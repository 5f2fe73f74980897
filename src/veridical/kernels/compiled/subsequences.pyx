# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Longest common subsequences: of two texts, and of the lines of two texts."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from veridical.kernels.compiled.columns cimport (
    BITS, Columns, advance, ascents, close_columns, open_columns,
)


cdef class Memory:
    """Texts, and room for the columns of the longest of them."""

    cdef const int32_t[::1] ids
    cdef const int64_t[::1] offsets
    cdef Py_ssize_t longest, bound
    cdef int64_t[:, ::1] of_word
    cdef uint64_t[::1] mask, masks
    cdef int64_t[::1] next
    cdef Columns columns

    def __cinit__(self, const int32_t[::1] ids, const int64_t[::1] offsets):
        cdef Py_ssize_t bound = np.max(ids, initial=0)
        self.ids = ids if ids.shape[0] else np.zeros(1, np.int32)
        self.offsets, self.bound = offsets, bound
        self.longest = np.diff(offsets).max(initial=0)
        self.of_word = np.zeros((3, bound + 1), np.int64)
        self.mask = np.zeros(bound + 1, np.uint64)
        self.masks = np.empty(self.longest + BITS, np.uint64)
        self.next = np.empty(self.longest + 1, np.int64)
        self.columns.mask, self.columns.masks = &self.mask[0], &self.masks[0]
        self.columns.next, self.columns.first = &self.next[0], &self.of_word[0, 0]
        self.columns.times, self.columns.dense = &self.of_word[1, 0], &self.of_word[2, 0]

    cdef const int32_t* words(self, Py_ssize_t text) noexcept nogil:
        return &self.ids[0] + self.offsets[text]

    cdef Py_ssize_t length(self, Py_ssize_t text) noexcept nogil:
        return self.offsets[text + 1] - self.offsets[text]


def common_lengths(
    const int32_t[::1] ids, const int64_t[::1] offsets,
    const int64_t[::1] first, const int64_t[::1] second,
):
    """Return the length of the longest common subsequence of each pair, int64, shape (pairs,)."""
    cdef Py_ssize_t n = first.shape[0], i
    cdef Memory memory = Memory(ids, offsets)
    cdef uint64_t[::1] row = np.empty(memory.longest // BITS + 1, np.uint64)
    cdef int64_t[::1] lengths = np.zeros(n, np.int64)
    with nogil:
        for i in range(n):
            lengths[i] = common_length(memory, first[i], second[i], &row[0])
    return np.asarray(lengths)


cdef Py_ssize_t common_length(
    Memory memory, Py_ssize_t first, Py_ssize_t second, uint64_t* row
) noexcept nogil:
    cdef Columns* columns = &memory.columns
    cdef const int32_t* words = memory.words(second)
    cdef Py_ssize_t i, length
    open_columns(columns, memory.words(first), memory.length(first))
    memset(row, 0xFF, columns.blocks * sizeof(uint64_t))
    for i in range(memory.length(second)):
        advance(columns, row, words[i])
    length = ascents(row, columns.n)
    close_columns(columns)
    return length


def summary_hits(
    const int32_t[::1] ids, const int64_t[::1] offsets,
    const int64_t[:, ::1] candidates, const int64_t[:, ::1] references,
):
    """Return how many words the lines of each pair share, int64, shape (pairs,)."""
    cdef Py_ssize_t n = candidates.shape[0], i
    cdef Memory memory = Memory(ids, offsets)
    cdef uint64_t[::1] rows = np.empty(most_blocks(memory, candidates, references), np.uint64)
    cdef uint8_t[::1] found = np.zeros(memory.longest + 1, np.uint8)
    cdef int64_t[:, ::1] left = np.zeros((2, memory.bound + 1), np.int64)
    cdef int64_t[::1] hits = np.zeros(n, np.int64)
    with nogil:
        for i in range(n):
            count_words(memory, &left[0, 0], candidates[i, 0], candidates[i, 1], 1)
            count_words(memory, &left[1, 0], references[i, 0], references[i, 1], 1)
            hits[i] = hits_of_lines(
                memory, &candidates[i, 0], &references[i, 0], &rows[0], &found[0], left
            )
            count_words(memory, &left[0, 0], candidates[i, 0], candidates[i, 1], 0)
            count_words(memory, &left[1, 0], references[i, 0], references[i, 1], 0)
    return np.asarray(hits)


cdef Py_ssize_t most_blocks(
    Memory memory, const int64_t[:, ::1] candidates, const int64_t[:, ::1] references
):
    """Return how much the rows of the largest table of two lines hold."""
    cdef Py_ssize_t i, most = 1
    for i in range(candidates.shape[0]):
        rows = longest_line(memory, references[i, 0], references[i, 1]) + 1
        most = max(most, rows * (longest_line(memory, candidates[i, 0], candidates[i, 1]) // BITS + 1))
    return most


cdef Py_ssize_t longest_line(Memory memory, int64_t start, int64_t stop) noexcept nogil:
    cdef Py_ssize_t line, longest = 0
    for line in range(start, stop):
        longest = max(longest, memory.length(line))
    return longest


cdef void count_words(
    Memory memory, int64_t* times, int64_t start, int64_t stop, int64_t each
) noexcept nogil:
    """Count the words of some lines, or with 0 for each forget them again."""
    cdef Py_ssize_t i
    for i in range(memory.offsets[start], memory.offsets[stop]):
        times[memory.ids[i]] = times[memory.ids[i]] + each if each else 0


cdef int64_t hits_of_lines(
    Memory memory, const int64_t* candidate, const int64_t* reference,
    uint64_t* rows, uint8_t* found, int64_t[:, ::1] left,
) noexcept nogil:
    """Count words of each line of the reference in the union of its common subsequences."""
    cdef Py_ssize_t line, other, i
    cdef int64_t hits = 0
    cdef int32_t word
    for line in range(reference[0], reference[1]):
        for other in range(candidate[0], candidate[1]):
            cover(memory, line, other, rows, found)
        for i in range(memory.length(line)):
            word = memory.words(line)[i]
            if found[i] and left[0, word] > 0 and left[1, word] > 0:
                hits += 1
                left[0, word] -= 1
                left[1, word] -= 1
            found[i] = 0
    return hits


cdef void cover(
    Memory memory, Py_ssize_t line, Py_ssize_t other, uint64_t* rows, uint8_t* found
) noexcept nogil:
    """Mark the words of a line that one common subsequence with another takes.

    Walking back from the end, it drops a word of the line wherever nothing is lost by that.
    """
    cdef Columns* columns = &memory.columns
    cdef const int32_t* words = memory.words(line)
    cdef Py_ssize_t i = memory.length(line), j = memory.length(other), here, above, blocks
    open_columns(columns, memory.words(other), j)
    blocks = columns.blocks
    fill_rows(columns, words, i, rows)
    here = ascents(rows + i * blocks, j)
    while here:
        above = ascents(rows + (i - 1) * blocks, j)
        # Along this row, as long as only the other line's words are dropped.
        while words[i - 1] != columns.words[j - 1] and here - ascent(rows + i * blocks, j) > above:
            above -= ascent(rows + (i - 1) * blocks, j)
            j -= 1
        if words[i - 1] == columns.words[j - 1]:
            found[i - 1] = 1
            j -= 1
            above = here - 1
        here = above
        i -= 1
    close_columns(columns)


cdef void fill_rows(
    const Columns* columns, const int32_t* words, Py_ssize_t n, uint64_t* rows
) noexcept nogil:
    cdef Py_ssize_t i, width = columns.blocks * sizeof(uint64_t)
    cdef uint64_t* row = rows
    memset(row, 0xFF, width)
    for i in range(n):
        memcpy(row + columns.blocks, row, width)
        row += columns.blocks
        advance(columns, row, words[i])


cdef inline Py_ssize_t ascent(const uint64_t* row, Py_ssize_t column) noexcept nogil:
    """Return 1 where the row ascends at a column, counted from 1."""
    return not row[(column - 1) // BITS] >> ((column - 1) % BITS) & 1
