"""Hold the results of an evaluation against a policy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from veridical.finalise import Settings, Slice, finalise
from veridical.measures import Measure
from veridical.metrics import find
from veridical.metrics.evidence import LacksSummaryError
from veridical.policy.schema import Bands, Policy, Rule
from veridical.policy.vacuous import skill_beside, without_skill
from veridical.policy.verdict import BandFound, PolicyRow, PolicyVerdict, RowVerdict
from veridical.reasons import SkipReason
from veridical.results import Conditions, Measured, Result, Skipped

__all__ = ["judge"]


def judge(
    policy: Policy, results: Iterable[Result], slices: Iterable[Slice], settings: Settings
) -> PolicyVerdict:
    """Return what a policy says about each score column.

    Parameters
    ----------
    policy
        Rules and bands.
    results
        What was measured; a metric that the policy needs beside these is measured now.
    slices
        The summaries of all rows and of groups, for each score column.
    settings
        Threshold, prices, level and seed.

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
    bench = _Bench(measured, by_place, settings)
    subjects = dict.fromkeys(subject for subject, _ in by_place)
    return PolicyVerdict(
        name=policy.name,
        version=str(policy.version),
        sha256=policy.sha256,
        source=policy.source,
        rows=tuple(bench.row(rule, subject) for subject in subjects for rule in policy.rules),
        bands=tuple(bench.band(bands, subject) for subject in subjects for bands in policy.bands),
    )


_NO_ESTIMATE = frozenset({"no_interval_degenerate", "no_interval_replicates"})
"""Notes of a metric that has intervals, on data that do not yield one: too few or too uniform."""


@dataclass(frozen=True, slots=True)
class _Bench:
    """The place where rules meet results."""

    measured: dict[tuple[str, str | None, str | None], Result]
    slices: dict[tuple[str | None, str | None], Slice]
    settings: Settings

    def row(self, rule: Rule, subject: str | None) -> PolicyRow:
        measure = rule.measure
        result = self.result(measure, subject, rule.group)
        if isinstance(result, Skipped):
            return PolicyRow(str(rule), rule.bounds, result, "skipped", note=rule.note)
        verdict, why = _verdict(rule, result)
        part = self.slices[subject, rule.group]
        worthless = {
            name: value
            for name, value in without_skill(measure, part, self.settings).items()
            if _meets(rule, value, value, value)
        }
        skill = skill_beside(measure, part, self.settings) if worthless else ()
        notes = (why, _instead(worthless, skill, result), rule.note)
        note = "; ".join(filter(None, notes))
        return PolicyRow(str(rule), rule.bounds, result, verdict, worthless, skill, note)

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
            return _absent(measure, subject, group, "no_groups", f"no group {group!r} was measured")
        if measure.definition.probabilities and not _are_probabilities(part):
            detail = f"{subject!r} has scores outside [0, 1]"
            return _absent(measure, subject, group, "not_probabilities", detail)
        return finalise(measure, part, self.settings)


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


def _verdict(rule: Rule, result: Measured) -> tuple[RowVerdict, str]:
    """Return the verdict on one rule, and what must be said about it."""
    skipped = result.counts.get("n_skipped", 0)
    read = (result.n_rows or 0) + skipped
    if rule.max_skip_rate is not None and skipped > rule.max_skip_rate * read:
        return "not met", f"{skipped:,} of {read:,} rows were left out"
    if rule.min_n is not None and result.n < rule.min_n:
        return "undecided", f"n = {result.n:,}, fewer than {rule.min_n:,}"
    interval = result.interval
    low, high = (interval.low, interval.high) if interval else (result.value, result.value)
    if _misses(rule, low, result.value, high):
        return "not met", ""
    if not _meets(rule, low, result.value, high):
        return "undecided", "the interval straddles the bound"
    return _met(rule, result)


def _met(rule: Rule, result: Measured) -> tuple[RowVerdict, str]:
    """Return whether a rule that everything known meets is met: not if the interval is unknown."""
    if result.interval is not None or rule.value is not None:
        return "met", ""
    if rule.lower_bound is not None or rule.upper_bound is not None:
        return "undecided", "the rule is about the interval, and there is none"
    if _NO_ESTIMATE & set(result.notes):
        return "undecided", "the interval could not be estimated"
    return "met", "no interval: the value decides"


def _meets(rule: Rule, low: float, value: float, high: float) -> bool:
    """Whether everything from ``low`` to ``high`` is within every bound."""
    floor, ceiling = _limits(rule)
    return low >= floor and high <= ceiling and _value_meets(rule, value)


def _misses(rule: Rule, low: float, value: float, high: float) -> bool:
    """Whether everything from ``low`` to ``high`` is beyond a bound."""
    floor, ceiling = _limits(rule)
    return high < floor or low > ceiling or not _value_meets(rule, value)


def _limits(rule: Rule) -> tuple[float, float]:
    floors = [b for b in (rule.at_least, rule.lower_bound) if b is not None]
    ceilings = [b for b in (rule.at_most, rule.upper_bound) if b is not None]
    return max(floors, default=float("-inf")), min(ceilings, default=float("inf"))


def _value_meets(rule: Rule, value: float) -> bool:
    if rule.value is None:
        return True
    if rule.measure.definition.better == "lower":
        return value <= rule.value
    return value >= rule.value


def _instead(worthless: dict[str, float], skill: tuple[Result, ...], result: Measured) -> str:
    """Say which forecasts without skill meet the rule, and what to read instead."""
    if not worthless:
        return ""
    # A mean of differences that cancel is 0 up to rounding.
    rounded = {name: value if abs(value) > 1e-12 else 0.0 for name, value in worthless.items()}
    listed = ", ".join(f"{name} ({value:.4g})" for name, value in rounded.items())
    text = f"vacuous here, also met by {listed}"
    read = [f"{r.metric} {r.value:.4g}" for r in skill if isinstance(r, Measured)]
    if "lift" in result.conditions:
        read.append(f"lift {result.conditions['lift']:.4g}")
    return text + (f"; read instead {', '.join(read)}" if read else "")
