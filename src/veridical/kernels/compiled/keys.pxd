"""Integer images of floating-point numbers that have the same order.

The bits of a non-negative IEEE number, read as an unsigned integer, already ascend with it; those
of a negative one descend.  Setting the sign bit of the first and flipping all bits of the second
gives one ascending image of the whole line.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

ctypedef fused key_t:
    uint32_t
    uint64_t


cdef inline key_t sign_bit(key_t _) noexcept nogil:
    return <key_t> 1 << (8 * sizeof(key_t) - 1)


cdef inline key_t key_of_bits(key_t bits) noexcept nogil:
    cdef key_t sign = sign_bit(bits)
    if bits == sign:  # -0.0 ties with 0.0
        return sign
    return ~bits if bits & sign else bits | sign


cdef inline key_t bits_of_key(key_t key) noexcept nogil:
    cdef key_t sign = sign_bit(key)
    return key ^ sign if key & sign else ~key


ctypedef fused score_t:
    float
    double


cdef inline uint64_t key_of_score(score_t score) noexcept nogil:
    """The ordered image of a score; of a float in the lower 32 bits."""
    cdef uint32_t narrow
    cdef uint64_t wide
    if score_t is float:
        memcpy(&narrow, &score, sizeof(float))
        return key_of_bits(narrow)
    else:
        memcpy(&wide, &score, sizeof(double))
        return key_of_bits(wide)
