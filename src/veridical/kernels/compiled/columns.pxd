"""One line of words along the columns of a table of common subsequences, 64 of them in a number.

A row ascends by 0 or 1 from column to column; a bit that is gone stands for an ascent.  The next row
is one addition (Hyyro 2004), and blocks that it leaves alone are not touched: a word costs as much
as it has occurrences, or as there are blocks if that is less.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

cdef enum:
    BITS = 64

cdef struct Columns:
    const int32_t* words
    Py_ssize_t n, blocks
    uint64_t* mask  # by word, while one block is enough
    int64_t* first  # by word, the first of its columns plus 1
    int64_t* times  # by word
    int64_t* dense  # by word, the number of its own masks plus 1, where it has them
    int64_t* next  # by column, the next with the same word plus 1
    uint64_t* masks  # one a block for each word that has them


cdef inline void open_columns(Columns* c, const int32_t* words, Py_ssize_t n) noexcept nogil:
    """Note where each word stands; the arrays by word are zero before."""
    cdef Py_ssize_t i
    c.words, c.n, c.blocks = words, n, (n + BITS - 1) // BITS
    if c.blocks <= 1:
        for i in range(n):
            c.mask[words[i]] |= <uint64_t> 1 << i
        return
    for i in range(n - 1, -1, -1):
        c.next[i] = c.first[words[i]]
        c.first[words[i]] = i + 1
        c.times[words[i]] += 1
    write_masks(c)


cdef inline void write_masks(Columns* c) noexcept nogil:
    """Give masks of its own to a word in at least as many columns as there are blocks: at most 64."""
    cdef Py_ssize_t i, found = 0
    cdef uint64_t* mask
    for i in range(c.n):
        if c.times[c.words[i]] < c.blocks:
            continue
        if not c.dense[c.words[i]]:
            memset(c.masks + found * c.blocks, 0, c.blocks * sizeof(uint64_t))
            found += 1
            c.dense[c.words[i]] = found
        mask = c.masks + (c.dense[c.words[i]] - 1) * c.blocks
        mask[i // BITS] |= <uint64_t> 1 << (i % BITS)


cdef inline void close_columns(Columns* c) noexcept nogil:
    cdef Py_ssize_t i, word
    for i in range(c.n):
        word = c.words[i]
        if c.blocks <= 1:
            c.mask[word] = 0
        else:
            c.first[word], c.times[word], c.dense[word] = 0, 0, 0


cdef inline void advance(const Columns* c, uint64_t* row, int32_t word) noexcept nogil:
    """Turn a row of the table into the next, which is that of this word."""
    cdef Py_ssize_t k
    cdef uint64_t carry = 0
    cdef uint64_t* mask
    if c.blocks <= 1:
        carry = add(row, c.mask[word], carry)
    elif c.dense[word]:
        mask = c.masks + (c.dense[word] - 1) * c.blocks
        for k in range(c.blocks):
            carry = add(row + k, mask[k], carry)
    else:
        advance_where(c, row, c.first[word])


cdef inline void advance_where(const Columns* c, uint64_t* row, int64_t column) noexcept nogil:
    """The same, from one column of the word to the next, and as far as a carry goes."""
    cdef Py_ssize_t k = 0
    cdef uint64_t carry = 0, mask
    while column or carry:
        if not carry:
            k = (column - 1) // BITS
        if k == c.blocks:
            return
        mask = 0
        while column and (column - 1) // BITS == k:
            mask |= <uint64_t> 1 << ((column - 1) % BITS)
            column = c.next[column - 1]
        carry = add(row + k, mask, carry)
        k += 1


cdef inline uint64_t add(uint64_t* row, uint64_t mask, uint64_t carry) noexcept nogil:
    """Advance one block of a row, and return what it carries to the next."""
    cdef uint64_t hit = row[0] & mask, first = row[0] + hit, both = first + carry
    row[0] = both | (row[0] - hit)
    return first < hit or both < carry


cdef inline Py_ssize_t ascents(const uint64_t* row, Py_ssize_t columns) noexcept nogil:
    """Return the length of the common subsequence up to a column."""
    cdef Py_ssize_t k, found = 0, left = columns % BITS
    for k in range(columns // BITS):
        found += ones(~row[k])
    return found + (ones(~row[columns // BITS] & ((<uint64_t> 1 << left) - 1)) if left else 0)


cdef inline Py_ssize_t ones(uint64_t bits) noexcept nogil:
    bits = bits - ((bits >> 1) & <uint64_t> 0x5555555555555555)
    bits = (bits & <uint64_t> 0x3333333333333333) + ((bits >> 2) & <uint64_t> 0x3333333333333333)
    bits = (bits + (bits >> 4)) & <uint64_t> 0x0F0F0F0F0F0F0F0F
    return <Py_ssize_t> ((bits * <uint64_t> 0x0101010101010101) >> 56)
