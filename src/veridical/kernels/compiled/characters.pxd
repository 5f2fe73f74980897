"""Properties and lower case of characters, looked up by pages of 256 that are filled when needed."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

cdef enum:
    PAGES = 0x1100

# The bits of veridical.overlap.characters.
cdef enum:
    SPACE = 1
    UNSPACED = 2
    NO_WORD = 4
    NO_ASCII_WORD = 8
    END_MARK = 16
    ASCII_MARK = 32
    DIGIT = 64
    NO_DIGIT = 128
    POINT = 256
    HYPHEN = 512
    ALONE = 1024
    NO_NUMBER = 2048
    PUNCTUATION = 4096
    SYMBOL = 8192
    UNSTEADY = 16384

ctypedef fused character_t:  # as many bytes as the widest character of a str needs
    uint8_t
    uint16_t
    uint32_t

cdef struct Character:
    uint16_t properties
    uint32_t lower

cdef struct Book:
    Character* pages[PAGES]


cdef inline const Character* described(const Book* book, character_t code) noexcept nogil:
    if character_t is uint8_t:
        return book.pages[0] + code
    else:
        return book.pages[code >> 8] + (code & 255)


cdef inline uint16_t properties(const Book* book, character_t code) noexcept nogil:
    return described(book, code).properties
