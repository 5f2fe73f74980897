# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Runs and golden sets in TREC text, block by block, without an object for a line."""

cimport cython
from cpython cimport array
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memchr, memcpy, memset

import array

from veridical.kernels.compiled.counting cimport count_scores, sort_descending
from veridical.kernels.compiled.ids cimport compared, order_of_keys, sort_spans, span_t
from veridical.kernels.compiled.lines cimport (
    MOST_WORDS, hash_of, read_decimal, read_words, same_bytes, word_t
)
from veridical.kernels.compiled.numbers cimport is_grade
from veridical.kernels.compiled.texts cimport append

cdef enum:
    # What a line may be.
    NOTHING = 0
    DATA = 1
    BAD = 2
    PAGE = 1 << 16  # bytes
    MOST_STEPS = 1024  # from slot to slot, above which ids were made to collide
    MOST_PAIRS = 1 << 26  # scores times judged documents of a query, above which sorting wins


cdef struct entry_t:
    uint64_t hash
    const char *text
    int32_t size
    int32_t query
    double value


cdef inline int read_line(
    const char **at, const char *stop, Py_ssize_t width, Py_ssize_t place, word_t *words,
    double *value
) except -1:
    """Read the words of a line, and the number among them; go on to where the line ends."""
    cdef Py_ssize_t n = 0
    at[0] = read_words(at[0], stop, words, width, width == MOST_WORDS, &n)
    if n == 0 or words[0].text[0] == b"#":
        return NOTHING
    if n != width or words[0].size >= 1 << 30 or words[2].size >= 1 << 30:
        return BAD
    return DATA if read_decimal(&words[place], stop, value) else BAD


@cython.final
cdef class Ids:
    """Ids in order of appearance, and a table that finds them by their hash.

    Texts are copied, or left where they lie: then whoever adds them sees to it that they stay.
    """

    cdef entry_t *entries
    cdef int32_t *slots
    cdef Py_ssize_t n, most, mask, left
    cdef bint copies
    cdef list pages  # of texts, which never move
    cdef char *page

    def __cinit__(self, bint copies=True):
        self.entries, self.slots, self.page = NULL, NULL, NULL
        self.n = self.most = self.left = 0
        self.mask = -1
        self.copies, self.pages = copies, []

    def __dealloc__(self):
        PyMem_Free(self.entries)
        PyMem_Free(self.slots)

    cdef void clear(self) noexcept:
        """Forget all ids; after a long list the table is made short again."""
        while self.mask > 63 and self.mask + 1 > 8 * self.n:
            self.mask >>= 1
        self.n = 0
        if self.mask >= 0:
            memset(self.slots, 255, (self.mask + 1) * sizeof(int32_t))

    cdef Py_ssize_t add(self, const char *text, Py_ssize_t size, uint64_t hash) except -1:
        """Keep an id that the table need not know."""
        cdef entry_t *entry
        if self.copies:
            text = self.copied(text, size)
        if self.n == self.most:
            self.most = 2 * self.most + 256
            self.entries = <entry_t *> enlarged(self.entries, self.most * sizeof(entry_t))
        # Field by field: a struct made whole is read back before all of it is written.
        entry = &self.entries[self.n]
        entry.hash, entry.text, entry.size = hash, text, <int32_t> size
        self.n += 1
        return self.n - 1

    cdef const char *copied(self, const char *text, Py_ssize_t size) except NULL:
        cdef char *copy
        if size > self.left or self.page is NULL:
            self.left = max(size, <Py_ssize_t> PAGE)
            page = PyBytes_FromStringAndSize(NULL, self.left)
            self.pages.append(page)
            self.page = PyBytes_AS_STRING(page)
        copy = self.page
        memcpy(copy, text, size)
        self.page += size
        self.left -= size
        return copy

    cdef Py_ssize_t slot(self, const char *text, Py_ssize_t size, uint64_t hash) noexcept:
        """Return the slot of an id, or the empty one where it belongs; -1 after many steps."""
        cdef Py_ssize_t at = hash & self.mask, steps
        cdef entry_t *entry
        for steps in range(MOST_STEPS):
            if self.slots[at] < 0:
                return at
            entry = &self.entries[self.slots[at]]
            if (
                entry.hash == hash and entry.size == size
                and same_bytes(entry.text, text, size)
            ):
                return at
            at = (at + 1) & self.mask
        return -1

    cdef bint make_room(self) except -1:
        """Enlarge the table to twice its entries; False where ids were made to collide."""
        cdef Py_ssize_t i, at, size = 64
        while size < 4 * (self.n + 1):
            size *= 2
        self.slots = <int32_t *> enlarged(self.slots, size * sizeof(int32_t))
        self.mask = size - 1
        memset(self.slots, 255, size * sizeof(int32_t))
        for i in range(self.n):
            at = self.slot(self.entries[i].text, self.entries[i].size, self.entries[i].hash)
            if at < 0:
                return False
            self.slots[at] = <int32_t> i
        return True

    cdef Py_ssize_t find(self, const char *text, Py_ssize_t size, uint64_t hash) noexcept:
        """Return the place of an id; -1 where it is unknown."""
        cdef Py_ssize_t at = self.slot(text, size, hash) if self.n else -1
        return self.slots[at] if at >= 0 else -1

    cdef Py_ssize_t place(self, const char *text, Py_ssize_t size) except -2:
        """Return the place of an id, a new one too; -1 where ids were made to collide."""
        cdef uint64_t hash = hash_of(text, size)
        cdef Py_ssize_t at
        if 2 * (self.n + 1) > self.mask + 1 and not self.make_room():
            return -1
        at = self.slot(text, size, hash)
        if at < 0:
            return -1
        if self.slots[at] < 0:
            self.slots[at] = <int32_t> self.n
            self.add(text, size, hash)
        return self.slots[at]

    cdef span_t span(self, Py_ssize_t i) noexcept:
        return span_t(self.entries[i].text, self.entries[i].size, i, 0)

    cdef str text(self, Py_ssize_t i):
        return self.entries[i].text[: self.entries[i].size].decode()


