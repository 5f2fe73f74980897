"""Which entries of a long dictionary may be in a short one, told by a few bits of their hashes."""

from cpython.object cimport PyObject
from libc.stdint cimport uint64_t
from libc.string cimport memset

cdef extern from "Python.h":
    ctypedef struct PyASCIIObject:
        Py_hash_t hash
    long long PyLong_AsLongLongAndOverflow(object, int *) except? -1

cdef enum:
    WORDS = 32  # of 64 bits: 20 ids set one bit in a hundred


cdef struct sieve_t:
    uint64_t bits[WORDS]


cdef inline void clear(sieve_t *sieve) noexcept:
    memset(sieve.bits, 0, sizeof(sieve.bits))


cdef inline Py_hash_t mark_of(PyObject *one, type kind) except? -1:
    """Return a number that equal ids share; -1 where it is not known."""
    cdef int overflow = 0
    if kind is str:
        return (<PyASCIIObject *> one).hash  # every text that was put into a dict has its hash
    return PyLong_AsLongLongAndOverflow(<object> one, &overflow)


cdef inline void put(sieve_t *sieve, Py_hash_t mark) noexcept:
    if mark == -1:
        memset(sieve.bits, 255, sizeof(sieve.bits))  # nothing can be told from the others
    sieve.bits[(mark >> 6) & (WORDS - 1)] |= <uint64_t> 1 << (mark & 63)


cdef inline bint may_hold(const sieve_t *sieve, Py_hash_t mark) noexcept:
    return mark == -1 or sieve.bits[(mark >> 6) & (WORDS - 1)] >> (mark & 63) & 1
