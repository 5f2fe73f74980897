# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Labels as small numbers, and how often two of them meet."""

from cpython.dict cimport PyDict_GetItemWithError, PyDict_SetItem
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.long cimport PyLong_AsLong, PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_CheckExact
from libc.math cimport isnan
from libc.stdint cimport (
    int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
)
from libc.string cimport memset

import numpy as np

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(PyObject *number, int *overflow) except? -1

ctypedef fused code_t:
    int8_t
    int32_t

ctypedef fused cell_t:
    int16_t
    int32_t

ctypedef fused number_t:
    int8_t
    int16_t
    int32_t
    int64_t
    uint8_t
    uint16_t
    uint32_t
    uint64_t

cdef enum:
    KNOWN = 64  # objects that are remembered by their address: labels repeat
    SAMPLE = 512  # rows that have most labels there are
    BLOCK = 2048  # rows whose cells stay in the first-level cache
    LANES = 8  # tables that neighbouring rows are counted in: one alone waits for itself
    SMALL = 4096  # cells of a table, above which one is enough


def text_codes(list values):
    """Return (codes, distinct texts), or None where a value is neither text nor missing."""
    cdef Py_ssize_t n = PyList_GET_SIZE(values), i
    codes_array = np.empty(n, np.int32)
    cdef int32_t[::1] codes = codes_array
    cdef dict places = {}
    cdef PyObject *value
    cdef PyObject *known[KNOWN]
    cdef int32_t theirs[KNOWN]
    cdef size_t place
    memset(known, 0, sizeof(known))
    cdef PyObject *found
    cdef int32_t code = -1
    for i in range(n):
        value = <PyObject *> PyList_GET_ITEM(values, i)
        place = (<size_t> value >> 5) % KNOWN
        if known[place] is not value:
            if PyUnicode_CheckExact(<object> value):
                found = PyDict_GetItemWithError(places, <object> value)
                if found is NULL:
                    code = <int32_t> len(places)
                    PyDict_SetItem(places, <object> value, code)
                else:
                    code = <int32_t> PyLong_AsLong(<object> found)
            elif missing(<object> value):
                code = -1
            else:
                return None
            known[place], theirs[place] = value, code
        codes[i] = theirs[place]
    return codes_array, list(places)


cdef inline bint missing(object value):
    return value is None or (PyFloat_CheckExact(value) and isnan(PyFloat_AS_DOUBLE(value)))


def whole_numbers(list values):
    """Return an int64 array, or None where a value is no int of that range."""
    cdef Py_ssize_t n = PyList_GET_SIZE(values), i
    numbers_array = np.empty(n, np.int64)
    cdef int64_t[::1] numbers = numbers_array
    cdef PyObject *value
    cdef PyObject *known[KNOWN]
    cdef int64_t theirs[KNOWN]
    cdef size_t place
    cdef int overflow = 0
    memset(known, 0, sizeof(known))
    for i in range(n):
        value = <PyObject *> PyList_GET_ITEM(values, i)
        place = (<size_t> value >> 5) % KNOWN
        if known[place] is not value:
            if not PyLong_CheckExact(<object> value):
                return None
            theirs[place] = PyLong_AsLongLongAndOverflow(value, &overflow)
            if overflow:
                return None
            known[place] = value
        numbers[i] = theirs[place]
    return numbers_array


def number_codes(const number_t[::1] values, Py_ssize_t widest):
    """Return (codes, distinct values ascending), or None where more than ``widest`` lie between."""
    cdef Py_ssize_t n = values.shape[0], known = min(n, <Py_ssize_t> SAMPLE), many, at
    cdef number_t low, high
    cdef uint64_t reach
    cdef int32_t[::1] places = np.empty(widest, np.int32)
    if n == 0:
        return np.empty(0, np.int8), []
    # The first rows usually have every value there is; where they have not, all rows are asked.
    while True:
        ends(&values[0], known, &low, &high)
        reach = <uint64_t> high - <uint64_t> low
        if reach >= <uint64_t> widest:
            return None
        many = placed(&values[0], known, low, <Py_ssize_t> reach + 1, &places[0])
        codes = np.empty(n, np.int8 if many <= 128 else np.int32)
        if many <= 128:
            done = coded[number_t, int8_t](values, low, reach, &places[0], many, codes)
        else:
            done = coded[number_t, int32_t](values, low, reach, &places[0], many, codes)
        if done:
            return codes, [low + <object> at for at in range(<Py_ssize_t> reach + 1) if places[at] >= 0]
        known = n


