"""A YAML file held against a closed model: every problem with its line, and the nearest key."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from veridical import strict_yaml
from veridical.errors import ConfigurationError
from veridical.strict_yaml import Place

__all__ = ["load_checked"]

M = TypeVar("M", bound=BaseModel)


def load_checked(
    model: type[M], path: Path, noun: str, *, first_key: str
) -> tuple[M, Mapping[Place, int]]:
    """Return what a file says, checked, and the line of each key and value.

    Parameters
    ----------
    model
        The schema that it is held to.
    path
        The file.
    noun, first_key
        What it is called in an error, ``"the policy"``; the key that it begins with.

    Raises
    ------
    FileNotFoundError
        There is none.
    ConfigurationError
        It is no YAML of this kind, or some of it does not hold: all of that is told.
    """
    text = strict_yaml.read_text(path, noun)
    document, lines = strict_yaml.load(text, noun, str(path))
    if document is None:  # an empty file says nothing, which is enough where all has defaults
        document = {}
    if not isinstance(document, dict):
        raise ConfigurationError(
            f"{noun} is no mapping of keys", where=str(path), fix=f"begin with {first_key}:"
        )
    try:
        return model.model_validate(document), lines
    except ValidationError as error:
        raise _told(list(_problems(error, model, lines)), noun, path) from None


@dataclass(frozen=True, slots=True)
class _Problem:
    line: int
    at: Place
    what: str
    fix: str

    def where(self, path: Path) -> str:
        at = ".".join(str(part + 1) if isinstance(part, int) else part for part in self.at)
        return f"{path}:{self.line}" + (f", {at}" if at else "")


def _told(problems: list[_Problem], noun: str, path: Path) -> ConfigurationError:
    if len(problems) == 1:
        (one,) = problems
        return ConfigurationError(
            f"{noun} does not hold: {one.what}", where=one.where(path), fix=one.fix
        )
    return ConfigurationError(
        f"{noun} does not hold: {len(problems)} problems",
        where=str(path),
        listed=[f"{one.where(path)}: {one.what}; {one.fix}" for one in problems],
        fix="correct these lines",
    )


def _problems(
    error: ValidationError, model: type[BaseModel], lines: Mapping[Place, int]
) -> Iterator[_Problem]:
    """Yield what does not hold, in the order of the file."""
    found: dict[Any, _Problem] = {}
    misspelt: set[tuple[Place, str]] = set()
    # A key that is misspelt is the reason why another one is missing.
    for one in sorted(
        error.errors(include_url=False), key=lambda one: one["type"] != "extra_forbidden"
    ):
        place: Place = one["loc"]
        at = _known(place, lines)
        what, fix, key = one["msg"].removeprefix("Value error, "), "correct it", ""
        if one["type"] == "extra_forbidden":
            what, fix, near = _unknown(model, place)
            misspelt.add((at[:-1], near))
        elif one["type"] == "missing":
            key = str(place[-1])
            what, fix = f"{key!r} is missing", "add it"
        # A value of one of several types fails once for each of them.
        if (at, key) not in misspelt:
            found.setdefault((at, key), _Problem(lines.get(at, 1), at, what, fix))
    yield from sorted(found.values(), key=lambda one: one.line)


def _known(place: Place, lines: Mapping[Place, int]) -> Place:
    """Return the part of a place that stands in the file: no names of types."""
    at: Place = ()
    for step in place:
        at = (*at, step) if (*at, step) in lines else at
    return at


def _unknown(model: type[BaseModel], place: Place) -> tuple[str, str, str]:
    """Return that there is no such key, what to do, and the key that may be meant."""
    legal = [
        field.alias or name
        for one in _models_at(model, place[:-1])
        for name, field in one.model_fields.items()
    ]
    key = str(place[-1])
    near = next(iter(difflib.get_close_matches(key, legal, n=1)), "")
    fix = f"did you mean {near!r}?" if near else f"the keys here are: {', '.join(legal)}"
    return f"there is no key {key[:80]!r}", fix, near


def _models_at(model: type[BaseModel], place: Place) -> list[type[BaseModel]]:
    """Return the models that a place of a model may hold."""
    models = [model]
    for step in place:
        fields = [
            field
            for one in models
            for name, field in one.model_fields.items()
            if step in {name, field.alias}
        ]
        inner = [one for field in fields for one in _models_in(field.annotation)]
        models = inner or models  # a position in a list, a name of the user's own
    return models


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for one in get_args(annotation):
        yield from _models_in(one)
