"""Some queries in hand, each one step further than the next, so that none waits for memory.

The steps of a query are: its tables are asked for; its entries are listed, and the judged ids
asked for; the entries that may be theirs are found, and their ids and all scores asked for; it is
ranked.  What is asked for by the hundred is asked for in portions, while another one is ranked.
"""

from cpython.object cimport PyObject

from veridical.kernels.compiled.entries cimport (
    are_texts, candidate_t, entries_t, fetch, fetch_id, fetch_line, find, id_of, lines_of,
    list_entries, value_of,
)
from veridical.kernels.compiled.pairs cimport query_t

cdef enum:
    STEPS_AHEAD = 3
    HANDS = 4  # one for each step, of which ranking is the last
    ALL_OF_IT = 1 << 30


cdef struct hand_t:  # a query on its way
    query_t query
    entries_t judged, results
    Py_ssize_t n_candidates
    candidate_t *candidates  # slots of its results that may hold a judged document
    PyObject **room  # for the entries, judged ones first


cdef struct wanted_t:  # lines of a table, and scores, that are still to be asked for
    PyObject *table
    Py_ssize_t line, lines
    entries_t scores
    Py_ssize_t score
    bint of_texts


cdef inline void want_nothing(wanted_t *wanted) noexcept:
    wanted.line = wanted.lines = wanted.score = wanted.scores.n = 0


cdef inline void want_tables(hand_t *hand, wanted_t *wanted) noexcept:
    cdef Py_ssize_t line
    for line in range(lines_of(hand.query.judged, wanted.of_texts)):
        fetch_line(hand.query.judged, line)
    if hand.query.results is not NULL:
        wanted.table = hand.query.results
        wanted.lines = lines_of(hand.query.results, wanted.of_texts)


cdef inline bint list_both(hand_t *hand, bint of_texts) noexcept:
    """List judgements and results; False where some ids are no texts, but should be."""
    cdef Py_ssize_t i
    hand.judged = list_entries(hand.query.judged, hand.room)
    if of_texts and not are_texts(hand.judged):
        return False
    for i in range(hand.judged.n):
        fetch_id(id_of(hand.judged, i))
    hand.results.n = 0
    if hand.query.results is not NULL:
        hand.results = list_entries(hand.query.results, hand.room + 2 * hand.judged.n)
    return not of_texts or are_texts(hand.results)


cdef inline void find_judged(hand_t *hand, wanted_t *wanted) noexcept:
    """Find the entries of the results that may be those of judged documents."""
    cdef Py_ssize_t i, n = 0
    if hand.query.results is not NULL:
        for i in range(hand.judged.n):
            n += find(
                hand.query.results, hand.judged, i, wanted.of_texts, hand.candidates + n
            )
    hand.n_candidates, wanted.scores = n, hand.results


cdef inline Py_ssize_t portion_of(const wanted_t *wanted, Py_ssize_t portions) noexcept:
    """Return how much to ask for at a time; what is left is asked for at the end."""
    return 2 * max(wanted.scores.n, wanted.lines) // (3 * (portions + 1)) + 1


cdef inline void fetch_some(wanted_t *wanted, Py_ssize_t times) noexcept:
    cdef Py_ssize_t i
    for i in range(wanted.score, min(wanted.score + times, wanted.scores.n)):
        fetch(value_of(wanted.scores, i))
        if not wanted.of_texts:
            fetch(id_of(wanted.scores, i))
    wanted.score += times
    for i in range(wanted.line, min(wanted.line + times, wanted.lines)):
        fetch_line(wanted.table, i)
    wanted.line += times
