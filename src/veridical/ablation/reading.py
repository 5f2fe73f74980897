"""Read the table of an experiment: one row a run, a column for each factor, one for the seed."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal

from veridical.ablation.experiment import Experiment, Factor, PlannedRun, cell_name
from veridical.ablation.experiment_rows import read_rows
from veridical.errors import InputError, MissingColumnError, ParameterError

__all__ = ["MOST_RUNS", "read_experiment"]

MOST_RUNS: Final = 2_000
"""Tables of more runs are refused."""
_SOURCES: Final = ("file", "run")
_PLAIN = (str, bool, int, float)


def read_experiment(
    source: Any,
    *,
    factors: Sequence[str] | None = None,
    replicate: str = "seed",
    reference: Mapping[str, Any] | None = None,
) -> Experiment:
    """Read the table of an experiment.

    Parameters
    ----------
    source
        The path of a YAML file (a mapping with ``runs``, and perhaps ``label``, ``score``,
        ``positive``, ``id``, ``factors``, ``metrics``, ``reference``); or a table as for
        ``evaluate``: one row a run, with a column ``file`` (scores, relative to the table) or
        ``run`` (the name of a stored run, or in Python the evaluation itself).
    factors
        Columns that were varied; by default all but the replicate, ``file`` and ``run``.
    replicate
        The column that tells runs of one combination apart.
    reference
        Factor to the level that the others are compared with; by default the first in order.

    Raises
    ------
    InputError, MissingColumnError, ConfigurationError, FileMissingError
        The table cannot be used; the message says where and what to do.
    ParameterError
        A factor or a level does not exist.

    Examples
    --------
    >>> rows = [{"loss": loss, "seed": seed, "run": f"{loss}-{seed}"}
    ...         for loss in ("focal", "ce") for seed in (1, 2)]
    >>> read_experiment(rows).factors
    (Factor(name='loss', levels=('ce', 'focal')),)
    """
    rows, settings, described, folder = read_rows(source)
    if not rows:
        raise InputError("the experiment has no runs", fix="give one row for each run")
    if len(rows) > MOST_RUNS:
        raise InputError(
            f"the experiment has {len(rows):,} runs, more than {MOST_RUNS:,}", fix="split it"
        )
    columns = list(dict.fromkeys(name for row, _ in rows for name in row))
    kind = _kind(columns)
    chosen = _chosen(columns, factors or settings.get("factors"), replicate, kind)
    runs = tuple(_run(row, where, chosen, replicate, kind, folder) for row, where in rows)
    _refuse_repeats(runs, chosen, replicate in columns)
    wanted = {**settings.get("reference", {}), **(reference or {})}
    every = [_factor(name, [run.levels[at] for run in runs]) for at, name in enumerate(chosen)]
    every = _referred(every, wanted)
    varied = [at for at, one in enumerate(every) if len(one.levels) > 1]
    return Experiment(
        factors=tuple(every[at] for at in varied),
        constants=tuple(one for one in every if len(one.levels) == 1),
        runs=tuple(
            PlannedRun(
                tuple(run.levels[at] for at in varied), run.seed, run.kind, run.source, run.where
            )
            for run in runs
        ),
        settings=settings,
        source=described,
    )


def _kind(columns: Sequence[str]) -> Literal["file", "run"]:
    there = [name for name in _SOURCES if name in columns]
    if len(there) != 1:
        raise MissingColumnError(
            "the experiment has both a column file and a column run"
            if there
            else "the experiment has neither a column file nor a column run",
            where=f"columns {', '.join(map(repr, columns[:10]))}"[:300],
            fix="give one: file for scores, run for stored runs",
        )
    return "file" if there[0] == "file" else "run"


def _chosen(
    columns: Sequence[str], asked: Sequence[str] | None, replicate: str, kind: str
) -> list[str]:
    if asked is None:
        return [name for name in columns if name not in {replicate, kind}]
    for name in asked:
        if name not in columns or name in {replicate, kind}:
            raise ParameterError(
                f"there is no factor {str(name)[:80]!r}",
                fix=f"the columns are {', '.join(map(repr, columns[:20]))}"[:500],
            )
    return list(dict.fromkeys(asked))


def _run(
    row: Mapping[str, Any],
    where: str,
    factors: Sequence[str],
    replicate: str,
    kind: Literal["file", "run"],
    folder: Path | None,
) -> PlannedRun:
    levels = tuple(_level(row.get(name), name, where) for name in factors)
    seed = _level(row[replicate], replicate, where) if replicate in row else ""
    source = row.get(kind)
    if source is None or source == "":
        raise InputError(f"a run has no {kind}", where=where, fix=f"fill the column {kind}")
    if kind == "file":
        if not isinstance(source, (str, os.PathLike)):
            raise InputError("a file is named by its path", where=where, fix="write it as text")
        path = Path(source)
        source = str(path if folder is None or path.is_absolute() else folder / path)
    return PlannedRun(levels, seed, kind, source, where)


def _level(value: Any, name: str, where: str) -> str:
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        value = value.item()
    if value is None or value == "" or (isinstance(value, float) and not math.isfinite(value)):
        raise InputError(
            f"a run has no level of {name[:80]!r}",
            where=where,
            why="a run without a level belongs to no combination",
            fix='fill it; write none where the factor is off, for example "none"',
        )
    if not isinstance(value, _PLAIN):
        raise InputError(
            f"a level of {name[:80]!r} is neither text nor number",
            where=where,
            fix="write it as one word or one number",
        )
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _refuse_repeats(
    runs: Sequence[PlannedRun],
    factors: Sequence[str],
    has_seed: bool,  # noqa: FBT001
) -> None:
    """Refuse what would count one run twice."""
    seen: dict[Any, PlannedRun] = {}
    for run in runs:
        before = seen.setdefault((run.levels, run.seed), run)
        if before is not run:
            raise InputError(
                f"two rows are the same run: {cell_name(factors, run.levels)}"
                + (f", seed {run.seed}" if run.seed else ""),
                where=f"{before.where}, {run.where}"[:300],
                why="a run that counts twice narrows every interval",
                fix="give replicates different seeds" if has_seed else "add a column seed",
            )
        named = isinstance(run.source, str)
        content = _real_path(run) if run.kind == "file" else run.source
        key = ("source", content if named else id(content))
        before = seen.setdefault(key, run)
        if before is not run:
            raise InputError(
                f"two rows name the same {run.kind}",
                where=f"{before.where}, {run.where}"[:300],
                why="one run is no replicate of itself, and no second combination",
                fix="name the result of each run",
            )


def _real_path(run: PlannedRun) -> str:
    try:
        return os.path.realpath(str(run.source))
    except (OSError, ValueError) as error:  # a zero byte, or what no file system can encode
        raise InputError(
            "no file can have this name", where=run.where, fix="correct the column file"
        ) from error


def _factor(name: str, values: Sequence[str]) -> Factor:
    levels = list(dict.fromkeys(values))
    numbers = [_number(level) for level in levels]
    if None in numbers:
        return Factor(name, tuple(sorted(levels)))
    by_size = sorted(zip(numbers, levels, strict=True))
    for (one, first), (two, second) in pairwise(by_size):
        if one == two:
            raise InputError(
                f"two levels of {name[:80]!r} are the same number: {first[:80]!r}, {second[:80]!r}",
                fix="write it in one way",
            )
    return Factor(name, tuple(level for _, level in by_size))


def _number(level: str) -> float | None:
    try:
        number = float(level)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _referred(factors: Sequence[Factor], reference: Mapping[str, Any]) -> list[Factor]:
    """Return the factors with the levels that others are compared with in front."""
    known = {one.name: one for one in factors}
    for name, given in reference.items():
        level = _level(given, name, "reference")
        if name not in known:
            raise ParameterError(
                f"there is no factor {name[:80]!r} to take a reference of",
                fix=f"the factors are {', '.join(map(repr, known))}"[:500],
            )
        levels = known[name].levels
        if level not in levels:
            raise ParameterError(
                f"{name[:80]!r} has no level {level[:80]!r}",
                fix=f"its levels are {', '.join(map(repr, levels[:20]))}"[:500],
            )
        known[name] = Factor(name, (level, *(one for one in levels if one != level)))
    return list(known.values())
