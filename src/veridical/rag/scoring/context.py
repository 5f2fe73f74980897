"""What an answer is judged by: its context and its citations, under aliases of ours."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridical.rag.answers import Chunk, Reply
from veridical.rag.outcomes import Outcome
from veridical.rag.scoring.states import skipped
from veridical.reasons import SkipReason

__all__ = ["Aliased", "aliased_citations", "aliased_context", "cited_ids", "known_context"]

_MARKER = re.compile(r"\[([^\[\]\n]{1,200})\]")


@dataclass(frozen=True, slots=True)
class Aliased:
    """Passages under the names that a judge sees.

    Attributes
    ----------
    texts
        Alias (``c1``, ``c2``, ...) to text.
    ids
        Alias to the id of the chunk.
    outside
        Cited ids of which there is no text.
    """

    texts: Mapping[str, str]
    ids: Mapping[str, str]
    outside: tuple[str, ...] = ()

    def rewritten(self, answer: str) -> str:
        """Return an answer in which the bracketed ids of these chunks are their aliases.

        What looks like an alias and is the id of no chunk becomes a question mark: it would seem
        to cite what it does not.

        Examples
        --------
        >>> fees = Aliased({"c1": "Fees."}, {"c1": "doc-7"}, ("x",))
        >>> fees.rewritten("2 euros [doc-7][x], dogs free [doc-7, x]. [c1] [sic]")
        '2 euros [c1][?], dogs free [c1, ?]. [?] [sic]'
        """
        names = dict.fromkeys((*self.ids, *self.outside), "?")
        names |= {id_: alias for alias, id_ in self.ids.items()}

        def marker(found: re.Match[str]) -> str:
            whole = found[1].strip()
            parts = [whole] if whole in names else [one.strip() for one in whole.split(",")]
            if not any(part in names for part in parts):
                return found[0]
            return f"[{', '.join(names.get(part, part) for part in parts)}]"

        return _MARKER.sub(marker, answer)


def known_context(reply: Reply) -> tuple[Chunk, ...] | Outcome:
    """Return the context of an answer, or why it has none."""
    context = reply.context
    if isinstance(context, tuple):
        return context
    if context is None:
        return skipped(SkipReason.NO_RETRIEVAL, "adapter does not expose retrieval")
    return skipped(SkipReason.NO_RETRIEVAL, f"retrieve() failed: {context.code}")


def cited_ids(citations: Sequence[str]) -> list[str]:
    """Return each cited id once, in the order of its first citation."""
    return list(dict.fromkeys(citations))


def aliased_context(chunks: Sequence[Chunk]) -> Aliased:
    """Return the whole context under aliases, in the order of retrieval."""
    return _aliased(_texts(chunks), ())


def aliased_citations(citations: Sequence[str], chunks: Sequence[Chunk]) -> Aliased:
    """Return the cited chunks under aliases, in the order of citation."""
    texts = _texts(chunks)
    cited = cited_ids(citations)
    inside = {id_: texts[id_] for id_ in cited if id_ in texts}
    return _aliased(inside, tuple(id_ for id_ in cited if id_ not in texts))


def _texts(chunks: Sequence[Chunk]) -> dict[str, str]:
    """Return the text of each id; chunks that share an id are read one after the other."""
    texts: dict[str, str] = {}
    for chunk in chunks:
        before = texts.get(chunk.id)
        if before is None:
            texts[chunk.id] = chunk.text
        elif chunk.text not in before:
            texts[chunk.id] = f"{before}\n\n{chunk.text}"
    return texts


def _aliased(texts: Mapping[str, str], outside: tuple[str, ...]) -> Aliased:
    names = {f"c{number}": id_ for number, id_ in enumerate(texts, 1)}
    return Aliased({alias: texts[id_] for alias, id_ in names.items()}, names, outside)
