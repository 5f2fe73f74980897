"""``QueryValues``: one value a query, the mergeable summary of retrieval metrics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from veridical import strict_json
from veridical.errors import FileFormatError, MismatchError
from veridical.kernels import exact_sum
from veridical.late import np
from veridical.summaries.base import check_schema
from veridical.summaries.columns import column, marks, memory

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["QueryValues"]


@dataclass(frozen=True, eq=False)
class QueryValues:
    """A value for each query, and which queries have one.

    A commutative monoid over disjoint sets of queries; the sum is exact, so that no order of
    queries or of parts shows in a mean.

    Attributes
    ----------
    ids
        Query ids, distinct.
    values
        float64, shape (n,), finite; without meaning where not ``defined``.
    defined
        bool, shape (n,).

    Examples
    --------
    >>> a = QueryValues(("q1", "q2"), np.array([1.0, 0.0]), np.array([True, False]))
    >>> b = QueryValues(("q3",), np.array([0.5]), np.array([True]))
    >>> (a + b).n, (a + b).mean
    (2, 0.75)
    """

    schema: ClassVar[str] = "veridical.query_values/1"

    ids: tuple[str, ...]
    values: npt.NDArray[np.float64] = column("f8")
    defined: npt.NDArray[np.bool_] = column("?")

    @cached_property
    def n(self) -> int:
        """Queries that have a value."""
        return marks(self, "defined").count(1)

    @cached_property
    def total(self) -> float:
        """The sum of the values, correctly rounded."""
        return exact_sum(memory(self, "values"), marks(self, "defined"))

    @property
    def mean(self) -> float:
        """The mean over the queries that have a value, of which there must be one."""
        return self.total / self.n

    def of(self, query: str) -> float | None:
        """Return the value of a query; None where it has none."""
        at = self.ids.index(query)
        return float(self.values[at]) if self.defined[at] else None

    def __add__(self, other: QueryValues) -> QueryValues:
        if not isinstance(other, QueryValues):
            return NotImplemented
        common = set(self.ids) & set(other.ids)
        if common:
            raise MismatchError(
                f"query {min(common)!r} stands in both parts",
                why="a query would count twice",
                fix="merge parts that share no query",
            )
        ids = (*self.ids, *other.ids)
        order = sorted(range(len(ids)), key=ids.__getitem__)
        return QueryValues(
            tuple(ids[at] for at in order),
            np.concatenate([self.values, other.values])[order],
            np.concatenate([self.defined, other.defined])[order],
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form: query to value, null where it has none, in order of id."""
        order = sorted(range(len(self.ids)), key=self.ids.__getitem__)
        return {"schema": self.schema, "values": {self.ids[at]: self._at(at) for at in order}}

    def _at(self, at: int) -> float | None:
        return float(self.values[at]) if self.defined[at] else None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> QueryValues:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        values = data.get("values")
        if not isinstance(values, Mapping) or not all(
            value is None or (isinstance(value, float) and math.isfinite(value))
            for value in values.values()
        ):
            raise FileFormatError(
                "the values are not finite numbers by query", fix="measure the run again"
            )
        return cls(
            tuple(values),
            np.array([value or 0.0 for value in values.values()]),
            np.array([value is not None for value in values.values()], np.bool_),
        )

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())
