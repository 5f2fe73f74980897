# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Ranks of the judged documents of each query, from dictionaries, by counting."""

from cpython.dict cimport PyDict_GetItemWithError, PyDict_Next, PyDict_Size
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_CheckExact, PyUnicode_Compare
from libc.stdint cimport int64_t, uint32_t, uint64_t

import numpy as np

from veridical.kernels.compiled.counting cimport (
    LINE, MOST_COMPARED, count_scores, prefetch, sort_descending,
)
from veridical.kernels.compiled.entries cimport clear, mark_of, may_hold, put, sieve_t
from veridical.kernels.compiled.ids cimport order_of_keys, sort_spans, span_t
from veridical.kernels.compiled.numbers cimport are_ids, is_grade, number
from veridical.kernels.compiled.texts cimport DIGITS, append, read_id


cdef struct query_t:
    PyObject *id
    PyObject *judged
    PyObject *results  # NULL where the run lacks the query


def rank_dicts(dict run, dict qrels, type kind, type query_kind):
    """Return the fields of ``Ranks`` and those of ``Judgements``, or None."""
    cdef Py_ssize_t n_queries = PyDict_Size(qrels), at = 0, q = 0, listed = 0
    cdef Py_ssize_t judged = 0, most = n_queries, longest = 0
    cdef unsigned char[::1] memory = np.empty((n_queries + 1) * sizeof(query_t), np.uint8)
    cdef query_t *queries = <query_t *> &memory[0]
    cdef PyObject *query
    cdef PyObject *entries
    if not (are_ids(run, query_kind) and are_ids(qrels, query_kind)):
        return None
    # What lies anywhere in memory is asked for before the first of it is looked at.
    while PyDict_Next(qrels, &at, &query, &entries):
        queries[q] = query_t(query, entries, PyDict_GetItemWithError(run, <object> query))
        prefetch(entries)
        if queries[q].results is not NULL:
            prefetch(queries[q].results)
            listed += 1
        q += 1
    if listed < PyDict_Size(run) and not are_dicts(run):
        return None
    for q in range(n_queries):
        if type(<object> queries[q].judged) is not dict:
            return None
        if queries[q].results is not NULL:
            if type(<object> queries[q].results) is not dict:
                return None
            longest = max(longest, PyDict_Size(<object> queries[q].results))
        judged += PyDict_Size(<object> queries[q].judged)
        most = max(most, PyDict_Size(<object> queries[q].judged))
    cdef Ranks ranks = Ranks(kind, n_queries, judged, most, longest)
    if not ranks.sort_queries(queries, query_kind):
        return None
    for q in range(n_queries):
        if not ranks.add(&queries[ranks.order[q]]):
            return None
    return ranks.fields()


cdef bint are_dicts(dict run) noexcept:
    cdef Py_ssize_t at = 0
    cdef PyObject *key
    cdef PyObject *value
    while PyDict_Next(run, &at, &key, &value):
        if type(<object> value) is not dict:
            return False
    return True


