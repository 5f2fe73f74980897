"""A validation that was saved as what one gate judges: the scores of its model, drift, fairness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from veridical.comparison.comparison import Comparison
from veridical.errors import FileFormatError, RunNotFoundError
from veridical.policy.judge import Against
from veridical.policy.parts import Parts, against_champion
from veridical.reasons import SkipReason
from veridical.results import Skipped
from veridical.slices import Slice

if TYPE_CHECKING:
    from veridical.comparison.recorded import Recorded
    from veridical.store import Run, Store

__all__ = ["ENDING", "MARK", "Validated", "validated"]

ENDING: Final = "-verdict"
"""What is added to the name of a saved validation for the run of its verdict."""

MARK: Final = {"part_of": "validation"}
"""Stands in the source of a validation's scores: they are judged with its other parts, or not."""

_KIND = "validation"


@dataclass(frozen=True, slots=True, eq=False)
class Validated:
    """The runs of one saved validation.

    Attributes
    ----------
    verdict, scores, drift, fairness
        The runs; fairness is None where the validation compared no groups.
    """

    verdict: Run
    scores: Run
    drift: Run
    fairness: Run | None

    @property
    def model(self) -> str:
        """The score column of the model, which stands before that of the champion."""
        return str(self.scores.settings["scores"][0])

    @property
    def champion(self) -> str | None:
        """The score column of the champion; None without one."""
        _, *others = self.scores.settings["scores"]
        return str(others[0]) if others else None

    def parts(self, judged: Recorded, counted: list[Slice], against: Against | None) -> Parts:
        """Return what is judged: of the model all, of the champion the scores alone.

        Parameters
        ----------
        judged
            The scores of one of them.
        counted, against
            As for ``judge``; without a baseline the model is compared with the champion.
        """
        subject, drift, fairness = judged.subjects[0], self.drift, self.fairness
        if subject != self.model:
            detail = f"the validation is of {self.model!r}, and measured no more of {subject!r}"
            absent = Skipped(SkipReason.UNSUPPORTED_BY_ENGINE, detail=detail)
            return Parts(
                subject, judged.results, judged.settings, absent, absent, (), counted, against
            )
        detail = f"the validation compared no groups; why stands in {self.verdict.label}"
        return Parts(
            subject,
            judged.results,
            judged.settings,
            drift.results,
            Skipped(SkipReason.NO_GROUPS, detail=detail) if fairness is None else fairness.results,
            (),
            counted,
            against or self._against_champion(),
        )

    def _against_champion(self) -> Against:
        compared: tuple[Comparison, ...] = self.scores.evaluation.comparisons
        return against_champion(compared)

    def to_dict(self) -> dict[str, Any]:
        """Return which runs it is, as JSON."""
        runs = {"scores": self.scores, "drift": self.drift, "fairness": self.fairness}
        return {
            "model": self.model,
            "champion": self.champion,
            "verdict": self.verdict.id,
            "parts": {name: run.id for name, run in runs.items() if run is not None},
        }


def validated(found: Recorded, store: str | None, *, named: bool) -> Validated | None:
    """Return the validation that results are the scores or the verdict of; None if of none.

    Parameters
    ----------
    found
        What was measured.
    store
        Where the other runs are; None for the usual place.
    named
        Whether the store was asked for it: then also runs of older versions are known, whose
        results do not say that they are of a validation.

    Raises
    ------
    RunNotFoundError
        It is a part of a validation, and another part is not in the store.
    FileFormatError
        The run of the verdict is damaged.
    """
    run = found.run
    marked = found.kind == _KIND or found.source.items() >= MARK.items()
    if run is None or not (marked or (named and found.kind == "evaluation")):
        if marked:
            raise _apart(found.label, "nothing else of it is in a file")
        return None
    from veridical.store import Store

    with Store(store, create=False) as opened:
        verdict = run if run.kind == _KIND else next(_verdicts_of(run, opened), None)
        if verdict is None:
            if marked:
                raise _apart(run.label, "its verdict is not in the store")
            return None
        of = {what: _load(verdict, what, one, opened) for what, one in _parts_of(verdict).items()}
    try:
        return Validated(verdict, of["scores"], of["drift"], of.get("fairness"))
    except KeyError as error:
        raise FileFormatError(
            f"the validation names no run of its {error.args[0]}",
            where=verdict.label,
            fix="check the store with `veridical runs verify`",
        ) from None


def _verdicts_of(scores: Run, store: Store) -> Iterator[Run]:
    """Yield the verdict that names a run as its scores; it was saved right after them."""
    name = None if scores.name is None else f"{scores.name}{ENDING}"
    for head in reversed(store.runs(kind=_KIND, name=name, since=scores.created)):
        if head.name == name:
            run = store.load(head.id)
            if _parts_of(run).get("scores") == scores.id:
                yield _whole(run)


def _parts_of(verdict: Run) -> dict[str, str]:
    parts = verdict.document.get("parts")
    return {str(what): str(run) for what, run in parts.items()} if isinstance(parts, dict) else {}


def _load(verdict: Run, what: str, run_id: str, store: Store) -> Run:
    try:
        return _whole(store.load(run_id))
    except RunNotFoundError:
        raise _apart(verdict.label, f"its run of {what} is not in the store") from None


def _whole(run: Run) -> Run:
    """Return a run with its parts read, while the store is open."""
    from veridical.store import Run

    return Run.of(run, dict(run.parts))


def _apart(label: str, what: str) -> RunNotFoundError:
    return RunNotFoundError(
        f"this is part of a validation, and {what}",
        where=label[:200],
        why="a gate judges the whole of a validation",
        fix="give the name it was saved under, in the store that has all its runs; the exit code "
        "of `veridical validate` is a gate too",
    )
