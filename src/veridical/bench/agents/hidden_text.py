"""Text that is there and is not seen: each way of hiding it undone."""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

__all__ = ["base64_texts", "joined_lines", "revealed", "tag_text", "turned_text", "zero_width_text"]

_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
_TURNED: Final = re.compile("[\u202e\u2067]([^\u202c\u2069\n]*)[\u202c\u2069]?")
_ZERO_WIDTH: Final = re.compile("[\u200b\u200c]{16,}")
_FOLD: Final = 65
"""Characters of a line of SWIFT: what is longer goes on in the next one."""
_UNSEEN: Final = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


def revealed(text: str) -> Iterator[str]:
    """Yield a text as it reads, and whatever is hidden in it."""
    for form in joined_lines(text):
        yield _UNSEEN.sub("", unicodedata.normalize("NFKC", form))
        yield from base64_texts(form)
    yield tag_text(text)
    yield zero_width_text(text)
    yield turned_text(text)


def joined_lines(text: str) -> tuple[str, str]:
    r"""Return a text in one line: with a space for every break, and without where it was folded.

    Examples
    --------
    >>> [form[60:] for form in joined_lines("x" * 65 + "\nend\nof it")]
    ['xxxxx end of it', 'xxxxxend of it']
    """
    lines = text.splitlines()
    folded = "".join(line if len(line) == _FOLD else f"{line} " for line in lines)
    return " ".join(lines), folded.rstrip(" ")


def tag_text(text: str) -> str:
    """Return what the tag characters of a text spell.

    Examples
    --------
    >>> tag_text("a" + chr(0xE0068) + chr(0xE0069))
    'hi'
    """
    return "".join(chr(ord(sign) - 0xE0000) for sign in text if "\U000e0020" <= sign < "\U000e007f")


def base64_texts(text: str) -> Iterator[str]:
    """Yield what the long words of a text say in base64, where they say anything."""
    for match in _BASE64.finditer(text):
        word = match[0].rstrip("=")
        try:
            plain = base64.b64decode(word + "=" * (-len(word) % 4)).decode()
        except (binascii.Error, UnicodeDecodeError):
            continue
        if plain.isprintable():
            yield plain


def zero_width_text(text: str) -> str:
    """Return what the zero-width characters of a text spell, as bits."""
    found = []
    for match in _ZERO_WIDTH.finditer(text):
        bits = match[0].translate({0x200B: "0", 0x200C: "1"})
        whole = bits[: len(bits) // 8 * 8]
        content = int(whole, 2).to_bytes(len(whole) // 8, "big")
        found.append(content.decode("utf-8", "replace"))
    return " ".join(found)


def turned_text(text: str) -> str:
    """Return what is written from right to left, from left to right."""
    return " ".join(match[1][::-1] for match in _TURNED.finditer(text))
