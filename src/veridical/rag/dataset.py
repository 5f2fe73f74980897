"""``read_cases``: cases from a file of JSON objects, one a line; every problem has its place."""

from __future__ import annotations

import difflib
import errno
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veridical import strict_json
from veridical.errors import FileFormatError, FileMissingError
from veridical.rag.aliases import Layout, fitting_layouts, without_text_ids
from veridical.rag.answer_fields import DEEPEST
from veridical.rag.case_fields import FIELDS, BadFieldError, case_of, source_ids_written
from veridical.rag.cases import Case
from veridical.rag.json_places import columns_of, duplicate_key
from veridical.rag.lint import lint, lint_numbers, numbers_and_texts

__all__ = ["Dataset", "read_cases", "read_dataset"]

_SHOWN = 10
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Dataset:
    """The cases of a file, and what a reader should know about it.

    Attributes
    ----------
    cases
        In the order of the file.
    layout
        Whose columns they had: ``veridical``, or the name of another tool.
    warnings
        Ids that look alike, cases that no metric can score: one sentence each.
    sha256
        Of all cases: what two runs must share to be compared.
    """

    cases: tuple[Case, ...]
    layout: str = "veridical"
    warnings: tuple[str, ...] = ()
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class _Problem:
    line: int
    column: int
    message: str
    fix: str = "correct the line"


