"""What policies say about a validation: each rule is held against the part that measured it."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.evaluation import Evaluation
from veridical.evaluation.defaults import FAMILIES
from veridical.parity import FairnessEvaluation
from veridical.policy import Policy, PolicyVerdict
from veridical.policy.parts import Parts, against_champion, judge_parts, shows_skill
from veridical.policy.verdict import Overall
from veridical.results import Skipped
from veridical.stability import DriftEvaluation

__all__ = ["combined", "judged", "overall_verdict"]


def combined(policies: Sequence[Policy]) -> Policy | None:
    """Return all rules about scores as one policy, so that what they need is counted; or None."""
    rules = [
        rule for policy in policies for rule in policy.rules if rule.measure.family in FAMILIES
    ]
    return Policy(version=1, name="all rules", rules=tuple(rules)) if rules else None


def judged(
    policy: Policy,
    scores: Evaluation,
    drift: DriftEvaluation,
    fairness: FairnessEvaluation | None,
    why_no_fairness: Skipped,
) -> PolicyVerdict:
    """Return what a policy says, rule by rule in its own order of parts.

    Parameters
    ----------
    policy
        Its rules may be about scores, drift and fairness; one about anything else is skipped.
    scores
        The out-of-time sample; its first subject is the model, a second one the champion.
    drift, fairness
        Fairness is None where nothing could be decided or compared.
    why_no_fairness
        Then the reason.
    """
    model = scores.subject(scores.subjects[0])
    return judge_parts(
        policy,
        Parts(
            model=scores.subjects[0],
            scores=model.results,
            slices=model.slices,
            settings=model.settings,
            against=against_champion(scores.comparisons),
            drift=drift.results,
            fairness=why_no_fairness if fairness is None else fairness.results,
        ),
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
