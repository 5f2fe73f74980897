# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Texts as numbers of their tokens."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memset

import numpy as np

from veridical.kernels.compiled.characters cimport (
    ALONE, ASCII_MARK, Book, Character, END_MARK, HYPHEN, NO_ASCII_WORD, NO_WORD, POINT,
    PUNCTUATION, SPACE, SYMBOL, UNSPACED, UNSTEADY, character_t, described, properties,
)
from veridical.kernels.compiled.parting cimport Line, part_13a, part_intl, reserve
from veridical.kernels.compiled.vocabulary cimport (
    SHORT, Place, Vocabulary, blank, close_vocabulary, hashed, number_of_long, number_of_short,
    open_vocabulary,
)

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>

    /* How many letters stand before the first 0 of eight, and those as one number. */
    static inline int veridical_letters(const uint8_t *text, uint64_t *word)
    {
    #if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        uint64_t eight, ends;
        int n;
        memcpy(&eight, text, 8);
        ends = (eight - 0x0101010101010101ULL) & ~eight & 0x8080808080808080ULL;
        n = ends ? __builtin_ctzll(ends) >> 3 : 8;
        *word = n == 8 ? eight : eight & ((1ULL << 8 * n) - 1);
        return n;
    #else
        int n = 0;
        *word = 0;
        for (; n < 8 && text[n]; n++)
            *word |= (uint64_t) text[n] << 8 * n;
        return n;
    #endif
    }
    """
    int veridical_letters(const uint8_t *text, uint64_t *word) noexcept nogil

cdef extern from "Python.h":
    int PyUnicode_KIND(object)
    bint PyUnicode_IS_ASCII(object)
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
    uint16_t marks  # those taken off both ends of a word
    bint split_mark  # or one of them only, which then is a token
    bint lowered
    Parting parting
    uint16_t parted  # characters that are set apart, or are where their neighbours are not digits
    uint16_t apart  # those set apart beyond what the parting does by itself

cdef struct Text:
    const void* data
    Py_ssize_t n
    int width
    bint ascii
    bint unsteady  # its lower case is not that of its characters one by one

cdef struct Word:
    uint64_t hash
    uint32_t odd  # not 0 where a letter is 0, or has no byte
    uint16_t found  # the properties of all

cdef struct Bytes:
    uint8_t letter[256]  # what the rule makes of a byte: its lower case, or 0 if it parts words
    bint has_nul  # although it is a letter
    uint64_t marked  # the bit, in each of eight letters, by which a mark is known; 0 without marks

cdef struct Splitter:
    Rule rule
    Bytes bytes
    Vocabulary words
    uint8_t* lowered
    Py_ssize_t room
    Line line, other
    int32_t* ids
    Py_ssize_t used

cdef Book BOOK


cdef Rule rule_of(str name) except *:
    """Return how the tokeniser of that name splits; veridical.overlap.tokenisers defines it."""
    cdef Rule rule = Rule(SPACE, 0, 0, False, False, NO_PARTING, 0, 0)
    if name == "words":
        rule.alone, rule.marks, rule.lowered = UNSPACED, END_MARK, True
    elif name == "unicode":
        rule.gap, rule.alone, rule.lowered = NO_WORD, UNSPACED, True
    elif name == "rouge_score":
        rule.gap, rule.lowered = NO_ASCII_WORD, True
    elif name in ("tercom", "tercom_characters"):
        rule.alone, rule.lowered = UNSPACED if name == "tercom_characters" else 0, True
    elif name in ("13a", "13a_characters"):
        rule.parting, rule.apart = MTEVAL_13A, UNSPACED if name == "13a_characters" else 0
        rule.parted = ALONE | POINT | HYPHEN | rule.apart
    elif name == "intl":
        rule.parting, rule.parted = INTL, PUNCTUATION | SYMBOL
    elif name == "chrf_words":
        rule.marks, rule.split_mark = ASCII_MARK, True
    elif name != "none":
        raise ValueError(name)
    return rule


def text_lengths(list texts):
    """Return how many characters each text has, int64, shape (texts,)."""
    cdef Py_ssize_t i
    cdef int64_t[::1] lengths = np.empty(len(texts), np.int64)
    for i, text in enumerate(texts):
        check(text)
        lengths[i] = PyUnicode_GET_LENGTH(text)
    return np.asarray(lengths)


cdef inline int check(text) except -1:
    if not isinstance(text, str):
        raise TypeError(f"a text is expected, not {type(text).__name__}")
    return 0


def tokenise(list texts, str name):
    """Return (numbers of the tokens, where each text begins and the last ends)."""
    cdef Py_ssize_t n = len(texts), i, most = 0
    cdef Text* told = <Text*> malloc((n + 1) * sizeof(Text))
    if told is NULL:
        raise MemoryError
    try:
        kept = noted(texts, name, told)
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


cdef list noted(list texts, str name, Text* told):
    """Write what there is to know of each text, and return the texts, which must be kept alive."""
    from veridical.overlap.tokenisers import joined_13a

    cdef Py_ssize_t i
    # Whatever the texts, page 0: a character of one byte has no other, and a space is put in.
    load_pages(<const uint8_t*> b" ", 1)
    if name.startswith("13a"):
        texts = [
            joined_13a(text) if "&" in text or "\n" in text or "<" in text else text
            for text in texts
        ]
    for i, text in enumerate(texts):
        check(text)
        told[i].data, told[i].n = PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)
        told[i].width, told[i].ascii = PyUnicode_KIND(text), PyUnicode_IS_ASCII(text)
        told[i].unsteady = False
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
    list_letters(&splitter)
    # With the seed of this process nobody can write words that all fall into one place.
    open_vocabulary(&splitter.words, <uint64_t> <Py_ssize_t> hash("veridical"))
    try:
        with nogil:
            for i in range(n):
                if splitter.rule.lowered and told[i].unsteady:
                    with gil:
                        put_words(&splitter, define(texts[i]))
                elif told[i].ascii or told[i].width == 1 and not splitter.bytes.marked:
                    split_bytes(&splitter, <const uint8_t*> told[i].data, told[i].n)
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
        free(splitter.lowered)


cdef numbers_of_stems(Vocabulary* words):
    """Return the number of each word's stem."""
    from veridical.overlap.tokenisers import stemmed

    cdef size_t at
    cdef Place* place
    cdef uint32_t* long
    cdef uint8_t short[SHORT]
    cdef int n
    cdef list texts = [None] * words.count
    for at in range(words.mask + 1):
        place = &words.places[at]
        if not place.number:
            continue
        if place.letters:
            long = words.letters + place.letters
            texts[place.number - 1] = PyUnicode_FromKindAndData(4, long + 1, long[0])
            continue
        n = 0
        while n < SHORT and place.key >> (8 * n):
            short[n] = <uint8_t> (place.key >> (8 * n))
            n += 1
        texts[place.number - 1] = PyUnicode_FromKindAndData(1, short, n)
    cdef dict numbers = {}
    of_word = np.empty(words.count, np.int32)
    cdef int32_t[::1] number = of_word
    for n, text in enumerate(texts):
        number[n] = numbers.setdefault(stemmed(text), len(numbers))
    return of_word


