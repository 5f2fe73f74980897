# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Texts as numbers of their tokens."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

from veridical.kernels.compiled.characters cimport (
    ASCII_MARK, Book, Character, END_MARK, NO_ASCII_WORD, NO_WORD, SPACE, UNSPACED, UNSTEADY,
    character_t, lower, properties,
)
from veridical.kernels.compiled.parting cimport Line, part_13a, part_intl, reserve
from veridical.kernels.compiled.vocabulary cimport (
    Vocabulary, blank, close_vocabulary, hashed, number_of, open_vocabulary,
)

cdef extern from "Python.h":
    int PyUnicode_KIND(object)
    void* PyUnicode_DATA(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    uint32_t* PyUnicode_AsUCS4(object, uint32_t*, Py_ssize_t, bint) except NULL
    object PyUnicode_FromKindAndData(int, const void*, Py_ssize_t)

cdef enum Parting:
    NO_PARTING
    MTEVAL_13A
    INTL

cdef struct Rule:
    uint16_t gap  # characters that part words, and are dropped
    uint16_t alone  # those that are a token each
    uint16_t stripped  # those taken off both ends of a word
    bint split_mark  # one mark is taken off an end of a word, and is a token
    bint lowered
    Parting parting

cdef struct Text:
    const void* data
    Py_ssize_t n
    int width
    bint unsteady  # its lower case is not that of its characters one by one

cdef struct Splitter:
    Rule rule
    Vocabulary words
    Line line, other
    int32_t* ids
    Py_ssize_t used

cdef Book BOOK


cdef Rule rule_of(str name) except *:
    """Return how the tokeniser of that name splits; veridical.overlap.tokenisers defines it."""
    cdef Rule rule = Rule(SPACE, 0, 0, False, False, NO_PARTING)
    if name == "words":
        rule.alone, rule.stripped, rule.lowered = UNSPACED, END_MARK, True
    elif name == "unicode":
        rule.gap, rule.alone, rule.lowered = NO_WORD, UNSPACED, True
    elif name == "rouge_score":
        rule.gap, rule.lowered = NO_ASCII_WORD, True
    elif name in ("tercom", "tercom_characters"):
        rule.alone, rule.lowered = UNSPACED if name == "tercom_characters" else 0, True
    elif name in ("13a", "13a_characters"):
        rule.alone, rule.parting = UNSPACED if name == "13a_characters" else 0, MTEVAL_13A
    elif name == "intl":
        rule.parting = INTL
    elif name == "chrf_words":
        rule.split_mark = True
    elif name != "none":
        raise ValueError(name)
    return rule


def tokenise(list texts, str name):
    """Return (numbers of the tokens, where each text begins and the last ends)."""
    cdef Py_ssize_t n = len(texts), i, most = 0
    cdef Text* told = <Text*> malloc((n + 1) * sizeof(Text))
    if told is NULL:
        raise MemoryError
    try:
        kept = described(texts, name, told)
        for i in range(n):
            # A character is one token at most, or two where its lower case is two.
            most += 2 * told[i].n if told[i].unsteady else told[i].n
        ids, offsets = np.empty(most + 1, np.int32), np.zeros(n + 1, np.int64)
        if name == "char":
            codes_of_all(told, n, ids, offsets)
            return ids[:offsets[n]].copy(), offsets
        return split_all(kept, told, name, ids, offsets)
    finally:
        free(told)


cdef list described(list texts, str name, Text* told):
    """Write what there is to know of each text, and return the texts, which must be kept alive."""
    from veridical.overlap.tokenisers import joined_13a

    cdef Py_ssize_t i
    # Whatever the texts, page 0: a character of one byte has no other, and a space is put in.
    load_pages(<const uint8_t*> b" ", 1)
    if name.startswith("13a"):
        texts = [joined_13a(text) for text in texts]
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"a text is expected, not {type(text).__name__}")
        told[i].data, told[i].n = PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)
        told[i].width, told[i].unsteady = PyUnicode_KIND(text), False
        if told[i].width == 2:
            told[i].unsteady = load_pages(<const uint16_t*> told[i].data, told[i].n)
        elif told[i].width == 4:
            told[i].unsteady = load_pages(<const uint32_t*> told[i].data, told[i].n)
    return texts


