# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Ranks of the judged documents of each query, from dictionaries, by counting."""

from cpython.dict cimport PyDict_GetItemWithError, PyDict_Next, PyDict_Size
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_Compare
from libc.stdint cimport int64_t, uint32_t, uint64_t

import numpy as np

from veridical.kernels.compiled.counting cimport (
    LINE, MOST_COMPARED, count_scores, prefetch, sort_descending,
)
from veridical.kernels.compiled.ids cimport order_of_keys, sort_spans, span_t
from veridical.kernels.compiled.numbers cimport are_ids, is_grade, number
from veridical.kernels.compiled.texts cimport DIGITS, append, read_id


def rank_dicts(dict run, dict qrels, type kind, type query_kind):
    """Return the fields of ``Ranks`` and those of ``Judgements``, or None."""
    cdef Py_ssize_t n_queries = PyDict_Size(qrels), at = 0, q = 0
    cdef PyObject *query
    cdef PyObject *entries
    cdef PyObject *results
    # Of each query its id, its judgements and its results, in the order of the dictionary.
    cdef uint64_t[:, ::1] found = np.empty((n_queries + 1, 3), np.uint64)
    cdef Py_ssize_t judged = 0, most = n_queries, longest = 0
    while PyDict_Next(qrels, &at, &query, &entries):
        results = PyDict_GetItemWithError(run, <object> query)
        if type(<object> entries) is not dict:
            return None
        if results is not NULL:
            if type(<object> results) is not dict:
                return None
            longest = max(longest, PyDict_Size(<object> results))
        judged += PyDict_Size(<object> entries)
        most = max(most, PyDict_Size(<object> entries))
        found[q, 0], found[q, 1] = <uint64_t> query, <uint64_t> entries
        found[q, 2] = <uint64_t> results
        q += 1
    cdef Ranks ranks = Ranks(kind, n_queries, judged, most, longest)
    if not ranks.sort_queries(found, query_kind):
        return None
    for q in range(n_queries):
        at = ranks.order[q]
        if not ranks.add(
            <PyObject *> found[at, 0], <dict> <PyObject *> found[at, 1], <PyObject *> found[at, 2]
        ):
            return None
    return ranks.fields()


