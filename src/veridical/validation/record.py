"""``ValidationRecord``: the verdict of a validation as a run keeps it, rule by rule, with limits.

The numbers are in the runs of its parts; here each rule has the result that it was held against.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar

from veridical.errors import FileFormatError, MismatchError, RunNotFoundError, VeridicalError
from veridical.evaluation.restored import policy_verdict
from veridical.evaluation.result_set import ResultSet
from veridical.gates.validated import ENDING
from veridical.policy import PolicyVerdict
from veridical.policy.verdict import Overall
from veridical.results import result_from_dict

if TYPE_CHECKING:
    from veridical.store import Run
    from veridical.validation.model_validation import Validation

__all__ = ["ValidationRecord", "earlier", "record_of", "recorded_verdict"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ValidationRecord(ResultSet):
    """The verdict of one validation.

    Attributes
    ----------
    verdict, verdicts, date
        As of ``Validation``.
    model
        Name and version.
    threshold, threshold_from, level, seed
        How it was measured.
    limits
        What was skipped and why, and what else limits it, as JSON.
    parts
        The runs that hold what was measured: part to id.
    label
        Of the run; empty before it is one.
    """

    subject_noun: ClassVar[str] = "score column"
    units: ClassVar[str] = "rows"

    verdict: Overall
    verdicts: tuple[PolicyVerdict, ...]
    date: date
    model: Mapping[str, str]
    threshold: float | None
    threshold_from: str
    level: float
    seed: int
    limits: Mapping[str, Any]
    parts: Mapping[str, str]
    label: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document of the run."""
        return {
            **super().to_dict(),
            "model": dict(self.model),
            "date": self.date.isoformat(),
            "verdict": self.verdict,
            "policies": [one.to_dict() for one in self.verdicts],
            "of_bands": [band.result.to_dict() for one in self.verdicts for band in one.bands],
            "limits": dict(self.limits),
            "parts": dict(self.parts),
        }

    def kept(self) -> dict[str, Any]:
        """Return what a run keeps of it."""
        return {
            "kind": "validation",
            "settings": {
                "level": self.level,
                "threshold": self.threshold,
                "threshold_from": self.threshold_from,
            },
            "seed": self.seed,
            "data_sha256": self.source["out_of_time"]["sha256"],
            "left_out": {
                "summaries": "they are in the runs of its parts",
                "units": "they are in the run of its scores",
            },
        }

    def __repr__(self) -> str:
        from veridical.validation.terminal import record_text

        return record_text(self)


def recorded_verdict(validation: Validation, parts: Mapping[str, Run]) -> ValidationRecord:
    """Return what is kept of a validation whose parts are kept.

    Parameters
    ----------
    validation
        What was measured.
    parts
        The runs of its parts.
    """
    file, settings = validation.description.file, validation.out_of_time.settings
    return ValidationRecord(
        results=(),
        source={
            name: {key: ev.source.get(key) for key in ("path", "sha256", "n_rows", "n_positive")}
            for name, ev in (
                ("development", validation.development),
                ("out_of_time", validation.out_of_time),
            )
        },
        subjects=(),
        verdict=validation.verdict,
        verdicts=validation.verdicts,
        date=validation.date,
        model={"name": file.name, "version": str(file.version)},
        threshold=validation.threshold,
        threshold_from=validation.threshold_from,
        level=settings.level,
        seed=settings.seed,
        limits=validation.limits.to_dict(),
        parts={name: run.id for name, run in parts.items()},
    )


def record_of(run: Run) -> ValidationRecord:
    """Return what a run keeps of a validation.

    Raises
    ------
    MismatchError
        It is a run of another kind.
    FileFormatError
        A field of it is missing or of the wrong kind.
    """
    if run.kind != "validation":
        raise MismatchError(
            f"this is a run of kind {run.kind}, and no validation",
            where=run.label,
            fix="see `veridical runs list --kind validation`",
        )
    document, settings = run.document, run.settings
    try:
        of_bands = [result_from_dict(one) for one in document["of_bands"]]
        return ValidationRecord(
            results=(),
            source=document["source"],
            subjects=(),
            verdict=_verdict(document["verdict"]),
            verdicts=tuple(policy_verdict(one, of_bands) for one in document["policies"]),
            date=date.fromisoformat(document["date"]),
            model={name: str(document["model"][name]) for name in ("name", "version")},
            threshold=settings["threshold"],
            threshold_from=str(settings["threshold_from"]),
            level=float(settings["level"]),
            seed=int(run.seed or 0),
            limits=dict(document["limits"]),
            parts={str(name): str(run_id) for name, run_id in document["parts"].items()},
            label=run.label,
        )
    except (AttributeError, KeyError, StopIteration, TypeError, ValueError) as error:
        what = f"{type(error).__name__}: {VeridicalError.what_of(error)}"
        raise FileFormatError(
            f"the validation of the run cannot be read: {what}"[:300],
            where=run.label,
            fix="check the store with `veridical runs verify`",
        ) from error


def earlier(reference: str, store: Any = None) -> ValidationRecord:
    """Return a validation that was saved, by the name that it was saved under, or by a run's id.

    Raises
    ------
    RunNotFoundError
        There is none.
    """
    from veridical.store import load_run

    run = load_run(reference, store=store)
    if run.kind == "validation":
        return record_of(run)
    try:
        return record_of(load_run(f"{run.name or reference}{ENDING}", store=store))
    except RunNotFoundError as error:
        raise RunNotFoundError(
            f"there is no saved validation {reference[:80]!r}",
            fix="see `veridical runs list --kind validation`",
        ) from error


def _verdict(word: str) -> Overall:
    if word not in {"met", "not met", "undecided"}:
        raise ValueError(f"{word[:40]!r} is no verdict")
    return word  # type: ignore[return-value]  # just checked
