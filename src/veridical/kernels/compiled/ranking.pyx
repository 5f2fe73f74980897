# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Ranks of the judged documents of each query, from dictionaries, by counting."""

from cpython.dict cimport PyDict_GetItem, PyDict_Next, PyDict_Size
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_AsDouble, PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_Compare
from libc.math cimport isfinite, isnan
from libc.stdint cimport int64_t
from libc.stdlib cimport qsort

import numpy as np

cdef enum:
    MOST_COMPARED = 1 << 24  # scores times judged documents of a query, above which sorting wins


def rank_dicts(dict run, dict qrels, type kind):
    """Return (retrieved, listed, counts, rank, grades, ideal counts, ideal, own, ties) or None."""
    cdef Py_ssize_t n_queries = len(qrels), n_judged = 0, longest = 0, at = 0, q = 0
    cdef PyObject *query
    cdef PyObject *entries
    while PyDict_Next(qrels, &at, &query, &entries):
        if type(<object> entries) is not dict:
            return None
        n_judged += PyDict_Size(<object> entries)
        found = run.get(<object> query)
        if found is not None:
            if type(found) is not dict:
                return None
            longest = max(longest, <Py_ssize_t> len(found))
    retrieved_array, listed_array = np.zeros(n_queries, np.int64), np.zeros(n_queries, np.int64)
    counts_array, ideals_array = np.zeros(n_queries, np.int64), np.zeros(n_queries, np.int64)
    rank_array, grades_array = np.empty(n_judged + 1, np.int64), np.empty(n_judged + 1)
    ideal_array, scores_array = np.empty(n_judged + 1), np.empty(longest + 1)
    cdef int64_t[::1] retrieved = retrieved_array, listed = listed_array
    cdef int64_t[::1] counts = counts_array, ideals = ideals_array, rank = rank_array
    cdef double[::1] grades = grades_array, ideal = ideal_array, scores = scores_array
    cdef Py_ssize_t n_found = 0, first_found, first_ideal, n_ideal = 0, n, inner
    cdef int64_t ties = 0
    cdef double grade, score
    cdef PyObject *document
    cdef PyObject *value
    cdef PyObject *hit
    own = []
    at = 0
    while PyDict_Next(qrels, &at, &query, &entries):
        judged = <dict> entries
        results = run.get(<object> query)
        n, first_found, first_ideal = 0, n_found, n_ideal
        if results is not None:
            inner = 0
            while PyDict_Next(results, &inner, &document, &value):
                if type(<object> document) is not kind or not number(value, &score):
                    return None
                scores[n] = score
                n += 1
            listed[q] = 1
            retrieved[q] = n
            if PyDict_GetItem(results, <object> query) is not NULL:
                own.append(<object> query)
        if n * PyDict_Size(judged) > MOST_COMPARED:
            return None
        tied = set()
        inner = 0
        while PyDict_Next(judged, &inner, &document, &value):
            if type(<object> document) is not kind or not number(value, &grade):
                return None
            if not isfinite(grade):
                return None
            ideal[n_ideal] = grade
            n_ideal += 1
            hit = PyDict_GetItem(results, <object> document) if n else NULL
            if hit is NULL:
                continue
            number(hit, &score)
            place = place_of(results, document, score, &scores[0], n)
            insert(&rank[first_found], &grades[first_found], n_found - first_found,
                   place[0], grade)
            n_found += 1
            if place[1] and grade >= 1:
                tied.add(score)
        ties += len(tied)
        counts[q] = n_found - first_found
        ideals[q] = n_ideal - first_ideal
        qsort(&ideal[first_ideal], n_ideal - first_ideal, sizeof(double), descending)
        q += 1
    return (
        retrieved_array, listed_array, counts_array, rank_array[:n_found],
        grades_array[:n_found], ideals_array, ideal_array[:n_ideal], own, ties,
    )


cdef inline bint number(PyObject *value, double *result) noexcept:
    """Read a float or an int that is no NaN; anything else is left to the careful reader."""
    if PyFloat_CheckExact(<object> value):
        result[0] = PyFloat_AS_DOUBLE(<object> value)
        return not isnan(result[0])
    if PyLong_CheckExact(<object> value):
        try:
            result[0] = PyLong_AsDouble(<object> value)
        except OverflowError:
            return False
        return True
    return False


cdef (int64_t, bint) place_of(
    dict results, PyObject *document, double score, const double *scores, Py_ssize_t n
):
    """Return the rank of a document, and whether another one has its score."""
    cdef int64_t rank = 1, equal = 0
    cdef Py_ssize_t i, inner = 0
    cdef PyObject *other
    cdef PyObject *value
    cdef double theirs = 0.0
    for i in range(n):
        rank += scores[i] > score
        equal += scores[i] == score
    if equal > 1:
        while PyDict_Next(results, &inner, &other, &value):
            number(value, &theirs)
            if theirs == score and other is not document:
                rank += PyUnicode_Compare(str(<object> other), str(<object> document)) > 0
    return rank, equal > 1


cdef inline void insert(
    int64_t *rank, double *grades, Py_ssize_t n, int64_t new_rank, double grade
) noexcept nogil:
    """Keep the documents of a query in rank order."""
    cdef Py_ssize_t i = n
    while i > 0 and rank[i - 1] > new_rank:
        rank[i], grades[i] = rank[i - 1], grades[i - 1]
        i -= 1
    rank[i], grades[i] = new_rank, grade


cdef int descending(const void *a, const void *b) noexcept nogil:
    cdef double x = (<const double *> a)[0], y = (<const double *> b)[0]
    return (x < y) - (x > y)
