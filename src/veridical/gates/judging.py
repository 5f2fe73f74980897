"""``gate``: hold a run against a policy, and against a baseline."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from veridical.comparison.contest import Contest
from veridical.comparison.differing import Allowed, check_allowed, refusal
from veridical.comparison.matching import has_scores, model_slice
from veridical.comparison.recorded import Recorded, recorded
from veridical.errors import ParameterError, RunNotFoundError
from veridical.gates.validated import validated
from veridical.gates.verdict import GateRule, GateVerdict
from veridical.measures import Measure
from veridical.metrics import find
from veridical.policy import Policy, PolicyRow, judge, load_policy
from veridical.policy.counted import counted_slices
from veridical.policy.parts import judge_parts
from veridical.results import Result
from veridical.slices import Slice

__all__ = ["gate"]


def gate(
    run: Any,
    policy: str | Path | Policy,
    *,
    baseline: Any = None,
    subject: str | None = None,
    allow: Collection[str] = (),
    store: str | None = None,
) -> GateVerdict:
    """Say whether a run passes a policy.

    Parameters
    ----------
    run
        An evaluation, or one result; the name of a stored run, its id or the beginning of that, or
        ``"latest"``; a file that ``--json`` wrote.  Of a saved validation its model is judged, by
        its scores, drift and fairness; without a baseline it is compared with the champion.
    policy
        A YAML file of rules, the name of a shipped one, or a policy.
    baseline
        What rules with ``no_worse_than: baseline`` compare with, given like ``run``.  Units with
        the same ids are paired; without kept units the two are compared as independent samples.
    subject
        The score column, run or system to judge; None for all of them, and of a validation for
        its model.
    allow
        Conditions in which run and baseline may differ; recorded in the verdict.
    store
        Where stored runs are; None for the usual place.

    Returns
    -------
    GateVerdict
        ``.verdict`` is ``"pass"``, ``"fail"`` or ``"undecided"``.

    Raises
    ------
    MismatchError
        Run and baseline were measured under different conditions.
    RunNotFoundError
        No stored run has this name or id, or several ids begin like this.
    ConfigurationError, FileFormatError, FileMissingError
        The policy or a file cannot be used.
    ParameterError
        There is nothing to judge, ``allow`` names no condition or stands without a baseline, or
        the baseline is the run itself.

    Examples
    --------
    >>> import veridical as vd
    >>> data = {"y": [1, 1, 1, 0, 0, 0] * 9, "p": [0.9, 0.8, 0.7, 0.3, 0.2, 0.1] * 9}
    >>> ev = vd.evaluate(data, label="y", score="p")
    >>> house = Policy(version=1, name="house", rules=[{"metric": "roc_auc", "at_least": 0.8}])
    >>> gate(ev, house).verdict
    'pass'
    """
    if allow and baseline is None:
        raise ParameterError(
            "what may differ is allowed, and there is no baseline to differ from",
            fix="give the baseline, or allow nothing",
        )
    rules = load_policy(policy)
    found = _found(run, store)
    of = validated(found, store, named=isinstance(run, str))
    if of is not None:
        found, subject = recorded(of.scores), of.model if subject is None else subject
    judged = _only(found, subject)
    if baseline is not None and _same_file(run, baseline):
        raise ParameterError(
            "the run is its own baseline",
            where=judged.label,
            why="nothing is worse than itself",
            fix="give the file of an older run",
        )
    against = None if baseline is None else _Against(judged, _other(baseline, judged, store), allow)
    difference = None if against is None else against.difference
    counted = _counted(judged)
    if of is None:
        settings = judged.settings
        verdict = judge(
            rules, judged.results, judged.slices, settings, counted=counted, against=difference
        )
    else:
        verdict = judge_parts(rules, of.parts(judged, counted, difference))
    return GateVerdict(
        run=judged,
        policy=verdict,
        rules=tuple(GateRule(row, _worst(judged, row)) for row in verdict.rows),
        baseline=None if against is None else against.baseline,
        allowed=() if against is None else against.used,
        notes=() if against is None else _remarks(rules, judged, against.baseline),
        validation=of,
    )


def _found(given: Any, store: str | None) -> Recorded:
    """Return a run, which the beginning of a name is not enough for: it may be that of another."""
    found = recorded(given, store)
    if found.run is None or not isinstance(given, str):
        return found
    from veridical.store.run import LATEST, spelt

    text = spelt(given)
    if text.casefold() == LATEST or text == found.run.name or found.run.id.startswith(text):
        return found
    raise RunNotFoundError(
        f"there is no run {text[:80]!r}",
        why="the beginning of a name decides nothing",
        fix=f"write all of it: {found.run.name}",
    )


def _same_file(run: Any, baseline: Any) -> bool:
    paths = [given for given in (run, baseline) if isinstance(given, (str, Path))]
    try:
        return len(paths) == 2 and Path(paths[0]).samefile(paths[1])
    except (OSError, ValueError):  # the name of a stored run is no path
        return False


def _remarks(policy: Policy, run: Recorded, baseline: Recorded) -> tuple[str, ...]:
    """Say that a baseline was given in vain, or that it holds the very numbers of the run.

    The second may be a copy of the file, or an unchanged model that was measured again.
    """
    notes = []
    if not any(rule.no_worse_than is not None for rule in policy.rules):
        notes.append("no rule reads the baseline")
    if baseline.document_sha256 is not None and baseline.document_sha256 == run.document_sha256:
        notes.append("the run and its baseline hold the same numbers to the last digit")
    return tuple(notes)


class _Against:
    """The differences from a baseline, subject by subject."""

    def __init__(self, run: Recorded, baseline: Recorded, allow: Collection[str]) -> None:
        self.run, self.baseline = run, baseline
        self.allowed = check_allowed(allow, run, baseline)
        self.contests: dict[str, Contest] = {}

    def difference(self, measure: Measure, subject: str | None, group: str | None) -> Result:
        """Return run minus baseline in one metric."""
        name = str(subject)
        if name not in self.contests:
            theirs = name if name in self.baseline.subjects else self.baseline.subject(None)
            of = (name, theirs)
            self.contests[name] = Contest(self.run, self.baseline, of, self.allowed)
        return self.contests[name].comparison(measure, group).difference

    @property
    def used(self) -> tuple[Allowed, ...]:
        """The conditions that differ and were allowed to."""
        found = {one.field: one for contest in self.contests.values() for one in contest.used}
        return tuple(found.values())


def _only(run: Recorded, subject: str | None) -> Recorded:
    """Return the part of one subject, or all of it."""
    if not run.results:
        raise ParameterError(f"{run.label} holds no result", fix="give a run that was measured")
    if subject is None:
        return run
    name = run.subject(subject)
    return replace(
        run,
        results=tuple(result for result in run.results if str(result.subject) == name),
        evaluation=None if run.evaluation is None else run.evaluation.subject(name),
    )


def _other(baseline: Any, run: Recorded, store: str | None) -> Recorded:
    """Return the baseline, which no run can be of itself: it would be no worse whatever it is."""
    found = _found(baseline, store)
    of = validated(found, store, named=isinstance(baseline, str))
    if of is not None:
        scores = recorded(of.scores)
        both = set(run.subjects) & set(scores.subjects)
        found = scores if both else _only(scores, of.model)
    if found.kind != run.kind:
        raise refusal({"kind": (run.kind, found.kind)}, (run.label, found.label))
    if found.id is not None and found.id == run.id:
        raise ParameterError(
            "the run is its own baseline",
            where=run.label if run.label == run.id else f"{run.label} ({run.id})",
            why="a name stands for its newest run, and nothing is worse than itself",
            fix="name the older run by its id: `veridical runs list`",
        )
    return found


def _counted(run: Recorded) -> list[Slice]:
    """Return slices that tell what a forecast without skill gets: of kept rows, or of counts."""
    if run.slices or run.kind != "evaluation":
        return []
    found = list(counted_slices(run.results, run.source))
    for subject in run.subjects:
        if has_scores(run, subject):
            parts = (model_slice(run, subject, group) for group in (None, *run.groups))
            found += [part for part in parts if part is not None]
    return found


def _worst(run: Recorded, row: PolicyRow) -> Result | None:
    """Return the result of the group in which a metric is worst, for a rule about all rows."""
    result = row.result
    better = find(result.metric).definition.better
    measured = [
        one
        for one in run.results
        if one.ok
        and one.group is not None
        and (one.metric, one.subject) == (result.metric, result.subject)
    ]
    if result.group is not None or not measured or better == "target":
        return None
    if result.ok and [(one.n, one.value) for one in measured] == [(result.n, result.value)]:
        return None  # the only group is all there is
    return (min if better == "higher" else max)(measured, key=float)
