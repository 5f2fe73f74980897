"""From retrieved chunks to the ids that a case expects: of chunks, or of their documents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from veridical.rag.answers import Chunk

__all__ = ["SourceMatch", "matched_ids"]

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


def _document(chunk: Chunk) -> str:
    document = chunk.metadata.get("document_id")
    if isinstance(document, int) and not isinstance(document, bool):
        return str(document)
    return document if isinstance(document, str) and document else chunk.id
