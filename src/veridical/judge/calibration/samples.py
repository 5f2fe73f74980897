"""``Sample``: something to be judged, and the band that it belongs to.

One JSON object a line: ``id``, ``contract``, ``language``, ``question``, ``answer``, ``expected``
(completeness), ``passages`` (alias to text, where the prompt has any), ``label`` (1, 0.5, 0 or
``"not_applicable"``), ``people`` (the labels of two people, where there are two) and ``source``:
``constructed`` or ``human``.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from veridical import strict_json
from veridical.errors import FileFormatError, FileMissingError
from veridical.judge.contracts import CONTRACTS, FIELDS
from veridical.judge.verdicts import Contract, Question

__all__ = ["NOT_APPLICABLE", "Sample", "band", "read_samples", "shipped_samples"]

NOT_APPLICABLE: Final = "not_applicable"

_Label = Literal[0, 1, "not_applicable"] | float


def band(score: float | None) -> str:
    """Return the band of a score: ``"0"``, ``"0.5"``, ``"1"``, or ``"not_applicable"`` for None.

    Examples
    --------
    >>> [band(score) for score in (0.2, 0.25, 0.74, 0.75, None)]
    ['0', '0.5', '0.5', '1', 'not_applicable']
    """
    if score is None:
        return NOT_APPLICABLE
    if score < 0.25:
        return "0"
    return "0.5" if score < 0.75 else "1"


class Sample(BaseModel):
    """Something to be judged, and what it is labelled."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    contract: Contract
    question: str
    answer: str
    label: _Label
    source: Literal["constructed", "human"]
    language: str = "en"
    expected: str = ""
    passages: dict[str, str] = Field(default_factory=dict)
    people: tuple[_Label, _Label] | None = None

    @property
    def band(self) -> str:
        """The band of the label."""
        return _of(self.label)

    @property
    def bands_of_people(self) -> tuple[str, str] | None:
        """What two people said, each for himself, or None."""
        return None if self.people is None else (_of(self.people[0]), _of(self.people[1]))

    def asked(self) -> Question:
        """Return the question for the judge."""
        texts = {name: getattr(self, name) for name in FIELDS[self.contract]}
        return Question(self.contract, texts, self.passages)


def _of(label: Any) -> str:
    return band(None if label == NOT_APPLICABLE else float(label))


def shipped_samples() -> list[Sample]:
    """Return the samples of the package: all of them constructed, none labelled by others."""
    folder = files("veridical.judge.calibration") / "fixtures"
    return [
        sample
        for contract in CONTRACTS
        for sample in _read((folder / f"{contract}.jsonl").read_bytes(), f"{contract}.jsonl")
    ]


def read_samples(path: str | Path) -> list[Sample]:
    """Return the samples of a JSONL file.

    Raises
    ------
    FileMissingError, FileFormatError
        It is not there, or a line of it is no sample.
    """
    try:
        if Path(path).is_char_device():
            raise OSError(errno.EINVAL, "it is a device, which may have no end")
        content = Path(path).read_bytes()
    except OSError as error:
        raise FileMissingError(
            f"the samples cannot be read: {error.strerror}", where=str(path), fix="check the path"
        ) from error
    return list(_read(content, str(path)))


def _read(content: bytes, name: str) -> Iterable[Sample]:
    seen: set[str] = set()
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        try:
            sample = Sample.model_validate(strict_json.loads(line))
        except FileFormatError as error:
            raise FileFormatError(error.what, where=where, fix="write one object a line") from error
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            field = ".".join(map(str, first["loc"]))
            raise FileFormatError(
                f"{field or 'line'}: {first['msg']}", where=where, fix="see the fields of a sample"
            ) from error
        if sample.id in seen:
            raise FileFormatError(
                f"the id {sample.id[:80]!r} occurs twice", where=where, fix="give each its own"
            )
        seen.add(sample.id)
        yield sample
