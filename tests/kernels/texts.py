"""Texts that break careless tokenisers, and numbers that do not depend on who gave them."""

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

# Marks of every tokeniser; letters whose lower case is longer, or depends on its neighbours;
# scripts without spaces; white space and digits of several kinds; NUL, lone surrogates, marks of
# direction.
ALPHABET = (
    "abAB .,-:'\"019&;()<>/_$%\n\t\x00\x0b\x1c\x85\xa0\u2028\u3000¿é€«»—Éß\u0130\u0131"
    "\u03a3σς\u0391\u0301"
    "ÅÅ\u212a中文。ひカ한\u0e01\u0e31\u0e48\u0e4fمر٣२"
    "\u200d\u200f\u202e\ufeff\ud800\udfff\U00020000\U0001f600\U0010ffff"
)
PIECES = [
    "-\n", "<skipped>", "&amp;", "&amp;lt;", "&quot;", "1,000.50", "U.S.A.", "2-3", "a-\n",
    "\u03a3\u03a3.", "running", "ties",
]  # fmt: skip

characters = st.one_of(
    st.sampled_from(ALPHABET), st.characters(), st.integers(0, 0x10FFFF).map(chr)
)
texts = st.lists(st.one_of(characters, st.sampled_from(PIECES)), max_size=25).map("".join)


def renumbered(ids: Iterable[int]) -> list[int]:
    """Return ids in the order in which they come up."""
    numbers: dict[Any, int] = {}
    return [numbers.setdefault(one, len(numbers)) for one in ids]
