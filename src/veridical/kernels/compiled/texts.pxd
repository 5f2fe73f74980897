"""Ids of dictionaries as spans, and spans as one long text."""

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_GET_SIZE, PyByteArray_Resize
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from veridical.kernels.compiled.ids cimport span_t

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object, Py_ssize_t *) except NULL
    bint PyUnicode_IS_COMPACT_ASCII(object)
    void *PyUnicode_DATA(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    long long PyLong_AsLongLongAndOverflow(object, int *) except? -1

cdef extern from *:
    """
    static const char veridical_pairs[] =
        "0001020304050607080910111213141516171819" "2021222324252627282930313233343536373839"
        "4041424344454647484950515253545556575859" "6061626364656667686970717273747576777879"
        "8081828384858687888990919293949596979899";

    /* An int of one digit of CPython is read where it lies: nearly all ids are. */
    #if defined(PYPY_VERSION)
    #define veridical_is_small(one) 0
    #define veridical_small(one) 0
    #elif PY_VERSION_HEX >= 0x030c0000
    #define veridical_is_small(one) PyUnstable_Long_IsCompact((PyLongObject *)(one))
    #define veridical_small(one) PyUnstable_Long_CompactValue((PyLongObject *)(one))
    #else
    #define veridical_is_small(one) (Py_SIZE(one) >= -1 && Py_SIZE(one) <= 1)
    #define veridical_small(one) (Py_SIZE(one) * (long long)((PyLongObject *)(one))->ob_digit[0])
    #endif
    """
    bint is_small "veridical_is_small"(object)
    long long small "veridical_small"(object)
    const char *PAIRS "veridical_pairs"  # all pairs of digits

cdef enum:
    DIGITS = 20  # of the longest 64-bit integer, with its sign


cdef inline bint read_id(object one, type kind, char *digits, span_t *result) except -1:
    """Read a text, or a 64-bit integer, whose digits are put where there is room for them."""
    cdef int overflow = 0
    cdef long long whole
    if kind is str:
        if PyUnicode_IS_COMPACT_ASCII(one):
            result.text, result.size = <const char *> PyUnicode_DATA(one), PyUnicode_GET_LENGTH(one)
            return True
        try:
            result.text = PyUnicode_AsUTF8AndSize(one, &result.size)
        except UnicodeEncodeError:
            return False
        return True
    whole = small(one) if is_small(one) else PyLong_AsLongLongAndOverflow(one, &overflow)
    if overflow:
        return False
    result.size = write_digits(whole, digits + DIGITS)
    result.text = digits + DIGITS - result.size
    return True


cdef inline Py_ssize_t write_digits(long long whole, char *end) noexcept nogil:
    """Write before ``end``, two digits at a time, and return how many characters there are."""
    cdef uint64_t left = <uint64_t> whole if whole >= 0 else 0 - <uint64_t> whole
    cdef char *first = end
    while left >= 10:
        first -= 2
        memcpy(first, &PAIRS[2 * (left % 100)], 2)
        left //= 100
    if left or first == end:
        first -= 1
        first[0] = <char> (48 + left)
    if whole < 0:
        first -= 1
        first[0] = b"-"
    return end - first


cdef inline int append(
    bytearray texts, const span_t *spans, uint32_t *lengths, Py_ssize_t n
) except -1:
    """Add the spans to the texts, and write down how long each is."""
    cdef Py_ssize_t i, end = PyByteArray_GET_SIZE(texts), size = 0
    cdef char *target
    for i in range(n):
        size += spans[i].size
        lengths[i] = <uint32_t> spans[i].size
    PyByteArray_Resize(texts, end + size)
    target = PyByteArray_AS_STRING(texts) + end
    for i in range(n):
        memcpy(target, spans[i].text, spans[i].size)
        target += spans[i].size
    return 0
