"""``Summary``: everything that metrics need of a data set, and none of its rows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

from veridical import strict_json
from veridical.errors import MismatchError
from veridical.portable.binned import BinnedScores
from veridical.portable.header import SCHEMA, Header, Tally, added
from veridical.summaries import ScoreTable

__all__ = ["Held", "Key", "Summary"]

Held: TypeAlias = ScoreTable | BinnedScores
"""The scores of some rows, all of them or binned."""


class Key(NamedTuple):
    """Which score column on which rows: all of them, or one value of a grouping column."""

    score: str
    column: str | None = None
    value: str | None = None

    @property
    def group(self) -> str | None:
        """The slice as results name it."""
        return None if self.column is None else f"{self.column}={self.value}"


@dataclass(frozen=True, eq=False)
class Summary:
    """A data set in counts and sums, for each score column and group.

    It is a commutative monoid: ``a + b`` is the summary of both sets of rows, to the byte, in
    whatever order, split or tree they were added.  Two summaries that were made with other choices
    (label, positive class, score columns, grid, bins, groups, weights, type of score) refuse.

    No row is in it.  But the lowest and the highest score of each bin (with ``exact=True`` every
    distinct score) are scores that some rows have.

    Attributes
    ----------
    header
        The choices that it was made with.
    tally
        Rows read, used, positive, left out.
    parts
        The scores, by column and slice.
    sources
        Content hash of each data set in it, and how often that was added.  It is no part of
        ``sha256``, for it depends on how the rows were split.

    Examples
    --------
    >>> from veridical.portable import summarise
    >>> first = summarise({"y": [1, 0], "p": [0.9, 0.6]}, label="y", score="p")
    >>> second = summarise({"y": [1, 0], "p": [0.4, 0.1]}, label="y", score="p")
    >>> both = first + second
    >>> both
    Summary(4 rows, 2 positive, label 'y', scores 'p' (probability/14))
    >>> both.sha256 == (second + first).sha256
    True
    """

    schema: ClassVar[str] = SCHEMA

    header: Header
    tally: Tally
    parts: Mapping[Key, Held]
    sources: Mapping[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Rows that were summarised."""
        return self.tally.rows

    @property
    def size(self) -> int:
        """How many bins (or distinct scores) it holds."""
        return sum(len(held) for held in self.parts.values())

    def __add__(self, other: Summary) -> Summary:
        if not isinstance(other, Summary):
            return NotImplemented
        self.header.refuse_difference(other.header)
        return Summary(
            self.header,
            self.tally + other.tally,
            dict(_merged(self.parts, other.parts)),
            added(self.sources, other.sources),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Summary):
            return NotImplemented
        return self.sha256 == other.sha256

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __repr__(self) -> str:
        scores = ", ".join(f"{name!r} ({how})" for name, how in self.header.scores.items())
        return (
            f"Summary({self.rows:,} rows, {self.tally.positives:,} positive, "
            f"label {self.header.label!r}, scores {scores})"
        )

    def content(self) -> dict[str, Any]:
        """Return what was counted, in portable form; the sources are apart from it."""
        scores: dict[str, Any] = {
            name: {"all": None, "groups": {column: {} for column in self.header.groups}}
            for name in self.header.scores
        }
        for key, held in self.parts.items():
            if key.column is None:
                scores[key.score]["all"] = held.to_dict()
            else:
                scores[key.score]["groups"][key.column][key.value] = held.to_dict()
        return {"header": self.header.to_dict(), "rows": self.tally.to_dict(), "scores": scores}

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        sources = dict(sorted(self.sources.items()))
        return {"schema": self.schema, "content": self.content(), "sources": sources}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote.

        Raises
        ------
        FileFormatError
            A field is missing or damaged, or the fields contradict each other.
        """
        from veridical.portable.document import read_document

        return cls(*read_document(data))

    @property
    def sha256(self) -> str:
        """Hash of what was counted; the same for the same rows, however they were split."""
        return strict_json.sha256({"schema": self.schema, "content": self.content()})

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the summary to a file, whole or not at all, and return its path.

        The file is one JSON document in canonical form, with a checksum of all of it.

        Raises
        ------
        OutputError
            It cannot be written.
        """
        from veridical.portable.files import save

        return save(self.to_dict(), path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file that ``save`` wrote, trusting nothing in it.

        Raises
        ------
        FileMissingError
            There is no such file.
        FileFormatError
            It is no summary, was damaged or changed, or its counts contradict each other.

        Examples
        --------
        >>> import tempfile
        >>> from veridical.portable import summarise
        >>> summary = summarise({"y": [1, 0], "p": [0.9, 0.6]}, label="y", score="p")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Summary.load(summary.save(f"{folder}/mine.summary")) == summary
        True
        """
        from veridical.portable.files import load

        return load(path, cls.from_dict)


def _merged(mine: Mapping[Key, Held], theirs: Mapping[Key, Held]) -> Iterator[tuple[Key, Held]]:
    for key in sorted(mine.keys() | theirs.keys(), key=_order):
        parts: list[Any] = [side[key] for side in (mine, theirs) if key in side]
        try:
            yield key, reduce(add, parts)
        except MismatchError as error:
            error.where = f"score column {key.score!r}"
            raise


def _order(key: Key) -> tuple[str, str, str]:
    return key.score, key.column or "", key.value or ""
