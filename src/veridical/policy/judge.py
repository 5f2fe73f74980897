"""Hold the results of an evaluation against a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from veridical.finalise import finalise
from veridical.measures import Measure
from veridical.metrics import find
from veridical.metrics.evidence import LacksSummaryError
from veridical.policy.at_these_rates import most_unequal
from veridical.policy.deciding import (
    SCORES,
    as_good_as_baseline,
    decide,
    meets,
    too_many_errors,
)
from veridical.policy.schema import Bands, Policy, Rule
from veridical.policy.vacuous import skill_beside, without_skill
from veridical.policy.verdict import BandFound, PolicyRow, PolicyVerdict
from veridical.reasons import SkipReason
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.slices import Settings, Slice

__all__ = ["Against", "judge"]

Place: TypeAlias = tuple[str | None, str | None]
Against: TypeAlias = Callable[[Measure, str | None, str | None], Result]


def judge(
    policy: Policy,
    results: Iterable[Result],
    slices: Iterable[Slice],
    settings: Settings,
    *,
    counted: Iterable[Slice] = (),
    against: Against | None = None,
) -> PolicyVerdict:
    """Return what a policy says about each score column, run or system.

    Parameters
    ----------
    policy
        Rules and bands.
    results
        What was measured; a metric of the policy that is not among them is measured now where
        there are summaries to measure it on, and skipped where there are none.
    slices
        The summaries of all rows and of groups, for each score column.
    settings
        Threshold, prices, level and seed.
    counted
        Where there are no summaries: slices that hold the numbers of positives and negatives and
        no scores, which is enough to tell what a forecast without skill would get.
    against
        From metric, subject and group to the difference from the baseline; None without one.

    Examples
    --------
    >>> import veridical as vd
    >>> data = {"y": [1, 1, 1, 0, 0, 0] * 9, "p": [0.9, 0.8, 0.7, 0.3, 0.2, 0.1] * 9}
    >>> ev = vd.evaluate(data, label="y", score="p")
    >>> policy = Policy(version=1, name="house", rules=[{"metric": "roc_auc", "at_least": 0.8}])
    >>> judge(policy, ev.results, ev.slices, ev.settings).verdict
    'met'
    """
    measured = {(r.metric, r.subject, r.group): r for r in results}
    by_place = {(part.subject, part.group): part for part in slices}
    known = {(part.subject, part.group): part for part in counted}
    bench = _Bench(measured, by_place, {**known, **by_place}, settings, against, policy.level)
    places = by_place or ((subject, group) for _, subject, group in measured)
    subjects = dict.fromkeys(subject for subject, _ in places)
    return PolicyVerdict(
        name=policy.name,
        version=str(policy.version),
        sha256=policy.sha256,
        source=policy.source,
        rows=tuple(
            bench.row(rule, subject)
            for subject in subjects
            for rule in policy.rules
            if _is_about(rule, subject, subjects)
        ),
        bands=tuple(bench.band(bands, subject) for subject in subjects for bands in policy.bands),
    )


def _is_about(rule: Rule, subject: str | None, subjects: Iterable[str | None]) -> bool:
    """Whether a subject is held against a rule: one about a compared group is about it alone."""
    of_group = rule.measure.family == "fairness" and rule.group in subjects
    return not of_group or rule.group == subject


def _slice_of(rule: Rule, subject: str | None) -> str | None:
    """Return the slice that a rule is about; the subjects of fairness are groups themselves."""
    is_subject = rule.measure.family == "fairness" and rule.group == subject
    return None if is_subject else rule.group


@dataclass(frozen=True, slots=True)
class _Bench:
    """The place where rules meet results."""

    measured: Mapping[tuple[str, str | None, str | None], Result]
    slices: Mapping[Place, Slice]
    known: Mapping[Place, Slice]
    settings: Settings
    against: Against | None
    level: float

    def row(self, rule: Rule, subject: str | None) -> PolicyRow:
        measure, group = rule.measure, _slice_of(rule, subject)
        result = self.result(measure, subject, group)
        if isinstance(result, Skipped):
            verdict, why = too_many_errors(rule, result) or ("skipped", "")
            return PolicyRow(str(rule), rule.bounds, result, verdict, why=why, note=rule.note)
        difference = None
        if rule.no_worse_than is not None and self.against is not None:
            difference = self.against(measure, subject, group)
        verdict, why = decide(rule, result, difference, self.level)
        worthless, skill, remark = self.unmasked(rule, result, difference)
        return PolicyRow(
            str(rule),
            rule.bounds,
            result,
            verdict,
            worthless,
            skill,
            "; ".join(filter(None, (why, remark))),
            rule.note,
            difference,
            rule.about_value,
        )

    def unmasked(
        self, rule: Rule, result: Measured, difference: Result | None
    ) -> tuple[dict[str, float], tuple[Result, ...], str]:
        """Return which forecasts without skill meet the rule, what to read instead, and words."""
        if not rule.about_value:
            return {}, (), "about what is missing alone: any forecast meets it"
        measure, place = rule.measure, (result.subject, rule.group)
        if measure.family == "fairness":
            # A decision without skill treats all groups alike: what matters is what could fail.
            worthless = most_unequal(rule, result)
            return worthless, (), _instead(worthless, (), result)
        part = self.known.get(place)
        if part is None:
            unknown = "whether a forecast without skill meets it too is not known"
            return {}, (), unknown if measure.family in SCORES else ""
        worthless = {
            name: value
            for name, value in without_skill(measure, part, self.settings).items()
            if meets(rule, value) and as_good_as_baseline(rule, value, result, difference)
        }
        here = bool(worthless) and place in self.slices
        skill = skill_beside(measure, part, self.settings) if here else ()
        return worthless, skill, _instead(worthless, skill, result)

    def band(self, bands: Bands, subject: str | None) -> BandFound:
        result = self.result(find(bands.metric), subject, None)
        if isinstance(result, Skipped):
            return BandFound(result, None, note=bands.note)
        interval = result.interval
        ends = (interval.low, interval.high) if interval else (result.value, result.value)
        return BandFound(result, bands.of(result.value), bands.spanned(*ends), bands.note)

    def result(self, measure: Measure, subject: str | None, group: str | None) -> Result:
        found = self.measured.get((str(measure), subject, group))
        if found is not None:
            return found
        part = self.slices.get((subject, group))
        if part is None:
            return _absent(measure, subject, group, *self._why_absent(measure, subject, group))
        if measure.definition.probabilities and not _are_probabilities(part):
            detail = f"{subject!r} has scores outside [0, 1]"
            return _absent(measure, subject, group, "not_probabilities", detail)
        return finalise(measure, part, self.settings)

    def _why_absent(
        self, measure: Measure, subject: str | None, group: str | None
    ) -> tuple[str, str]:
        places = {(s, g) for _, s, g in self.measured} | self.slices.keys()
        if group is not None and (subject, group) not in places:
            return "no_groups", f"no group {group!r} was measured"
        return (
            "unsupported_by_engine",
            f"{measure} was not measured, and there are no rows to do so; name it when measuring",
        )


def _are_probabilities(part: Slice) -> bool:
    try:
        scores = part.table.scores
    except LacksSummaryError:
        return True  # whoever did not keep the scores has checked them while binning
    return len(scores) == 0 or bool(scores.min() >= 0 and scores.max() <= 1)


def _absent(
    measure: Measure, subject: str | None, group: str | None, reason: str, detail: str
) -> Skipped:
    return Skipped(
        SkipReason(reason),
        detail=detail,
        metric=str(measure),
        subject=subject,
        group=group,
        conditions=Conditions(measure.arguments()),
    )


def _instead(worthless: dict[str, float], skill: tuple[Result, ...], result: Measured) -> str:
    """Say which forecasts without skill meet the rule, and what to read instead."""
    if not worthless:
        return ""
    # A mean of differences that cancel is 0 up to rounding.
    rounded = {name: value if abs(value) > 1e-12 else 0.0 for name, value in worthless.items()}
    listed = ", ".join(f"{name} ({value:.4g})" for name, value in rounded.items())
    text = f"vacuous here, also met by {listed}"
    read = [f"{r.metric} {r.value:.4g}" for r in skill if isinstance(r, Measured)]
    if "per_10_000" in result.conditions:
        read.append(f"the difference of {result.conditions['per_10_000']:.4g} in 10,000")
    if result.conditions.get("ratio_of_unfavourable") is not None:
        read.append(
            f"the ratio of unfavourable decisions, {result.conditions['ratio_of_unfavourable']:.4g}"
        )
    if "lift" in result.conditions:
        read.append(f"lift {result.conditions['lift']:.4g}")
    return text + (f"; read instead {', '.join(read)}" if read else "")
