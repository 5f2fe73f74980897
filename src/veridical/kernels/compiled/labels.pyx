# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Labels as small numbers, and how often two of them meet."""

from cpython.dict cimport PyDict_GetItemWithError, PyDict_SetItem
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.long cimport PyLong_AsLong, PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_CheckExact
from libc.math cimport isnan
from libc.stdint cimport int8_t, int32_t, int64_t
from libc.string cimport memset

import numpy as np

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(PyObject *number, int *overflow) except? -1

ctypedef fused code_t:
    int8_t
    int32_t

cdef enum:
    KNOWN = 64  # objects that are remembered by their address: labels repeat
    BLOCK = 2048  # rows whose cells stay in the first-level cache
    LANES = 4  # tables that neighbouring rows are counted in: one alone waits for itself
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


def number_codes(const int64_t[::1] values, int64_t low, Py_ssize_t span):
    """Return (codes, distinct values ascending) of values in [low, low + span)."""
    cdef Py_ssize_t n = values.shape[0], i, many = 0, at
    places_array = np.zeros(span, np.int32)
    cdef int32_t[::1] places = places_array
    for i in range(n):
        places[values[i] - low] = 1
    for at in range(span):
        many += places[at]
    distinct_array = np.empty(many, np.int64)
    cdef int64_t[::1] distinct = distinct_array
    many = 0
    for at in range(span):
        if places[at]:
            places[at] = many
            distinct[many] = low + at
            many += 1
    if many <= 128:
        codes = np.empty(n, np.int8)
        coded[int8_t](values, low, places, codes)
    else:
        codes = np.empty(n, np.int32)
        coded[int32_t](values, low, places, codes)
    return codes, distinct_array


cdef void coded(const int64_t[::1] values, int64_t low, const int32_t[::1] places, code_t[::1] codes):
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        codes[i] = <code_t> places[values[i] - low]


def pair_counts(const code_t[::1] first, const code_t[::1] second, Py_ssize_t size):
    """Return int64, shape (size, size): rows by both codes; a row with a code below 0 is out."""
    cdef Py_ssize_t cells = size * size, n = first.shape[0], start = 0
    # One cell more a table takes the rows that are out.
    counts_array = np.zeros((LANES if cells <= SMALL else 1, cells + 1), np.int64)
    cdef int64_t[:, ::1] counts = counts_array
    with nogil:
        while start < n:
            count_block(&first[start], &second[start], min(<Py_ssize_t> BLOCK, n - start),
                        <int32_t> size, &counts[0, 0], counts.shape[0])
            start += BLOCK
    return counts_array.sum(axis=0)[:cells].reshape(size, size)


cdef void count_block(
    const code_t *first, const code_t *second, Py_ssize_t n, int32_t size,
    int64_t *counts, Py_ssize_t lanes,
) noexcept nogil:
    cdef int32_t cells[BLOCK]
    cdef int32_t out = size * size
    cdef int64_t *table[LANES]
    cdef Py_ssize_t i
    for i in range(n):
        cells[i] = out if (first[i] | second[i]) < 0 else first[i] * size + second[i]
    for i in range(LANES):
        table[i] = counts + (i % lanes) * (out + 1)
    i = 0
    while i + LANES <= n:
        table[0][cells[i]] += 1
        table[1][cells[i + 1]] += 1
        table[2][cells[i + 2]] += 1
        table[3][cells[i + 3]] += 1
        i += LANES
    while i < n:
        table[0][cells[i]] += 1
        i += 1
