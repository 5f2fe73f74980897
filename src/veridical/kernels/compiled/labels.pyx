# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Labels as small numbers, and how often two of them meet."""

from cpython.dict cimport PyDict_GetItemWithError, PyDict_SetItem
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.long cimport PyLong_AsLong, PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_CheckExact
from libc.math cimport isnan
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

import numpy as np

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(PyObject *number, int *overflow) except? -1

ctypedef fused code_t:
    int8_t
    int32_t

cdef enum:
    KNOWN = 64  # objects that are remembered by their address: labels repeat
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


def number_codes(const int64_t[::1] values, int64_t widest):
    """Return (codes, distinct values ascending), or None where the range is wider."""
    cdef Py_ssize_t n = values.shape[0], i
    cdef int64_t low = values[0] if n else 0, high = low
    for i in range(n):
        low = min(low, values[i])
        high = max(high, values[i])
    # Unsigned, as the difference of two int64 may not be one.
    if <uint64_t> high - <uint64_t> low >= <uint64_t> widest:
        return None
    seen_array = np.zeros(high - low + 1, np.uint8)
    cdef uint8_t[::1] seen = seen_array
    for i in range(n):
        seen[values[i] - low] = 1
    places = np.cumsum(seen_array, dtype=np.int64) - 1
    codes = np.empty(n, np.int8 if places.max() < 128 else np.int32)
    if codes.itemsize == 1:
        coded[int8_t](values, low, places.astype(np.int8), codes)
    else:
        coded[int32_t](values, low, places.astype(np.int32), codes)
    return codes, np.flatnonzero(seen_array) + low


cdef void coded(const int64_t[::1] values, int64_t low, code_t[::1] places, code_t[::1] codes):
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        codes[i] = places[values[i] - low]


def pair_counts(const code_t[::1] first, const code_t[::1] second, Py_ssize_t size):
    """Return int64, shape (size, size): rows by both codes; a row with a code below 0 is out."""
    cdef Py_ssize_t n = first.shape[0], cells = size * size, i, at
    cdef Py_ssize_t lanes = LANES if cells <= SMALL else 1
    # One cell more a table takes the rows that are out.
    counts_array = np.zeros((lanes, cells + 1), np.int64)
    cdef int64_t[:, ::1] counts = counts_array
    with nogil:
        for i in range(n):
            at = cells if (first[i] | second[i]) < 0 else first[i] * size + second[i]
            counts[i & (lanes - 1), at] += 1
    return counts_array.sum(axis=0)[:cells].reshape(size, size)
