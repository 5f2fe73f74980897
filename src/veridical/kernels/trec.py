"""Runs and golden sets in TREC text, read block by block and ranked on the way.

A run stands query by query, so that no more than the documents of one query are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from veridical.kernels.choice import implementation
from veridical.kernels.ranking import Judgements, Ranks

__all__ = ["RankedLines", "rank_lines", "read_judgements"]

Block: TypeAlias = bytes | memoryview


class RankedLines(NamedTuple):
    """A run in TREC text, ranked.

    Attributes
    ----------
    ranks
        Where its judged documents stand.
    n_queries
        Queries that it has.
    unknown
        Those that the golden set lacks.
    tag
        What it calls itself: the end of its first line.
    """

    ranks: Ranks
    n_queries: int
    unknown: list[str]
    tag: str


def read_judgements(blocks: Iterable[Block]) -> Judgements | int | None:
    r"""Read a golden set: lines of ``query iteration document grade``.

    Parameters
    ----------
    blocks
        The text in UTF-8, cut anywhere between two lines.

    Returns
    -------
    Judgements, int or None
        The number of the first line that is wrong; None where a careful reader must see to it: no
        line at all, a document judged twice, grades beyond 2**53.

    Examples
    --------
    >>> read_judgements([b"q 0 b 1\nq 0 a 2\n"]).grades.tolist()
    [2.0, 1.0]
    """
    line, found = implementation("trec").read_judgements(blocks)
    return line or (None if found is None else Judgements(*found))


def rank_lines(blocks: Iterable[Block], judgements: Judgements) -> RankedLines | int | None:
    r"""Rank a run: lines of ``query Q0 document rank score tag``.

    Parameters
    ----------
    blocks
        The text in UTF-8, cut anywhere between two lines.
    judgements
        The golden set.

    Returns
    -------
    RankedLines, int or None
        The number of the first line that is wrong; None where a careful reader must see to it: no
        line at all, a document that stands twice, a query in several places, a carriage return
        within a tag.

    Examples
    --------
    >>> judged = read_judgements([b"q 0 b 1\nq 0 a 2\n"])
    >>> rank_lines([b"q Q0 a 1 0.5 me\nq Q0 c 2 0.25 me\n"], judged).ranks.rank.tolist()
    [1]
    """
    line, found = implementation("trec").rank_lines(
        blocks,
        judgements.query_lengths,
        judgements.query_texts,
        judgements.counts,
        judgements.lengths,
        judgements.texts,
        judgements.grades,
    )
    return line or (None if found is None else RankedLines(Ranks(*found[0]), *found[1:]))
