# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Ranks of the judged documents of each query, from dictionaries, by counting."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.dict cimport PyDict_GetItemWithError, PyDict_Next, PyDict_Size
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_CheckExact, PyUnicode_Compare
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memset

import numpy as np

from veridical.kernels.compiled.counting cimport MOST_COMPARED, count_scores, sort_descending
from veridical.kernels.compiled.entries cimport (
    STEPS, candidate_t, check_tables, entries_t, fetch, id_of, looked_up, value_of
)
from veridical.kernels.compiled.hands cimport (
    ALL_OF_IT, HANDS, STEPS_AHEAD, fetch_some, find_judged, hand_t, list_both, portion_of,
    want_nothing, want_tables, wanted_t,
)
from veridical.kernels.compiled.ids cimport order_of_keys, sort_spans, span_t
from veridical.kernels.compiled.numbers cimport is_grade, number
from veridical.kernels.compiled.pairs cimport are_dicts, pair, query_t, room_for, sizes_t
from veridical.kernels.compiled.texts cimport DIGITS, append, read_id

cdef extern from "Python.h":
    int PyGC_Disable()
    int PyGC_Enable()


def rank_dicts(dict run, dict qrels, type document_kind, type query_kind):
    """Return the fields of ``Ranks`` and those of ``Judgements``, or None."""
    cdef bint collects
    # From here on entries are known by their addresses: nobody else may get a turn, neither a
    # finaliser nor, while one runs, another thread that changes a dictionary.
    collects = PyGC_Disable()
    try:
        return ranked(run, qrels, document_kind, query_kind)
    finally:
        if collects:
            PyGC_Enable()


cdef ranked(dict run, dict qrels, type document_kind, type query_kind):
    cdef Py_ssize_t n = PyDict_Size(qrels)
    cdef unsigned char[::1] memory = np.empty((n + 1) * sizeof(query_t), np.uint8)
    cdef unsigned char[::1] room = np.empty(room_for(run, qrels) * sizeof(void *), np.uint8)
    cdef query_t *queries = <query_t *> &memory[0]
    cdef sizes_t sizes = pair(run, qrels, query_kind, <PyObject **> &room[0], queries)
    if not sizes.are_plain or sizes.listed < PyDict_Size(run) and not are_dicts(run):
        return None
    cdef Ranking ranking = Ranking(
        document_kind, n, sizes.judged, sizes.most_judged, sizes.most_results
    )
    if not (ranking.sort_queries(queries, query_kind) and ranking.rank_all(queries)):
        return None
    return ranking.fields()


cdef enum:  # what is counted of a query
    RETRIEVED
    LISTED
    FOUND
    JUDGED
    COUNTS

cdef enum:  # grades: of the documents found, by rank; of those judged, falling; and by their ids
    OF_FOUND
    IDEAL
    BY_ID
    GRADES


