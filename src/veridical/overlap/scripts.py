"""Scripts that write no spaces between words: their texts are split into characters."""

from __future__ import annotations

import re

__all__ = ["UNSPACED", "apart", "is_unspaced"]

UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u0f00-\u0fff"  # Tibetan
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b"  # Han: radicals and marks
    "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
    "\u3100-\u312f\u31a0-\u31bf"  # bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
_ONE = re.compile(f"[{UNSPACED}]")


def is_unspaced(text: str) -> bool:
    """Return whether a text holds characters of a script without spaces.

    Examples
    --------
    >>> is_unspaced("สวัสดี"), is_unspaced("안녕 하세요")
    (True, False)
    """
    return not text.isascii() and _ONE.search(text) is not None


def apart(text: str) -> str:
    """Return the text with a space on both sides of each such character.

    Examples
    --------
    >>> apart("我喜欢NLP").split()
    ['我', '喜', '欢', 'NLP']
    """
    return text if text.isascii() else _ONE.sub(r" \g<0> ", text)
