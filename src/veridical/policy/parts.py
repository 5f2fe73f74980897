"""Hold a policy against what several commands measured of one model: scores, drift, fairness."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from veridical.measures import Measure
from veridical.metrics import find
from veridical.policy.deciding import SCORES
from veridical.policy.judge import Against, judge
from veridical.policy.schema import Bands, Policy, Rule
from veridical.policy.verdict import PolicyVerdict
from veridical.results import Conditions, Result, Skipped
from veridical.slices import Settings, Slice

if TYPE_CHECKING:
    from veridical.comparison.comparison import Comparison

__all__ = ["Parts", "against_champion", "judge_parts", "of_families", "shows_skill"]


@dataclass(frozen=True, slots=True)
class Parts:
    """What was measured of one model, and can be judged.

    Attributes
    ----------
    model
        The score column of the model; None where there is none.
    scores, drift, fairness
        The results; why there are none where there are none.
    settings, slices, counted, against
        What belongs to the scores, as ``judge`` takes it.
    of
        What measured all this, in words.
    """

    model: str | None
    scores: Sequence[Result] | Skipped
    settings: Settings
    drift: Sequence[Result] | Skipped
    fairness: Sequence[Result] | Skipped
    slices: Sequence[Slice] = ()
    counted: Sequence[Slice] = ()
    against: Against | None = None
    of: str = "a validation of scores"


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


def of_families(policy: Policy, families: Collection[str], *, others: bool = False) -> Policy:
    """Return a policy with the rules and bands about some families, or about all others.

    Parameters
    ----------
    policy
        Any; name and version stay.
    families
        Such as ``{"fairness"}``.
    others
        Whether those of other families are wanted.
    """

    def wanted(one: Rule | Bands) -> bool:
        return (find(one.metric).family in families) != others

    rules = tuple(rule for rule in policy.rules if wanted(rule))
    bands = tuple(bands for bands in policy.bands if wanted(bands))
    return policy.model_copy(update={"rules": rules, "bands": bands})


def _of_parts(policy: Policy, parts: Parts) -> Iterator[PolicyVerdict]:
    if not isinstance(parts.scores, Skipped):
        yield judge(
            of_families(policy, SCORES),
            parts.scores,
            parts.slices,
            parts.settings,
            counted=parts.counted,
            against=parts.against,
        )
        policy = of_families(policy, SCORES, others=True)
    nothing = policy.model_copy(update={"rules": (), "bands": ()})
    for rule in policy.rules:
        one = nothing.model_copy(update={"rules": (rule,)})
        yield judge(one, _results(rule, parts), (), parts.settings)
    for bands in policy.bands:
        one = nothing.model_copy(update={"bands": (bands,)})
        yield judge(one, _results(bands, parts), (), parts.settings)


def _results(of: Rule | Bands, parts: Parts) -> Sequence[Result]:
    """Return the results of the part that a rule or bands are about."""
    measure = find(of.metric)
    detail = f"{parts.of} does not measure {of.metric}"
    unmeasured = Skipped("unsupported_by_engine", detail=detail, subject=parts.model)
    by_family = {"drift": parts.drift, "fairness": parts.fairness}
    by_family |= dict.fromkeys(SCORES, parts.scores)
    found = by_family.get(measure.family, unmeasured)
    if not isinstance(found, Skipped):
        return found
    group = of.group if isinstance(of, Rule) else None
    conditions = Conditions(measure.arguments())
    return [replace(found, metric=str(measure), group=group, conditions=conditions)]
