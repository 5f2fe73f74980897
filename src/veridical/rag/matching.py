"""What counts as found: the ids that a case expects among chunks, a quote in a text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from veridical.rag.answers import Chunk

__all__ = ["SourceMatch", "matched_ids", "stands_in"]

SourceMatch: TypeAlias = Literal["chunk", "document"]


def matched_ids(chunks: Iterable[Chunk], source_match: SourceMatch = "chunk") -> list[str]:
    """Return the ids that are looked for among the expected ones, best rank first, each once.

    Parameters
    ----------
    chunks
        As retrieved: their order is the ranking, whatever their scores.
    source_match
        ``chunk``: the chunk's own id; ``document``: its ``metadata.document_id``, or its own id
        where it has none.

    Examples
    --------
    >>> chunks = [Chunk("a#1", "", metadata={"document_id": "a"}), Chunk("a", ""), Chunk("b", "")]
    >>> matched_ids(chunks), matched_ids(chunks, "document")
    (['a#1', 'a', 'b'], ['a', 'b'])
    """
    if source_match == "chunk":
        return list(dict.fromkeys(chunk.id for chunk in chunks))
    return list(dict.fromkeys(_document(chunk) for chunk in chunks))


def stands_in(quote: str, text: str) -> bool:
    """Return whether a text has a quote word by word, however either of them is broken into lines.

    Examples
    --------
    >>> stands_in("the fee  is 2 euros", "Since May the fee is 2 euros."), stands_in("Fee", "fee")
    (True, False)
    """
    return _one_spaced(quote) in _one_spaced(text)


def _one_spaced(text: str) -> str:
    return " ".join(text.split())


def _document(chunk: Chunk) -> str:
    document = chunk.metadata.get("document_id")
    if isinstance(document, int) and not isinstance(document, bool):
        return str(document)
    return document if isinstance(document, str) and document else chunk.id
