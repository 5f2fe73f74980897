"""``Regulations``: what each cited text asks, whether it is in force, and who replaces it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from veridical import strict_yaml
from veridical.errors import ConfigurationError

__all__ = [
    "CAUTION",
    "Evidence",
    "Instrument",
    "Regulations",
    "StandardRow",
    "Target",
    "load_regulations",
]

CAUTION = "A tool certifies nothing: these numbers are evidence, and people decide what it shows."

Text = Annotated[str, Field(min_length=1, max_length=1000)]
Date = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Instrument(_Strict):
    """One text.

    Attributes
    ----------
    id, name, title
        For the data, for a sentence, in full.
    asks
        What it asks, in a sentence.
    status, since, told
        Whether it is in force, from when that holds, and the same in words.
    successor
        What is to be cited instead; None where it is the one to cite.
    source, checked
        Where the status is from, and whether a person has compared it with the original.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    name: Text
    title: Text
    asks: Text
    status: Literal[
        "in force", "amended", "applies later", "reference text", "cited in error",
        "no longer in force",
    ]  # fmt: skip
    since: Date | None = None
    told: Text
    successor: str | None = None
    source: Text
    checked: bool


class Evidence(_Strict):
    """What a metric is evidence for, by the standard.

    Attributes
    ----------
    metric
        The id of a form in the catalogue.
    instrument, theme
        Of which text, and for what in it.
    """

    metric: Text
    instrument: str
    theme: Text


class Target(_Strict):
    """A target of the standard, in the words of a rule.

    Attributes
    ----------
    at_least, at_most, below
        As in a policy; at least one is there.
    """

    at_least: float | None = None
    at_most: float | None = None
    below: float | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Target:
        if not self.bounds:
            raise ValueError("a target has a bound")
        return self

    @property
    def bounds(self) -> dict[str, float]:
        """The bounds that are there, by name."""
        found: dict[str, float] = self.model_dump(exclude_none=True)
        return found


class StandardRow(_Strict):
    """One row of the standard's master table.

    Attributes
    ----------
    metric
        The id of a form in the catalogue.
    symbol
        What the standard writes for it.
    purpose
        What it is measured for.
    reading
        What a value means.
    target
        The standard's, where no shipped policy holds it.
    """

    metric: Text
    symbol: Text
    purpose: Text
    reading: Text
    target: Target | None = None


class Regulations(_Strict):
    """The table of one day.

    Attributes
    ----------
    version, as_of
        Of the data, and the day that every status is of.
    standard
        Whose mapping it is.
    instruments
        The texts.
    rows, evidence
        The standard's master table, and what it takes each metric as evidence for.

    Examples
    --------
    >>> table = load_regulations()
    >>> told, asked, warning = table.sentences("drift.psi")
    >>> told.partition(", status")[0]
    'evidence for ongoing monitoring of SR 11-7 / OCC 2011-12'
    >>> warning.partition("; ")[0]
    'warning: SR 11-7 / OCC 2011-12 is no longer in force'
    """

    version: Text
    as_of: Date
    standard: Text
    instruments: Annotated[tuple[Instrument, ...], Field(strict=False)]
    rows: Annotated[tuple[StandardRow, ...], Field(strict=False)]
    evidence: Annotated[tuple[Evidence, ...], Field(strict=False)]

    @model_validator(mode="after")
    def _known(self) -> Regulations:
        ids = [one.id for one in self.instruments]
        if len(set(ids)) < len(ids):
            raise ValueError("an id stands twice")
        for name in [e.instrument for e in self.evidence] + [i.successor for i in self.instruments]:
            if name is not None and name not in ids:
                raise ValueError(f"there is no instrument {name!r}")
        rows = [row.metric for row in self.rows]
        if len(set(rows)) < len(rows):
            raise ValueError("a metric has two rows")
        return self

    def row(self, metric: str) -> StandardRow | None:
        """Return the standard's row of a metric, by the id of its form; None where it has none."""
        return next((row for row in self.rows if row.metric == metric), None)

    def instrument(self, name: str) -> Instrument:
        """Return an instrument by its id."""
        return next(one for one in self.instruments if one.id == name)

    def of(self, metric: str) -> Iterator[tuple[Evidence, Instrument]]:
        """Yield what a metric is evidence for; ``metric`` is the id of a form."""
        for row in self.evidence:
            if row.metric == metric:
                yield row, self.instrument(row.instrument)

    def cited(self, instrument: Instrument) -> str:
        """Return an instrument with its status and the day of that."""
        return f"{instrument.name}, status as of {self.as_of}: {instrument.told}"

    def warning(self, instrument: Instrument) -> str | None:
        """Return what to cite instead of an instrument; None where it can be cited."""
        if instrument.successor is None:
            return None
        return (
            f"warning: {instrument.name} is {instrument.status}; "
            f"cite {self.instrument(instrument.successor).name}"
        )

    def sentences(self, metric: str) -> Iterator[str]:
        """Yield what a metric is evidence for, what that text asks, and what to cite instead."""
        for row, instrument in self.of(metric):
            yield f"evidence for {row.theme} of {self.cited(instrument)}"
            yield f"{instrument.name} asks {instrument.asks}"
            if (warning := self.warning(instrument)) is not None:
                yield warning

    def to_dicts(self, metric: str) -> list[dict[str, Any]]:
        """Return what a metric is evidence for as JSON objects."""
        return [
            {
                "theme": row.theme,
                "as_of": self.as_of,
                "version": self.version,
                **instrument.model_dump(mode="json"),
                "warning": self.warning(instrument),
            }
            for row, instrument in self.of(metric)
        ]


@cache
def load_regulations(path: Path | None = None) -> Regulations:
    """Return the table that comes with the package, or that of a file.

    Raises
    ------
    ConfigurationError
        The file is none.
    """
    where = path or Path(str(files("veridical") / "regulation" / "instruments.yaml"))
    document, _ = strict_yaml.load(
        strict_yaml.read_text(where, "the table"), "the table", str(where)
    )
    try:
        return Regulations.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise ConfigurationError(
            f"the table of regulations does not hold: {first['msg']}",
            where=f"{where}, {place}" if place else str(where),
            fix="correct it",
        ) from None
