"""The content of a report, before anybody decides how it looks.

A page and a text document are made of the same blocks, in the same order.  Every string is
untrusted text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from markupsafe import Markup

from veridical.report.visible import legal_xml

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "Block",
    "Bullets",
    "Document",
    "Figure",
    "Paragraph",
    "Section",
    "Signatures",
    "Table",
    "legible",
]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; a quiet one explains how to read what follows."""

    text: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Bullets:
    """Sentences that stand one below the other."""

    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text.

    Attributes
    ----------
    title
        What it shows.
    head
        The names of its columns.
    rows
        As many cells each; the first names the row.
    numbers
        Which columns stand flush right.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart.

    Attributes
    ----------
    title, caption
        What it shows, and how to read it.
    svg
        The markup of the page's chart, made by the package alone.
    draw
        Draws the same on the axes of a text document.
    """

    title: str
    caption: str
    svg: Markup
    draw: Callable[[Axes], Any]


@dataclass(frozen=True, slots=True)
class Signatures:
    """Blank lines on a page of their own.

    Attributes
    ----------
    roles
        Who signs.
    lines
        What each of them writes by hand.
    """

    roles: tuple[str, ...]
    lines: tuple[str, ...]


Block: TypeAlias = Paragraph | Bullets | Table | Figure | Signatures


@dataclass(frozen=True, slots=True)
class Section:
    """One section.

    Attributes
    ----------
    name
        Its address on the page; ``metrics`` and ``limits`` are linked by every page.
    short, title
        In the list of sections, and above it.
    blocks
        What it says.
    """

    name: str
    short: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report.

    Attributes
    ----------
    title
        Its heading.
    facts
        What, of what, when and by what: pairs of a term and what it says.
    sections
        In reading order.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]


def legible(part: Any) -> Any:
    r"""Return a document, or a part of one, whose text has nothing in it that nobody can see.

    Examples
    --------
    >>> legible(Paragraph("a\x00b")).text
    'a\\x00b'
    """
    if isinstance(part, str) and not isinstance(part, Markup):
        return legal_xml(part)
    if isinstance(part, tuple):
        return tuple(map(legible, part))
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{one.name: legible(getattr(part, one.name)) for one in fields(part)})
    return part
