"""In what two sides of a comparison differ, which of it forbids one, and what was allowed."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from veridical.errors import MismatchError, ParameterError
from veridical.parameters import several
from veridical.results import Result

if TYPE_CHECKING:
    from veridical.comparison.matching import Matched
    from veridical.comparison.recorded import Recorded
    from veridical.evaluation.result_set import ResultSet

__all__ = [
    "FIELDS",
    "Allowed",
    "Differing",
    "allowed_between",
    "check_allowed",
    "conditions_that_differ",
    "refusal",
    "refuse",
    "same_data",
    "settings_left",
    "told",
    "unlike",
]

Differing: TypeAlias = Mapping[str, tuple[object, object]]
"""Name of a condition to its value on either side."""

FIELDS = frozenset(
    {
        "average", "cluster", "costs", "data", "golden_sha256", "judge", "judge_model", "kind",
        "label", "positive", "prompt_sha256", "reference", "rows", "scale", "threshold", "ties",
        "units", "weight", "weighted",
    }
)  # fmt: skip
"""What may differ between runs whatever was measured; the conditions of their results join it."""
_NEVER = frozenset({"abstention", "kind", "truth"})
"""Fields that cannot be allowed: nothing would be compared with anything."""
_WHY = "the difference would be one of conditions as much as of models"


@dataclass(frozen=True, slots=True)
class Allowed:
    """A condition that differs, and was allowed to."""

    field: str
    a: str
    b: str

    def to_dict(self) -> dict[str, str]:
        """Return it as one JSON object."""
        return {"field": self.field, "a": self.a, "b": self.b}


def check_allowed(allow: Collection[str], *runs: Recorded) -> tuple[str, ...]:
    """Return the names of conditions that may differ, sorted.

    Raises
    ------
    ParameterError
        One of them is no condition of these runs; the nearest name is told.
    """
    if isinstance(allow, str):
        raise ParameterError("allow= is a list of names", fix=f"write allow=[{allow!r}]")
    known = _conditions_of(runs) - _NEVER
    for name in allow:
        if name not in known:
            raise ParameterError(
                f"{str(name)[:80]!r} is no condition of these runs", fix=_nearest(str(name), known)
            )
    return tuple(sorted(set(allow)))


def allowed_between(allow: Collection[str], a: ResultSet, b: ResultSet) -> tuple[str, ...]:
    """Return the names of conditions in which two evaluations may differ, sorted.

    Raises
    ------
    ParameterError
        One of them is no condition of these evaluations; the nearest name is told.
    """
    names = several(allow)
    if isinstance(allow, str) or not all(isinstance(one, str) for one in names):
        raise ParameterError(
            f"allow= is a list of names of conditions, not {str(allow)[:80]!r}",
            fix="write allow=['threshold'], for example",
        )
    known = _conditions_of((a, b))
    for name in names:
        if name not in known:
            raise ParameterError(
                f"{name[:80]!r} is no condition of these evaluations",
                where="allow=",
                why="what was allowed is recorded, so it must mean something",
                fix=_nearest(name, known),
            )
    return tuple(sorted(names))


def _conditions_of(measured: Iterable[Recorded | ResultSet]) -> set[str]:
    of_results = {
        name for one in measured for result in one.results for name in result.conditions.settings
    }
    return of_results | FIELDS


def _nearest(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}"


def conditions_that_differ(of_a: Result, of_b: Result) -> dict[str, tuple[object, object]]:
    """Return the settings in which two results of one metric differ.

    Examples
    --------
    >>> from veridical.results import Conditions, Measured
    >>> half, third = (Measured(1.0, conditions=Conditions({"threshold": t})) for t in (0.5, 0.3))
    >>> conditions_that_differ(half, third)
    {'threshold': (0.5, 0.3)}
    """
    names = of_a.conditions.differences(of_b.conditions)
    return {name: (of_a.conditions.get(name), of_b.conditions.get(name)) for name in names}


def settings_left(
    of_a: Result, may_differ: Collection[str], allowed: Sequence[str]
) -> dict[str, Any]:
    """Return the settings that hold on both sides, and what was allowed to differ.

    Parameters
    ----------
    of_a
        The result of either side.
    may_differ
        Settings that need not hold.
    allowed
        What is recorded of them.
    """
    left = {name: v for name, v in of_a.conditions.settings.items() if name not in may_differ}
    return {**left, "allowed": tuple(allowed)} if allowed else left


def same_data(a: Recorded, b: Recorded, matched: Matched | None) -> bool:
    """Return whether both were measured on the same data, as far as can be known."""
    if matched is not None:
        return matched.whole
    return a.data_sha256 is not None and a.data_sha256 == b.data_sha256


def unlike(a: Recorded, b: Recorded, matched: Matched | None) -> Differing:
    """Return what differs whatever the metric: kind, label, data or units, and their truth."""
    if a.kind != b.kind:
        return {"kind": (a.kind, b.kind)}
    differing: dict[str, tuple[object, object]] = {
        name: (a.source.get(name), b.source.get(name))
        # Which label is positive matters where it may make other units positive.
        for name in ("label", "positive")[: 1 if matched is not None else 2]
        if a.source.get(name) != b.source.get(name)
    }
    if matched is None:
        if a.data_sha256 != b.data_sha256:
            differing["data"] = (_hash(a.data_sha256), _hash(b.data_sha256))
        return differing
    if not matched.whole:
        differing["units"] = (
            f"{matched.n + len(matched.only_a):,} {matched.plural}",
            f"{matched.n + len(matched.only_b):,}, {matched.n:,} of them the same",
        )
    return differing | _other_truth(a, b, matched)


def _other_truth(a: Recorded, b: Recorded, matched: Matched) -> dict[str, tuple[object, object]]:
    """Return where the two disagree about the units that they share."""
    differing: dict[str, tuple[object, object]] = {}
    for role, field in (("label", "truth"), ("weight", "weight"), ("cluster", "cluster")):
        one, two = (_column(run, role, at) for run, at in ((a, matched.at_a), (b, matched.at_b)))
        if one is None or two is None:
            if one is not two:
                differing[field] = (_presence(one), _presence(two))
        elif not np.array_equal(one, two):
            other = int(np.count_nonzero(one != two))
            differing[field] = (f"{matched.n:,} {matched.plural}", f"{other:,} have another {role}")
    return differing


def _presence(column: Any) -> str:
    return "none" if column is None else "given"


def _column(run: Recorded, role: Any, at: Any) -> Any:
    found = [] if run.units is None else run.units.find(role)
    return np.asarray(run.units.columns[found[0]])[at] if run.units and found else None


def refuse(
    metric: str, differing: Differing, allow: Collection[str], group: str | None = None
) -> None:
    """Raise where two evaluations differ in a condition that was not allowed to.

    Raises
    ------
    MismatchError
        Names the condition, both values, and how to opt in.
    """
    refused = {name: values for name, values in differing.items() if name not in allow}
    if not refused:
        return
    name, (one, two) = next(iter(refused.items()))
    flags = " ".join(f"--allow {name}" for name in refused)
    raise MismatchError(
        f"the two differ in {name}: {repr(one)[:120]} and {repr(two)[:120]}",
        where=metric + (f" of {group}" if group else "") + _also(refused),
        why=_WHY,
        fix="measure both the same way, or allow it: "
        f"allow={list(refused)!r} (on the command line {flags})",
    )


def refusal(refused: Differing, labels: tuple[str, str], metric: str = "") -> MismatchError:
    """Return the error of two runs: the first condition, both values, and how to opt in."""
    name, (one, two) = next(iter(refused.items()))
    fix = f"measure both the same way, or allow it: --allow {name}"
    if name == "abstention":
        fix = "judge both, or neither; or compare other metrics: --metric"
    elif name in _NEVER:
        fix = "compare runs of one kind on the same units"
    elif name == "data":
        fix = "save both with --id, so that rows can be paired, or allow it: --allow data"
    return MismatchError(
        f"the two differ in {name}: {told(one)} and {told(two)}",
        where=" and ".join(labels) + (f", {metric}" if metric else "") + _also(refused),
        why=_WHY,
        fix=fix,
    )


def _also(refused: Differing) -> str:
    _, *others = refused
    return f"; they also differ in {', '.join(others)}" if others else ""


def told(value: object) -> str:
    """Return a condition as a short text."""
    return value[:120] if isinstance(value, str) else repr(value)[:120]


def _hash(sha256: str | None) -> str:
    return "no hash" if sha256 is None else f"sha256 {sha256[:12]}"
