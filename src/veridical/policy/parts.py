"""Hold a policy against what several commands measured of one model: scores, drift, fairness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from veridical.measures import Measure
from veridical.policy.deciding import SCORES
from veridical.policy.judge import Against, judge
from veridical.policy.schema import Policy, Rule
from veridical.policy.verdict import PolicyVerdict
from veridical.results import Conditions, Result, Skipped
from veridical.slices import Settings, Slice

if TYPE_CHECKING:
    from veridical.comparison.comparison import Comparison

__all__ = ["Parts", "against_champion", "judge_parts", "shows_skill"]


@dataclass(frozen=True, slots=True)
class Parts:
    """What was measured of one model, and can be judged.

    Attributes
    ----------
    model
        The score column of the model.
    scores, slices, counted, settings, against
        What was measured of it, as ``judge`` takes it.
    drift, fairness
        The results; why there are none where there are none.
    """

    model: str
    scores: Sequence[Result]
    settings: Settings
    drift: Sequence[Result] | Skipped
    fairness: Sequence[Result] | Skipped
    slices: Sequence[Slice] = ()
    counted: Sequence[Slice] = ()
    against: Against | None = None


def judge_parts(policy: Policy, parts: Parts) -> PolicyVerdict:
    """Return what a policy says, each rule held against the part that measured its metric.

    Parameters
    ----------
    policy
        Its rules may be about scores, drift and fairness; one about anything else is skipped.
    parts
        What was measured.
    """
    found = list(_of_parts(policy, parts))
    return PolicyVerdict(
        name=policy.name,
        version=str(policy.version),
        sha256=policy.sha256,
        source=policy.source,
        rows=tuple(row for verdict in found for row in verdict.rows),
        bands=tuple(band for verdict in found for band in verdict.bands),
    )


def shows_skill(verdict: PolicyVerdict) -> bool:
    """Whether a rule about scores is met that a forecast without skill would fail.

    Scores that are drawn at random treat all groups alike, and never drift.
    """
    return any(
        row.verdict == "met" and not row.vacuous and row.result.metric.partition(".")[0] in SCORES
        for row in verdict.rows
    )


def against_champion(comparisons: Iterable[Comparison]) -> Against:
    """Return the paired differences from the champion, as rules with ``no_worse_than`` ask for.

    Parameters
    ----------
    comparisons
        The model against the champion, metric by metric, on all rows.
    """
    found = {(one.metric, one.a): one.difference for one in comparisons}

    def against(measure: Measure, subject: str | None, group: str | None) -> Result:
        difference = found.get((str(measure), str(subject))) if group is None else None
        return difference or Skipped(
            "unsupported_by_engine",
            detail="there is no paired difference from the champion",
            metric=str(measure),
            subject=subject,
            conditions=Conditions(measure.arguments()),
        )

    return against


def _of_parts(policy: Policy, parts: Parts) -> Iterator[PolicyVerdict]:
    yield judge(
        _with_rules(policy, [rule for rule in policy.rules if _family(rule) in SCORES]),
        parts.scores,
        parts.slices,
        parts.settings,
        counted=parts.counted,
        against=parts.against,
    )
    for rule in policy.rules:
        family = _family(rule)
        if family not in SCORES:
            one = _with_rules(policy, [rule]).model_copy(update={"bands": ()})
            yield judge(one, _results(rule, parts), (), parts.settings)


def _results(rule: Rule, parts: Parts) -> Sequence[Result]:
    """Return the results of the part that a rule is about."""
    found: Sequence[Result] | Skipped
    match _family(rule):
        case "drift":
            found = parts.drift
        case "fairness":
            found = parts.fairness
        case _:
            detail = f"a validation of scores does not measure {rule.metric}"
            found = Skipped("unsupported_by_engine", detail=detail, subject=parts.model)
    if not isinstance(found, Skipped):
        return found
    conditions = Conditions(rule.measure.arguments())
    return [replace(found, metric=str(rule.measure), group=rule.group, conditions=conditions)]


def _with_rules(policy: Policy, rules: Sequence[Rule]) -> Policy:
    return policy.model_copy(update={"rules": tuple(rules)})


def _family(rule: Rule) -> str:
    return rule.measure.family