cdef class Ranking:
    """Ranks query by query, in the order of their ids, and keeps what is found out."""

    cdef type document_kind
    cdef list queries, own
    cdef set tied
    cdef bytearray query_texts, texts
    cdef int64_t[:, ::1] counted
    cdef int64_t[::1] rank, order, keys, places
    cdef uint32_t[::1] query_lengths, lengths
    cdef double[:, ::1] sorted_grades
    cdef double[::1] scores, grades, hits
    cdef unsigned char[:, ::1] memory
    cdef hand_t[HANDS] hands
    cdef wanted_t wanted
    cdef bint of_texts
    cdef unsigned char[::1] spare, digits
    cdef span_t *spans
    cdef Py_ssize_t n_queries, n_found, n_judged, query_text
    cdef int64_t ties

    def __cinit__(
        self, type document_kind, Py_ssize_t queries, Py_ssize_t judged, Py_ssize_t most,
        Py_ssize_t longest,
    ):
        cdef Py_ssize_t room = 2 * (most + longest + 1) * sizeof(void *), i
        cdef Py_ssize_t sorted_together = max(queries, most) + 1
        self.document_kind, self.queries, self.own, self.tied = document_kind, [], [], set()
        self.of_texts = self.wanted.of_texts = document_kind is str
        self.query_texts, self.texts = bytearray(), bytearray()
        self.counted = np.empty((COUNTS, queries + 1), np.int64)
        # Not np.zeros, which lets other threads have a turn.
        memset(&self.counted[0, 0], 0, COUNTS * (queries + 1) * sizeof(int64_t))
        # One block: the system takes back several that are freed together, and clears all pages
        # anew when they are asked for again, which costs more than what is written there.
        whole = np.empty((GRADES + 2, judged + 1), np.int64)
        self.sorted_grades = whole[:GRADES].view(np.float64)
        self.rank, self.lengths = whole[GRADES], whole[GRADES + 1].view(np.uint32)
        self.order = np.empty(queries + 1, np.int64)
        self.query_lengths = np.empty(queries + 1, np.uint32)
        self.scores, self.grades = np.empty(longest + 1), np.empty(most + 1)
        self.keys, self.places = np.empty(most + 1, np.int64), np.empty(most + 1, np.int64)
        self.hits = np.empty(most + 1)
        self.memory = np.empty((HANDS, room + (most + 1) * STEPS * sizeof(candidate_t)), np.uint8)
        for i in range(HANDS):
            self.hands[i].room = <PyObject **> &self.memory[i, 0]
            self.hands[i].candidates = <candidate_t *> &self.memory[i, room]
        self.spare = np.empty(sorted_together * sizeof(span_t), np.uint8)
        self.digits = np.empty(sorted_together * DIGITS, np.uint8)
        self.spans = <span_t *> &self.spare[0]
        self.n_queries = self.n_found = self.n_judged = self.query_text = self.ties = 0

    cdef bint sort_queries(self, const query_t *queries, type kind) except -1:
        cdef Py_ssize_t n = self.order.shape[0] - 1, q
        for q in range(n):
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

    cdef bint rank_all(self, const query_t *queries) except -1:
        """Rank all queries, with some in hand; False where the careful reader must."""
        cdef Py_ssize_t n = self.order.shape[0] - 1, q
        for q in range(n + STEPS_AHEAD):
            want_nothing(&self.wanted)
            if q + 2 * STEPS_AHEAD < n:
                fetch(&queries[self.order[q + 2 * STEPS_AHEAD]])
            if q + STEPS_AHEAD < n:
                fetch(queries[self.order[q + STEPS_AHEAD]].judged)
                fetch(queries[self.order[q + STEPS_AHEAD]].results)
            if q < n:
                self.hands[q % HANDS].query = queries[self.order[q]]
                want_tables(&self.hands[q % HANDS], &self.wanted)
            if 0 <= q - 1 < n and not list_both(&self.hands[(q - 1) % HANDS], self.of_texts):
                return False
            if 0 <= q - 2 < n:
                find_judged(&self.hands[(q - 2) % HANDS], &self.wanted)
            if q >= 3 and not self.add(&self.hands[(q - 3) % HANDS]):
                return False
            fetch_some(&self.wanted, ALL_OF_IT)
        return True

    cdef bint add(self, const hand_t *hand) except -1:
        """Rank one query; False where the careful reader must."""
        cdef Py_ssize_t size = hand.judged.n, n = hand.results.n
        cdef str query = self.next_query(hand.query.id)
        cdef PyObject *own
        if n * size > MOST_COMPARED:
            return False
        if not are_numbers(hand.judged, self.of_texts, &self.grades[0]):
            return False
        if not are_grades(&self.grades[0], size):
            return False
        if not are_numbers(hand.results, self.of_texts, &self.scores[0]):
            return False
        if hand.query.results is not NULL:
            self.rank_found(hand, n)
            self.counted[RETRIEVED, self.n_queries] = n
            self.counted[LISTED, self.n_queries] = 1
            own = PyDict_GetItemWithError(<dict> hand.query.results, <object> hand.query.id)
            if own is not NULL:
                self.own.append(query)
        if not self.keep_judgements(hand.judged):
            return False
        self.queries.append(query)
        self.n_queries += 1
        return True

    cdef str next_query(self, PyObject *id):
        """Return the id of the query that is ranked next as a text."""
        cdef const char *text = PyByteArray_AS_STRING(self.query_texts) + self.query_text
        cdef Py_ssize_t size = self.query_lengths[self.n_queries]
        self.query_text += size
        if PyUnicode_CheckExact(<object> id):
            return <str> <object> id
        return text[:size].decode("ascii")

    cdef int rank_found(self, const hand_t *hand, Py_ssize_t n) except -1:
        """Rank those judged documents that were retrieved."""
        cdef Py_ssize_t found = 0, first = self.n_found, i, judged, last = -1
        cdef Py_ssize_t portion = portion_of(&self.wanted, hand.n_candidates)
        cdef int64_t above, equal
        cdef double score = 0.0
        cdef PyObject *value
        cdef PyObject *document
        for i in range(hand.n_candidates):
            fetch_some(&self.wanted, portion)
            judged = hand.candidates[i].judged
            if judged == last:
                continue  # found already: the way from slot to slot may come by again
            document = id_of(hand.judged, judged)
            value = looked_up(hand.query.results, &hand.candidates[i], document, self.of_texts)
            if value is NULL:
                continue
            last = judged
            number(value, &score)
            self.hits[found] = self.grades[judged]
            count_scores(&self.scores[0], n, score, &above, &equal)
            if equal > 1:
                above += later_ids(<dict> hand.query.results, document, score)
                if self.hits[found] >= 1:
                    self.tied.add(score)
            self.keys[found] = above + 1
            found += 1
        order_of_keys(&self.keys[0], found, &self.places[0])
        for i in range(found):
            self.rank[first + i] = self.keys[self.places[i]]
            self.sorted_grades[OF_FOUND, first + i] = self.hits[self.places[i]]
        self.counted[FOUND, self.n_queries] = found
        self.n_found += found
        if self.tied:
            self.ties += len(self.tied)
            self.tied.clear()
        return 0

    cdef bint keep_judgements(self, entries_t judged) except -1:
        """Write down the judged documents in the order of their ids; False as above."""
        cdef Py_ssize_t first = self.n_judged, i
        for i in range(judged.n):
            if not self.read(i, id_of(judged, i), self.document_kind):
                return False
            self.sorted_grades[IDEAL, first + i] = self.grades[i]
        sort_spans(self.spans, judged.n)
        append(self.texts, self.spans, &self.lengths[first], judged.n)
        for i in range(judged.n):
            self.sorted_grades[BY_ID, first + i] = self.grades[self.spans[i].place]
        sort_descending(&self.sorted_grades[IDEAL, first], judged.n)
        self.counted[JUDGED, self.n_queries] = judged.n
        self.n_judged += judged.n
        return True

    cdef tuple fields(self):
        counted = np.asarray(self.counted)[:, : self.n_queries]
        grades, found, judged = np.asarray(self.sorted_grades), self.n_found, self.n_judged
        return (
            (
                counted[RETRIEVED], counted[LISTED], counted[FOUND],
                np.asarray(self.rank)[:found], grades[OF_FOUND, :found], self.own, self.ties,
            ),
            (
                self.queries, counted[JUDGED], grades[IDEAL, :judged],
                np.asarray(self.query_lengths)[: self.n_queries], self.query_texts,
                np.asarray(self.lengths)[:judged], self.texts, grades[BY_ID, :judged],
            ),
        )


cdef inline bint are_numbers(entries_t entries, bint of_texts, double *numbers) noexcept:
    """Read the values; False where one is no number, or where ids are ints, but one is not."""
    cdef Py_ssize_t i
    for i in range(entries.n):
        if not of_texts and not PyLong_CheckExact(<object> id_of(entries, i)):
            return False
        if not number(value_of(entries, i), &numbers[i]):
            return False
    return True


cdef inline bint are_grades(double *numbers, Py_ssize_t n) noexcept:
    cdef Py_ssize_t i
    for i in range(n):
        if not is_grade(numbers[i]):
            return False
        numbers[i] += 0.0
    return True


cdef int64_t later_ids(dict results, PyObject *document, double score) except -1:
    """Return how many documents of this score have a greater id."""
    cdef int64_t n = 0
    cdef Py_ssize_t inner = 0
    cdef PyObject *other
    cdef PyObject *value
    cdef double theirs = 0.0
    while PyDict_Next(results, &inner, &other, &value):
        number(value, &theirs)
        if theirs == score and other != document:
            n += PyUnicode_Compare(str(<object> other), str(<object> document)) > 0
    return n


check_tables()
