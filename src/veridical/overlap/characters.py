"""What a tokeniser asks of a character: a few yes-or-no properties, and its lower case."""

from __future__ import annotations

import string
import unicodedata

from veridical.overlap.scripts import is_unspaced

__all__ = ["ALONE_13A", "ASCII_MARKS", "END_MARKS", "PAGE", "page"]

PAGE = 256
END_MARKS = frozenset(".,!?;:'\"")
ASCII_MARKS = frozenset(string.punctuation)
ALONE_13A = ASCII_MARKS - frozenset(",-.'")
_ASCII_WORD = frozenset(string.ascii_lowercase + string.digits)

# One bit each; ``kernels/compiled/characters.pxd`` repeats them.  ``NO_WORD`` and ``NO_ASCII_WORD``
# are asked of the character in lower case.  The lower case of an ``UNSTEADY`` one depends on its
# neighbours, or is two characters.
SPACE, UNSPACED, NO_WORD, NO_ASCII_WORD, END_MARK, ASCII_MARK, DIGIT, NO_DIGIT = (
    1 << bit for bit in range(8)
)
POINT, HYPHEN, ALONE, NO_NUMBER, PUNCTUATION, SYMBOL, UNSTEADY = (1 << bit for bit in range(8, 15))


def page(number: int) -> list[tuple[int, int]]:
    """Return properties and lower case, as numbers, of the characters from ``256 * number`` on.

    Examples
    --------
    >>> properties, lower = page(0)[ord("A")]
    >>> properties & NO_WORD, chr(lower)
    (0, 'a')
    """
    return [_described(chr(code)) for code in range(PAGE * number, PAGE * (number + 1))]


def _described(character: str) -> tuple[int, int]:
    lower, category = character.lower(), unicodedata.category(character)[0]
    is_word = lower.isalnum() or category == "M"
    is_digit = "0" <= character <= "9"
    properties = (
        SPACE * character.isspace()
        | UNSPACED * is_unspaced(character)
        | NO_WORD * (not is_word)
        | NO_ASCII_WORD * (lower not in _ASCII_WORD)
        | END_MARK * (character in END_MARKS)
        | ASCII_MARK * (character in ASCII_MARKS)
        | (DIGIT if is_digit else NO_DIGIT)
        | POINT * (character in ".,")
        | HYPHEN * (character == "-")
        | ALONE * (character in ALONE_13A)
        | NO_NUMBER * (category != "N")
        | PUNCTUATION * (category == "P")
        | SYMBOL * (category == "S")
        | UNSTEADY * (len(lower) > 1 or character == "Σ")
    )
    return properties, ord(lower[0])
