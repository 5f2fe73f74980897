"""Lines of TREC text: their words, the numbers among them, and a hash of an id."""

from cpython.object cimport PyObject
from libc.math cimport isinf
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memchr, memcpy

cdef extern from "Python.h":
    double PyOS_string_to_double(const char *, char **, PyObject *) except? -1.0

cdef extern from *:
    """
    #include <float.h>
    #include <stddef.h>
    #include <stdint.h>
    #include <string.h>

    /* m * 10^e10 to the nearest double; 0 where that takes more care.
       Below 2^53 both factors are exact, so that the one operation rounds once.  With 64 bits it
       rounds twice, which is the same unless the bits in between are half a unit, or next to it. */
    static int veridical_decimal(uint64_t m, int e10, double *result)
    {
        static const double TENS[] = {
            1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
        if (e10 < -22 || e10 > 22)
            return 0;
        if (m <= (uint64_t) 1 << 53) {
            *result = e10 < 0 ? (double) m / TENS[-e10] : (double) m * TENS[e10];
            return 1;
        }
    #if LDBL_MANT_DIG == 64 && (defined(__x86_64__) || defined(__i386__))
        long double wide = e10 < 0 ? (long double) m / TENS[-e10] : (long double) m * TENS[e10];
        uint64_t bits;
        memcpy(&bits, &wide, sizeof bits);
        if ((bits & 0x7FF) < 0x3FF || (bits & 0x7FF) > 0x401) {
            *result = (double) wide;
            return 1;
        }
    #endif
        return 0;
    }

    typedef struct { const char *text; ptrdiff_t size; } veridical_word;

    #if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define VERIDICAL_EIGHT 1
    #else
    #define VERIDICAL_EIGHT 0
    #endif
    #define VERIDICAL_BYTES(x) (0x0101010101010101ULL * (x))

    static inline uint64_t veridical_eight(const char *at)
    {
        uint64_t bytes;
        memcpy(&bytes, at, 8);
        return bytes;
    }

    static inline uint64_t veridical_four(const char *at)
    {
        uint32_t bytes;
        memcpy(&bytes, at, 4);
        return bytes;
    }

    #if defined(__SSE2__) && VERIDICAL_EIGHT
    #include <emmintrin.h>

    /* Mark with one bit each, from the lowest, the blanks among 64 bytes, and the ends of lines. */
    static inline void veridical_blanks(const char *at, uint64_t *blanks, uint64_t *ends)
    {
        const __m128i space = _mm_set1_epi8(32), tab = _mm_set1_epi8(9), four = _mm_set1_epi8(4);
        uint64_t found = 0, lines = 0;
        for (int i = 0; i < 4; i++) {
            __m128i bytes = _mm_loadu_si128((const __m128i *) (at + 16 * i));
            __m128i from_tab = _mm_sub_epi8(bytes, tab);
            __m128i blank = _mm_or_si128(
                _mm_cmpeq_epi8(bytes, space),
                _mm_cmpeq_epi8(_mm_min_epu8(from_tab, four), from_tab));
            __m128i line = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(10));
            found |= (uint64_t) (uint32_t) _mm_movemask_epi8(blank) << (16 * i);
            lines |= (uint64_t) (uint32_t) _mm_movemask_epi8(line) << (16 * i);
        }
        *blanks = found;
        *ends = lines;
    }
    #endif

    /* Find the words of a line as nearly all lines are: short, and with one blank between words.
       Where the words are is then no branch that goes either way.  NULL for any other line. */
    static inline const char *veridical_plain_words(
        const char *at, const char *stop, veridical_word *words, int most)
    {
    #if defined(__SSE2__) && VERIDICAL_EIGHT
        uint64_t blanks, ends;
        int length, start = 0;
        if (stop - at < 64)
            return NULL;
        veridical_blanks(at, &blanks, &ends);
        if (!ends || blanks & 1)
            return NULL;
        length = __builtin_ctzll(ends);
        blanks &= ((uint64_t) 2 << length) - 1; /* the end of the line is the last one */
        if (blanks & blanks >> 1)
            return NULL;
        for (int n = 0; n < most; n++) {
            int end;
            if (!blanks)
                return NULL;
            end = __builtin_ctzll(blanks);
            blanks &= blanks - 1;
            words[n].text = at + start;
            words[n].size = end - start;
            start = end + 1;
        }
        return blanks ? NULL : at + length;
    #else
        return NULL;
    #endif
    }

    #if VERIDICAL_EIGHT
    /* Add the first n of eight digits, 1 to 8, to m; 0 where one is none. */
    static inline int veridical_digits(uint64_t bytes, int n, uint64_t *m)
    {
        uint64_t digits = (bytes ^ VERIDICAL_BYTES(48)) << (64 - 8 * n);
        if (((digits + VERIDICAL_BYTES(118)) | digits) & VERIDICAL_BYTES(128))
            return 0;
        digits = digits * 10 + (digits >> 8);
        *m += (((digits & 0x000000FF000000FFULL) * 0x000F424000000064ULL)
               + (((digits >> 16) & 0x000000FF000000FFULL) * 0x0000271000000001ULL)) >> 32;
        return 1;
    }
    #endif

    /* Read what nearly all numbers are: up to eight digits, or so many on each side of a point;
       0 where it is anything else, or stands at the very end of the text. */
    static inline int veridical_short_decimal(
        const char *at, ptrdiff_t size, const char *stop, double *result)
    {
    #if VERIDICAL_EIGHT
        static const uint64_t TENS[] = {
            1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
        int negative = *at == 45;
        uint64_t bytes, point, m = 0;
        int before, after = 0;
        at += negative;
        size -= negative;
        if (size < 1 || size > 17 || stop - at < 24)
            return 0;
        bytes = veridical_eight(at);
        point = bytes ^ VERIDICAL_BYTES(46);
        point = (point - VERIDICAL_BYTES(1)) & ~point & VERIDICAL_BYTES(128);
        before = point ? __builtin_ctzll(point) >> 3 : 8;
        if (before >= size) {
            before = (int) size;
            if (before > 8)
                return 0;
        } else {
            after = (int) size - before - 1;
            if (at[before] != 46 || after < 1 || after > 8 || before < 1)
                return 0;
        }
        if (!veridical_digits(bytes, before, &m))
            return 0;
        if (after) {
            m *= TENS[after];
            if (!veridical_digits(veridical_eight(at + before + 1), after, &m))
                return 0;
        }
        if (!veridical_decimal(m, -after, result))
            return 0;
        if (negative)
            *result = -*result;
        return 1;
    #else
        return 0;
    #endif
    }

    /* Whether two texts of one size are the same; most ids are short, and a call takes longer. */
    static inline int veridical_same_bytes(const char *a, const char *b, ptrdiff_t size)
    {
        if (size >= 8) {
            const char *last = a + size - 8;
            for (; a < last; a += 8, b += 8)
                if (veridical_eight(a) != veridical_eight(b))
                    return 0;
            return veridical_eight(last) == veridical_eight(b - (a - last));
        }
        if (size >= 4)
            return veridical_four(a) == veridical_four(b)
                && veridical_four(a + size - 4) == veridical_four(b + size - 4);
        return size < 1 || (
            a[0] == b[0] && a[size / 2] == b[size / 2] && a[size - 1] == b[size - 1]);
    }

    static inline uint64_t veridical_hash(const char *text, ptrdiff_t size)
    {
        uint64_t h = 0x9E3779B97F4A7C15ULL ^ (uint64_t) size, part = 0;
        ptrdiff_t left = size;
        for (; left > 8; left -= 8, text += 8) {
            h = (h ^ veridical_eight(text)) * 0xD6E8FEB86659FD93ULL;
            h ^= h >> 32;
        }
        /* The rest of one to eight bytes, some of which may be read twice. */
        if (size >= 8)
            part = veridical_eight(text + left - 8);
        else if (size >= 4)
            part = veridical_four(text) | veridical_four(text + size - 4) << 32;
        else if (size > 0)
            part = (uint64_t) (unsigned char) text[0]
                | (uint64_t) (unsigned char) text[size / 2] << 8
                | (uint64_t) (unsigned char) text[size - 1] << 16;
        h = (h ^ part) * 0xD6E8FEB86659FD93ULL;
        h ^= h >> 32;
        h *= 0xD6E8FEB86659FD93ULL;
        return h ^ h >> 32;
    }
    """
    bint decimal "veridical_decimal"(uint64_t m, int e10, double *result) noexcept nogil
    ctypedef struct word_t "veridical_word":
        const char *text
        Py_ssize_t size
    const char *plain_words "veridical_plain_words"(
        const char *at, const char *stop, word_t *words, int most
    ) noexcept nogil
    bint short_decimal "veridical_short_decimal"(
        const char *at, Py_ssize_t size, const char *stop, double *result
    ) noexcept nogil
    bint same_bytes "veridical_same_bytes"(
        const char *a, const char *b, Py_ssize_t size
    ) noexcept nogil
    uint64_t hash_of "veridical_hash"(const char *text, Py_ssize_t size) noexcept nogil

