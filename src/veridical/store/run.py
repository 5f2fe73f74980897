"""``Run``: what was measured once, under which conditions, with what."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from veridical import strict_json
from veridical.errors import FileFormatError, ParameterError, VeridicalError
from veridical.results import Result, result_from_dict

if TYPE_CHECKING:
    from veridical.evaluation.result_set import ResultSet
    from veridical.store.units import Units

__all__ = [
    "KINDS",
    "LATEST",
    "STATES",
    "Kind",
    "Run",
    "RunHead",
    "State",
    "checked_name",
    "checked_tags",
    "is_id",
    "moment",
    "new_id",
    "spelt",
    "written",
]

Kind: TypeAlias = Literal[
    "evaluation", "ranking", "text", "agreement", "drift", "fairness", "validation", "rag", "bench"
]
State: TypeAlias = Literal["running", "finished", "interrupted", "failed"]

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
STATES: Final[tuple[State, ...]] = ("running", "finished", "interrupted", "failed")
LATEST: Final = "latest"
"""The reference of the newest finished run; no run may be called so."""

DOCUMENT, CONTEXT, SUMMARIES, UNITS = "document", "context", "summaries", "units"
_LONGEST_NAME = 200
_LONGEST_METRIC = 500
_MOST = 1 << 62
_MOST_TAGS = 50
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: they are read as others
_ID = re.compile(rf"\d{{8}}-\d{{6}}-[{_ALPHABET}]{{5}}")
_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"
# Control characters, halves of surrogate pairs, and line ends.
_REFUSED = {"Cc", "Cs", "Zl", "Zp"}


@dataclass(frozen=True, kw_only=True)
class RunHead:
    """What a list of runs shows.

    Attributes
    ----------
    id
        Time and five random characters: sorts by age, and can be read out.
    name
        As given; several runs may share one, and it then stands for the newest.
    tags
        Sorted.
    kind, state
        See ``KINDS`` and ``STATES``.
    created
        When, in UTC.
    data_sha256
        Hash of the data (the golden set, the references) that it was measured on, if there is one.
    n_results
        How many results it has.
    sha256
        Hash over everything in it; None while it is running.
    """

    id: str
    kind: Kind
    name: str | None = None
    tags: tuple[str, ...] = ()
    created: datetime
    state: State = "finished"
    data_sha256: str | None = None
    n_results: int = 0
    sha256: str | None = None

    @property
    def label(self) -> str:
        """The name and the id, or the id alone."""
        return f"{self.name} ({self.id})" if self.name else self.id

    def to_dict(self) -> dict[str, Any]:
        """Return the head as one JSON object."""
        return {
            "id": self.id,
            "name": self.name,
            "tags": list(self.tags),
            "kind": self.kind,
            "state": self.state,
            "created": written(self.created),
            "data_sha256": self.data_sha256,
            "n_results": self.n_results,
            "sha256": self.sha256,
        }


@dataclass(frozen=True, kw_only=True)
class Run(RunHead):
    """One run with all it holds.  Parts are read from the store when they are first asked for.

    ``run["roc_auc"]`` is a result, as of the evaluation that was saved.

    Attributes
    ----------
    parts
        Name to bytes: ``document``, ``context``, ``summaries`` and ``units``, the last two where
        there are any.
    """

    parts: Mapping[str, bytes] = field(repr=False, compare=False)

    @classmethod
    def of(cls, head: RunHead, parts: Mapping[str, bytes]) -> Run:
        """Return the run that has this head and these parts."""
        return cls(
            **{name: getattr(head, name) for name in RunHead.__dataclass_fields__}, parts=parts
        )

    @cached_property
    def document(self) -> dict[str, Any]:
        """What ``--json`` printed: schema ``veridical.evaluation/1``."""
        document = strict_json.loads(self.parts[DOCUMENT])
        if not isinstance(document, dict) or not isinstance(document.get("results"), list):
            raise FileFormatError(
                "the run holds no document of results",
                where=self.label,
                fix="check the store with `veridical runs verify`",
            )
        return document

    @cached_property
    def _context(self) -> dict[str, Any]:
        context = strict_json.loads(self.parts[CONTEXT])
        if not isinstance(context, dict):
            raise FileFormatError(
                "the run does not say where it came from",
                where=self.label,
                fix="check the store with `veridical runs verify`",
            )
        return context

    def __getitem__(self, key: Any) -> Result:
        return self.evaluation[key]

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that were given."""
        return dict(self._context["settings"])

    @property
    def seed(self) -> int | None:
        """What determined every random draw."""
        seed = self._context["seed"]
        return None if seed is None else int(seed)

    @property
    def environment(self) -> dict[str, Any]:
        """Platform, and versions of Python, veridical and the numerical libraries."""
        return dict(self._context["environment"])

    @property
    def git(self) -> dict[str, Any] | None:
        """``commit`` and ``dirty`` of the working directory; None outside of a repository."""
        git = self._context["git"]
        return None if git is None else dict(git)

    @property
    def left_out(self) -> dict[str, str]:
        """Parts that were not kept, and why."""
        return dict(self._context["left_out"])

    @property
    def source(self) -> dict[str, Any]:
        """Where the data came from."""
        return dict(self.document.get("source", {}))

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """Every result with its conditions."""
        try:
            return tuple(_checked_result(result_from_dict(one)) for one in self.document["results"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise FileFormatError(
                f"a result of the run cannot be read: {VeridicalError.what_of(error)}",
                where=self.label,
                fix="check the store with `veridical runs verify`",
            ) from error

    @cached_property
    def evaluation(self) -> ResultSet:
        """The results as the verb returned them: a mapping by metric, and by subject."""
        from veridical.evaluation.restored import restored

        return restored(self)

    def refinalised(self) -> ResultSet:
        """Return the results by the definitions of this version, computed from the summaries.

        See ``veridical.evaluation.refinalising.refinalised``.
        """
        from veridical.evaluation.refinalising import refinalised

        return refinalised(self)

    @cached_property
    def summaries(self) -> tuple[dict[str, Any], ...]:
        """The summaries that the results were computed from, in portable form."""
        if SUMMARIES not in self.parts:
            return ()
        return tuple(strict_json.loads(self.parts[SUMMARIES]))

    @cached_property
    def units(self) -> Units | None:
        """The outcome of every unit (row, query, segment), where the units have ids."""
        if UNITS not in self.parts:
            return None
        from veridical.store.units import Units

        return Units.from_bytes(self.parts[UNITS])


def _checked_result(result: Result) -> Result:
    """Return a result whose parts are of the right kinds; a file may say anything."""
    names = (result.subject, result.group, result.requested)
    texts = (result.metric, *result.notes, *(name for name in names if name is not None))
    counts = (result.n, result.n_rows or 0, *result.counts.values())
    if not all(isinstance(text, str) for text in texts) or len(result.metric) > _LONGEST_METRIC:
        raise FileFormatError(
            "a name in it is none", fix="check the store with `veridical runs verify`"
        )
    if not all(type(count) is int and 0 <= count < _MOST for count in counts):
        raise FileFormatError(
            "a count in it is none", fix="check the store with `veridical runs verify`"
        )
    return result


def new_id(created: datetime) -> str:
    """Return an id that nobody has had: the second, and five random characters."""
    random = "".join(secrets.choice(_ALPHABET) for _ in range(5))
    return f"{created.astimezone(UTC):%Y%m%d-%H%M%S}-{random}"


def is_id(text: str) -> bool:
    """Return whether a text has the form of an id."""
    return _ID.fullmatch(text) is not None


def written(time: datetime) -> str:
    """Return a moment in ISO 8601, UTC, microseconds: texts sort as the moments do.

    Examples
    --------
    >>> written(datetime(2026, 1, 2, tzinfo=UTC))
    '2026-01-02T00:00:00.000000Z'
    """
    return time.astimezone(UTC).strftime(_TIME)


def moment(text: str) -> datetime:
    """Read back what ``written`` wrote."""
    return datetime.strptime(text, _TIME).replace(tzinfo=UTC)


def spelt(text: str) -> str:
    """Return a name in the spelling that is stored: composed accents, no spaces around it."""
    return unicodedata.normalize("NFC", str(text)).strip()


def checked_name(name: str) -> str:
    r"""Return a name as it is stored, or say why it is none.

    Any letters of any script, spaces, slashes and quotes are allowed: a name is never part of a
    path or of a query.  It is stored in Unicode's composed form, so that two ways to type an
    accent are one name.

    Raises
    ------
    ParameterError
        It is empty, longer than 200 characters, holds control characters, or could be taken for
        the id of a run or for ``latest``.

    Examples
    --------
    >>> checked_name("  nightly / main ")
    'nightly / main'
    """
    name = _checked(name, "name of a run")
    if name.casefold() == LATEST or is_id(name):
        raise ParameterError(
            f"a run cannot be called {name!r}",
            why="it stands for the newest run"
            if name.casefold() == LATEST
            else "it reads as an id",
            fix="choose another name",
        )
    return name


def checked_tags(tags: Iterable[str] | str) -> tuple[str, ...]:
    """Return tags sorted, each once; they follow the rules of names.

    Raises
    ------
    ParameterError
        One of them is no tag, or there are more than fifty.
    """
    given: Sequence[str] = (tags,) if isinstance(tags, str) else tuple(tags)
    found = tuple(sorted({_checked(tag, "tag") for tag in given}))
    if len(found) > _MOST_TAGS:
        raise ParameterError(f"a run has at most {_MOST_TAGS} tags", fix="give fewer")
    return found


def _checked(text: str, what: str) -> str:
    if not isinstance(text, str):
        raise ParameterError(f"a {what} is a text, not {type(text).__name__}", fix="give a text")
    clean = spelt(text)
    shown = ascii(clean[:40])
    if not clean:
        raise ParameterError(f"the {what} is empty", fix="give at least one character")
    if len(clean) > _LONGEST_NAME:
        raise ParameterError(
            f"the {what} {shown}... has {len(clean):,} characters",
            fix=f"give at most {_LONGEST_NAME}",
        )
    if any(unicodedata.category(c) in _REFUSED for c in clean):
        raise ParameterError(f"the {what} {shown} holds control characters", fix="leave them out")
    return clean
