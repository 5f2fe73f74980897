"""The entries of a dictionary, read where they lie, and found without waiting for each.

A dictionary is a table of places, an array of entries, and the objects that these point to; each
may lie anywhere in memory, and to look up one id after the other is to wait for all three again
and again.  CPython's table is read here, and never written, so that what the next queries need is
on its way while this one is ranked.  Where its form is not known, the public functions do.
"""

from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_CheckExact
from libc.string cimport memcmp

cdef extern from *:
    """
    /* Into the second cache: the first one is as small as the tables of two queries, and takes few
       lines at a time. */
    #if defined(__GNUC__)
    #define veridical_fetch(p) __builtin_prefetch(p, 0, 1)
    #else
    #define veridical_fetch(p) ((void)(p))
    #endif

    typedef struct {
        const char *at; /* an id and its value, every stride bytes */
        Py_ssize_t n, stride;
        int hashes; /* of ids: 0 unknown, 1 in the texts, 2 before the pairs */
    } veridical_entries;

    typedef struct {
        Py_ssize_t judged;
        PyObject *id, *value; /* no id: the dictionary is to be asked */
    } veridical_candidate;

    #define VERIDICAL_ID(e, i) (((PyObject **)((e).at + (i) * (e).stride))[0])
    #define VERIDICAL_VALUE(e, i) (((PyObject **)((e).at + (i) * (e).stride))[1])
    #define VERIDICAL_HASH(text) (((PyASCIIObject *)(text))->hash)
    #define VERIDICAL_SHIFT 5 /* by which CPython goes on from slot to slot */
    #define VERIDICAL_FETCH_ID(id) veridical_fetch(&VERIDICAL_HASH(id)) /* a text begins beside it */
    #define VERIDICAL_STEPS 8 /* from slot to slot, after which the dictionary is asked */

    #if defined(PYPY_VERSION) || defined(Py_GIL_DISABLED) || PY_VERSION_HEX >= 0x030e0000
    #define VERIDICAL_KNOWS_TABLES 0
    #else
    #define VERIDICAL_KNOWS_TABLES 1
    #define Py_BUILD_CORE 1
    #undef _PyGC_FINALIZED /* which headers of 3.12 define in two ways */
    #include "internal/pycore_dict.h"
    #undef Py_BUILD_CORE
    #define VERIDICAL_TABLE(dict) (((PyDictObject *)(dict))->ma_keys)
    #endif

    /* Whether tables are read: only after what they told was what dictionaries answered. */
    static int veridical_trusted = 1;
    #define VERIDICAL_TRUST(yes) (veridical_trusted = (yes))

    /* Return the entries; where they have gaps or cannot be read in place, copy them. */
    static inline veridical_entries veridical_list(PyObject *dict, PyObject **room)
    {
        veridical_entries found = {(const char *)room, 0, 2 * sizeof(PyObject *), 0};
        Py_ssize_t at = 0;
    #if VERIDICAL_KNOWS_TABLES
        PyDictKeysObject *table = VERIDICAL_TABLE(dict);
        found.n = ((PyDictObject *)dict)->ma_used;
        if (veridical_trusted && ((PyDictObject *)dict)->ma_values == NULL
            && table->dk_nentries == found.n) {
            if (DK_IS_UNICODE(table)) {
                found.at = (const char *)&DK_UNICODE_ENTRIES(table)->me_key;
                found.hashes = 1;
            } else {
                found.at = (const char *)&DK_ENTRIES(table)->me_key;
                found.stride = sizeof(PyDictKeyEntry);
                found.hashes = 2;
            }
            return found;
        }
    #endif
        found.n = 0;
        while (PyDict_Next(dict, &at, &room[2 * found.n], &room[2 * found.n + 1]))
            found.n++;
        return found;
    }

    /* Return in how many lines of memory the table of a dictionary and its entries lie. */
    static inline Py_ssize_t veridical_lines(PyObject *dict, int of_texts)
    {
    #if VERIDICAL_KNOWS_TABLES
        size_t n = ((PyDictObject *)dict)->ma_used, slots = 8;
        size_t entry = of_texts ? sizeof(PyDictUnicodeEntry) : sizeof(PyDictKeyEntry);
        while (2 * slots < 3 * n)
            slots *= 2;
        slots *= slots < 256 ? 1 : slots < 65536 ? 2 : 4;
        return (sizeof(PyDictKeysObject) + slots + n * entry) / 64 + 1;
    #else
        return 0;
    #endif
    }

    /* Ask for one of these lines. */
    static inline void veridical_fetch_line(PyObject *dict, Py_ssize_t line)
    {
    #if VERIDICAL_KNOWS_TABLES
        veridical_fetch((const char *)VERIDICAL_TABLE(dict) + 64 * line);
    #endif
    }

    #if VERIDICAL_KNOWS_TABLES
    static inline Py_ssize_t veridical_place(PyDictKeysObject *table, size_t slot)
    {
        if (table->dk_log2_size < 8)
            return ((int8_t *)table->dk_indices)[slot];
        if (table->dk_log2_size < 16)
            return ((int16_t *)table->dk_indices)[slot];
        return ((int32_t *)table->dk_indices)[slot];
    }
    #endif

    /* Collect the entries that may be those of a judged id, and ask for what tells. */
    static inline Py_ssize_t veridical_find(PyObject *dict, veridical_entries judged, Py_ssize_t i,
                                            int of_texts, veridical_candidate *found)
    {
        found[0].judged = i;
    #if VERIDICAL_KNOWS_TABLES
        PyDictKeysObject *table = VERIDICAL_TABLE(dict);
        if (veridical_trusted && judged.hashes == (of_texts ? 1 : 2)
            && of_texts == DK_IS_UNICODE(table) && ((PyDictObject *)dict)->ma_values == NULL
            && table->dk_log2_size < 32) {
            Py_hash_t hash = of_texts ? VERIDICAL_HASH(VERIDICAL_ID(judged, i))
                                      : ((Py_hash_t *)(judged.at + i * judged.stride))[-1];
            size_t mask = ((size_t)1 << table->dk_log2_size) - 1;
            size_t rest = (size_t)hash, slot = rest & mask;
            Py_ssize_t n = 0;
            for (int step = 0; step < VERIDICAL_STEPS; step++) {
                Py_ssize_t place = veridical_place(table, slot);
                if (place == DKIX_EMPTY)
                    return n;
                if (place >= 0 && of_texts) {
                    PyDictUnicodeEntry *entry = &DK_UNICODE_ENTRIES(table)[place];
                    VERIDICAL_FETCH_ID(entry->me_key);
                    found[n++] = (veridical_candidate){i, entry->me_key, entry->me_value};
                } else if (place >= 0 && DK_ENTRIES(table)[place].me_hash == hash) {
                    PyDictKeyEntry *entry = &DK_ENTRIES(table)[place];
                    found[n++] = (veridical_candidate){i, entry->me_key, entry->me_value};
                }
                rest >>= VERIDICAL_SHIFT;
                slot = (slot * 5 + rest + 1) & mask;
            }
        }
    #endif
        found[0].id = NULL;
        return 1;
    }
    """
    enum:
        STEPS "VERIDICAL_STEPS"
    ctypedef struct entries_t "veridical_entries":
        Py_ssize_t n
        int hashes
    ctypedef struct candidate_t "veridical_candidate":
        Py_ssize_t judged
        PyObject *id
        PyObject *value
    void trust "VERIDICAL_TRUST"(bint) noexcept
    PyObject *id_of "VERIDICAL_ID"(entries_t, Py_ssize_t) noexcept nogil
    PyObject *value_of "VERIDICAL_VALUE"(entries_t, Py_ssize_t) noexcept nogil
    Py_hash_t hash_of "VERIDICAL_HASH"(PyObject *) noexcept nogil
    entries_t list_entries "veridical_list"(PyObject *, PyObject **) noexcept
    Py_ssize_t lines_of "veridical_lines"(PyObject *, bint) noexcept
    void fetch_line "veridical_fetch_line"(PyObject *, Py_ssize_t) noexcept
    void fetch "veridical_fetch"(const void *) noexcept nogil
    void fetch_id "VERIDICAL_FETCH_ID"(PyObject *) noexcept nogil
    Py_ssize_t find "veridical_find"(
        PyObject *, entries_t, Py_ssize_t, bint, candidate_t *
    ) noexcept
    bint PyUnicode_IS_COMPACT_ASCII(PyObject *) noexcept
    const void *PyUnicode_DATA(PyObject *) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject *) noexcept
    int PyUnicode_Compare(PyObject *, PyObject *) except? -1


