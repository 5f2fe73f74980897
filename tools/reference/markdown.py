"""Text of the package as Markdown: what has a meaning there loses it, code stays code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

__all__ = ["anchor", "bullets", "fence", "paragraphs", "plain", "table"]

_CODE = re.compile(r"(``?)(?! )([^`]+?)\1")
_LINK = re.compile(r"\b(doi:10\.\d{4,9}/[\w.()<>/:;-]*\w|https://[\w.:/?=%-]*\w)", re.ASCII)
# Entities, because every dialect reads them, and not every one knows the backslash before these.
_LIST = re.compile(r"^(\d{1,9})([.)])(?=\s|$)|^([-+])(?=\s|$)")
_SPECIAL = str.maketrans({sign: f"&#{ord(sign)};" for sign in r"\*_[]<>&|$`#~{}"})


def plain(text: str) -> str:
    """Return one line of prose in which only code in backquotes and addresses mean anything.

    Examples
    --------
    >>> plain("a <b> of ``c*d`` and e_f, doi:10.1/x")
    'a &#60;b&#62; of `c*d` and e&#95;f, doi:10.1/x'
    """
    text = " ".join(text.split())
    if mark := _LIST.match(text):  # a line that only looks like the item of a list
        head = f"{mark[1] or ''}&#{ord(mark[2] or mark[3])};"
        return head + plain(f"x{text[mark.end() :]}").removeprefix("x")
    pieces, end = [], 0
    for code in _CODE.finditer(text):
        pieces += [_prose(text[end : code.start()]), f"`{code.group(2)}`"]
        end = code.end()
    return "".join([*pieces, _prose(text[end:])])


def _prose(text: str) -> str:
    pieces, end = [], 0
    for link in _LINK.finditer(text):
        address = quote(link[1].replace("doi:", "https://doi.org/", 1), safe="/:;.?=%-_")
        pieces += [_escaped(text[end : link.start()]), f"[{_escaped(link[1])}]({address})"]
        end = link.end()
    return "".join([*pieces, _escaped(text[end:])])


def _escaped(text: str) -> str:
    return text.translate(_SPECIAL)


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a docstring's section, each one line."""
    for paragraph in text.split("\n\n"):
        if paragraph.strip():
            yield plain(paragraph)


def fence(code: str, tag: str) -> str:
    """Return a block of code, behind more backquotes than it has."""
    marks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", code)), default=0))
    return f"{marks}{tag}\n{code.strip(chr(10))}\n{marks}"


def anchor(heading: str) -> str:
    """Return the anchor of a heading, by GitHub's rule, which the site follows.

    Examples
    --------
    >>> anchor("binary.recall@fpr="), anchor("veridical bench score")
    ('binaryrecallfpr', 'veridical-bench-score')
    """
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def bullets(items: Iterable[str]) -> str:
    """Return a list."""
    return "\n".join(f"* {item}" for item in items)


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table whose cells are Markdown already."""
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
