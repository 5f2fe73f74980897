"""In what two recorded runs differ, which of it forbids a comparison, and what was allowed."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from veridical.comparison.matching import Matched
from veridical.comparison.recorded import Recorded
from veridical.errors import MismatchError, ParameterError

__all__ = [
    "FIELDS",
    "Allowed",
    "Differing",
    "check_allowed",
    "refusal",
    "same_data",
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
    known = set(FIELDS - _NEVER)
    for run in runs:
        known |= {name for result in run.results for name in result.conditions.settings} - _NEVER
    for name in allow:
        if name not in known:
            near = difflib.get_close_matches(str(name), sorted(known), n=1)
            raise ParameterError(
                f"{str(name)[:80]!r} is no condition of these runs",
                fix=f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}",
            )
    return tuple(sorted(set(allow)))


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


def refusal(refused: Differing, labels: tuple[str, str], metric: str = "") -> MismatchError:
    """Return the error that names the first condition, both values, and how to opt in."""
    name, (one, two) = next(iter(refused.items()))
    others = [other for other in refused if other != name]
    also = f"; they also differ in {', '.join(others)}" if others else ""
    fix = f"measure both the same way, or allow it: --allow {name}"
    if name == "abstention":
        fix = "judge both, or neither; or compare other metrics: --metric"
    elif name in _NEVER:
        fix = "compare runs of one kind on the same units"
    elif name == "data":
        fix = "save both with --id, so that rows can be paired, or allow it: --allow data"
    return MismatchError(
        f"the two differ in {name}: {told(one)} and {told(two)}",
        where=" and ".join(labels) + (f", {metric}" if metric else "") + also,
        why="the difference would be one of conditions as much as of models",
        fix=fix,
    )


def told(value: object) -> str:
    """Return a condition as a short text."""
    return value[:120] if isinstance(value, str) else repr(value)[:120]


def _hash(sha256: str | None) -> str:
    return "no hash" if sha256 is None else f"sha256 {sha256[:12]}"
