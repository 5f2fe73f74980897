"""``TokenStatistics``: what each segment shares with its references, as whole numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.errors import FileFormatError, MismatchError
from veridical.summaries.base import check_schema

__all__ = ["TokenStatistics"]

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TokenStatistics:
    """Counts of tokens, n-grams or edits, one row a segment.

    No text is in it.  A commutative monoid: ``a + b`` holds the segments of both, whose order is
    nothing; ``TokenStatistics()`` is the identity.

    Attributes
    ----------
    kind
        What was counted: ``"bleu:4"``, ``"chrf:6+0"``, ``"ter"``, ``"rouge_l"``, ...
    tokeniser
        By which tokens; ``"characters"`` where there are none.
    rows
        int64, shape (segments, counts).
    references
        Smallest and largest number of references of a segment.

    Examples
    --------
    >>> a = TokenStatistics.from_rows("rouge_l", "words", [[3, 4, 4]])
    >>> (a + a).rows.tolist()
    [[3, 4, 4], [3, 4, 4]]
    """

    schema: ClassVar[str] = "veridical.token_statistics/1"

    kind: str = ""
    tokeniser: str = ""
    rows: Rows = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int64))
    references: tuple[int, int] = (0, 0)

    @classmethod
    def from_rows(
        cls,
        kind: str,
        tokeniser: str,
        rows: Sequence[Sequence[int]],
        references: tuple[int, int] = (1, 1),
    ) -> Self:
        """Return the statistics of some segments."""
        array = np.array(rows, dtype=np.int64).reshape(len(rows), len(rows[0]) if rows else 0)
        return cls(kind, tokeniser, array, references)

    @property
    def n(self) -> int:
        """How many segments there are."""
        return len(self.rows)

    def __add__(self, other: TokenStatistics) -> TokenStatistics:
        if not isinstance(other, TokenStatistics):
            return NotImplemented
        if not self.n or not other.n:
            return self if self.n else other
        for name in ("kind", "tokeniser"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise MismatchError(
                    f"the {name} differs: {mine!r} and {theirs!r}",
                    why="counts of different tokens do not add up",
                    fix="count both by the same tokeniser",
                )
        few, many = zip(self.references, other.references, strict=True)
        return TokenStatistics(
            self.kind,
            self.tokeniser,
            np.concatenate([self.rows, other.rows]),
            (min(few), max(many)),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TokenStatistics):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(self.sha256)

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form; segments in ascending order of their counts."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "tokeniser": self.tokeniser,
            "references": list(self.references),
            "rows": sorted(self.rows.tolist()),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        rows, (few, many) = data["rows"], data["references"]
        whole = all(type(count) is int and count >= 0 for row in rows for count in row)
        if not whole or len({len(row) for row in rows}) > 1:
            raise FileFormatError(
                "counts are whole numbers of at least 0, as many in each row",
                fix="count the texts again",
            )
        return cls.from_rows(str(data["kind"]), str(data["tokeniser"]), rows, (few, many))

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())
