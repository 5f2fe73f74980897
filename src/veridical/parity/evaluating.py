"""From the counts of groups to an evaluation, whoever counted them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from veridical.evaluation.unit_results import UnitSettings
from veridical.measures import Measure
from veridical.parity.columns import calibration_of
from veridical.parity.comparing import AgainstReference, adjusted, distance
from veridical.parity.fairness_evaluation import FairnessEvaluation
from veridical.parity.references import chosen_references
from veridical.parity.summarised import SummarisedDecisions
from veridical.parity.tallies import Tallies
from veridical.portable import Summary
from veridical.reasons import SkipReason
from veridical.results import Result, Skipped
from veridical.slices import Settings

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation
    from veridical.policy import Policy, PolicyVerdict

__all__ = ["Read", "compared", "read_summary"]


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What was counted, and where.

    Attributes
    ----------
    tallies, settings
        The counts of every group; how intervals are made.
    source, passport, conditions
        What was read; what holds for every result; what decides and is favourable.
    scores
        Where there are scores and labels: the calibration of every group, and what a policy asks
        of scores.
    """

    tallies: Tallies
    settings: UnitSettings
    source: Mapping[str, Any]
    passport: Mapping[str, Any]
    conditions: Mapping[str, str]
    scores: Evaluation | None = None


def read_summary(summary: Summary, columns: Mapping[str, Any], settings: UnitSettings) -> Read:
    """Return what a summary knows of the decisions about its groups.

    Parameters
    ----------
    summary
        Made with groups.
    columns
        What was asked for, by parameter of ``evaluate_fairness``.
    settings
        There are no intervals where its weights are fractional: of how many rows is unknown.
    """
    decisions = SummarisedDecisions.of(summary, **columns)
    how = replace(settings, intervals=settings.intervals and not summary.tally.fractional)
    source = {**decisions.source(), "level": settings.level}
    return Read(decisions.tallied(), how, source, decisions.passport(), decisions.settings)


def compared(
    read: Read,
    asked: Mapping[Measure, str | None],
    *,
    references: Sequence[str] = (),
    min_size: int = 0,
    policy: Policy | None = None,
) -> FairnessEvaluation:
    """Return every group against the reference of its column.

    Parameters
    ----------
    read
        The counts.
    asked
        Metrics, with the names they were asked for by.
    references, min_size, policy
        As for ``evaluate_fairness``.
    """
    counts = read.tallies.counts
    chosen, by_size = chosen_references(counts, references)
    against = AgainstReference(read.tallies, chosen, min_size, read.passport, read.conditions)
    found = against.results(asked, read.settings)
    order = sorted(found, key=lambda name: distance(found[name]))
    ev = FairnessEvaluation(
        results=adjusted([result for name in order for result in found[name]]),
        source={
            **read.source,
            "references": [f"{column}={name}" for column, name in chosen.items()],
            "references_by_size": [f"{column}={chosen[column]}" for column in by_size],
        },
        subjects=tuple(order),
        keyed_by_subject=len(order) > 1,
        settings=read.settings,
        tallies=read.tallies,
        references=chosen,
        min_size=min_size,
        calibration=tuple(calibration_of(read.scores)),
        summaries={name: groups for name, _, groups in against.pairs() if groups is not None},
    )
    if policy is None:
        return ev
    return replace(ev, policy=_judged(policy, ev.results, read))


def _judged(policy: Policy, results: Sequence[Result], read: Read) -> PolicyVerdict:
    """Return what a policy says of each compared group, and then of all else that it asks for."""
    from veridical.policy import judge
    from veridical.policy.parts import Parts, judge_parts, of_families

    settings = Settings(level=read.settings.level, intervals=read.settings.intervals)
    verdict = judge(of_families(policy, {"fairness"}), results, (), settings)
    scores, why = read.scores, "no scores with labels are known, or they are no probabilities"
    absent = Skipped(SkipReason.UNSUPPORTED_BY_ENGINE, detail=why)
    no_drift = Skipped(SkipReason.UNSUPPORTED_BY_ENGINE, detail="there is one sample, and no drift")
    rest = judge_parts(
        of_families(policy, {"fairness"}, others=True),
        Parts(
            model=None if scores is None else scores.subjects[0],
            scores=absent if scores is None else scores.results,
            slices=() if scores is None else scores.slices,
            settings=settings if scores is None else scores.settings,
            drift=no_drift,
            fairness=results,
            of="fairness",
        ),
    )
    return replace(
        verdict,
        sha256=policy.sha256,
        rows=(*verdict.rows, *rest.rows),
        bands=(*verdict.bands, *rest.bands),
    )
