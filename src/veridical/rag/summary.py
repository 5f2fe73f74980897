"""``summarise``: from the outcomes of all cases to results with their passport.

A pure function of what was asked and answered: nothing that a call took (time, cost, attempts)
reaches it, and neither does the order in which calls came back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from veridical.evaluation.unit_results import UnitSettings
from veridical.judge.verdicts import Verdict
from veridical.metrics import find
from veridical.metrics.case_means import case_counts, mean_over_cases, over_cases
from veridical.metrics.unit_intervals import Question
from veridical.rag.conservation import check_ledger, check_result
from veridical.rag.evaluation import RagEvaluation
from veridical.rag.record import Attempted
from veridical.rag.scoring import METRICS
from veridical.reasons import SkipReason
from veridical.results import Conditions, Measured, Result
from veridical.summaries.case_outcomes import CaseOutcomes

__all__ = ["RunConditions", "summarise"]

SUBJECT: Final = "pipeline"
_ELSEWHERE: Final = {"model", "served", "dropped"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConditions:
    """What decides what the numbers of a run mean.

    Attributes
    ----------
    dataset_sha256
        Of the cases.
    dataset
        What the dataset is called, without its folder.
    source_match
        ``chunk`` or ``document``.
    repeats
        How often each case was asked.
    judge
        ``identity()`` of its settings, with ``model``; None without a judge.
    prompts
        Contract to the sha256 of its prompt.
    pipeline
        What was asked, without any secret: printed, never compared.
    """

    dataset_sha256: str
    dataset: str = ""
    source_match: str = "chunk"
    repeats: int = 1
    judge: Mapping[str, Any] | None = None
    prompts: Mapping[str, str] = field(default_factory=dict)
    pipeline: Mapping[str, Any] = field(default_factory=dict)

    def of(self, metric: str, records: Sequence[Attempted]) -> Conditions:
        """Return what a result of one metric holds under: only what can move its value."""
        settings: dict[str, Any] = {"dataset_sha256": self.dataset_sha256, "repeats": self.repeats}
        observed: dict[str, Any] = {}
        if metric.startswith("retrieval."):
            settings["source_match"] = self.source_match
            if "ndcg" in metric and any(record.case.graded for record in records):
                settings["graded"] = True
        contract = METRICS[metric.partition("@")[0]].contract
        if contract == "refusal":
            settings["abstention"] = "heuristic" if self.judge is None else "judge"
        if contract is not None and self.judge is not None:
            given = [record.verdicts.get(contract) for record in records]
            seen = _seen([one for one in given if isinstance(one, Verdict)])
            rest = {name: value for name, value in self.judge.items() if name not in _ELSEWHERE}
            settings["judge_model"] = self.judge.get("model")
            settings["judge"] = rest | ({"dropped": seen["dropped"]} if seen["dropped"] else {})
            settings["prompt_sha256"] = self.prompts.get(contract)
            if seen["served"]:
                observed["judge_served"] = seen["served"]
        if flags := _flags(metric, records):
            observed["flags"] = flags
        return Conditions(settings, observed)


def summarise(
    records: Sequence[Attempted],
    *,
    conditions: RunConditions,
    level: float = 0.95,
    seed: int = 0,
    groups: Sequence[str] = ("kind",),
) -> RagEvaluation:
    """Return the results of a run.

    Parameters
    ----------
    records
        Every case and repeat, in any order; also of a run that is not finished.
    conditions
        What the numbers hold under.
    level, seed
        Coverage of the intervals, in (0, 1); what determines all random draws.
    groups
        What else is measured apart: ``kind``, ``language``, ``tag``.  A metric that does not apply
        to the cases of a group has no result there.

    Returns
    -------
    RagEvaluation
        For each metric its mean over scored cases, in the counts what became of all others:
        ``n_skipped`` and ``n_skipped_<reason>``, ``n_not_applicable``, ``n_judge_errors``,
        ``n_case_errors``, ``n_pending``, and ``n_errors``, which is the sum of both kinds.
        ``n_rows`` is cases times repeats, and the counts add up to it.

    Raises
    ------
    InternalError
        They do not.
    """
    settings = UnitSettings(level=level, seed=seed).checked()
    check_ledger(records, conditions.repeats)
    ordered = sorted(records, key=lambda one: (one.case.line, one.case.id, one.repeat))
    results: list[Result] = []
    summaries: dict[tuple[str | None, str], Any] = {}
    for group, members in _groups(ordered, groups):
        for metric in ordered[0].outcomes if ordered else ():
            if group is not None and all(_is_elsewhere(one, metric) for one in members):
                continue
            outcomes = [one.outcomes[metric] for one in members]
            held = conditions.of(metric, members)
            result, of = _measured(metric, members, held, settings, group)
            check_result(result, Counter(one.state for one in outcomes))
            results.append(result)
            summaries[group, metric] = of
    return RagEvaluation(
        results=tuple(results),
        source=_source(ordered, conditions, level, seed),
        subjects=(SUBJECT,),
        records=tuple(ordered),
        summaries=summaries,
    )


def _groups(
    records: Sequence[Attempted], by: Sequence[str]
) -> Iterator[tuple[str | None, Sequence[Attempted]]]:
    """Yield all records, and those of each group; a single group is no other than all."""
    yield None, records
    for name in by:
        found: dict[str, list[Attempted]] = {}
        for record in records:
            for value in _places(record, name):
                found.setdefault(value, []).append(record)
        if len(found) > 1 or any(len(members) < len(records) for members in found.values()):
            yield from ((f"{name}={value}", found[value]) for value in sorted(found))


def _places(record: Attempted, name: str) -> Sequence[str]:
    if name == "tag":
        return tuple(dict.fromkeys(record.case.tags))
    value = record.case.kind if name == "kind" else record.case.language
    return () if value is None else (value,)


def _is_elsewhere(record: Attempted, metric: str) -> bool:
    """Whether a case is of a kind that a metric is not about; one that failed cannot say so."""
    outcome = record.outcomes[metric]
    if outcome.state not in {"case_error", "judge_error", "pending"}:
        return outcome.reason == SkipReason.WRONG_CASE_KIND
    return record.case.kind not in METRICS[metric.partition("@")[0]].kinds


def _flags(metric: str, records: Sequence[Attempted]) -> dict[str, int]:
    found = Counter(flag for record in records for flag in record.outcomes[metric].flags)
    return dict(sorted(found.items()))


def _seen(verdicts: Sequence[Verdict]) -> dict[str, list[str]]:
    """Return which models were served, and which parameters the endpoint does not take."""
    return {
        "served": sorted({one.model for one in verdicts if one.model}),
        "dropped": sorted({name for one in verdicts for name in one.dropped}),
    }


def _source(
    records: Sequence[Attempted], conditions: RunConditions, level: float, seed: int
) -> dict[str, Any]:
    cases = {record.case.id: record.case for record in records}
    kinds = Counter(case.kind for case in cases.values())
    given = [one for record in records for one in record.verdicts.values()]
    seen = _seen([one for one in given if isinstance(one, Verdict)])
    return {
        "kind": "rag",
        "path": conditions.dataset,
        "sha256": conditions.dataset_sha256,
        "n_cases": len(cases),
        "n_rows": len(records),
        "kinds": dict(sorted(kinds.items())),
        "repeats": conditions.repeats,
        "source_match": conditions.source_match,
        "pipeline": dict(conditions.pipeline),
        "judge": None if conditions.judge is None else {**conditions.judge, **seen},
        "prompts": dict(sorted(conditions.prompts.items())),
        "abstention": "heuristic" if conditions.judge is None else "judge",
        "level": level,
        "seed": seed,
    }


def _measured(
    metric: str,
    records: Sequence[Attempted],
    conditions: Conditions,
    settings: UnitSettings,
    group: str | None,
) -> tuple[Result, CaseOutcomes]:
    """Return the mean over scored cases with its interval and all counts, and what it is of."""
    rows = [
        (record.case.id, record.repeat, one.state, one.value, one.reason)
        for record in records
        for one in (record.outcomes[metric],)
    ]
    elsewhere = [one.case.id for one in records if _is_elsewhere(one, metric)]
    outcomes = CaseOutcomes.of(rows, elsewhere)
    measure = find(metric)
    result = mean_over_cases(outcomes)
    notes: tuple[str, ...] = ()
    if isinstance(result, Measured):
        arguments = measure.arguments()
        question = Question(measure.definition, arguments, outcomes, settings.level, settings.seed)
        found = over_cases(result, question)
        result, notes = replace(result, interval=found.interval), found.said(None)
    passport = replace(
        result,
        metric=metric,
        subject=SUBJECT,
        group=group,
        n_rows=len(records),
        counts=case_counts(outcomes),
        conditions=Conditions(
            {**conditions.settings, **measure.arguments()},
            {**result.conditions.observed, **conditions.observed},
        ),
        notes=(*result.notes, *notes),
    )
    return passport, outcomes
