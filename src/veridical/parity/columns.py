"""``FairnessColumns``: which columns say who was decided how, and what is read of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from veridical.errors import ParameterError
from veridical.evaluation.unit_results import UnitSettings
from veridical.metrics import find
from veridical.parameters import text
from veridical.parity.decisions import Decisions, favoured_by_score, read_decisions
from veridical.results import Result
from veridical.tables import Column, Table, read_numbers

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation
    from veridical.policy import Policy

__all__ = ["FairnessColumns", "calibration_of", "scores_by_group"]

OF_SCORES = ("calibration.ece", "calibration.intercept", "calibration.brier")
_BINARY = {"0", "1", "true", "false", "none"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FairnessColumns:
    """Columns and what their values mean, as ``evaluate_fairness`` takes them.

    Raises
    ------
    ParameterError
        They do not say who was decided how.
    """

    groups: tuple[str, ...]
    favourable: Any
    decision: str | None = None
    score: str | None = None
    threshold: float | None = None
    label: str | None = None
    favourable_label: Any = None
    positive: Any = None
    weight: str | None = None
    cluster: str | None = None
    missing: Literal["error", "drop"] = "error"

    def __post_init__(self) -> None:
        for name in ("decision", "score", "label", "weight", "cluster"):
            if getattr(self, name) is not None:
                text(name, getattr(self, name))
        if not self.groups:
            raise ParameterError("groups= names no column", fix="name a column of groups")
        if self.decision is None and self.score is None:
            raise ParameterError(
                "decision= is missing", fix="name the decisions, or a score and a threshold"
            )
        if self.decision is not None and self.threshold is not None:
            raise ParameterError(
                "decision= and threshold= both say what was decided", fix="give one of them"
            )
        if self.decision is None and str(self.favourable).strip().lower() not in _BINARY:
            raise ParameterError(
                f"a threshold decides 1 or 0, not {self.favourable!s:.80}",
                fix="say whether a score of at least the threshold is favourable: favourable=1 "
                "(--favourable 1), or 0",
            )

    def read(self, table: Table) -> Decisions:
        """Return the decisions of a table, with labels and groups."""
        of_decision = self.decision or str(self.score)
        others = [one for one in (self.label, self.weight, self.cluster) if one is not None]
        read = table.read(list(dict.fromkeys([of_decision, *self.groups, *others])))
        decided: Column = read[of_decision]
        if self.decision is None:
            decided = favoured_by_score(decided, self.threshold)
        return read_decisions(
            decided,
            [read[column] for column in self.groups],
            favourable=self.favourable,
            label=None if self.label is None else read[self.label],
            favourable_label=self.favourable_label,
            weight=None if self.weight is None else read[self.weight],
            cluster=None if self.cluster is None else read[self.cluster],
            missing=self.missing,
        )

    def scores(
        self, table: Table, settings: UnitSettings, rules: Policy | None = None
    ) -> Evaluation | None:
        """Return how far the scores of each group can be taken for probabilities.

        With what rules ask of scores; None where there are no scores, no labels, or nothing that
        can be asked of scores that are no probabilities.
        """
        if self.score is None or self.label is None:
            return None
        numbers, lost = read_numbers(table.read([self.score])[self.score])
        known = numbers if lost is None else numbers[~lost]
        forecasts = bool(len(known)) and known.min() >= 0 and known.max() <= 1
        return scores_by_group(
            table,
            rules,
            forecasts=forecasts,
            label=self.label,
            score=self.score,
            threshold=self.threshold,
            groups=self.groups,
            positive=self.positive,
            weight=self.weight,
            cluster=self.cluster,
            missing=self.missing,
            level=settings.level,
            intervals=settings.intervals,
            seed=settings.seed,
        )


def scores_by_group(
    data: Any, rules: Policy | None, *, forecasts: bool, **settings: Any
) -> Evaluation | None:
    """Return the calibration of each group as ``evaluate`` measures it, and what rules ask for.

    Parameters
    ----------
    data, settings
        As for ``evaluate``.
    rules
        Rules and bands about scores; None without any.
    forecasts
        Whether all scores are probabilities.
    """
    from veridical.evaluation import evaluate

    names: Sequence[str] = OF_SCORES
    if not forecasts:
        asked = () if rules is None else rules.metrics
        names = [name for name in asked if not find(name).definition.probabilities][:1]
    return evaluate(data, names, policy=rules, **settings) if names else None


def calibration_of(scores: Evaluation | None) -> Iterator[Result]:
    """Yield the calibration of each group, which is the subject then."""
    for result in () if scores is None else scores.results:
        if result.group is not None and result.metric.startswith("calibration."):
            yield replace(result, subject=result.group, group=None)
