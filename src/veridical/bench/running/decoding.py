"""A file of a case as text: the same text for every agent."""

from __future__ import annotations

import codecs
from typing import Final

__all__ = ["LARGEST_PAGE", "decoded", "page_of"]

LARGEST_PAGE: Final = 32_768
"""Bytes of UTF-8 in the longest piece of a file that one call returns."""


def decoded(content: bytes) -> str:
    r"""Return a file as text.

    UTF-8 where it is UTF-8, UTF-16 where a mark at its beginning says so, else Windows-1252 with
    the five bytes that it leaves out as Latin-1 has them.  A mark stays as U+FEFF, and line ends
    stay as they are: nothing that the bank's data hold is lost or made up.

    Examples
    --------
    >>> decoded("£".encode()), decoded(b"\xa3"), decoded(b"\x81")
    ('£', '£', '\x81')
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        order = "le" if content.startswith(codecs.BOM_UTF16_LE) else "be"
        return content.decode(f"utf-16-{order}", "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return "".join(_WINDOWS[byte] for byte in content)


def page_of(text: str, offset: int, limit: int) -> tuple[str, int | None]:
    """Return a piece of a text, and where the next one begins; None at the end.

    Examples
    --------
    >>> page_of("abcdef", 2, 3), page_of("abcdef", 3, 3), page_of("abc", 9, 1)
    (('cde', 5), ('def', None), ('', None))
    """
    piece = text[offset : offset + min(limit, LARGEST_PAGE)]
    if len(piece) * 4 > LARGEST_PAGE:
        piece = piece.encode("utf-8", "surrogatepass")[:LARGEST_PAGE].decode("utf-8", "ignore")
    end = offset + len(piece)
    return piece, end if end < len(text) else None


def _windows(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


_WINDOWS: Final = tuple(map(_windows, range(256)))