cdef class Ranks:
    """What is found out, query by query, in the order of their ids."""

    cdef type kind
    cdef list queries, own
    cdef set tied
    cdef bytearray query_texts, texts
    cdef sieve_t sieve
    cdef int64_t[:, ::1] counted
    cdef int64_t[::1] rank, order, keys, places
    cdef uint32_t[::1] query_lengths, lengths
    cdef double[:, ::1] numbers
    cdef double[::1] scores, grades, hits
    cdef uint64_t[::1] values, documents, found
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
        self.found = np.empty(longest + 1, np.uint64)
        self.grades, self.documents = np.empty(most + 1), np.empty(most + 1, np.uint64)
        self.keys, self.places = np.empty(most + 1, np.int64), np.empty(most + 1, np.int64)
        self.hits = np.empty(most + 1)
        self.spare = np.empty((most + 1) * sizeof(span_t), np.uint8)
        self.digits = np.empty((most + 1) * DIGITS, np.uint8)
        self.spans = <span_t *> &self.spare[0]
        self.n_queries = self.n_found = self.n_judged = self.ties = 0

    cdef bint sort_queries(self, const query_t *queries, type kind) except -1:
        cdef Py_ssize_t n = self.order.shape[0] - 1, q
        for q in range(n):
            if kind is str and not PyUnicode_CheckExact(<object> queries[q].id):
                return False
            if kind is str and not PyUnicode_CheckExact(<object> queries[q].id):
                return False
            if not self.read(q, queries[q].id, kind):
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

    cdef bint add(self, const query_t *query) except -1:
        """Rank one query; False where the careful reader must."""
        cdef Py_ssize_t n, found, size = self.read_judgements(<dict> query.judged)
        if size < 0:
            return False
        if query.results is not NULL:
            n = self.read_results(<dict> query.results, &found)
            if n < 0 or n * size > MOST_COMPARED:
                return False
            self.rank_found(<dict> query.judged, <dict> query.results, n, found)
            self.counted[0, self.n_queries] = n
            self.counted[1, self.n_queries] = 1
            if PyDict_GetItemWithError(<dict> query.results, <object> query.id) is not NULL:
                self.own.append(<object> query.id)
        if not self.keep_judgements(size):
            return False
        self.queries.append(<object> query.id)
        self.n_queries += 1
        return True

    cdef Py_ssize_t read_judgements(self, dict judged) except -2:
        """Read the judgements of one query; -1 where the careful reader must."""
        cdef Py_ssize_t size = 0, at = 0
        cdef double grade = 0.0
        cdef PyObject *document
        cdef PyObject *value
        if not are_ids(judged, self.kind):
            return -1
        clear(&self.sieve)
        while PyDict_Next(judged, &at, &document, &value):
            prefetch(<const char *> document + LINE)
            if not number(value, &grade) or not is_grade(grade):
                return -1
            self.documents[size] = <uint64_t> document
            self.grades[size] = grade + 0.0
            put(&self.sieve, mark_of(document, self.kind))
            size += 1
        return size

    cdef Py_ssize_t read_results(self, dict results, Py_ssize_t *found) except -2:
        """Read the scores of one query, and ``found`` documents that may be judged ones.

        Looking up the judged ones among the many would wait for memory at each step; the sieve
        tells nearly all others by a bit.  -1 where the careful reader must.
        """
        cdef Py_ssize_t n = 0, at = 0, i
        cdef Py_ssize_t hits = 0
        cdef PyObject *document
        cdef PyObject *value
        cdef uint64_t *values = &self.values[0]
        cdef uint64_t *documents = &self.found[0]
        cdef double *scores = &self.scores[0]
        if self.kind is str and not are_ids(results, str):
            return -1
        # Ids and scores may lie anywhere in memory: all are asked for before the first is read.
        while PyDict_Next(results, &at, &document, &value):
            prefetch(document)
            prefetch(value)
            documents[n], values[n] = <uint64_t> document, <uint64_t> value
            n += 1
        if self.kind is str:
            for i in range(n):
                documents[hits] = documents[i]
                hits += may_hold(&self.sieve, mark_of(<PyObject *> documents[i], str))
        else:
            for i in range(n):
                documents[hits] = documents[i]
                if not PyLong_CheckExact(<object> <PyObject *> documents[i]):
                    return -1
                hits += may_hold(&self.sieve, mark_of(<PyObject *> documents[i], int))
        for i in range(n):
            if not number(<PyObject *> values[i], &scores[i]):
                return -1
        found[0] = hits
        return n

    cdef int rank_found(
        self, dict judged, dict results, Py_ssize_t n, Py_ssize_t candidates
    ) except -1:
        """Rank those judged documents that were retrieved."""
        cdef Py_ssize_t found = 0, first = self.n_found, i
        cdef int64_t above, equal
        cdef double score = 0.0
        cdef PyObject *grade
        cdef PyObject *document
        for i in range(candidates):
            document = <PyObject *> self.found[i]
            grade = PyDict_GetItemWithError(judged, <object> document)
            if grade is NULL:
                continue
            number(PyDict_GetItemWithError(results, <object> document), &score)
            number(grade, &self.hits[found])
            self.hits[found] += 0.0
            count_scores(&self.scores[0], n, score, &above, &equal)
            if equal > 1:
                above += later_ids(results, document, score)
                if self.hits[found] >= 1:
                    self.tied.add(score)
            self.keys[found] = above + 1
            found += 1
        order_of_keys(&self.keys[0], found, &self.places[0])
        for i in range(found):
            self.rank[first + i] = self.keys[self.places[i]]
            self.numbers[0, first + i] = self.hits[self.places[i]]
        self.counted[2, self.n_queries] = found
        self.n_found += found
        if self.tied:
            self.ties += len(self.tied)
            self.tied.clear()
        return 0

    cdef bint keep_judgements(self, Py_ssize_t size) except -1:
        """Write down the judged documents in the order of their ids; False as above."""
        cdef Py_ssize_t first = self.n_judged, i
        for i in range(size):
            if not self.read(i, <PyObject *> self.documents[i], self.kind):
                return False
            self.numbers[1, first + i] = self.grades[i]
        sort_spans(self.spans, size)
        append(self.texts, self.spans, &self.lengths[first], size)
        for i in range(size):
            self.numbers[2, first + i] = self.grades[self.spans[i].place]
        sort_descending(&self.numbers[1, first], size)
        self.counted[3, self.n_queries] = size
        self.n_judged += size
        return True

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
