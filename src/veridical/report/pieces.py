"""Lines of text in pieces, each with the name of a style: what the terminal table is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from veridical.report.visible import wrapped

__all__ = ["Pieces", "folded", "phrased"]

_NO_BREAK = "\N{NO-BREAK SPACE}"

Pieces = list[tuple[str, str]]
"""One line: pieces of text, each with a rich style."""


def phrased(
    phrases: Iterable[str], columns: int, *, indent: int = 0, style: str = "dim"
) -> Iterator[Pieces]:
    """Wrap between phrases, and inside one only where it is longer than a line."""
    whole = " · ".join(p if len(p) > columns // 2 else p.replace(" ", _NO_BREAK) for p in phrases)
    for pieces in folded(whole, columns, indent=indent, style=style):
        yield [(text.replace(_NO_BREAK, " "), look) for text, look in pieces]


def folded(
    text: str, columns: int, *, indent: int = 0, style: str = "", mark: str = ""
) -> Iterator[Pieces]:
    """Yield ``text`` in lines of one style; ``mark`` stands before the first."""
    for index, line in enumerate(wrapped(text, columns - indent - len(mark))):
        before = " " * indent + (" " * len(mark) if index else mark)
        yield [(before + line, style)]
