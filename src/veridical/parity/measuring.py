"""``evaluate_fairness``: whether decisions treat groups alike, each against its reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from veridical.evaluation.unit_results import UnitSettings, asked_of
from veridical.finalise import Settings
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import names as names_of
from veridical.parameters import whole
from veridical.parity.columns import FairnessColumns
from veridical.parity.comparing import AgainstReference, adjusted, distance
from veridical.parity.decisions import Decisions
from veridical.parity.fairness_evaluation import FairnessEvaluation
from veridical.parity.references import chosen_references
from veridical.tables import Table, open_table

if TYPE_CHECKING:
    from veridical.policy import Policy, PolicyVerdict

__all__ = ["evaluate_fairness"]

OF_DECISIONS = ("fairness.disparate_impact_ratio", "fairness.demographic_parity_difference")
OF_LABELS = (
    "fairness.equal_opportunity_difference",
    "fairness.fpr_difference",
    "fairness.equalized_odds_difference",
    "fairness.predictive_parity_difference",
)
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
    columns = FairnessColumns(
        groups=tuple(dict.fromkeys(names_of("groups", groups))),
        favourable=favourable,
        decision=decision,
        score=score,
        threshold=threshold,
        label=label,
        favourable_label=favourable_label,
        positive=positive,
        missing=missing,
    )
    table, asked = open_table(data), _asked(metrics, rules, labelled=label is not None)
    decisions = columns.read(table)
    counts = {column: decisions.counted(column) for column in columns.groups}
    references, by_size = chosen_references(counts, names_of("reference", reference))
    against = AgainstReference(decisions, counts, references, whole("min_size", min_size))
    found = against.results(asked, settings)
    order = sorted(found, key=lambda name: distance(found[name]))
    ev = FairnessEvaluation(
        results=adjusted([result for name in order for result in found[name]]),
        source={
            **_source(table, columns, decisions, level),
            "references": [f"{column}={name}" for column, name in references.items()],
            "references_by_size": [f"{column}={references[column]}" for column in by_size],
        },
        subjects=tuple(order),
        keyed_by_subject=len(order) > 1,
        settings=settings,
        counts=counts,
        references=references,
        labelled=label is not None,
        min_size=against.min_size,
        calibration=tuple(columns.calibration(table, settings)),
        summaries={name: groups for name, _, groups in against.pairs() if groups is not None},
    )
    return ev if rules is None else replace(ev, policy=_judged(rules, ev))


def _source(
    table: Table, columns: FairnessColumns, decisions: Decisions, level: float
) -> dict[str, Any]:
    return {
        **table.describe(),
        "sha256": decisions.sha256,
        "n_rows": decisions.n,
        "n_skipped": decisions.n_skipped,
        "groups": list(columns.groups),
        "label": columns.label,
        "score": columns.score,
        "level": level,
        **decisions.settings,
    }


def _asked(
    metrics: Iterable[str | Measure] | str | Measure | None,
    policy: Policy | None,
    *,
    labelled: bool,
) -> dict[Measure, str | None]:
    """Return what is measured: what was asked for, or all, and what the policy is about."""
    if metrics is None:
        names = (*OF_DECISIONS, *OF_LABELS) if labelled else OF_DECISIONS
        asked: dict[Measure, str | None] = {find(name): None for name in names}
    else:
        asked = asked_of(metrics, "fairness")
    for rule in policy.rules if policy else ():
        if rule.measure.family == "fairness":
            asked.setdefault(rule.measure, None)
    return asked


def _loaded(policy: str | Path | Policy) -> Policy:
    from veridical.policy import load_policy

    return load_policy(policy)


def _judged(policy: Policy, ev: FairnessEvaluation) -> PolicyVerdict:
    from veridical.policy import judge

    settings = Settings(level=ev.settings.level, intervals=ev.settings.intervals)
    return judge(policy, ev.results, (), settings)