cdef bint load_pages(const character_t* text, Py_ssize_t n) except -1:
    """Load the pages that a text needs, and return whether it has an unsteady character."""
    cdef Py_ssize_t i
    cdef uint16_t found = 0
    for i in range(n):
        if BOOK.pages[text[i] >> 8] is NULL:
            load_page(text[i] >> 8)
        found |= properties(&BOOK, text[i])
    return found & UNSTEADY != 0


cdef int load_page(uint32_t number) except -1:
    from veridical.overlap import characters

    cdef Py_ssize_t at
    cdef Character* page = <Character*> malloc(256 * sizeof(Character))
    if page is NULL:
        raise MemoryError
    for at, (has, in_lower_case) in enumerate(characters.page(number)):
        page[at].properties, page[at].lower = has, in_lower_case
    BOOK.pages[number] = page
    return 0


cdef codes_of_all(Text* told, Py_ssize_t n, int32_t[::1] ids, int64_t[::1] offsets):
    """Number characters by their codes, white space left out."""
    cdef Py_ssize_t i, used = 0
    with nogil:
        for i in range(n):
            if told[i].width == 1:
                used += codes_of(<const uint8_t*> told[i].data, told[i].n, &ids[used])
            elif told[i].width == 2:
                used += codes_of(<const uint16_t*> told[i].data, told[i].n, &ids[used])
            else:
                used += codes_of(<const uint32_t*> told[i].data, told[i].n, &ids[used])
            offsets[i + 1] = used


cdef Py_ssize_t codes_of(const character_t* text, Py_ssize_t n, int32_t* ids) noexcept nogil:
    cdef Py_ssize_t i, used = 0
    for i in range(n):
        ids[used] = <int32_t> text[i]
        used += properties(&BOOK, text[i]) & SPACE == 0
    return used


cdef split_all(list texts, Text* told, str name, int32_t[::1] ids, int64_t[::1] offsets):
    """Number the words of all texts."""
    from veridical.overlap.tokenisers import tokeniser

    cdef Py_ssize_t i, n = len(texts)
    cdef Splitter splitter
    stems = name == "rouge_score_stemmed"
    name = "rouge_score" if stems else name
    define = tokeniser(name)
    memset(&splitter, 0, sizeof(Splitter))
    splitter.rule, splitter.ids = rule_of(name), &ids[0]
    # With the seed of this process nobody can write words that all fall into one place.
    open_vocabulary(&splitter.words, <uint64_t> <Py_ssize_t> hash("veridical"))
    try:
        with nogil:
            for i in range(n):
                if splitter.rule.lowered and told[i].unsteady:
                    with gil:
                        put_words(&splitter, define(texts[i]))
                elif told[i].width == 1:
                    split(&splitter, <const uint8_t*> told[i].data, told[i].n)
                elif told[i].width == 2:
                    split(&splitter, <const uint16_t*> told[i].data, told[i].n)
                else:
                    split(&splitter, <const uint32_t*> told[i].data, told[i].n)
                offsets[i + 1] = splitter.used
        found = np.asarray(ids)[:splitter.used]
        kept = numbers_of_stems(&splitter.words)[found] if stems else found.copy()
        return kept, np.asarray(offsets)
    finally:
        close_vocabulary(&splitter.words)
        free(splitter.line.at)
        free(splitter.other.at)


cdef numbers_of_stems(Vocabulary* words):
    """Return the number of each word's stem."""
    from veridical.overlap.tokenisers import stemmed

    cdef size_t at
    numbers, of_word = {}, np.empty(words.count, np.int32)
    for at in range(words.mask + 1):
        if words.table[at].number:
            word = PyUnicode_FromKindAndData(
                4, words.letters + words.table[at].start, words.table[at].length
            )
            of_word[words.table[at].number - 1] = numbers.setdefault(stemmed(word), len(numbers))
    return of_word


