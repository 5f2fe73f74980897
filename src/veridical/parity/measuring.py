"""``evaluate_fairness``: whether decisions treat groups alike, each against its reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from veridical.evaluation.unit_results import UnitSettings, asked_of
from veridical.measures import Measure
from veridical.metrics import find
from veridical.parameters import names as names_of
from veridical.parameters import whole
from veridical.parity.columns import FairnessColumns, scores_by_group
from veridical.parity.evaluating import Read, compared, read_summary
from veridical.parity.fairness_evaluation import FairnessEvaluation
from veridical.portable import Summary, is_summary
from veridical.portable.slicing import are_forecasts
from veridical.tables import Table, open_table

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation
    from veridical.policy import Policy

__all__ = ["SMALLEST", "asked_for", "evaluate_fairness"]

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
    groups: Sequence[str] | str = (),
    favourable: Any,
    decision: str | None = None,
    score: str | None = None,
    threshold: float | None = None,
    label: str | None = None,
    favourable_label: Any = None,
    positive: Any = None,
    reference: Sequence[str] | str = (),
    min_size: int = SMALLEST,
    weight: str | None = None,
    cluster: str | None = None,
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
        A table as for ``evaluate``; or a ``Summary`` or the file of one, whose scores decide at a
        threshold.  Where its cells leave decisions open, results have certified bounds.
    metrics
        Names or measure objects of the family ``fairness``.  By default all that the columns
        allow: without labels the ratio and the difference of the rates.
    groups
        Columns of groups; a row without one is in the group ``"(missing)"``.  Of a summary all
        that it was made with, by default.
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
        The favourable label; ``favourable`` by default.  Of a summary with a named positive label
        the positive one where the decision 1 is favourable.
    positive
        The label that a score is the probability of, where the labels do not say it.
    reference
        The group that others are held against: its value, or ``"column=value"`` for one of several
        columns.  By default the largest group that has a name.
    min_size
        Groups of fewer rows are shown, and not ranked.
    weight
        Column of row weights >= 0.  A whole number counts as that many rows; with fractional ones
        rates are weighted, and intervals and tests are those of the effective number of rows.
    cluster
        Column of rows that belong together (customers): intervals and tests are those of the
        effective number of rows, and know what clusters with rows of both groups have in common.
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
    rules, of_scores = (None, None) if policy is None else _loaded(policy)
    columns: dict[str, Any] = {
        "groups": tuple(dict.fromkeys(names_of("groups", groups))),
        "favourable": favourable,
        "favourable_label": favourable_label,
        "decision": decision,
        "score": score,
        "threshold": threshold,
        "label": label,
        "positive": positive,
        "weight": weight,
        "cluster": cluster,
    }
    references = names_of("reference", reference)
    path = data if isinstance(data, (str, Path)) and is_summary(data) else None
    data = data if path is None else Summary.load(path)
    if isinstance(data, Summary):
        read = read_summary(data, columns, settings)
        found = {} if path is None else {"path": str(path)}
        read = replace(
            read,
            source={**read.source, **found},
            scores=_scores(data, read, of_scores, threshold),
        )
    else:
        asked = FairnessColumns(**columns, missing=missing)
        read = _read(open_table(data), asked, references, settings, of_scores)
    return compared(
        read,
        asked_for(metrics, rules, labelled=read.tallies.labelled),
        references=references,
        min_size=whole("min_size", min_size),
        policy=rules,
    )


def _read(
    table: Table,
    columns: FairnessColumns,
    references: Sequence[str],
    settings: UnitSettings,
    of_scores: Policy | None,
) -> Read:
    decisions = columns.read(table)
    source = {
        **table.describe(),
        "sha256": decisions.sha256,
        "n_rows": decisions.n,
        "n_skipped": decisions.n_skipped,
        "groups": list(columns.groups),
        "label": columns.label,
        "score": columns.score,
        **({} if columns.weight is None else {"weight": columns.weight}),
        **({} if columns.cluster is None else {"cluster": columns.cluster}),
        "level": settings.level,
        **decisions.settings,
    }
    return Read(
        decisions.tallied(references),
        settings,
        source,
        decisions.passport(),
        decisions.settings,
        columns.scores(table, settings, of_scores),
    )


def _scores(
    summary: Summary, read: Read, of_scores: Policy | None, threshold: float | None
) -> Evaluation | None:
    score = str(read.source["score"])
    if not summary.rows:
        return None
    return scores_by_group(
        summary,
        of_scores,
        forecasts=are_forecasts(summary, score),
        score=score,
        threshold=threshold,
        groups=read.source["groups"],
        level=read.settings.level,
        intervals=read.settings.intervals,
    )


def asked_for(
    metrics: Iterable[str | Measure] | str | Measure | None,
    policy: Policy | None = None,
    *,
    labelled: bool,
) -> dict[Measure, str | None]:
    """Return what is measured: what was asked for, or all, and what the policy is about."""
    if metrics is None:
        names = (*OF_DECISIONS, *OF_LABELS) if labelled else OF_DECISIONS
        asked: dict[Measure, str | None] = {find(name): None for name in names}
    else:
        asked = asked_of(metrics, "fairness")
    for measure in map(find, policy.metrics if policy else ()):
        if measure.family == "fairness":
            asked.setdefault(measure, None)
    return asked


def _loaded(policy: str | Path | Policy) -> tuple[Policy, Policy | None]:
    """Return a policy, and what of it is about scores; None where nothing is."""
    from veridical.policy import load_policy
    from veridical.policy.deciding import SCORES
    from veridical.policy.parts import of_families

    rules = load_policy(policy)
    of_scores = of_families(rules, SCORES)
    return rules, of_scores if of_scores.metrics else None
