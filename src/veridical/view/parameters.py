"""What an address asks for: filters, order, page.  Everything in it is hostile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request

from veridical.errors import ParameterError
from veridical.store.filtering import Filter
from veridical.view.rendering import query

__all__ = [
    "FILTERS",
    "Head",
    "Pages",
    "chosen",
    "given",
    "heads",
    "ordered",
    "page_number",
    "pages",
    "wanted",
]

FILTERS = {
    "text": "text",
    "kind": "kind",
    "state": "state",
    "name": "name",
    "tag": "tag",
    "metric": "metric",
    "since": "since",
}
_LONGEST = 500
_LARGEST_PAGE = 10**9


@dataclass(frozen=True, slots=True)
class Pages:
    """Where a page of a list stands, and the addresses of its neighbours."""

    number: int
    last: int
    previous: str | None
    next: str | None


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column; ``link`` sorts by it, ``order`` says that it is sorted by."""

    label: str
    link: str | None = None
    order: str | None = None
    number: bool = False


def given(request: Request) -> dict[str, str]:
    """Return the parameters of an address, each once, without those that are empty.

    Raises
    ------
    ParameterError
        One is longer than anything that makes sense.
    """
    found = {key: value.strip() for key, value in request.query_params.items() if value.strip()}
    for key, value in found.items():
        if len(value) > _LONGEST:
            raise ParameterError(
                f"{key[:40]!r} has {len(value):,} characters",
                where="the address",
                fix=f"give at most {_LONGEST}",
            )
    return found


def chosen(parameters: Mapping[str, str], key: str, known: Sequence[str], default: str) -> str:
    """Return one of the words that are known.

    Raises
    ------
    ParameterError
        It is another word.
    """
    value = parameters.get(key, default)
    if value not in known:
        raise ParameterError(
            f"{key} is {' or '.join(known)}, not {value[:40]!r}",
            where="the address",
            fix="choose it on the page",
        )
    return value


def wanted(parameters: Mapping[str, str]) -> Filter:
    """Return which runs an address asks for."""
    fields: dict[str, Any] = {key: parameters.get(key) for key in FILTERS if key != "since"}
    return Filter(**fields, since=_day(parameters.get("since")))


def _day(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise ParameterError(
            f"since is a day such as 2026-01-31, not {text[:40]!r}",
            where="the address",
            fix="choose it on the page",
        ) from error


def page_number(parameters: Mapping[str, str]) -> int:
    """Return which page an address asks for.

    Raises
    ------
    ParameterError
        It is no whole number from 1.
    """
    text = parameters.get("page", "1")
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= _LARGEST_PAGE):
        raise ParameterError(
            f"page is a whole number from 1, not {text[:40]!r}",
            where="the address",
            fix="choose it on the page",
        )
    return int(text)


def pages(parameters: Mapping[str, str], path: str, total: int, size: int) -> Pages:
    """Return where the page of an address stands; one beyond the last is the last.

    Parameters
    ----------
    parameters, path
        Of the address.
    total, size
        How many rows there are, and how many a page has.
    """
    number = page_number(parameters)
    last = max(1, -(-total // size))
    number = min(number, last)

    def address(page: int) -> str:
        rest = query(parameters, {"page": page if page > 1 else None})
        return f"{path}?{rest}" if rest else path

    return Pages(
        number,
        last,
        address(number - 1) if number > 1 else None,
        address(number + 1) if number < last else None,
    )


def ordered(parameters: Mapping[str, str], known: Sequence[str], default: str) -> tuple[str, bool]:
    """Return the column to sort by, and whether downwards."""
    sort = chosen(parameters, "sort", known, default)
    order = chosen(parameters, "order", ("up", "down"), "down")
    return sort, order == "down"


def heads(
    parameters: Mapping[str, str],
    path: str,
    columns: Sequence[tuple[str | None, str, bool]],
    sort: str,
    *,
    down: bool,
) -> list[Head]:
    """Return the heads of a table: (key to sort by or None, label, whether it holds numbers)."""
    found = []
    for key, label, number in columns:
        if key is None:
            found.append(Head(label, number=number))
            continue
        # The first click on numbers and moments shows the largest; on words, the first.
        turned = (not down) if key == sort else number or key == "created"
        changes = {"sort": key, "order": "down" if turned else "up", "page": None}
        order = ("descending" if down else "ascending") if key == sort else None
        found.append(Head(label, f"{path}?{query(parameters, changes)}", order, number))
    return found