cdef void *enlarged(void *memory, size_t size) except NULL:
    memory = PyMem_Realloc(memory, size)
    if memory is NULL:
        raise MemoryError
    return memory


def read_judgements(blocks):
    """Return (bad line, the fields of ``Judgements`` or None)."""
    cdef Ids queries = Ids(), documents = Ids()
    cdef word_t words[MOST_WORDS]
    cdef double value = 0.0
    cdef Py_ssize_t number = 0, query, last = -1
    cdef const char *at
    cdef const char *stop
    cdef const unsigned char[::1] text
    cdef int kind
    for block in blocks:
        text = block
        at = <const char *> &text[0]
        stop = at + text.shape[0]
        while at < stop:
            number += 1
            kind = read_line(&at, stop, 4, 3, words, &value)
            if kind == BAD:
                return number, None
            if kind == DATA:
                if not is_grade(value):
                    return 0, None
                if last < 0 or not same(queries, last, &words[0]):
                    last = queries.place(words[0].text, words[0].size)
                if last < 0 or documents.n == 0x7FFFFFFF:
                    return 0, None
                query = documents.add(words[2].text, words[2].size, 0)
                documents.entries[query].query = <int32_t> last
                documents.entries[query].value = value + 0.0
            at += 1
    return 0, in_order(queries, documents) if queries.n else None


cdef array.array column(str code, Py_ssize_t n, bint zero=False):
    """Return room for n numbers; without numpy, which takes longer to load than many runs to rank."""
    return array.clone(array.array(code), n, zero)


cdef inline bint same(Ids ids, Py_ssize_t place, const word_t *word) noexcept:
    cdef entry_t *entry = &ids.entries[place]
    return entry.size == word.size and same_bytes(entry.text, word.text, word.size)


