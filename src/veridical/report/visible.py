"""Names and labels made safe to print: nothing in them moves the cursor or reverses the line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

__all__ = ["fitted", "inert", "legal_xml", "padded", "visible", "width", "wrapped"]

_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
# Control, format (bidirectional and zero-width characters among them), surrogates, line breaks.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
# Of these, what acts on those around it: controls, and what turns the direction of a line.  What
# joins or parts letters belongs to the words of some languages.
_ACTING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def inert(text: str, escape: Callable[[str], str] | None = None) -> str:
    r"""Return ``text`` with every character spelt out that acts on others, for a page of any text.

    Parameters
    ----------
    text
        Line ends and tabs in it stay.
    escape
        How a character is spelt; ``\x1b`` and the like by default.

    Examples
    --------
    >>> print(inert("a\x1b[31m"), inert("b\u202ec"), inert("two\nlines") == "two\nlines")
    a\x1b[31m b\u202ec True
    """
    spelt = escape or _escaped
    return _ACTING.sub(lambda found: spelt(found.group()), text)


def visible(text: str) -> str:
    r"""Return ``text`` with every invisible character spelt out.

    Examples
    --------
    >>> print(visible("a\x1b[31m"), visible("b\u202ec"), visible("naïve 収入"))
    a\x1b[31m b\u202ec naïve 収入
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(c) if unicodedata.category(c) in _HIDDEN else c for c in text)


# What no XML 1.0 document may hold, however it is written.  To compile it takes 5 ms, and few
# commands write such a document.
_ILLEGAL = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def legal_xml(text: str) -> str:
    """Return ``text`` with what XML forbids, and what nobody can see, spelt out."""
    return re.sub(_ILLEGAL, "\N{REPLACEMENT CHARACTER}", visible(text))


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def width(text: str) -> int:
    r"""Return how many terminal columns ``text`` takes.

    Examples
    --------
    >>> width("score"), width("収入"), width("e\u0301")
    (5, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def fitted(text: str, columns: int) -> str:
    """Return ``text`` in at most ``columns`` terminal columns, its middle left out if need be.

    Two long names usually differ at their ends, so both ends are kept.

    Examples
    --------
    >>> fitted("fraud_model_2024_01_a", 12)
    'fraud_…_01_a'
    """
    if width(text) <= columns:
        return text
    head_room, tail_room = columns // 2, columns - columns // 2 - 1
    return _start(text, head_room) + _ELLIPSIS + _start(text[::-1], tail_room)[::-1]


def _start(text: str, columns: int) -> str:
    used = 0
    for index, character in enumerate(text):
        used += _columns(character)
        if used > columns:
            return text[:index]
    return text


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """Return ``text`` fitted and filled with spaces to ``columns`` terminal columns.

    Examples
    --------
    >>> padded("n", 3), padded("n", 3, right=True)
    ('n  ', '  n')
    """
    text = fitted(text, columns)
    space = " " * (columns - width(text))
    return space + text if right else text + space


def wrapped(text: str, columns: int) -> list[str]:
    """Return ``text`` in lines of at most ``columns`` terminal columns.

    Lines break at spaces; a word that is longer than a line is cut.

    Examples
    --------
    >>> wrapped("seed 7 and 95% intervals", 12)
    ['seed 7 and', '95%', 'intervals']
    """
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if width(joined) <= columns:
            line = joined
            continue
        lines += [line] if line else []
        while width(word) > columns:
            head = _start(word, columns)
            lines.append(head)
            word = word[len(head) :]  # noqa: PLW2901 - the rest of the word
        line = word
    return [*lines, line] if line else lines