cdef class Ranks:
    """What is found out, query by query, in the order of their ids."""

    cdef type kind
    cdef list queries, own
    cdef set tied
    cdef bytearray query_texts, texts
    cdef int64_t[:, ::1] counted
    cdef int64_t[::1] rank, order, keys, places
    cdef uint32_t[::1] query_lengths, lengths
    cdef double[:, ::1] numbers
    cdef double[::1] scores, grades, hits
    cdef uint64_t[::1] values, documents
    cdef unsigned char[::1] spare, digits
    cdef span_t *spans
    cdef Py_ssize_t n_queries, n_found, n_judged
    cdef int64_t ties

    def __cinit__(
        self, type kind, Py_ssize_t queries, Py_ssize_t judged, Py_ssize_t most, Py_ssize_t longest
    ):
        self.kind, self.queries, self.own, self.tied = kind, [], [], set()
        self.query_texts, self.texts = bytearray(), bytearray()
        self.counted = np.zeros((4, queries + 1), np.int64)
        self.order, self.rank = np.empty(queries + 1, np.int64), np.empty(judged + 1, np.int64)
        self.query_lengths = np.empty(queries + 1, np.uint32)
        self.lengths, self.numbers = np.empty(judged + 1, np.uint32), np.empty((3, judged + 1))
        self.scores, self.values = np.empty(longest + 1), np.empty(longest + 1, np.uint64)
        self.grades, self.documents = np.empty(most + 1), np.empty(most + 1, np.uint64)
        self.keys, self.places = np.empty(most + 1, np.int64), np.empty(most + 1, np.int64)
        self.hits = np.empty(most + 1)
        self.spare = np.empty((most + 1) * sizeof(span_t), np.uint8)
        self.digits = np.empty((most + 1) * DIGITS, np.uint8)
        self.spans = <span_t *> &self.spare[0]
        self.n_queries = self.n_found = self.n_judged = self.ties = 0

    cdef bint sort_queries(self, uint64_t[:, ::1] found, type kind) except -1:
        cdef Py_ssize_t n = found.shape[0] - 1, q
        for q in range(n):
            if not self.read(q, <PyObject *> found[q, 0], kind):
                return False
        sort_spans(self.spans, n)
        append(self.query_texts, self.spans, &self.query_lengths[0], n)
        for q in range(n):
            self.order[q] = self.spans[q].place
        return True

    cdef inline bint read(self, Py_ssize_t place, PyObject *one, type kind) except -1:
        self.spans[place].place = place
        return read_id(
            <object> one, kind, <char *> &self.digits[place * DIGITS], &self.spans[place]
        )

    cdef bint add(self, PyObject *query, dict judged, PyObject *results) except -1:
        """Rank one query; False where the careful reader must."""
        cdef Py_ssize_t n = 0, first = self.n_judged, first_found = self.n_found, i
        cdef Py_ssize_t size = self.read_grades(judged)
        if size < 0:
            return False
        if results is not NULL:
            n = self.read_scores(<dict> results)
            if n < 0 or n * size > MOST_COMPARED:
                return False
            self.rank_found(<dict> results, n, size)
            self.counted[0, self.n_queries] = n
            self.counted[1, self.n_queries] = 1
            if PyDict_GetItemWithError(<dict> results, <object> query) is not NULL:
                self.own.append(<object> query)
        for i in range(size):
            if not self.read(i, <PyObject *> self.documents[i], self.kind):
                return False
        sort_spans(self.spans, size)
        append(self.texts, self.spans, &self.lengths[first], size)
        for i in range(size):
            self.numbers[2, first + i] = self.grades[self.spans[i].place]
        sort_descending(&self.numbers[1, first], size)
        self.n_judged += size
        self.queries.append(<object> query)
        self.counted[2, self.n_queries] = self.n_found - first_found
        self.counted[3, self.n_queries] = size
        self.n_queries += 1
        if self.tied:
            self.ties += len(self.tied)
            self.tied.clear()
        return True

    cdef Py_ssize_t read_scores(self, dict results) except -2:
        """Read the scores of one query; -1 where the careful reader must."""
        cdef Py_ssize_t n = 0, inner = 0, i
        cdef PyObject *document
        cdef PyObject *value
        if not are_ids(results, self.kind):
            return -1
        # Scores may lie anywhere in memory: all are asked for before the first is looked at.
        while PyDict_Next(results, &inner, &document, &value):
            prefetch(value)
            self.values[n] = <uint64_t> value
            n += 1
        for i in range(n):
            if not number(<PyObject *> self.values[i], &self.scores[i]):
                return -1
        return n

    cdef Py_ssize_t read_grades(self, dict judged) except -2:
        """Read the judgements of one query; -1 where the careful reader must."""
        cdef Py_ssize_t size = 0, inner = 0
        cdef double grade
        cdef PyObject *document
        cdef PyObject *value
        if not are_ids(judged, self.kind):
            return -1
        while PyDict_Next(judged, &inner, &document, &value):
            prefetch(<const char *> document + LINE)
            if not number(value, &grade) or not is_grade(grade):
                return -1
            self.documents[size] = <uint64_t> document
            self.grades[size] = self.numbers[1, self.n_judged + size] = grade + 0.0
            size += 1
        return size

    cdef int rank_found(self, dict results, Py_ssize_t n, Py_ssize_t size) except -1:
        """Rank those judged documents that were retrieved."""
        cdef Py_ssize_t found = 0, first = self.n_found, i
        cdef int64_t above, equal
        cdef double score
        cdef PyObject *hit
        for i in range(size):
            hit = PyDict_GetItemWithError(results, <object> <PyObject *> self.documents[i])
            if hit is NULL:
                continue
            number(hit, &score)
            count_scores(&self.scores[0], n, score, &above, &equal)
            if equal > 1:
                above += later_ids(results, <PyObject *> self.documents[i], score)
                if self.grades[i] >= 1:
                    self.tied.add(score)
            self.keys[found], self.hits[found] = above + 1, self.grades[i]
            found += 1
        order_of_keys(&self.keys[0], found, &self.places[0])
        for i in range(found):
            self.rank[first + i] = self.keys[self.places[i]]
            self.numbers[0, first + i] = self.hits[self.places[i]]
        self.n_found += found
        return 0

    cdef tuple fields(self):
        whole = np.asarray(self.counted)[:, : self.n_queries]
        numbers, found, judged = np.asarray(self.numbers), self.n_found, self.n_judged
        return (
            (
                whole[0], whole[1], whole[2], np.asarray(self.rank)[:found], numbers[0, :found],
                self.own, self.ties,
            ),
            (
                self.queries, whole[3], numbers[1, :judged],
                np.asarray(self.query_lengths)[: self.n_queries], self.query_texts,
                np.asarray(self.lengths)[:judged], self.texts, numbers[2, :judged],
            ),
        )


cdef int64_t later_ids(dict results, PyObject *document, double score) except -1:
    """Return how many documents of this score have a greater id."""
    cdef int64_t n = 0
    cdef Py_ssize_t inner = 0
    cdef PyObject *other
    cdef PyObject *value
    cdef double theirs = 0.0
    while PyDict_Next(results, &inner, &other, &value):
        number(value, &theirs)
        if theirs == score and other is not document:
            n += PyUnicode_Compare(str(<object> other), str(<object> document)) > 0
    return n
