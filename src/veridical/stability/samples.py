"""``Sample``: one column of one side, as numbers or as levels."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from veridical import strict_json
from veridical.errors import InputError, ScoreError
from veridical.summaries.grouped import MISSING_GROUP
from veridical.tables import Column, Table, content_hash, read_groups, read_numbers
from veridical.tables._words import counted, shown

__all__ = [
    "Kind",
    "Sample",
    "content_of",
    "kind_of",
    "kinds_of",
    "sample_of",
    "samples_of",
    "without_names",
]

Kind: TypeAlias = Literal["numeric", "categorical"]
_FEW = 100  # of fewer rows a column of different texts says nothing of what it is
_CODE = r"^\s*[+-]?0[0-9]"  # 007 is a name, not seven


@dataclass(frozen=True, eq=False)
class Sample:
    """One column of the reference or of current data.

    Attributes
    ----------
    name, kind
        Of the column.
    n
        All rows.
    missing
        Those that are null, NaN or empty.
    numbers
        float64, the others, where they are numbers.
    levels
        Level to its rows, where they are not.
    sha256
        Of the content.
    """

    name: str
    kind: Kind
    n: int
    missing: int
    numbers: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    levels: Mapping[str, int] = field(default_factory=dict)
    sha256: str = ""

    @property
    def names_rows(self) -> bool:
        """Whether most of its values stand in one row alone, as names of rows or customers do."""
        filled = self.n - self.missing
        return filled >= _FEW and 2 * len(self.levels) > filled

    @cached_property
    def smallest(self) -> float | None:
        """The smallest number; None where there is none."""
        return float(self.numbers.min()) if len(self.numbers) else None

    @cached_property
    def largest(self) -> float | None:
        """The largest number; None where there is none."""
        return float(self.numbers.max()) if len(self.numbers) else None


def kind_of(column: Column, categorical: Collection[str]) -> Kind:
    """Return whether a column holds numbers or categories.

    Numbers are what is stored as numbers, or reads as numbers in every row; a text such as ``007``
    is a code.  Booleans are categories.  A column without any value is taken for categories.
    """
    if column.name in categorical or column.kind in {"bool", "empty"}:
        return "categorical"
    if column.kind == "number":
        return "numeric"
    _, texts = column.coded()
    if any(pc.match_substring_regex(texts, _CODE).to_pylist()) if texts else True:
        return "categorical"
    try:
        _, missing = read_numbers(column)
    except ScoreError:
        return "categorical"
    return "categorical" if missing is not None and missing.all() else "numeric"


def sample_of(column: Column, kind: Kind) -> Sample:
    """Return a column as numbers or levels.

    Raises
    ------
    ScoreError
        It is to be numbers, and is not.
    InputError
        A number is infinite.
    """
    if kind == "categorical":
        groups = read_groups(column)
        times = np.bincount(groups.codes, minlength=len(groups.names)).tolist()
        levels = dict(zip(groups.names, times, strict=True))
        missing = levels.pop(MISSING_GROUP, 0)
        digest = content_hash({column.name: groups})
        return Sample(column.name, kind, len(column), missing, levels=levels, sha256=digest)
    numbers, missing_rows = read_numbers(column)
    numbers = numbers.astype(np.float64)
    digest = content_hash({column.name: numbers})
    if missing_rows is not None:
        digest = content_hash({column.name: np.where(missing_rows, np.nan, numbers)})
        numbers = numbers[~missing_rows]
    _check_finite(column, numbers)
    return Sample(column.name, kind, len(column), len(column) - len(numbers), numbers, {}, digest)


def _check_finite(column: Column, numbers: npt.NDArray[np.float64]) -> None:
    if not np.isfinite(numbers).all():
        infinite = int(np.count_nonzero(~np.isfinite(numbers)))
        raise InputError(
            f"{counted(infinite, 'value')} infinite",
            where=f"column {shown(column.name)}",
            why="it has no place among the quantiles of the others",
            fix="correct it, or leave it empty: missing values are a cell of their own",
        )


def samples_of(table: Table, kinds: Mapping[str, Kind]) -> dict[str, Sample]:
    """Return the columns of one side, of the kinds that they have in the reference."""
    columns = table.read(list(kinds))
    return {name: sample_of(columns[name], kind) for name, kind in kinds.items()}


def kinds_of(table: Table, names: Sequence[str], categorical: Collection[str]) -> dict[str, Kind]:
    """Return the kind of each column of a reference."""
    columns = table.read(list(names))
    return {name: kind_of(columns[name], categorical) for name in names}


def without_names(samples: Mapping[str, Sample], stacklevel: int) -> dict[str, Sample]:
    """Leave out columns that name rows, and warn: cells of them would be the rows themselves.

    Raises
    ------
    InputError
        No column is left.
    """
    left = {name: sample for name, sample in samples.items() if not sample.names_rows}
    if samples and not left:
        raise InputError(
            "every column names rows: most of its values stand in one row alone",
            fix="name the columns that are to be compared: columns= (--column)",
        )
    for name in samples:
        if name not in left:
            warnings.warn(
                f"column {shown(name)} is left out: it has {len(samples[name].levels):,} values in "
                f"{samples[name].n:,} rows, and a reference would keep them; it is compared where "
                "it is named: columns= (--column)",
                stacklevel=stacklevel,
            )
    return left


def content_of(samples: Mapping[str, Sample]) -> str:
    """Return one hash of all columns."""
    return strict_json.sha256({name: sample.sha256 for name, sample in samples.items()})
