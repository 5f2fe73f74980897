"""What policies say about a validation: each rule is held against the part that measured it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veridical.evaluation import Evaluation
from veridical.evaluation.defaults import FAMILIES
from veridical.measures import Measure
from veridical.parity import FairnessEvaluation
from veridical.policy import Policy, PolicyVerdict, Rule, judge
from veridical.policy.verdict import Overall
from veridical.results import Conditions, Result, Skipped
from veridical.slices import Settings
from veridical.stability import DriftEvaluation

__all__ = ["Parts", "combined", "judged", "overall_verdict", "shows_skill"]


@dataclass(frozen=True, slots=True)
class Parts:
    """What was measured, and can be judged.

    Attributes
    ----------
    scores
        The out-of-time sample; its first subject is the model, a second one the champion.
    drift, fairness
        Fairness is None where nothing could be decided or compared.
    why_no_fairness
        Then the reason.
    """

    scores: Evaluation
    drift: DriftEvaluation
    fairness: FairnessEvaluation | None
    why_no_fairness: Skipped


def combined(policies: Sequence[Policy]) -> Policy | None:
    """Return all rules about scores as one policy, so that what they need is counted; or None."""
    rules = [rule for policy in policies for rule in policy.rules if _family(rule) in FAMILIES]
    return Policy(version=1, name="all rules", rules=tuple(rules)) if rules else None


def judged(policy: Policy, parts: Parts) -> PolicyVerdict:
    """Return what a policy says, rule by rule in its own order of parts.

    Parameters
    ----------
    policy
        Its rules may be about scores, drift and fairness; one about anything else is skipped.
    parts
        What was measured.
    """
    found = list(_parts_of(policy, parts))
    return PolicyVerdict(
        name=policy.name,
        version=str(policy.version),
        sha256=policy.sha256,
        source=policy.source,
        rows=tuple(row for verdict in found for row in verdict.rows),
        bands=tuple(band for verdict in found for band in verdict.bands),
    )


def overall_verdict(verdicts: Sequence[PolicyVerdict]) -> Overall:
    """Return the verdict over all policies.

    Met takes each policy met, and at least one met rule that a forecast without skill would fail:
    scores that are drawn at random treat all groups alike, and never drift.

    Examples
    --------
    >>> overall_verdict([])
    'undecided'
    """
    deciding = [verdict for verdict in verdicts if verdict.rows]
    found = {verdict.verdict for verdict in deciding}
    if "not met" in found:
        return "not met"
    return "met" if found == {"met"} and any(map(shows_skill, deciding)) else "undecided"


def shows_skill(verdict: PolicyVerdict) -> bool:
    """Whether a rule about the scores is met that a forecast without skill would fail."""
    return any(
        row.verdict == "met" and not row.vacuous and _family_of(row.result.metric) in FAMILIES
        for row in verdict.rows
    )


def _parts_of(policy: Policy, parts: Parts) -> Iterator[PolicyVerdict]:
    of_scores = _with_rules(policy, [r for r in policy.rules if _family(r) in FAMILIES])
    model = parts.scores.subject(parts.scores.subjects[0])

    def against(measure: Measure, subject: str | None, group: str | None) -> Result:
        for one in parts.scores.comparisons:
            if group is None and (one.metric, one.a) == (str(measure), subject):
                return one.difference
        return _skipped(measure, subject, "there is no paired difference from the champion")

    yield judge(of_scores, model.results, model.slices, model.settings, against=against)
    settings = Settings(level=parts.drift.settings.level)
    for rule in policy.rules:
        family, one = _family(rule), _with_rules(policy, [rule]).model_copy(update={"bands": ()})
        if family == "drift":
            yield judge(one, parts.drift.results, (), settings)
        elif family == "fairness":
            absent = replace(parts.why_no_fairness, metric=str(rule.measure), group=rule.group)
            results = parts.fairness.results if parts.fairness else [absent]
            yield judge(one, results, (), settings)
        elif family not in FAMILIES:
            detail = f"a validation of scores does not measure {rule.metric}"
            other = _skipped(rule.measure, model.subjects[0], detail, rule.group)
            yield judge(one, [other], (), settings)


def _with_rules(policy: Policy, rules: Sequence[Rule]) -> Policy:
    return policy.model_copy(update={"rules": tuple(rules)})


def _skipped(
    measure: Measure, subject: str | None, detail: str, group: str | None = None
) -> Skipped:
    return Skipped(
        "unsupported_by_engine",
        detail=detail,
        metric=str(measure),
        subject=subject,
        group=group,
        conditions=Conditions(measure.arguments()),
    )


def _family(rule: Rule) -> str:
    return rule.measure.family


def _family_of(metric: str | None) -> str:
    return str(metric).partition(".")[0]
