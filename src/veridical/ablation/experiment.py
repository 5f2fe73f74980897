"""An experiment: what was varied, and the runs there are of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Experiment", "Factor", "PlannedRun", "cell_name"]


@dataclass(frozen=True)
class Factor:
    """What was varied.

    Attributes
    ----------
    name
        Its column.
    levels
        Its distinct values as text: the reference first, the others by size if all are numbers,
        else by name.
    """

    name: str
    levels: tuple[str, ...]


@dataclass(frozen=True)
class PlannedRun:
    """One row of the table.

    Attributes
    ----------
    levels
        Its level of each factor.
    seed
        Which replicate it is; empty where there is no column for it.
    kind, source
        ``file`` of scores, or a stored ``run`` (by name, or the evaluation itself).
    where
        File and line, or the number of the row.
    """

    levels: tuple[str, ...]
    seed: str
    kind: Literal["file", "run"]
    source: Any
    where: str


@dataclass(frozen=True)
class Experiment:
    """Runs by factors.

    Attributes
    ----------
    factors
        What was varied: columns of at least two levels.
    constants
        Columns of one level, which can have no effect.
    runs
        In the order of the table.
    settings
        What an experiment file says beside its runs: ``label``, ``score``, ...
    source
        Where the table came from, as JSON.
    """

    factors: tuple[Factor, ...]
    constants: tuple[Factor, ...]
    runs: tuple[PlannedRun, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    source: Mapping[str, Any] = field(default_factory=dict)

    @property
    def cells(self) -> dict[tuple[str, ...], list[int]]:
        """Each combination of levels that has runs, with the numbers of these."""
        found: dict[tuple[str, ...], list[int]] = {}
        for number, run in enumerate(self.runs):
            found.setdefault(run.levels, []).append(number)
        order = [{level: at for at, level in enumerate(one.levels)} for one in self.factors]
        return {
            key: found[key]
            for key in sorted(
                found,
                key=lambda levels: [at[one] for at, one in zip(order, levels, strict=True)],
            )
        }

    def name_of(self, levels: Sequence[str]) -> str:
        """Return how a combination is called."""
        return cell_name([one.name for one in self.factors], levels)


def cell_name(names: Sequence[str], levels: Sequence[str]) -> str:
    """Return how a combination of levels is called; no two share a name.

    Examples
    --------
    >>> cell_name(["loss", "lr"], ["focal", "0.1"]), cell_name(["loss"], ["a, b=c"])
    ('loss=focal, lr=0.1', 'loss="a, b=c"')
    >>> cell_name([], [])
    'all runs'
    """
    pairs = zip(names, levels, strict=True)
    return ", ".join(f"{_word(name)}={_word(level)}" for name, level in pairs) or "all runs"


def _word(text: str) -> str:
    plain = text.strip() == text and not set(text) & set('=,"')
    return text if plain else json.dumps(text, ensure_ascii=False)
