"""The queries of a golden set, each with its results, and what is known of their sizes."""

from cpython.dict cimport PyDict_GetItemWithError, PyDict_Next, PyDict_Size
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject

from veridical.kernels.compiled.entries cimport (
    are_texts, candidate_t, entries_t, fetch, fetch_id, id_of, list_entries, looked_up, value_of
)

cdef enum:
    AHEAD = 8  # queries whose ids and dictionaries are waited for at the same time


cdef struct query_t:
    PyObject *id
    PyObject *judged
    PyObject *results  # NULL where the run lacks the query


cdef struct sizes_t:
    Py_ssize_t listed  # queries that the run has
    Py_ssize_t judged, most_judged  # documents: of all queries, of one
    Py_ssize_t most_results
    bint are_plain  # the ids, and the dicts of these queries


cdef inline Py_ssize_t room_for(dict run, dict qrels) noexcept:
    """Return how many ids and values ``pair`` needs room for."""
    return 2 * (PyDict_Size(run) + PyDict_Size(qrels) + 1)


cdef inline sizes_t pair(
    dict run, dict qrels, type kind, PyObject **room, query_t *queries
) except *:
    """List the queries of the golden set, in its order; none where ids are of another kind."""
    cdef Py_ssize_t n = PyDict_Size(qrels), q
    cdef entries_t judged = list_entries(<PyObject *> qrels, room)
    cdef entries_t results = list_entries(<PyObject *> run, room + 2 * n)
    cdef sizes_t sizes = sizes_t(0, 0, 0, 0, True)
    cdef bint of_texts = kind is str
    if of_texts:
        sizes.are_plain = are_texts(judged) and are_texts(results)
    else:
        sizes.are_plain = are_ints(judged) and are_ints(results)
    if not sizes.are_plain:
        return sizes
    for q in range(n + 2 * AHEAD):
        if q < n:
            queries[q] = query_t(id_of(judged, q), value_of(judged, q), NULL)
            fetch_id(queries[q].id)
            fetch(queries[q].judged)
        if q < n and q < results.n:
            fetch_id(id_of(results, q))
            fetch(value_of(results, q))
        if 0 <= q - AHEAD < n:
            queries[q - AHEAD].results = results_of(
                run, queries[q - AHEAD].id, &results, q - AHEAD, of_texts
            )
        if q >= 2 * AHEAD:
            sizes.are_plain &= add_sizes(&sizes, &queries[q - 2 * AHEAD])
    return sizes


cdef inline bint are_ints(entries_t entries) noexcept:
    cdef Py_ssize_t i
    for i in range(entries.n):
        if i + 2 * AHEAD < entries.n:
            fetch(id_of(entries, i + 2 * AHEAD))
        if not PyLong_CheckExact(<object> id_of(entries, i)):
            return False
    return True


cdef inline PyObject *results_of(
    dict run, PyObject *query, const entries_t *results, Py_ssize_t place, bint of_texts
) except? NULL:
    """Return the results of a query, which most runs have in the place where golden sets do."""
    cdef candidate_t candidate
    cdef PyObject *found = NULL
    if place < results.n:
        candidate = candidate_t(0, id_of(results[0], place), value_of(results[0], place))
        found = looked_up(<PyObject *> run, &candidate, query, of_texts)
    if found is NULL:
        found = PyDict_GetItemWithError(run, <object> query)
        fetch(found)
    return found


cdef inline bint add_sizes(sizes_t *sizes, const query_t *query) except -1:
    if type(<object> query.judged) is not dict:
        return False
    sizes.judged += PyDict_Size(<object> query.judged)
    sizes.most_judged = max(sizes.most_judged, PyDict_Size(<object> query.judged))
    if query.results is not NULL:
        if type(<object> query.results) is not dict:
            return False
        sizes.listed += 1
        sizes.most_results = max(sizes.most_results, PyDict_Size(<object> query.results))
    return True


cdef inline bint are_dicts(dict run) noexcept:
    cdef Py_ssize_t at = 0
    cdef PyObject *key
    cdef PyObject *value
    while PyDict_Next(run, &at, &key, &value):
        if type(<object> value) is not dict:
            return False
    return True
