"""``Recorded``: results that were measured before, from the store, a file, or an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from veridical import strict_json
from veridical.comparison.plausible import checked
from veridical.costs import Costs
from veridical.errors import (
    FileFormatError,
    FileMissingError,
    InputError,
    MetricNameError,
    ParameterError,
    UnsupportedTypeError,
    VeridicalError,
)
from veridical.results import Measured, Result, Skipped, result_from_dict
from veridical.slices import Settings, Slice

if TYPE_CHECKING:
    from veridical.evaluation.result_set import ResultSet
    from veridical.store import Run, Units

__all__ = ["Recorded", "recorded"]

_SCHEMA: Final = "veridical.evaluation/1"
_RUN_SCHEMA: Final = "veridical.run/1"
_LARGEST_FILE: Final = 1 << 30
_WRITTEN: Final = "give a file that an evaluating command wrote with --json"


@dataclass(frozen=True, eq=False, kw_only=True)
class Recorded:
    """What was measured once, whoever kept it.

    Attributes
    ----------
    label
        What it is called: the name of the run, the file.
    kind
        ``evaluation``, ``ranking``, ``text``, ``agreement``, ``rag`` or ``bench``.
    results, source
        As in the document that ``--json`` prints.
    id, created
        Of a stored run.
    document_sha256
        Hash of the content of a file, however it is laid out; None for what is no file.
    settings
        How it was measured.
    evaluation
        The results as the verb returned them, with their rows or units; None for what was read.
    run
        The stored run, which may hold the outcome of every unit.
    """

    label: str
    kind: str
    results: tuple[Result, ...]
    source: Mapping[str, Any]
    settings: Settings
    id: str | None = None
    created: datetime | None = None
    document_sha256: str | None = None
    evaluation: ResultSet | None = field(default=None, repr=False)
    run: Run | None = field(default=None, repr=False)

    @property
    def subjects(self) -> tuple[str, ...]:
        """What was measured: score columns, runs, systems."""
        return tuple(dict.fromkeys(str(result.subject) for result in self.results))

    @property
    def groups(self) -> tuple[str, ...]:
        """The slices, as ``"column=value"``."""
        return tuple(dict.fromkeys(r.group for r in self.results if r.group is not None))

    @property
    def slices(self) -> tuple[Slice, ...]:
        """The summaries of scores, where an evaluation still has them."""
        return getattr(self.evaluation, "slices", ())

    @property
    def units(self) -> Units | None:
        """The outcome of every unit, where they were kept."""
        return None if self.run is None else self.run.units

    @property
    def data_sha256(self) -> str | None:
        """Hash of what it was measured on, where one was written."""
        if self.run is not None:
            return self.run.data_sha256
        found = self.source.get("sha256") or self.source.get("qrels", {}).get("sha256")
        return None if found is None else str(found)

    def find(self, metric: str, subject: str, group: str | None = None) -> Result | None:
        """Return a result by canonical name; None where it was not measured."""
        return self._by_name.get((metric, subject, group))

    @cached_property
    def _by_name(self) -> dict[tuple[str, str, str | None], Result]:
        return {(r.metric, str(r.subject), r.group): r for r in self.results}

    def subject(self, name: str | None) -> str:
        """Return the subject asked for, or the only one.

        Raises
        ------
        MetricNameError
            There is none of this name.
        ParameterError
            There are several, and none was named; or there is nothing.
        """
        if not self.subjects:
            raise ParameterError(
                f"{self.label} holds no result",
                fix="give a run that was measured; a validation names those of its parts",
            )
        known = ", ".join(map(repr, self.subjects))
        if name is None:
            if len(self.subjects) != 1:
                raise ParameterError(
                    f"{self.label} holds {len(self.subjects)} subjects: {known[:500]}",
                    fix="say which (on the command line --subject)",
                )
            return self.subjects[0]
        if name not in self.subjects:
            raise MetricNameError(f"{self.label} has no {name!r}", fix=f"it has {known[:500]}")
        return name

    def described(self) -> dict[str, Any]:
        """Return what identifies it, as JSON."""
        return {
            "label": self.label,
            "id": self.id,
            "kind": self.kind,
            "created": None if self.created is None else self.created.isoformat(),
            "data_sha256": self.data_sha256,
        }


def recorded(given: object, store: str | None = None) -> Recorded:
    """Return what was measured, from whatever names or holds it.

    Parameters
    ----------
    given
        A run of the store by name, by id or its beginning, or ``"latest"``; a file or pipe with
        what ``--json`` wrote, of ``runs show`` too, which comes before a run of the same name; a
        ``Run``; an evaluation; one result.
    store
        Where the store is; None for the usual place.

    Raises
    ------
    FileMissingError, FileFormatError
        There is no such file, or it holds something else.
    InputError
        The run is not finished.
    UnsupportedTypeError
        It is none of these.
    """
    from veridical.evaluation.result_set import ResultSet

    if isinstance(given, Recorded):
        return given
    if isinstance(given, (Measured, Skipped)):
        given = ResultSet(results=(given,), source={}, subjects=(str(given.subject),))
    if isinstance(given, ResultSet):
        return _of_evaluation(given)
    if isinstance(given, (str, Path)):
        text = str(given)
        if isinstance(given, Path) or _is_file(text):
            return _of_document(_read(text), text)
        from veridical.store import load_run

        return _of_run(load_run(text, store=store))
    from veridical.store import Run

    if isinstance(given, Run):
        return _of_run(given)
    raise UnsupportedTypeError(
        f"an object of type {type(given).__name__} is no run",
        fix="give the name of a stored run, a file that --json wrote, or an evaluation",
    )


def _is_file(text: str) -> bool:
    if text.lower().endswith(".json"):
        return True
    try:
        path = Path(text)
        return path.exists() and not path.is_dir()  # a pipe is neither file nor folder
    except (OSError, ValueError):  # too long, or with a zero byte: a name, then
        return False


def _read(text: str) -> bytes:
    try:
        with Path(text).open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except FileNotFoundError:
        raise FileMissingError(
            "there is no such file", where=text[:200], fix="write one with --json > FILE"
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise FileFormatError(
            f"the file cannot be read: {why}",
            where=text[:200],
            fix="make it a file that can be read, or name another one",
        ) from error
    if len(content) > _LARGEST_FILE:
        raise FileFormatError(
            "the file is too large to be a result",
            where=text[:200],
            fix=_WRITTEN,
        )
    return content


def _of_document(content: bytes, label: str) -> Recorded:
    try:
        document, run_id = _unwrapped(strict_json.loads(content))
        if not isinstance(document, dict) or document.get("schema") != _SCHEMA:
            raise FileFormatError(
                f"this is no document of {_SCHEMA}",
                fix=_WRITTEN,
            )
        results = tuple(checked(result_from_dict(one), one) for one in document["results"])
        if len({(r.metric, r.subject, r.group) for r in results}) < len(results):
            raise FileFormatError(
                "a result stands twice",
                fix=_WRITTEN,
            )
        source = document.get("source", {})
        if not isinstance(source, dict):
            raise FileFormatError(
                "its source is no object",
                fix=_WRITTEN,
            )
        return Recorded(
            label=label,
            kind=_kind(document),
            results=results,
            source=source,
            settings=_settings(source),
            id=run_id,
            document_sha256=strict_json.sha256(document),
        )
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError) as error:
        what = error.what if isinstance(error, VeridicalError) else f"{type(error).__name__}"
        fix = _WRITTEN
        if not label.lower().endswith(".json"):
            fix += ", or the id of a stored run that has this name"
        raise FileFormatError(
            f"this holds no results: {what}", where=label[:200], fix=fix
        ) from error


def _unwrapped(document: Any) -> tuple[Any, str | None]:
    """Return the evaluation within what ``runs show --json`` wrote, and the id of its run."""
    if not isinstance(document, dict) or document.get("schema") != _RUN_SCHEMA:
        return document, None
    head = document["run"]
    if head["state"] != "finished":
        raise FileFormatError(
            f"its run is {head['state']}",
            fix="finish the run, and write it again with `veridical runs show --json`",
        )
    if not isinstance(head["id"], str):
        raise FileFormatError(
            "the id of its run is no text", fix="write it again with `veridical runs show --json`"
        )
    return document["document"], head["id"]


def _of_run(run: Run) -> Recorded:
    if run.state != "finished":
        raise InputError(
            f"the run is {run.state}",
            where=run.label,
            why="what it holds may not be all that it measures",
            fix=f"finish it with `veridical rag resume {run.id}`, or name another run"
            if run.kind == "rag"
            else "finish it first, or name another run",
        )
    return Recorded(
        label=run.name or run.id,
        kind=run.kind,
        results=run.results,
        source=run.source,
        settings=_settings(run.source),
        id=run.id,
        created=run.created,
        run=run,
    )


def _of_evaluation(ev: ResultSet) -> Recorded:
    from veridical.store.keeping import KeepsItself, drafted

    if isinstance(ev, KeepsItself):  # its cases are compared as those of a stored run are
        return replace(_of_run(drafted(ev)), label="the evaluation", id=None, created=None)
    return Recorded(
        label="the evaluation",
        kind=_kind(ev.to_dict()),
        results=ev.results,
        source=ev.source,
        settings=getattr(ev, "settings", None) or _settings(ev.source),
        evaluation=ev,
    )


def _kind(document: Mapping[str, Any]) -> str:
    source = document.get("source", {})
    if "qrels" in source:
        return "ranking"
    if "tables" in document:
        return "agreement"
    if source.get("kind") == "rag":
        return "rag"
    return "text" if source.get("kind") == "texts" else "evaluation"


def _settings(source: Mapping[str, Any]) -> Settings:
    """Return how it was measured, as far as the document says."""
    level = source.get("level")
    return Settings(
        threshold=source.get("threshold"),
        costs=_costs(source.get("costs")),
        level=0.95 if level is None else level,
        seed=source.get("seed") or 0,
    )


def _costs(written: Mapping[str, Any] | None) -> Costs | None:
    if not written:
        return None
    # A price that is a column is written as its name, and its amounts are not at hand here.
    if any(str(price).startswith("column:") for price in written.values()):
        return None
    # As numbers: a text would name a column.
    prices = {name: Decimal(price) for name, price in written.items() if name != "currency"}
    return Costs(**prices, currency=written.get("currency"))