cdef object in_order(Ids queries, Ids documents):
    """Return the fields of ``Judgements``; None where a document is judged twice."""
    cdef Py_ssize_t n_queries = queries.n, n = documents.n, q, i, size, done = 0, most = n_queries
    cdef Py_ssize_t place
    cdef entry_t *entry
    starts_array, counts_array = column("q", n_queries + 1, True), column("q", n_queries)
    ideal_array, grades_array = column("d", n), column("d", n)
    query_lengths_array, lengths_array = column("I", n_queries), column("I", n)
    cdef int64_t[::1] starts = starts_array, counts = counts_array
    cdef int32_t[::1] rows = column("i", n)
    cdef uint32_t[::1] query_lengths = query_lengths_array, lengths = lengths_array
    cdef double[::1] ideal = ideal_array, grades = grades_array
    for i in range(n):
        starts[documents.entries[i].query + 1] += 1
    for q in range(n_queries):
        most = max(most, starts[q + 1])
        starts[q + 1] += starts[q]
    for i in range(n):
        q = documents.entries[i].query
        rows[starts[q]] = <int32_t> i
        starts[q] += 1  # is in the end where the next query starts
    spare = PyBytes_FromStringAndSize(NULL, 2 * most * sizeof(span_t))
    cdef span_t *order = <span_t *> PyBytes_AS_STRING(spare)
    cdef span_t *spans = order + most
    for q in range(n_queries):
        order[q] = queries.span(q)
    sort_spans(order, n_queries)
    names, query_texts, texts = [], bytearray(), bytearray()
    append(query_texts, order, &query_lengths[0], n_queries)
    for q in range(n_queries):
        i = starts[order[q].place - 1] if order[q].place else 0
        size = starts[order[q].place] - i
        for place in range(size):
            entry = &documents.entries[rows[i + place]]
            spans[place].text, spans[place].size = entry.text, entry.size
            spans[place].place = rows[i + place]
        sort_spans(spans, size)
        if repeated(spans, size):
            return None
        append(texts, spans, &lengths[done], size)
        for i in range(size):
            ideal[done + i] = grades[done + i] = documents.entries[spans[i].place].value
        sort_descending(&ideal[done], size)
        names.append(queries.text(order[q].place))
        counts[q] = size
        done += size
    return (
        names, counts_array, ideal_array, query_lengths_array, query_texts, lengths_array, texts,
        grades_array,
    )


cdef bint repeated(const span_t *spans, Py_ssize_t n) noexcept:
    cdef Py_ssize_t i
    for i in range(1, n):
        if spans[i].size == spans[i - 1].size and same_bytes(
            spans[i].text, spans[i - 1].text, spans[i].size
        ):
            return True
    return False


def rank_lines(
    blocks, const uint32_t[::1] query_lengths, const unsigned char[::1] query_texts,
    const int64_t[::1] counts, const uint32_t[::1] lengths, const unsigned char[::1] texts,
    const double[::1] grades,
):
    """Return (bad line, the fields of ``RankedLines`` or None)."""
    cdef Ranker ranker = Ranker(query_lengths, query_texts, counts, lengths, texts, grades)
    cdef Py_ssize_t number = 0
    cdef const char *at
    cdef const char *stop
    cdef word_t words[MOST_WORDS]
    cdef double value = 0.0
    cdef const unsigned char[::1] text
    cdef int kind
    if ranker.golden.n < counts.shape[0]:
        return 0, None
    for block in blocks:
        if ranker.documents.n == 0:
            ranker.blocks.clear()
        ranker.blocks.append(block)
        text = block
        at = <const char *> &text[0]
        stop = at + text.shape[0]
        ranker.returns = memchr(at, 13, stop - at) is not NULL
        while at < stop:
            number += 1
            kind = read_line(&at, stop, 6, 4, words, &value)
            if kind == BAD:
                return number, None
            if kind == DATA and not ranker.add(words, value):
                return 0, None
            at += 1
    return 0, ranker.fields() if ranker.seen and ranker.finish() else None