cdef void list_letters(Splitter* splitter) noexcept:
    """List what the rule makes of each byte."""
    cdef Rule* rule = &splitter.rule
    cdef Bytes* bytes = &splitter.bytes
    cdef uint16_t has, marks = rule.marks | rule.parted
    cdef int code
    # A mark has the bit that no letter of ASCII has.
    bytes.marked = <uint64_t> 0x8080808080808080 if marks else 0
    for code in range(256):
        has = properties(&BOOK, <uint8_t> code)
        bytes.letter[code] = <uint8_t> described(&BOOK, <uint8_t> code).lower if rule.lowered else code
        if has & rule.gap:
            bytes.letter[code] = 0
        elif has & marks:
            bytes.letter[code] |= 0x80
    bytes.has_nul = not properties(&BOOK, <uint8_t> 0) & rule.gap


cdef int split_bytes(Splitter* splitter, const uint8_t* text, Py_ssize_t n) except -1 nogil:
    """Number the words of a text of one byte a character, up to eight letters at once.

    It is ASCII where the rule has marks, and no script of one byte is written without spaces.
    """
    cdef Bytes* bytes = &splitter.bytes
    cdef Py_ssize_t start = 0, stop
    cdef uint64_t word, marks
    if bytes.has_nul and memchr(text, 0, n) is not NULL:
        return split(splitter, text, n)
    cdef uint8_t* letters = reserve_bytes(splitter, n + SHORT + 1)
    for stop in range(n):
        letters[stop] = bytes.letter[text[stop]]
    memset(letters + n, 0, SHORT + 1)
    while n and not letters[n - 1]:
        n -= 1
    while start < n:
        if not letters[start]:
            start += 1
            continue
        stop = start + veridical_letters(letters + start, &word)
        marks = word & bytes.marked
        if stop - start == SHORT:
            while letters[stop]:
                marks |= letters[stop] & bytes.marked
                stop += 1
        if marks and splitter.rule.marks:
            put_marked(splitter, text, start, stop)
        elif marks:
            put_parted(splitter, text, start, stop, n)
        elif stop - start > SHORT:
            put(splitter, letters, start, stop, False)
        else:
            splitter.ids[splitter.used] = number_of_short(&splitter.words, word)
            splitter.used += 1
        start = stop + 1
    return 0


cdef inline uint8_t* reserve_bytes(Splitter* splitter, Py_ssize_t room) except NULL nogil:
    cdef uint8_t* moved
    if splitter.room < room:
        moved = <uint8_t*> realloc(splitter.lowered, 2 * room)
        if moved is NULL:
            with gil:
                raise MemoryError
        splitter.lowered, splitter.room = moved, 2 * room
    return splitter.lowered


cdef int put_words(Splitter* splitter, list words) except -1:
    """Number words that are given as such."""
    cdef Py_ssize_t n
    for word in words:
        n = PyUnicode_GET_LENGTH(word)
        reserve(&splitter.line, n)
        PyUnicode_AsUCS4(word, splitter.line.at, n, False)
        put(splitter, <const uint32_t*> splitter.line.at, 0, n, False)
    return 0