cdef inline bint are_texts(entries_t entries) noexcept:
    """Whether all ids are texts, and none of a subclass, whose methods may run any code.

    A table of texts has no others: then no id is looked at.
    """
    cdef Py_ssize_t i
    if entries.hashes == 1:
        return True
    for i in range(entries.n):
        if not PyUnicode_CheckExact(<object> id_of(entries, i)):
            return False
    return True


cdef inline PyObject *looked_up(
    PyObject *results, const candidate_t *candidate, PyObject *id, bint of_texts
) except? NULL:
    """Return the value of an id, NULL where the candidate is another one."""
    cdef bint same
    if candidate.id is NULL:
        return PyDict_GetItemWithError(<dict> results, <object> id)
    if of_texts:
        same = candidate.id == id or (
            hash_of(candidate.id) == hash_of(id) and same_text(candidate.id, id)
        )
    else:
        same = <object> candidate.id == <object> id
    return candidate.value if same else NULL


cdef inline bint same_text(PyObject *one, PyObject *two) except -1:
    if PyUnicode_IS_COMPACT_ASCII(one) and PyUnicode_IS_COMPACT_ASCII(two):
        return PyUnicode_GET_LENGTH(one) == PyUnicode_GET_LENGTH(two) and not memcmp(
            PyUnicode_DATA(one), PyUnicode_DATA(two), PyUnicode_GET_LENGTH(one)
        )
    return PyUnicode_Compare(one, two) == 0


cdef inline int check_tables() except -1:
    """Read tables from now on only if they tell of some dictionaries what these answer."""
    cdef PyObject *room[400]
    cdef candidate_t found[STEPS]
    cdef entries_t asked
    cdef Py_ssize_t i, at, n
    cdef bint of_texts, agree = True, held
    for of_texts in (False, True):
        ids = {(str(n) if of_texts else 8 * n): n for n in range(200)}
        held_ids = dict(list(ids.items())[::2])
        del held_ids["8" if of_texts else 32]
        asked = list_entries(<PyObject *> ids, room)
        for i in range(asked.n):
            n = find(<PyObject *> held_ids, asked, i, of_texts, found)
            held = False
            for at in range(n):
                held |= looked_up(
                    <PyObject *> held_ids, &found[at], id_of(asked, i), of_texts
                ) is value_of(asked, i)
            agree &= held == (<object> id_of(asked, i) in held_ids)
    trust(agree)
    return 0
