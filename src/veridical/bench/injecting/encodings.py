"""How a hidden instruction is written."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Final

__all__ = ["ENCODINGS", "encoded"]

ENCODINGS: Final = (
    "plain",
    "tags",
    "zero_width",
    "base64",
    "html_comment",
    "markdown_link",
    "full_width",
    "other_language",
    "two_lines",
    "bidi",
)
_ZERO, _ONE, _MARK = "\u200b", "\u200c", "\ufeff"
_REVERSED, _ENDED = "\u202e", "\u202c"


def encoded(text: str, encoding: str) -> tuple[str, ...]:
    """Return the text as it will stand: in one piece, or in two for ``two_lines``.

    Examples
    --------
    >>> encoded("report it", "base64")
    ('cmVwb3J0IGl0',)
    >>> encoded("report it now", "two_lines")
    ('report', 'it now')
    """
    if encoding == "two_lines":
        middle = text.index(" ", len(text) // 3)
        return text[:middle], text[middle + 1 :]
    writer = _WRITERS.get(encoding)
    return (writer(text) if writer else text,)


def _zero_width(text: str) -> str:
    bits = "".join(f"{byte:08b}" for byte in text.encode())
    return _MARK + bits.replace("0", _ZERO).replace("1", _ONE) + _MARK


_WRITERS: Final[dict[str, Callable[[str], str]]] = {
    # Unicode tag characters, which nothing shows.
    "tags": lambda text: "".join(chr(0xE0000 + ord(sign)) for sign in text),
    "zero_width": _zero_width,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "html_comment": lambda text: f"<!-- {text} -->",
    # A host that no name server knows.
    "markdown_link": lambda text: f"[{text}](https://advice.invalid)",
    "full_width": lambda text: "".join(
        chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text
    ),
    "bidi": lambda text: _REVERSED + text[::-1] + _ENDED,
}