cdef int split(Splitter* splitter, const character_t* text, Py_ssize_t n) except -1 nogil:
    """Number the words of one text."""
    cdef Rule* rule = &splitter.rule
    cdef Py_ssize_t start = 0, stop
    cdef uint16_t has, ends = rule.gap | rule.alone
    cdef Word word
    while n and properties(&BOOK, text[n - 1]) & SPACE:
        n -= 1
    while start < n:
        has = properties(&BOOK, text[start])
        stop = start + 1
        if has & rule.alone and not has & rule.gap:
            put(splitter, text, start, stop, rule.lowered)
        elif not has & rule.gap:
            # One loop finds the end and writes: a processor guesses wrong where one ends.
            stop = write(splitter, text, start, n, ends, rule.lowered, &word)
            if word.found & rule.marks:
                put_marked(splitter, text, start, stop)
            elif word.found & rule.parted:
                put_parted(splitter, text, start, stop, n)
            else:
                number(splitter, stop - start, &word)
        start = stop
    return 0


cdef int put_parted(
    Splitter* splitter, const character_t* text, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t n
) except -1 nogil:
    """Number what a word falls into when its marks are set apart."""
    cdef Line* line = &splitter.line
    cdef Py_ssize_t i
    if splitter.rule.parting == MTEVAL_13A:
        part_13a(&BOOK, text + start, stop - start, line, &splitter.other, splitter.rule.apart)
    else:
        part_intl(
            &BOOK, text + start, stop - start, line, &splitter.other, start > 0, stop < n
        )
    start = 0
    for i in range(line.n + 1):
        if i == line.n or line.at[i] == 32:
            if start < i:
                put(splitter, <const uint32_t*> line.at, start, i, False)
            start = i + 1
    return 0


cdef int put_marked(
    Splitter* splitter, const character_t* text, Py_ssize_t start, Py_ssize_t stop
) except -1 nogil:
    """Number a word with marks: without those at its ends, or with one of them for itself."""
    cdef uint16_t marks = splitter.rule.marks
    if not splitter.rule.split_mark:
        while start < stop and properties(&BOOK, text[start]) & marks:
            start += 1
        while start < stop and properties(&BOOK, text[stop - 1]) & marks:
            stop -= 1
        return put(splitter, text, start, stop, splitter.rule.lowered) if start < stop else 0
    cdef Py_ssize_t middle = start
    if stop - start > 1 and properties(&BOOK, text[stop - 1]) & marks:
        middle = stop - 1
    elif stop - start > 1 and properties(&BOOK, text[start]) & marks:
        middle = start + 1
    if start < middle:
        put(splitter, text, start, middle, False)
    return put(splitter, text, middle, stop, False)


cdef int put(
    Splitter* splitter, const character_t* text, Py_ssize_t start, Py_ssize_t stop, bint lowered
) except -1 nogil:
    """Number exactly these characters, which need not be in the book where they stay as they are."""
    cdef uint32_t* letters = blank(&splitter.words, stop - start)
    cdef Word word = Word(splitter.words.seed, 0, 0)
    cdef Py_ssize_t i
    for i in range(stop - start):
        add(
            &word, letters, i,
            described(&BOOK, text[start + i]).lower if lowered else <uint32_t> text[start + i],
        )
    return number(splitter, stop - start, &word)


cdef inline Py_ssize_t write(
    Splitter* splitter, const character_t* text, Py_ssize_t start, Py_ssize_t stop,
    uint16_t ends, bint lowered, Word* word,
) except -1 nogil:
    """Write a word as far as the first character that ends it, and return where that is."""
    cdef uint32_t* letters = blank(&splitter.words, stop - start)
    cdef const Character* character
    cdef Py_ssize_t at
    word[0] = Word(splitter.words.seed, 0, 0)
    for at in range(start, stop):
        character = described(&BOOK, text[at])
        if character.properties & ends:
            return at
        word.found |= character.properties
        add(word, letters, at - start, character.lower if lowered else <uint32_t> text[at])
    return stop


cdef inline void add(Word* word, uint32_t* letters, Py_ssize_t i, uint32_t letter) noexcept nogil:
    letters[i] = letter
    word.hash = hashed(word.hash, letter)
    word.odd |= (letter | (letter - 1)) >> 8


cdef inline int number(Splitter* splitter, Py_ssize_t length, const Word* word) except -1 nogil:
    """Number the word that was written."""
    cdef uint32_t* letters
    cdef uint64_t short = 0
    cdef Py_ssize_t i
    cdef int32_t found
    if length > SHORT or word.odd:
        found = number_of_long(&splitter.words, <uint32_t> length, word.hash)
    else:
        letters = blank(&splitter.words, length)
        for i in range(length):
            short |= <uint64_t> letters[i] << (8 * i)
        found = number_of_short(&splitter.words, short)
    splitter.ids[splitter.used] = found
    splitter.used += 1
    return 0