cdef enum:
    MOST_WORDS = 6
    LONGEST_NUMBER = 400


cdef inline bint is_blank(char c) noexcept nogil:
    return c == 32 or 9 <= c <= 13


cdef inline const char *read_words(
    const char *at, const char *stop, word_t *words, Py_ssize_t most, bint rest, Py_ssize_t *found
) noexcept nogil:
    """Find the words of a line, one more than ``most`` at the most; return where the line ends.

    With ``rest`` the last word is all that follows the others.
    """
    cdef Py_ssize_t n = 0
    cdef const char *end = plain_words(at, stop, words, <int> most)
    if end is not NULL:
        found[0] = most
        return end
    while True:
        while at < stop and at[0] != 10 and is_blank(at[0]):
            at += 1
        found[0] = n
        if at == stop or at[0] == 10:
            return at
        if n == most:
            found[0] = n + 1
            return line_end(at, stop)
        words[n].text = at
        while at < stop and not is_blank(at[0]):
            at += 1
        words[n].size = at - words[n].text
        n += 1
        if rest and n == most:
            found[0] = n
            end = at = line_end(at, stop)
            while is_blank(at[-1]):
                at -= 1
            words[n - 1].size = at - words[n - 1].text
            return end


cdef inline const char *line_end(const char *at, const char *stop) noexcept nogil:
    if at < stop and at[0] == 10:
        return at
    cdef const char *end = <const char *> memchr(at, 10, stop - at)
    return stop if end is NULL else end


