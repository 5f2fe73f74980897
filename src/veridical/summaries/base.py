"""What every summary promises.

A summary is a small value that stands for many rows.  It is a commutative monoid: ``a + b`` is the
summary of both sets of rows, in any order and any grouping, to the bit; an empty one changes
nothing.  It has a portable form (``to_dict`` / ``from_dict``) and a hash of that form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, Self

from veridical.errors import FileFormatError

__all__ = ["Summary", "check_schema"]


class Summary(Protocol):
    """The protocol that all summaries follow."""

    schema: ClassVar[str]

    def __add__(self, other: Self, /) -> Self:
        """Return the summary of both sets of rows."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form, with ``"schema"`` in it."""
        ...

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        ...

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        ...


def check_schema(data: Mapping[str, Any], expected: str) -> None:
    """Refuse a portable form of another kind or version."""
    found = data.get("schema")
    if found != expected:
        raise FileFormatError(
            f"expected {expected}, found {found!r}",
            why="another kind or version of summary has other fields",
            fix="summarise the data again with this version",
        )