cdef void ends(const number_t *values, Py_ssize_t n, number_t *low, number_t *high) noexcept nogil:
    """Find the least and the greatest of at least one value."""
    cdef number_t least = values[0], greatest = values[0]
    cdef Py_ssize_t i
    for i in range(1, n):
        least = min(least, values[i])
        greatest = max(greatest, values[i])
    low[0], high[0] = least, greatest


cdef Py_ssize_t placed(
    const number_t *values, Py_ssize_t n, number_t low, Py_ssize_t span, int32_t *places
) noexcept nogil:
    """Give each value that occurs its place among those, any other -1; return how many occur."""
    cdef Py_ssize_t i, many = 0
    memset(places, 0xFF, span * sizeof(int32_t))
    for i in range(n):
        places[<uint64_t> values[i] - <uint64_t> low] = 0
    for i in range(span):
        if places[i] == 0:
            places[i] = <int32_t> many
            many += 1
    return many


cdef bint coded(
    const number_t[::1] values, number_t low, uint64_t reach, const int32_t *places,
    Py_ssize_t many, code_t[::1] codes,
) noexcept:
    """Write the place of each value; False where one has none."""
    cdef Py_ssize_t i
    cdef uint64_t at, beyond = 0
    if <uint64_t> many > reach:  # no gap between them: the place is the distance from the lowest
        for i in range(values.shape[0]):
            at = <uint64_t> values[i] - <uint64_t> low
            codes[i] = <code_t> at
            beyond |= at | (reach - at)  # the highest bit is set where at > reach
        return beyond >> 63 == 0
    for i in range(values.shape[0]):
        at = <uint64_t> values[i] - <uint64_t> low
        if at > reach or places[at] < 0:
            return False
        codes[i] = <code_t> places[at]
    return True


def pair_counts(const code_t[::1] first, const code_t[::1] second, Py_ssize_t size):
    """Return int64, shape (size, size): rows by both codes; None where a code is not below size.

    A row with a code below 0 is out.
    """
    cdef Py_ssize_t cells = size * size, n = first.shape[0], start = 0, lane, at
    counts_array = np.zeros((size, size), np.int64)
    cdef int64_t[:, ::1] counts = counts_array
    # One cell more a table takes the rows that are out.
    cdef Py_ssize_t lanes = LANES if cells <= SMALL else 1, rows
    cdef int64_t[:, ::1] tables = np.zeros((lanes, cells + 1), np.int64)
    cdef bint below = True
    with nogil:
        while below and start < n:
            rows = min(<Py_ssize_t> BLOCK, n - start)
            if cells < 1 << 15:  # the number of a cell fits into two bytes
                below = count_block[code_t, int16_t](
                    &first[start], &second[start], rows, <int16_t> size, &tables[0, 0], lanes
                )
            else:
                below = count_block[code_t, int32_t](
                    &first[start], &second[start], rows, <int32_t> size, &tables[0, 0], lanes
                )
            start += BLOCK
        if cells:
            for lane in range(lanes):
                for at in range(cells):
                    (&counts[0, 0])[at] += tables[lane, at]
    return counts_array if below else None


cdef bint count_block(
    const code_t *first, const code_t *second, Py_ssize_t n, cell_t size,
    int64_t *counts, Py_ssize_t lanes,
) noexcept nogil:
    cdef cell_t cells[BLOCK]
    cdef cell_t out = size * size
    cdef int64_t *table[LANES]
    cdef code_t highest = -1
    cdef Py_ssize_t i, lane
    for i in range(n):
        highest = max(highest, max(first[i], second[i]))
        cells[i] = out if (first[i] | second[i]) < 0 else <cell_t> (first[i] * size + second[i])
    if highest >= size:
        return False
    for i in range(LANES):
        table[i] = counts + (i % lanes) * (out + 1)
    i = 0
    while i + LANES <= n:
        for lane in range(LANES):
            table[lane][cells[i + lane]] += 1
        i += LANES
    while i < n:
        table[0][cells[i]] += 1
        i += 1
    return True