@dataclass(slots=True)
class _Reading:
    """A file while it is read: its lines, objects and problems."""

    path: str
    lines: dict[int, str] = field(default_factory=dict)
    records: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    problems: list[_Problem] = field(default_factory=list)

    def add(self, line: int, message: str, column: int = 1, **fix: str) -> None:
        self.problems.append(_Problem(line, column, message, **fix))

    def refuse(self) -> None:
        """Raise an error with all problems, the first ten in words, if there is one."""
        if not self.problems:
            return
        found = sorted(self.problems, key=lambda one: (one.line, one.column))
        first = found[0]
        where = f"{self.path}:{first.line}:{first.column}"
        if len(found) == 1:
            raise FileFormatError(first.message, where=where, fix=first.fix)
        told = [f"{self.path}:{one.line}:{one.column}: {one.message}" for one in found[:_SHOWN]]
        told += [f"and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
        raise FileFormatError(
            f"the dataset has {len(found)} problems:", fix="correct these lines", listed=told
        )


def read_cases(path: str | Path, mapping: Mapping[str, str] | None = None) -> list[Case]:
    """Return the cases of a file.

    Parameters
    ----------
    path
        UTF-8 with or without a mark of byte order, one JSON object a line; empty lines are nothing.
    mapping
        Field of ours to the column of the file that has it, ``{"question": "user_input"}``; both
        may go into objects, ``{"metadata.level": "info.difficulty"}``.

    Raises
    ------
    FileMissingError
        There is no such file.
    FileFormatError
        A line is no case, a key or an id stands twice, or a field is unknown: with line and column;
        of many problems ten are shown.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
    ...     _ = file.write(b'{"id": "q1", "question": "How much?"}'), file.flush()
    ...     [case.question for case in read_cases(file.name)]
    ['How much?']
    """
    return list(read_dataset(path, mapping).cases)


def read_dataset(
    path: str | Path, mapping: Mapping[str, str] | None = None, *, asked: bool = False
) -> Dataset:
    """Return the cases of a file with warnings and hash, read as ``read_cases`` does.

    Parameters
    ----------
    path, mapping
        As there.
    asked
        Whether a pipeline is asked.  It has ids of its own, so that expected texts without ids, of
        the files of other tools, are no sources then.
    """
    reading = _Reading(str(path))
    _read_lines(reading, Path(path))
    for number, text in reading.lines.items():
        _read_object(reading, number, text)
    layout = _layout(reading, mapping or {})
    cases, numeric = _cases(reading, layout, mapping or {}, asked=asked)
    reading.refuse()
    digest = hashlib.sha256("".join(case.sha256 for case in cases).encode()).hexdigest()
    name = "veridical" if layout is None else layout.name
    return Dataset(tuple(cases), name, (*lint(cases), *numeric), digest)


def _read_lines(reading: _Reading, path: Path) -> None:
    try:
        if path.is_char_device():
            raise OSError(errno.EINVAL, "it is a device, which may have no end")
        content = path.read_bytes()
    except FileNotFoundError:
        raise FileMissingError(
            "there is no such dataset", where=str(path)[:200], fix="check dataset.path"
        ) from None
    except (OSError, ValueError) as error:
        raise FileFormatError(
            f"the dataset cannot be read: {getattr(error, 'strerror', None) or error}",
            where=str(path)[:200],
            fix="give a file of JSON objects, one a line",
        ) from error
    for number, line in enumerate(content.removeprefix(_BOM).split(b"\n"), 1):
        try:
            text = line.decode("utf-8").removesuffix("\r")
        except UnicodeDecodeError as error:
            at = len(line[: error.start].decode("utf-8", "replace")) + 1
            reading.add(number, "this is not UTF-8", at)
            continue
        if text.strip():
            reading.lines[number] = text
    if not reading.lines and not reading.problems:
        raise FileFormatError(
            "the dataset has no case", where=str(path), fix="write one JSON object a line"
        )


def _read_object(reading: _Reading, number: int, text: str) -> None:
    try:
        record = strict_json.loads(text)
    except FileFormatError as error:
        found = duplicate_key(text)
        cause = error.__cause__
        if found:
            reading.add(number, f"the key {found.key[:80]!r} stands twice", found.column)
        elif isinstance(cause, json.JSONDecodeError):
            reading.add(number, f"this is not JSON: {cause.msg}", cause.colno)
        else:
            reading.add(number, error.what[:200])
        return
    if strict_json.deeper_than(record, DEEPEST):
        reading.add(number, f"objects and lists stand in one another in more than {DEEPEST} levels")
    elif isinstance(record, dict):
        reading.records.append((number, record))
    else:
        noun = "an array" if isinstance(record, list) else "no object"
        reading.add(number, f"this is {noun}: a dataset has one JSON object a line")


def _layout(reading: _Reading, mapping: Mapping[str, str]) -> Layout | None:
    """Return the layout of another tool that the columns show; None for ours."""
    columns = {name for _, record in reading.records for name in record}
    fits = fitting_layouts(columns)
    if len(fits) <= 1:
        return fits[0] if fits else None
    if "question" in mapping:
        return None
    names = " or ".join(one.name for one in fits)
    reading.add(
        reading.records[0][0],
        f"the columns could be those of {names}, and are not guessed",
        fix="say what they are: dataset: {map: {question: COLUMN, expected_answer: COLUMN}}",
    )
    reading.refuse()
    return None


def _cases(
    reading: _Reading, layout: Layout | None, mapping: Mapping[str, str], *, asked: bool
) -> tuple[list[Case], list[str]]:
    """Return the cases, and warnings of ids that are numbers here and texts there."""
    converted = [
        (line, record, _converted(line, record, layout, mapping, asked=asked))
        for line, record in reading.records
        if _known(reading, line, record, layout, mapping)
    ]
    ids = [record.get("id") for _, _, record in converted]
    both = set(numbers_and_texts(ids))
    cases: list[Case] = []
    lines: dict[str, int] = {}
    sources: list[Any] = []
    for line, given, record in converted:
        if isinstance(record.get("id"), str) and record["id"] in both:
            record["id"] = f'"{record["id"]}"'  # as JSON has it: 1 and "1" are two ids
        try:
            case = case_of(record, line)
        except BadFieldError as error:
            reading.add(line, error.what, _column(reading.lines[line], given, record, error.key))
            continue
        if case.id in lines:
            told = f"the id {case.id[:80]!r} stands on line {lines[case.id]} too"
            reading.add(line, told, _column(reading.lines[line], given, record, "id"))
            continue
        lines[case.id] = line
        sources += source_ids_written(record)
        cases.append(case)
    return cases, lint_numbers(ids, sources)


def _converted(
    line: int,
    record: Mapping[str, Any],
    layout: Layout | None,
    mapping: Mapping[str, str],
    *,
    asked: bool,
) -> dict[str, Any]:
    """Return a record with our columns in the place of another tool's, or of the user's own."""
    converted = dict(record) if layout is None else layout.convert(dict(record))
    if asked and layout is not None:
        without_text_ids(converted)
    converted = _mapped(record, converted, mapping)
    if layout is not None or mapping:
        converted.setdefault("id", f"line-{line}")
    return converted


def _column(text: str, given: Mapping[str, Any], record: Mapping[str, Any], key: str) -> int:
    """Return where a field stands in a line, under its name or that of the column it came from."""
    columns, value = columns_of(text), record.get(key)
    names = [name for name, one in given.items() if one is value and one is not None]
    return next((columns[name] for name in (key, *names) if name in columns), 1)


def _known(
    reading: _Reading,
    line: int,
    record: Mapping[str, Any],
    layout: Layout | None,
    mapping: Mapping[str, str],
) -> bool:
    """Report every unknown column of a record; whether there is none."""
    legal = (FIELDS if layout is None else layout.columns) | {
        column.partition(".")[0] for column in mapping.values()
    }
    unknown = [name for name in record if name not in legal]
    columns = columns_of(reading.lines[line]) if unknown else {}
    for name in unknown:
        near = difflib.get_close_matches(name, legal, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "put it into metadata, or map it"
        reading.add(line, f"there is no field {name[:80]!r}; {hint}", columns.get(name, 1))
    return not unknown


def _mapped(
    record: Mapping[str, Any], converted: dict[str, Any], mapping: Mapping[str, str]
) -> dict[str, Any]:
    """Return a record with the columns that the user named in the places of ours."""
    for ours, theirs in mapping.items():
        top = theirs.partition(".")[0]
        if top not in mapping and top != ours.partition(".")[0]:
            converted.pop(top, None)
            _forget(converted, top)
    for ours, theirs in mapping.items():
        value: Any = record
        for step in theirs.split("."):
            value = value.get(step) if isinstance(value, Mapping) else None
        if value is None:
            continue
        *path, last = ours.split(".")
        into = converted
        for step in path:
            inner = into.get(step)
            into[step] = dict(inner) if isinstance(inner, Mapping) else {}
            into = into[step]
        into[last] = value
    return converted


def _forget(converted: dict[str, Any], column: str) -> None:
    metadata = converted.get("metadata")
    if isinstance(metadata, Mapping) and column in metadata:
        converted["metadata"] = {k: v for k, v in metadata.items() if k != column}
