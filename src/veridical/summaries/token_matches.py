"""``TokenMatches``: how alike the tokens of candidate and reference are, segment by segment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.summaries.base import check_schema

__all__ = ["TokenMatches"]

Rows = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TokenMatches:
    """Precision, recall and F1 of tokens that are matched by their vectors.

    A commutative monoid: ``a + b`` holds the segments of both, whose order is nothing;
    ``TokenMatches()`` is the identity.

    Attributes
    ----------
    rows
        float64, shape (segments, 3): precision, recall and F1, at most 1.
    weightless
        How many segments have none, because their tokens weigh nothing.

    Examples
    --------
    >>> nan = float("nan")
    >>> matches = TokenMatches.from_scores([[1.0, 0.5, 2 / 3], [nan, nan, nan]])
    >>> matches.n, matches.weightless
    (1, 1)
    """

    schema: ClassVar[str] = "veridical.token_matches/1"

    rows: Rows = field(default_factory=lambda: np.zeros((0, 3)))
    weightless: int = 0

    @classmethod
    def from_scores(cls, scores: npt.ArrayLike) -> Self:
        """Keep the scores of segments, shape (segments, 3), that have all three."""
        rows = np.asarray(scores, dtype=np.float64).reshape(-1, 3)
        there = ~np.isnan(rows).any(axis=1)
        return cls(rows[there], int((~there).sum()))

    @property
    def n(self) -> int:
        """How many segments have scores."""
        return len(self.rows)

    def __add__(self, other: TokenMatches) -> TokenMatches:
        if not isinstance(other, TokenMatches):
            return NotImplemented
        rows = np.concatenate([self.rows, other.rows])
        return TokenMatches(rows, self.weightless + other.weightless)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TokenMatches):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(self.sha256)

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form; segments in ascending order of their scores."""
        rows = sorted(self.rows.tolist())
        return {"schema": self.schema, "rows": rows, "weightless": self.weightless}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        rows = np.array(data["rows"], dtype=np.float64)
        rows, weightless = rows.reshape(len(rows), 3), data["weightless"]
        if type(weightless) is not int or weightless < 0 or not (rows <= 1).all():
            raise FileFormatError(
                "scores are at most 1, and counts are whole numbers of at least 0",
                fix="match the texts again",
            )
        return cls(rows, weightless)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())
