"""Several runs by name: which they are, and how files that bring no name are called."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from veridical.errors import FileFormatError, InputError, ParameterError
from veridical.tables._words import listed, shown

__all__ = ["free_name", "is_table", "named_runs", "names_of", "naming"]


def named_runs(run: Any) -> dict[str | None, Any]:
    """Return runs by name; a single one without a name is under None.

    Raises
    ------
    ParameterError
        Two names are the same text, as 1 and "1" are.
    """
    if isinstance(run, Mapping) and _is_several(run):
        named: dict[str | None, Any] = {str(name): one for name, one in run.items()}
        if len(named) < len(run):
            raise ParameterError(
                "two runs have the same name",
                why=f"the names are {listed(run)}, and names are texts",
                fix="give each run a name of its own",
            )
        return named
    if isinstance(run, (list, tuple)) and run and isinstance(run[0], (str, os.PathLike)):
        return dict(zip(names_of(run), run, strict=True))
    return {None: run}


def _is_several(run: Mapping[Any, Any]) -> bool:
    """Whether a dict holds runs by name, and not the queries of one, or columns."""
    first = next(iter(run.values()), None)
    if type(first) is dict and isinstance(next(iter(first.values()), None), (int, float)):
        return False  # the numbers of one query
    values = list(run.values())
    if all(isinstance(value, Mapping) for value in values):
        inner = next((v for value in values for v in value.values()), None)
        # Another dict or a list are the documents of a query, an array is a column.
        return hasattr(inner, "__len__") and not isinstance(inner, (str, bytes))
    return bool(values) and all(map(_is_run, values))


def _is_run(value: Any) -> bool:
    """Whether a value of a dict that holds no dicts alone is a run: a path, a dict, a table."""
    if isinstance(value, (list, tuple)):
        return bool(value) and isinstance(value[0], Mapping)
    from veridical.tables.listings import Listing

    return isinstance(value, (str, os.PathLike, Mapping, Listing)) or is_table(value)


def is_table(value: Any) -> bool:
    """Whether an object is a table: a frame, a reader of batches, a structured array."""
    if any(hasattr(value, of_a_table) for of_a_table in ("columns", "schema")):
        return True
    return getattr(getattr(value, "dtype", None), "names", None) is not None


@contextmanager
def naming(run: str | None) -> Iterator[None]:
    """Say which run an error of the data is about."""
    try:
        yield
    except FileFormatError:  # it tells the file
        raise
    except InputError as error:
        if run is not None:
            error.where = f"{shown(run)}: {error.where}" if error.where else shown(run)
        raise


def names_of(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return a name for each file.

    That is the part before the first dot; where it is taken the whole name, that with its folder,
    the path, or the path and a number.
    """
    names: list[str] = []
    for path in [os.fspath(one) for one in paths]:
        stem = os.path.basename(path).split(".")[0]  # noqa: PTH119 - pathlib is slow to load
        names.append(stem if stem and stem not in names else _longer_name(path, names))
    return names


def free_name(wanted: str, taken: Container[str]) -> str:
    """Return the name, or where it is taken one with a number that is not."""
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted} ({number})"
    return name


def _longer_name(given: str, names: list[str]) -> str:
    from pathlib import PurePath

    path = PurePath(given)
    stem = path.name.split(".")[0] or path.name
    choices = (stem, path.name, f"{path.parent.name}/{path.name}", str(path))
    free = next((name for name in choices if name not in names), None)
    return free or f"{path} ({len(names) + 1})"