cdef inline int read_decimal(const word_t *word, const char *stop, double *result) except -1:
    """Read a decimal number; 0 where it is none, or infinite by name.

    The text, of which bytes after the number may be read, goes on to ``stop``.
    """
    if short_decimal(word.text, word.size, stop, result):
        return True
    return read_any_decimal(word, result)


cdef inline int read_any_decimal(const word_t *word, double *result) except -1:
    cdef const char *at = word.text
    cdef const char *end = at + word.size
    cdef uint64_t m = 0
    cdef int64_t places = 0, exponent = 0
    cdef int digits = 0, kept = 0
    cdef bint negative = False, below = False, point = False
    cdef char copy[LONGEST_NUMBER + 1]
    if at < end and (at[0] == b"-" or at[0] == b"+"):
        negative = at[0] == b"-"
        at += 1
    while at < end:
        if 48 <= at[0] <= 57:
            digits += 1
            if kept < 19:
                m = 10 * m + <uint64_t> (at[0] - 48)
                kept += m > 0
                places += point
            else:
                kept = 20
        elif at[0] == b"." and not point:
            point = True
        else:
            break
        at += 1
    if digits == 0:
        return False
    if at < end and (at[0] == b"e" or at[0] == b"E"):
        at += 1
        if at < end and (at[0] == b"-" or at[0] == b"+"):
            below = at[0] == b"-"
            at += 1
        if at == end:
            return False
        while at < end and 48 <= at[0] <= 57:
            exponent = min(10 * exponent + (at[0] - 48), 100000)
            at += 1
    if at != end:
        return False
    exponent = (-exponent if below else exponent) - places
    if kept < 20 and -100 < exponent < 100 and decimal(m, <int> exponent, result):
        result[0] = -result[0] if negative else result[0]
        return True
    if word.size > LONGEST_NUMBER:
        result[0] = float(word.text[: word.size])
        return not isinf(result[0])
    memcpy(copy, word.text, word.size)
    copy[word.size] = 0
    result[0] = PyOS_string_to_double(copy, NULL, NULL)
    return not isinf(result[0])  # one beyond float64 is refused
