"""What a verdict says, as sentences that every form of output shares."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.gates.validated import Validated
from veridical.gates.verdict import GateRule, GateVerdict
from veridical.notes import sentence
from veridical.report.conditions import condition_texts
from veridical.report.sections import end_text, number_text
from veridical.report.visible import visible
from veridical.results import Result

__all__ = ["beside", "details", "headline", "measured", "remarks"]


def measured(result: Result) -> str:
    """Return value, interval and n of a result, or why there is none.

    Examples
    --------
    >>> from veridical.results import Interval, Measured
    >>> auc = Measured(0.8, 50, metric="binary.roc_auc", interval=Interval(0.7, 0.9, 0.95, "x"))
    >>> measured(auc)
    '0.8000, 95% interval 0.7000 to 0.9000, n = 50'
    """
    if not result.ok:
        return f"skipped ({result.reason})"
    text = number_text(result.metric, result.value)
    if result.interval is not None:
        low, high = (
            end_text(result.metric, e) for e in (result.interval.low, result.interval.high)
        )
        text += f", {100 * result.interval.level:g}% interval {low} to {high}"
    return f"{text}, n = {result.n:,}"


def details(rule: GateRule) -> Iterator[str]:
    """Yield what stands below a rule: the numbers, why, the baseline, the worst group."""
    if rule.row.result.ok:
        yield measured(rule.row.result)
    yield from beside(rule)
    conditions = condition_texts(rule.row.result)
    if conditions:
        yield visible(" · ".join(conditions))


def beside(rule: GateRule) -> Iterator[str]:
    """Yield what there is to say beside the numbers: the baseline, why, the worst group."""
    row = rule.row
    if row.difference is not None and row.difference.ok:
        notes = [n for n in row.difference.notes if n in {"unpaired", "units_not_kept"}]
        said = "".join(f"; {sentence(note)}" for note in notes)
        yield f"minus the baseline: {measured(row.difference)}{said}"
    if rule.why:
        yield visible(rule.why)
    if row.note:
        yield visible(f"note: {row.note}")
    if rule.worst is not None and rule.verdict != "pass":
        yield f"worst group: {visible(rule.worst.group or '')}, {measured(rule.worst)}"


def headline(verdict: GateVerdict) -> str:
    """Return the policy, its hash, the run and the verdict in one sentence."""
    policy = verdict.policy
    return visible(
        f"{verdict.verdict}: policy {policy.name} {policy.version} ({policy.sha256[:12]}) "
        f"on {verdict.run.label}"
    )


def remarks(verdict: GateVerdict) -> Iterator[str]:
    """Yield what must be said about the whole: the counts, the baseline, what was allowed."""
    counts = [f"{n:,} {kind}" for kind, n in verdict.counts().items() if n]
    yield ", ".join(counts) or "no rules"
    if verdict.why:
        yield verdict.why
    if verdict.validation is not None:
        yield visible(_of_validation(verdict.validation, verdict))
    if verdict.baseline is not None:
        yield visible(f"baseline: {verdict.baseline.label}")
    yield from verdict.notes
    for one in verdict.allowed:
        yield visible(f"allowed to differ: {one.field}, {one.a} and {one.b}")


def _of_validation(of: Validated, verdict: GateVerdict) -> str:
    """Say what of a validation was judged, and what it was compared with."""
    (subject, *_) = verdict.run.subjects
    if subject != of.model:
        return f"of a validation, the scores of {subject} alone: its model is {of.model}"
    parts = ["scores", "drift", *(["fairness"] if of.fairness is not None else [])]
    text = f"a validation of {of.model}: {', '.join(parts)}"
    compared = any(rule.row.difference is not None for rule in verdict.rules)
    if verdict.baseline is None and compared:
        text += f"; the baseline is its champion, {of.champion}"
    return text