cdef int put_words(Splitter* splitter, list words) except -1:
    """Number words that are given as such."""
    cdef Py_ssize_t i, n
    cdef uint64_t hash
    cdef uint32_t* letters
    for word in words:
        n, hash = PyUnicode_GET_LENGTH(word), splitter.words.seed
        letters = blank(&splitter.words, n)
        PyUnicode_AsUCS4(word, letters, n, False)
        for i in range(n):
            hash = hashed(hash, letters[i])
        splitter.ids[splitter.used] = number_of(&splitter.words, n, hash)
        splitter.used += 1
    return 0


cdef int split(Splitter* splitter, const character_t* text, Py_ssize_t n) except -1 nogil:
    """Part marks from words where the rule says so, then number the words."""
    cdef Line* line = &splitter.line
    if splitter.rule.parting == NO_PARTING:
        return split_words(splitter, text, n)
    reserve(line, n + 2)
    line.n = 0
    if splitter.rule.parting == INTL:
        append(line, text, n)
        part_intl(&BOOK, line, &splitter.other)
    else:
        append(line, <const uint8_t*> b" ", 1)
        append(line, text, n)
        append(line, <const uint8_t*> b" ", 1)
        part_13a(&BOOK, line, &splitter.other, splitter.rule.alone)
    return split_words(splitter, <const uint32_t*> line.at, line.n)


cdef void append(Line* line, const character_t* text, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        line.at[line.n + i] = text[i]
    line.n += n


cdef int split_words(Splitter* splitter, const character_t* text, Py_ssize_t n) except -1 nogil:
    cdef Rule* rule = &splitter.rule
    cdef Py_ssize_t i = 0, start
    cdef uint16_t has, ends = rule.gap | rule.alone
    while i < n:
        has = properties(&BOOK, text[i])
        start = i
        i += 1
        if has & rule.gap:
            continue
        if not has & rule.alone:
            while i < n and not properties(&BOOK, text[i]) & ends:
                i += 1
        put_word(splitter, text, start, i)
    return 0


cdef int put_word(
    Splitter* splitter, const character_t* text, Py_ssize_t start, Py_ssize_t stop
) except -1 nogil:
    """Number a word without the marks at its ends."""
    cdef uint16_t stripped = splitter.rule.stripped
    while stripped and start < stop and properties(&BOOK, text[start]) & stripped:
        start += 1
    while stripped and start < stop and properties(&BOOK, text[stop - 1]) & stripped:
        stop -= 1
    if start == stop:
        return 0
    if splitter.rule.split_mark and stop - start > 1:
        if properties(&BOOK, text[stop - 1]) & ASCII_MARK:
            put(splitter, text, start, stop - 1, False)
            return put(splitter, text, stop - 1, stop, False)
        if properties(&BOOK, text[start]) & ASCII_MARK:
            put(splitter, text, start, start + 1, False)
            return put(splitter, text, start + 1, stop, False)
    return put(splitter, text, start, stop, splitter.rule.lowered)


cdef int put(
    Splitter* splitter, const character_t* text, Py_ssize_t start, Py_ssize_t stop, bint lowered
) except -1 nogil:
    """Number exactly these characters, in lower case if so wanted."""
    cdef Py_ssize_t i
    cdef uint64_t hash = splitter.words.seed
    cdef uint32_t* letters = blank(&splitter.words, stop - start)
    cdef uint32_t letter
    for i in range(start, stop):
        letter = lower(&BOOK, text[i]) if lowered else text[i]
        letters[i - start] = letter
        hash = hashed(hash, letter)
    splitter.ids[splitter.used] = number_of(&splitter.words, stop - start, hash)
    splitter.used += 1
    return 0
