"""The rows of an experiment's table and its settings: from YAML, a table, or records."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from veridical import strict_yaml
from veridical.errors import ConfigurationError, FileMissingError
from veridical.tables import Column, open_table

__all__ = ["ExperimentRows", "Row", "read_rows"]

_KEYS: Final = ("runs", "label", "score", "positive", "id", "factors", "metrics", "reference")
_PLAIN = (str, bool, int, float)

Row = tuple[Mapping[str, Any], str]
"""The fields of a row, and where it stands."""


class ExperimentRows(NamedTuple):
    """What the table of an experiment holds, before it is understood.

    ``folder`` is what the paths in it are relative to, where it came from a file.
    """

    rows: Sequence[Row]
    settings: dict[str, Any]
    source: dict[str, Any]
    folder: Path | None


def read_rows(source: Any) -> ExperimentRows:
    """Read the rows of an experiment.

    Parameters
    ----------
    source
        As for ``read_experiment``.

    Raises
    ------
    InputError, ConfigurationError, FileMissingError
        The source cannot be read.
    """
    if isinstance(source, (list, tuple)) and all(isinstance(row, Mapping) for row in source):
        rows: list[Row] = [
            ({str(k): v for k, v in row.items()}, f"row {n}") for n, row in enumerate(source)
        ]
        return ExperimentRows(rows, {}, {"kind": "records"}, None)
    folder = Path(source).parent if isinstance(source, (str, os.PathLike)) else None
    if folder is not None and Path(source).suffix.lower() in {".yaml", ".yml"}:
        described = {"kind": "yaml", "path": str(source)}
        return ExperimentRows(*_from_yaml(Path(source)), described, folder)
    table = open_table(source)
    rows = list(_from_columns(table.read(table.names)))
    return ExperimentRows(rows, {}, table.describe(), folder)


def _from_columns(columns: Mapping[str, Column]) -> Iterator[Row]:
    values = {name: _values(column) for name, column in columns.items()}
    first = next(iter(columns.values()), None)
    for number in range(0 if first is None else len(first)):
        where = "" if first is None else first.places.describe([number])
        yield {name: every[number] for name, every in values.items()}, where


def _values(column: Column) -> list[Any]:
    absent = column.absent()
    values = column.array.tolist() if column.kind != "text" else column.text.to_pylist()
    return [None if absent is not None and absent[at] else value for at, value in enumerate(values)]


def _from_yaml(path: Path) -> tuple[list[Row], dict[str, Any]]:
    noun = "the experiment"
    try:
        document, lines = strict_yaml.load(strict_yaml.read_text(path, noun), noun, str(path))
    except FileNotFoundError:
        raise FileMissingError(
            "there is no such experiment", where=str(path)[:200], fix="check the path"
        ) from None
    runs = document.get("runs") if isinstance(document, dict) else None
    if not isinstance(runs, list):
        raise ConfigurationError(
            "an experiment is a mapping with runs: a list of mappings",
            where=str(path),
            fix="write runs: and below it - {loss: focal, seed: 1, file: focal-1.csv}",
        )
    for key in document:
        if key not in _KEYS:
            raise ConfigurationError(
                f"the experiment has no key {key[:80]!r}",
                where=f"{path}:{lines[(key,)]}",
                fix=f"the keys are {', '.join(_KEYS)}",
            )
    for number, row in enumerate(runs):
        if not isinstance(row, dict):
            raise ConfigurationError(
                "a run is a mapping of its levels",
                where=f"{path}:{lines['runs', number]}",
                fix="write - {loss: focal, seed: 1, file: focal-1.csv}",
            )
    settings = {key: value for key, value in document.items() if key != "runs"}
    _check_settings(settings, path, lines)
    return [(row, f"{path}:{lines['runs', n]}") for n, row in enumerate(runs)], settings


def _check_settings(settings: Mapping[str, Any], path: Path, lines: Mapping[Any, int]) -> None:
    for key, value in settings.items():
        if key in {"factors", "metrics"}:
            fits = isinstance(value, list) and all(isinstance(one, str) for one in value)
            form = "a list of names"
        elif key == "reference":
            fits = isinstance(value, dict)
            form = "a mapping from factor to level"
        elif key == "positive":
            fits, form = isinstance(value, _PLAIN), "one value"
        else:
            fits, form = isinstance(value, str), "the name of a column"
        if not fits:
            raise ConfigurationError(
                f"{key} is {form}", where=f"{path}:{lines[(key,)]}", fix="correct the line"
            )
