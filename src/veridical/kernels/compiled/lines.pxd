"""Lines of TREC text: their words, the numbers among them, and a hash of an id."""

from cpython.object cimport PyObject
from libc.math cimport isinf
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

cdef extern from "Python.h":
    double PyOS_string_to_double(const char *, char **, PyObject *) except? -1.0

cdef extern from *:
    """
    #include <float.h>
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
    """
    bint decimal "veridical_decimal"(uint64_t m, int e10, double *result) noexcept nogil

cdef enum:
    MOST_WORDS = 6
    LONGEST_NUMBER = 400


cdef struct word_t:
    const char *text
    Py_ssize_t size


cdef inline bint is_blank(char c) noexcept nogil:
    return c == 32 or 9 <= c <= 13


cdef inline Py_ssize_t split(
    const char *at, const char *end, word_t *words, Py_ssize_t most, bint rest
) noexcept nogil:
    """Return how many words a line has, one more than ``most`` at the most.

    With ``rest`` the last word is all that follows the others.
    """
    cdef Py_ssize_t n = 0
    while True:
        while at < end and is_blank(at[0]):
            at += 1
        if at == end or n > most:
            return n
        if n == most:
            return n + 1
        words[n].text = at
        if rest and n == most - 1:
            at = end
            while is_blank(at[-1]):
                at -= 1
            words[n].size = at - words[n].text
            return most
        while at < end and not is_blank(at[0]):
            at += 1
        words[n].size = at - words[n].text
        n += 1


cdef inline bint read_decimal(const word_t *word, double *result) except -1:
    """Read a decimal number; False where it is none, or infinite by name."""
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


cdef inline uint64_t hash_of(const char *text, Py_ssize_t size) noexcept nogil:
    cdef uint64_t h = 0x9E3779B97F4A7C15ULL ^ <uint64_t> size, part = 0
    while size >= 8:
        memcpy(&part, text, 8)
        h = (h ^ part) * 0xD6E8FEB86659FD93ULL
        h ^= h >> 32
        text += 8
        size -= 8
    part = 0
    memcpy(&part, text, size)
    h = (h ^ part) * 0xD6E8FEB86659FD93ULL
    h ^= h >> 32
    h *= 0xD6E8FEB86659FD93ULL
    return h ^ h >> 32
