"""``evaluate_fairness``: whether decisions treat groups alike, each against its reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from veridical.errors import ParameterError
from veridical.evaluation.unit_results import UnitSettings, asked_of
from veridical.finalise import Settings
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import names as names_of
from veridical.parameters import text, whole
from veridical.parity.comparing import adjusted, compared, distance, others
from veridical.parity.decisions import Decisions, favoured_by_score, read_decisions
from veridical.parity.fairness_evaluation import FairnessEvaluation
from veridical.parity.references import chosen_references
from veridical.results import Result
from veridical.tables import Table, open_table, read_numbers

if TYPE_CHECKING:
    from veridical.policy import Policy

__all__ = ["evaluate_fairness"]

OF_DECISIONS = ("fairness.disparate_impact_ratio", "fairness.demographic_parity_difference")
OF_LABELS = (
    "fairness.equal_opportunity_difference",
    "fairness.fpr_difference",
    "fairness.equalized_odds_difference",
    "fairness.predictive_parity_difference",
)
OF_SCORES = ("calibration.ece", "calibration.intercept", "calibration.brier")
SMALLEST = 30


def evaluate_fairness(
    data: Any,
    metrics: Iterable[str | Measure] | str | Measure | None = None,
    *,
    groups: Sequence[str] | str,
    favourable: Any,
    decision: str | None = None,
    score: str | None = None,
    threshold: float | None = None,
    label: str | None = None,
    favourable_label: Any = None,
    positive: Any = None,
    reference: Sequence[str] | str = (),
    min_size: int = SMALLEST,
    missing: Literal["error", "drop"] = "error",
    level: float = 0.95,
    intervals: bool = True,
    seed: int = 0,
    policy: str | Path | Policy | None = None,
) -> FairnessEvaluation:
    """Measure how differently decisions treat the groups of a table.

    Parameters
    ----------
    data
        A table as for ``evaluate``.
    metrics
        Names or measure objects of the family ``fairness``.  By default all that the columns
        allow: without labels the ratio and the difference of the rates.
    groups
        Columns of groups; a row without one is in the group ``"(missing)"``.
    favourable
        The decision that is good for whom it is about, such as 0 where 1 is a denial.  There is no
        default.  One that never occurs is legal: its rate is 0.
    decision
        Column of decisions.
    score, threshold
        Instead of it: scores of at least the threshold are the decision 1, others 0.  Beside it,
        a score is what the calibration of each group is measured on.
    label
        Column of what was right.
    favourable_label
        The favourable label; ``favourable`` by default.
    positive
        The label that a score is the probability of, where the labels do not say it.
    reference
        The group that others are held against: its value, or ``"column=value"`` for one of several
        columns.  By default the largest group that has a name.
    min_size
        Groups of fewer rows are shown, and not ranked.
    missing
        ``"error"``, or ``"drop"`` to leave out rows without a decision or label, and count them.
    level, intervals, seed, policy
        As for ``evaluate``.

    Returns
    -------
    FairnessEvaluation
        Results by group and metric, the group farthest from its reference first.

    Raises
    ------
    InputError, LabelError, ScoreError, MissingColumnError, FileFormatError
        The data cannot be used as they are; the message says where and what to do.
    MetricNameError, ParameterError
        A metric, a parameter or a reference that does not exist.

    Examples
    --------
    >>> data = {"denied": [0, 1, 1, 0, 0, 0, 1, 0], "race": ["b"] * 3 + ["w"] * 5}
    >>> ev = evaluate_fairness(data, decision="denied", groups="race", favourable=0)
    >>> round(ev["dir"].value, 4), ev["dir"].conditions["reference"]
    (0.4167, 'race=w')
    """
    settings = UnitSettings(level, intervals, seed).checked()
    rules = None if policy is None else _loaded(policy)
    table, columns = open_table(data), tuple(dict.fromkeys(names_of("groups", groups)))
    if not columns:
        raise ParameterError("groups= names no column", fix="name a column of groups")
    if decision is None and score is None:
        raise ParameterError(
            "decision= is missing", fix="name the decisions, or a score and a threshold"
        )
    decisions, named = _read(
        table, columns, decision, score, threshold, label, favourable, favourable_label, missing
    )
    counts = {column: decisions.counted(column) for column in columns}
    references, by_size = chosen_references(counts, names_of("reference", reference))
    asked = _asked(metrics, labelled=label is not None)
    for rule in rules.rules if rules else ():
        if rule.measure.family == "fairness":
            asked.setdefault(rule.measure, None)
    min_size = whole("min_size", min_size)
    places = [
        (column, name) for column in columns for name in others(counts[column], references[column])
    ]
    found = {
        f"{column}={name}": list(
            compared(
                asked,
                decisions,
                counts,
                (column, name),
                references,
                {"decision": named},
                min_size,
                settings,
            )
        )
        for column, name in places
    }
    order = sorted(found, key=lambda name: distance(found[name]))
    results = adjusted([result for name in order for result in found[name]])
    ev = FairnessEvaluation(
        results=results,
        source={
            **table.describe(),
            "sha256": decisions.sha256,
            "n_rows": decisions.n,
            "n_skipped": decisions.n_skipped,
            "groups": list(columns),
            "references": [f"{column}={name}" for column, name in references.items()],
            "references_by_size": [f"{column}={references[column]}" for column in by_size],
            "label": label,
            "score": score,
            "level": level,
            "decision": named,
            **decisions.settings,
        },
        subjects=tuple(order),
        keyed_by_subject=len(order) > 1,
        settings=settings,
        counts=counts,
        references=references,
        labelled=label is not None,
        min_size=min_size,
        calibration=tuple(_calibration(table, score, label, columns, positive, missing, settings)),
        summaries={
            f"{column}={name}": decisions.beside(counts[column], name, references[column])
            for column, name in places
            if name is not None
        },
    )
    return ev if rules is None else replace(ev, policy=_judged(rules, ev))


def _read(
    table: Table,
    columns: Sequence[str],
    decision: str | None,
    score: str | None,
    threshold: float | None,
    label: str | None,
    favourable: Any,
    favourable_label: Any,
    missing: Literal["error", "drop"],
) -> tuple[Decisions, str]:
    """Return the decisions, and what they are called."""
    if decision is not None and threshold is not None:
        raise ParameterError(
            "decision= and threshold= both say what was decided", fix="give one of them"
        )
    of_decision = text("decision", decision) if score is None or decision else text("score", score)
    wanted = [of_decision, *columns, *([] if label is None else [text("label", label)])]
    read = table.read(list(dict.fromkeys(wanted)))
    decided = read[of_decision]
    if decision is None:
        if str(favourable).strip().lower() not in {"0", "1", "true", "false", "none"}:
            raise ParameterError(
                f"a threshold decides 1 or 0, not {favourable!s:.80}",
                fix="say whether a score of at least the threshold is favourable: favourable=1 "
                "(--favourable 1), or 0",
            )
        decided = favoured_by_score(decided, threshold)
    found = read_decisions(
        decided,
        [read[column] for column in columns],
        favourable=favourable,
        label=None if label is None else read[label],
        favourable_label=favourable_label,
        missing=missing,
    )
    return found, decided.name


def _asked(
    metrics: Iterable[str | Measure] | str | Measure | None, *, labelled: bool
) -> dict[Measure, str | None]:
    if metrics is not None:
        return asked_of(metrics, "fairness")
    names = (*OF_DECISIONS, *OF_LABELS) if labelled else OF_DECISIONS
    return {find(name): None for name in names}


def _calibration(
    table: Table,
    score: str | None,
    label: str | None,
    columns: Sequence[str],
    positive: Any,
    missing: Literal["error", "drop"],
    settings: UnitSettings,
) -> Iterator[Result]:
    """Yield how far the scores of each group can be taken for probabilities."""
    if score is None or label is None:
        return
    numbers, lost = read_numbers(table.read([score])[score])
    known = numbers if lost is None else numbers[~lost]
    if not len(known) or known.min() < 0 or known.max() > 1:
        return
    from veridical.evaluation import evaluate

    ev = evaluate(
        table,
        OF_SCORES,
        label=label,
        score=score,
        groups=columns,
        positive=positive,
        missing=missing,
        level=settings.level,
        intervals=settings.intervals,
        seed=settings.seed,
    )
    for result in ev.results:
        if result.group is not None:
            yield replace(result, subject=result.group, group=None)


def _loaded(policy: str | Path | Policy) -> Policy:
    from veridical.policy import load_policy

    return load_policy(policy)


def _judged(policy: Policy, ev: FairnessEvaluation) -> Any:
    from veridical.policy import judge

    settings = Settings(level=ev.settings.level, intervals=ev.settings.intervals)
    return judge(policy, ev.results, (), settings)
