"""``prices/1``: a dated table of prices, read strictly, and what a run costs by it.

A model has a price or it has none: names match whole, and no price is carried over to a neighbour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from importlib import resources
from pathlib import Path
from typing import Any, Final, Self

from veridical import strict_json
from veridical.bench.money import exact
from veridical.bench.usage import Usage
from veridical.errors import FileFormatError, FileMissingError

__all__ = ["KINDS", "Entry", "PriceTable", "example_text"]

KINDS: Final = ("input", "output", "cache_read", "cache_write")
_PER: Final = Decimal(1_000_000)
_FIXED: Final = {"schema": "prices/1", "unit": "per_million_tokens"}
_FIELDS: Final = frozenset(
    {"provider", "model", "aliases", "effective_from", "source", "retrieved", *KINDS}
)
_LARGEST_FILE: Final = 4_000_000


@dataclass(frozen=True, slots=True)
class Entry:
    """What a million tokens of one model cost from a day on.

    Attributes
    ----------
    provider, names
        The provider, and every exact id that the entry is for.
    effective_from
        Its first day.
    prices
        By kind of token; None where it is unknown.
    source, retrieved
        Where a person read it, and when.
    """

    provider: str
    names: tuple[str, ...]
    effective_from: date
    prices: Mapping[str, Decimal | None]
    source: str
    retrieved: date

    def cost(self, usage: Usage) -> Decimal | None:
        """Return what a usage costs, or None where a kind of token that it has is not priced."""
        total = Decimal(0)
        for kind, tokens in usage.to_dict().items():
            price = self.prices[kind]
            if price is None and tokens:
                return None
            total = exact.fma(price or Decimal(0), Decimal(tokens), total)
        return exact.divide(total, _PER)


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices of models.

    Attributes
    ----------
    version, currency
        Of the table.
    entries
        In the order of the file.
    sha256
        Of the document.
    """

    version: str
    currency: str
    entries: tuple[Entry, ...]
    sha256: str

    @classmethod
    def empty(cls) -> Self:
        """Return the table that is shipped: prices are entered by people, with date and source."""
        return cls.from_dict(strict_json.loads(_shipped("empty.json")), "empty.json")

    @classmethod
    def example(cls) -> Self:
        """Return a worked example with invented names.

        Examples
        --------
        >>> table = PriceTable.example()
        >>> usage = Usage(input=1_000_000, output=0)
        >>> table.cost("example-provider", "example-model-large", date(2026, 6, 30), usage)
        Decimal('3.00')
        """
        return cls.from_dict(strict_json.loads(_shipped("example.json")), "example.json")

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a table from a file.

        Raises
        ------
        FileMissingError, FileFormatError
            There is none, or it is not ``prices/1``.
        """
        try:
            with Path(path).open("rb") as file:
                content = file.read(_LARGEST_FILE + 1)
        except FileNotFoundError as error:
            raise FileMissingError(
                "there is no such price table",
                where=str(path),
                fix="check the path, or print one with `veridical bench prices example`",
            ) from error
        except (OSError, ValueError) as error:
            raise FileFormatError(
                "the price table cannot be read",
                where=str(path),
                fix="make it a file that can be read",
            ) from error
        if len(content) > _LARGEST_FILE:
            raise FileFormatError(
                "a price table has at most 4 MB",
                where=str(path),
                fix="leave out what is not priced",
            )
        try:
            document = strict_json.loads(content.decode("utf-8"))
        except (UnicodeDecodeError, FileFormatError) as error:
            raise FileFormatError(
                f"this is no price table: {getattr(error, 'what', 'it is not UTF-8')}",
                where=str(path),
                fix="see `veridical bench prices example`",
            ) from error
        return cls.from_dict(document, str(path))

    @classmethod
    def from_dict(cls, document: Any, where: str = "") -> Self:
        """Read a table from what its JSON says; every entry is held to the schema.

        Raises
        ------
        FileFormatError
            It is not ``prices/1``, or two entries are for one model from one day on.
        """
        checked = _object(document, {*_FIXED, "price_table_version", "currency", "entries"}, where)
        for name, word in _FIXED.items():
            if checked[name] != word:
                raise FileFormatError(f"{name} is not {word}", where=where, fix=f"write {word}")
        if not isinstance(checked["entries"], list):
            raise FileFormatError(
                "entries is not a list", where=where, fix="see `veridical bench prices example`"
            )
        entries = tuple(
            _entry(one, f"{where}, entry {at}") for at, one in enumerate(checked["entries"], 1)
        )
        _check_unique(entries, where)
        return cls(
            _text(checked, "price_table_version", where),
            _text(checked, "currency", where),
            entries,
            strict_json.sha256(document),
        )

    def entry(self, provider: str | None, model: str | None, day: date) -> Entry | None:
        """Return the newest entry of a model that is not after a day."""
        found = [
            one
            for one in self.entries
            if one.provider == provider and model in one.names and one.effective_from <= day
        ]
        return max(found, key=lambda one: one.effective_from, default=None)

    def cost(
        self, provider: str | None, model: str | None, day: date, usage: Usage
    ) -> Decimal | None:
        """Return what a run costs, or None where it is not priced.

        Parameters
        ----------
        provider, model
            As the trajectory has them; they match whole.
        day
            Of the run; an entry is in force from its own day on.
        usage
            Tokens by kind.
        """
        entry = self.entry(provider, model, day)
        return None if entry is None else entry.cost(usage)


def example_text() -> str:
    """Return the worked example as it is shipped."""
    return _shipped("example.json")


def _shipped(name: str) -> str:
    return resources.files("veridical.bench.prices").joinpath(name).read_text(encoding="utf-8")


def _entry(data: Any, where: str) -> Entry:
    entry = _object({"aliases": [], **data} if isinstance(data, dict) else data, _FIELDS, where)
    aliases = entry["aliases"]
    if not isinstance(aliases, list) or not all(isinstance(one, str) for one in aliases):
        raise FileFormatError(
            "aliases is not a list of strings",
            where=where,
            fix='write ["a name"], or leave aliases out',
        )
    return Entry(
        _text(entry, "provider", where),
        (_text(entry, "model", where), *aliases),
        _day(entry, "effective_from", where),
        {kind: _price(entry[kind], kind, where) for kind in KINDS},
        _text(entry, "source", where),
        _day(entry, "retrieved", where),
    )


def _object(value: Any, fields: set[str] | frozenset[str], where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise FileFormatError(
            "this is not a JSON object", where=where, fix="see `veridical bench prices example`"
        )
    for name in sorted(fields - value.keys()):
        raise FileFormatError(f"the field {name} is missing", where=where, fix="add it")
    for name in sorted(value.keys() - fields):
        raise FileFormatError(
            f"the field {ascii(name)[:60]} is unknown",
            where=where,
            fix="take it out, or correct its name",
        )
    return value


def _text(data: Mapping[str, Any], name: str, where: str) -> str:
    value = data[name]
    if not isinstance(value, str) or not value.strip():
        raise FileFormatError(f"{name} is not a text", where=where, fix="fill it in")
    return value


def _day(data: Mapping[str, Any], name: str, where: str) -> date:
    try:
        return date.fromisoformat(_text(data, name, where))
    except ValueError as error:
        if isinstance(error, FileFormatError):
            raise
        raise FileFormatError(
            f"{name} is not a day like 2026-07-01", where=where, fix="correct it"
        ) from error


def _price(value: Any, kind: str, where: str) -> Decimal | None:
    if value is None:
        return None
    if not isinstance(value, str) or not value.isascii() or not _is_amount(value):
        raise FileFormatError(
            f'the price of {kind} is not a string like "2.50", nor null',
            where=where,
            why="a JSON number may have lost digits",
            fix="write it in quotes",
        )
    return Decimal(value)


def _is_amount(text: str) -> bool:
    whole, _, decimals = text.partition(".")
    digits = whole + decimals
    return digits.isdigit() and len(digits) <= 30 and bool(whole) and text[-1] != "."


def _check_unique(entries: tuple[Entry, ...], where: str) -> None:
    seen: set[tuple[str, str, date]] = set()
    for key in _keys(entries):
        if key in seen:
            raise FileFormatError(
                f"two entries are for {key[1][:60]!a} of {key[0][:60]!a} from {key[2]} on",
                where=where,
                why="which of the two counts would be a choice",
                fix="keep one of them",
            )
        seen.add(key)


def _keys(entries: tuple[Entry, ...]) -> Iterator[tuple[str, str, date]]:
    for one in entries:
        for name in one.names:
            yield one.provider, name, one.effective_from