@cython.final
cdef class Ranker:
    """Ranks one query after the other, and keeps the documents of one only."""

    cdef Ids golden, unknown, documents
    cdef const uint32_t[::1] lengths
    cdef const unsigned char[::1] texts
    cdef const double[::1] grades
    cdef int64_t[::1] starts, offsets, retrieved, counts, placed, keys, places
    cdef unsigned char[::1] listed
    cdef double[::1] hits, scores
    cdef array.array ranks, found  # of the queries as they come
    cdef Py_ssize_t query, latest, seen, n_found
    cdef bint moved  # whether the queries came in another order than that of the golden set
    cdef bint returns  # whether a carriage return stands anywhere in the block in hand
    cdef Ids of_query  # where the name of the query in hand is: among the golden or the unknown
    cdef int64_t ties
    cdef list own, blocks  # the blocks are those in which the documents in hand are
    cdef set tied
    cdef bytes tag

    def __cinit__(
        self, const uint32_t[::1] query_lengths, const unsigned char[::1] query_texts,
        const int64_t[::1] counts, const uint32_t[::1] lengths, const unsigned char[::1] texts,
        const double[::1] grades,
    ):
        cdef Py_ssize_t q, j, at = 0, n = counts.shape[0], most = 0, judged = grades.shape[0]
        self.golden, self.unknown, self.documents = Ids(), Ids(), Ids(False)
        for q in range(n):
            if self.golden.place(<const char *> &query_texts[at], query_lengths[q]) != q:
                break  # ids were made to collide
            at += query_lengths[q]
        self.lengths, self.texts, self.grades = lengths, texts, grades
        self.starts, self.offsets = column("q", n + 1, True), column("q", n + 1, True)
        for q in range(n):
            self.starts[q + 1] = self.starts[q] + counts[q]
            most = max(most, counts[q])
            self.offsets[q + 1] = self.offsets[q]
            for j in range(self.starts[q], self.starts[q + 1]):
                self.offsets[q + 1] += lengths[j]
        self.retrieved, self.counts = column("q", n, True), column("q", n, True)
        self.listed, self.placed = bytearray(n), column("q", n, True)
        self.ranks, self.found = column("q", judged + 1), column("d", judged + 1)
        self.keys, self.places = column("q", most + 1), column("q", most + 1)
        self.hits, self.scores = column("d", most + 1), column("d", 256)
        self.query, self.latest, self.seen, self.n_found, self.moved = -1, -1, 0, 0, False
        self.ties, self.own, self.tied = 0, [], set()
        self.of_query, self.tag, self.blocks = self.golden, b"", []

    cdef bint add(self, word_t *words, double value) except -1:
        """Take one line; False where the careful reader must."""
        cdef Py_ssize_t before = self.documents.n
        cdef array.array longer
        if self.returns and memchr(words[5].text, 13, words[5].size) is not NULL:
            return False  # a carriage return that ends lines, which others know
        if not self.seen or not same(self.of_query, self.query, &words[0]):
            if self.seen == 0:
                self.tag = words[5].text[: words[5].size]
            if not (self.finish() and self.begin(&words[0])):
                return False
            before = 0
        if self.documents.place(words[2].text, words[2].size) < before:
            return False  # it stands twice, or ids collide
        if before == self.scores.shape[0]:
            longer = column("d", 2 * before)
            memcpy(longer.data.as_doubles, &self.scores[0], before * sizeof(double))
            self.scores = longer
        self.scores[before] = value
        return True

    cdef bint begin(self, const word_t *name) except -1:
        """Begin with a query; False where it stood higher up already."""
        cdef uint64_t hash = hash_of(name.text, name.size)
        cdef Py_ssize_t n = self.unknown.n
        self.seen += 1
        self.documents.clear()
        del self.blocks[: len(self.blocks) - 1]
        self.of_query, self.query = self.golden, self.golden.find(name.text, name.size, hash)
        if self.query >= 0:
            self.placed[self.query] = self.n_found
            self.moved |= self.query < self.latest
            self.latest = self.query
            self.listed[self.query] += 1
            return self.listed[self.query] == 1
        self.of_query, self.query = self.unknown, self.unknown.place(name.text, name.size)
        return self.query == n

    cdef bint finish(self) except -1:
        """Rank the judged documents of the query that ends; False where sorting wins."""
        cdef Py_ssize_t n = self.documents.n, q = self.query, first, size, j, at, found = 0
        cdef int64_t above, equal
        cdef const char *text
        cdef entry_t *name
        cdef long long *ranks
        cdef double *grades
        if not self.seen or self.of_query is not self.golden:
            return True
        first, size = self.starts[q], self.starts[q + 1] - self.starts[q]
        if n * size > MOST_PAIRS:
            return False
        text = <const char *> &self.texts[0] + self.offsets[q]
        for j in range(first, first + size):
            at = self.documents.find(text, self.lengths[j], hash_of(text, self.lengths[j]))
            text += self.lengths[j]
            if at < 0:
                continue
            count_scores(&self.scores[0], n, self.scores[at], &above, &equal)
            if equal > 1:
                above += self.later(at)
                if self.grades[j] >= 1:
                    self.tied.add(self.scores[at])
            self.keys[found], self.hits[found] = above + 1, self.grades[j]
            found += 1
        if not order_of_keys(&self.keys[0], found, &self.places[0]):
            return False  # a document is judged twice
        ranks = self.ranks.data.as_longlongs + self.n_found
        grades = self.found.data.as_doubles + self.n_found
        for j in range(found):
            ranks[j], grades[j] = self.keys[self.places[j]], self.hits[self.places[j]]
        self.n_found += found
        self.retrieved[q], self.counts[q] = n, found
        self.ties += len(self.tied)
        self.tied.clear()
        name = &self.golden.entries[q]
        if self.documents.find(name.text, name.size, name.hash) >= 0:
            self.own.append(self.golden.text(q))
        return True

    cdef int64_t later(self, Py_ssize_t place) noexcept:
        """Return how many documents of the same score have a greater id."""
        cdef Py_ssize_t i
        cdef int64_t n = 0
        cdef span_t one = self.documents.span(place), other
        for i in range(self.documents.n):
            if self.scores[i] == self.scores[place] and i != place:
                other = self.documents.span(i)
                n += compared(&other, &one) > 0
        return n

    cdef tuple fields(self):
        if self.moved:
            self.put_in_order()
        array.resize(self.ranks, self.n_found)
        array.resize(self.found, self.n_found)
        of_run = (
            self.retrieved.base, self.listed.base, self.counts.base, self.ranks, self.found,
            self.own, self.ties,
        )
        return (
            of_run, self.seen, [self.unknown.text(q) for q in range(self.unknown.n)],
            self.tag.decode("utf-8", "replace"),
        )

    cdef int put_in_order(self) except -1:
        """Put what was found in the order of the golden set."""
        # One more, which is cut off again: nothing at all would have no address.
        cdef array.array ranks = column("q", self.n_found + 1)
        cdef array.array found = column("d", self.n_found + 1)
        cdef Py_ssize_t q, n = 0, size, at
        for q in range(self.counts.shape[0]):
            size, at = self.counts[q], self.placed[q]
            memcpy(&ranks.data.as_longlongs[n], &self.ranks.data.as_longlongs[at], size * 8)
            memcpy(&found.data.as_doubles[n], &self.found.data.as_doubles[at], size * 8)
            n += size
        self.ranks, self.found = ranks, found
        self.own.sort()
        return 0
