"""``Validation``: what was measured of a model, what policies say of it, and what is missing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from veridical.evaluation import Evaluation
from veridical.gates.validated import ENDING, MARK
from veridical.parity import FairnessEvaluation
from veridical.policy import PolicyVerdict
from veridical.policy.verdict import Overall
from veridical.reasons import SkipReason
from veridical.stability import DriftEvaluation
from veridical.validation.description import Description
from veridical.validation.limits import Limits, limits_of
from veridical.validation.verdicts import overall_verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from veridical.evaluation.result_set import ResultSet
    from veridical.store import Run
    from veridical.validation.record import ValidationRecord
    from veridical.validation.since import Since

__all__ = ["Validation", "are_forecasts"]


def are_forecasts(ev: Evaluation, subject: str) -> bool:
    """Return whether every score of a column lies in [0, 1].

    Parameters
    ----------
    ev
        Scores with the default metrics, or more.
    subject
        The column.
    """
    return any(
        (one.subject, one.group, one.metric) == (subject, None, "calibration.brier")
        and (one.ok or one.reason != SkipReason.NOT_PROBABILITIES)
        for one in ev.results
    )


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Validation:
    """One validation of a model.

    Attributes
    ----------
    description
        The model file.
    development, out_of_time
        The scores on both samples; the champion, if there is one, is the second subject.
    drift
        The out-of-time sample against the development sample, column by column.
    fairness
        Decisions on the out-of-time sample; None where nothing could be decided or compared.
    why_no_fairness
        Then why, in a sentence.
    threshold_from
        Where the threshold is from: ``"the model file"``, ``"the development sample"``, or why
        there is none.
    verdicts
        What each policy says.
    date
        The day that the report bears.
    since
        What an earlier validation found, rule by rule; None without one.
    """

    schema: ClassVar[str] = "veridical.validation/1"

    description: Description
    development: Evaluation
    out_of_time: Evaluation
    drift: DriftEvaluation
    fairness: FairnessEvaluation | None
    why_no_fairness: str
    threshold_from: str
    verdicts: tuple[PolicyVerdict, ...]
    date: date
    since: Since | None = None

    @property
    def subject(self) -> str:
        """The score column of the model."""
        return self.out_of_time.subjects[0]

    @property
    def champion(self) -> str | None:
        """The score column of the champion; None without one."""
        return self.out_of_time.subjects[1] if len(self.out_of_time.subjects) > 1 else None

    @property
    def are_forecasts(self) -> bool:
        """Whether every score of the model lies in [0, 1], on both samples."""
        return all(are_forecasts(ev, self.subject) for ev in (self.development, self.out_of_time))

    @property
    def row_level(self) -> float | None:
        """Coverage of intervals that take rows for independent; None where they belong together."""
        clustered = self.description.data.cluster is not None
        return None if clustered else self.out_of_time.settings.level

    @property
    def threshold(self) -> float | None:
        """Scores at or above it are flagged."""
        return self.out_of_time.settings.threshold

    @property
    def verdict(self) -> Overall:
        """Over all policies: met only where each is, by a model with more skill than chance."""
        return overall_verdict(self.verdicts)

    @property
    def limits(self) -> Limits:
        """What was skipped and why, and what else limits what was measured."""
        return limits_of(self)

    def beside(self, before: ValidationRecord | str, *, store: Any = None) -> Validation:
        """Return this validation with what an earlier one found, rule by rule.

        Parameters
        ----------
        before
            The earlier one, or the name that it was saved under.
        store
            Where it is kept, as for ``Evaluation.save``.

        Raises
        ------
        RunNotFoundError
            There is none of this name.
        MismatchError
            It is of another model, or its intervals have another level.
        """
        from veridical.validation.record import earlier, recorded_verdict
        from veridical.validation.since import since

        found = earlier(before, store) if isinstance(before, str) else before
        return replace(self, since=since(found, recorded_verdict(self, {})))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints."""
        file = self.description.file
        return {
            "schema": self.schema,
            "date": self.date.isoformat(),
            "model": file.model_dump(mode="json"),
            "verdict": self.verdict,
            "policies": [verdict.to_dict() for verdict in self.verdicts],
            "threshold": self.threshold,
            "threshold_from": self.threshold_from,
            "development": self.development.to_dict(),
            "out_of_time": self.out_of_time.to_dict(),
            "drift": self.drift.to_dict(),
            "fairness": None if self.fairness is None else self.fairness.to_dict(),
            "limits": self.limits.to_dict(),
            **({} if self.since is None else {"since": self.since.to_dict()}),
        }

    def report(self, path: str | Path) -> Path:
        """Write the self-contained HTML report and return its path.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        from veridical.validation.page import write_page

        return write_page(self, path)

    def docx(self, path: str | Path) -> Path:
        """Write the same report as a text document (extra ``docx``) and return its path.

        Raises
        ------
        MissingExtraError
            python-docx or matplotlib is not installed.
        OutputError
            The file cannot be written.
        """
        from veridical.validation.word import write_word

        return write_word(self, path)

    def save(
        self,
        name: str | None = None,
        *,
        tags: Iterable[str] | str = (),
        store: Any = None,
    ) -> list[Run]:
        """Keep the validation as runs: scores, drift, where there is one fairness, and the verdict.

        Parameters
        ----------
        name
            Of the run of the scores; ``-drift``, ``-fairness`` and ``-verdict`` are added for the
            others.
        tags, store
            As for ``Evaluation.save``.
        """
        from veridical.validation.record import recorded_verdict

        def kept(part: ResultSet, ending: str) -> Run:
            called = None if name is None else f"{name}{ending}"
            return part.save(called, tags=tags, store=store)

        scores = replace(self.out_of_time, source={**self.out_of_time.source, **MARK})
        measured = {"scores": scores, "drift": self.drift, "fairness": self.fairness}
        parts = {
            what: kept(part, "" if what == "scores" else f"-{what}")
            for what, part in measured.items()
            if part is not None
        }
        return [*parts.values(), kept(recorded_verdict(self, parts), ENDING)]

    def __repr__(self) -> str:
        from veridical.validation.terminal import validation_text

        return validation_text(self)
