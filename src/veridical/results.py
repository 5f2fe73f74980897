"""What a measurement returns: ``Measured`` or ``Skipped``, never a bare number.

A ``Measured`` has a finite value, usually an interval, the number of units it was computed on and
the conditions it holds under.  A ``Skipped`` has a reason and no value at all: ``float()`` of it
raises.  Both are frozen, hashable by content where their parts are, and travel as strict JSON.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from veridical.conditions import NO_CONDITIONS, Conditions
from veridical.errors import ParameterError, SkippedError
from veridical.reasons import SkipReason

__all__ = [
    "NO_CONDITIONS",
    "Bounds",
    "Conditions",
    "Interval",
    "Measured",
    "Result",
    "Skipped",
    "result_from_dict",
]

Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval and how it was made.

    Attributes
    ----------
    low, high
        The ends, in the unit of the value; ``low <= high``, both finite.
    level
        Nominal coverage, in (0, 1).
    method
        How it was computed: ``"wilson"``, ``"delong-logit"``, ``"bootstrap-percentile"``, ...

    Examples
    --------
    >>> 0.82 in Interval(0.79, 0.85, 0.95, "delong-logit")
    True
    """

    low: float
    high: float
    level: float
    method: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", float(self.low))
        object.__setattr__(self, "high", float(self.high))
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high):
            raise ParameterError(
                f"an interval needs finite low <= high, not {self.low}, {self.high}",
                fix="give the smaller end first; without an interval give none",
            )
        if not 0.0 < self.level < 1.0:
            raise ParameterError(
                f"a level lies between 0 and 1, not {self.level}", fix="give 0.95, say"
            )

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def width(self) -> float:
        """``high - low``."""
        return self.high - self.low

    def to_dict(self) -> dict[str, Scalar]:
        """Return the interval as a JSON object."""
        return {"low": self.low, "high": self.high, "level": self.level, "method": self.method}


@dataclass(frozen=True, slots=True)
class Bounds:
    """The certified range of an approximate value: the exact one lies in it, with certainty.

    It says what a lossy summary left open about these rows.  An ``Interval`` says what these rows
    leave open about others like them.

    Attributes
    ----------
    low, high
        The ends, in the unit of the value; ``low <= high``, both finite.

    Examples
    --------
    >>> 0.82 in Bounds(0.8199, 0.8203)
    True
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high):
            raise ParameterError(
                f"bounds need finite low <= high, not {self.low}, {self.high}",
                fix="give the smaller end first; without bounds give none",
            )

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def width(self) -> float:
        """``high - low``."""
        return self.high - self.low

    def to_dict(self) -> dict[str, float]:
        """Return the bounds as a JSON object."""
        return {"low": self.low, "high": self.high}


# Nobody makes one by itself, so that nothing is generated for it.
@dataclass(frozen=True, slots=True, kw_only=True, init=False, repr=False, eq=False)
class _Passport:
    """What ``Measured`` and ``Skipped`` have in common."""

    conditions: Conditions = NO_CONDITIONS
    notes: tuple[str, ...] = ()
    metric: str = ""
    requested: str | None = None
    subject: str | None = None
    group: str | None = None
    n_rows: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict, hash=False)

    def _identity(self) -> dict[str, Any]:
        return {
            "metric": self.metric,
            "requested": self.requested,
            "subject": self.subject,
            "group": self.group,
        }

    def _context(self, n: int) -> dict[str, Any]:
        return {
            "n": n,
            "n_rows": self.n_rows,
            **self.counts,
            "conditions": self.conditions.to_dict(),
            "observed": sorted(self.conditions.observed),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Measured(_Passport):
    """A number with its passport.

    Attributes
    ----------
    value
        A finite float.
    n
        The metric's own denominator: positives for recall, flagged rows for precision, rows for
        AUC and Brier, queries for retrieval.
    interval
        The confidence interval, or None when none was asked for or none can be given (a note or
        a condition then says why).
    bounds
        The certified range of a value from a lossy summary, which contains ``value``; None where
        the value is exact.
    conditions, notes
        Under what it holds; short stable notes (see ``veridical.notes``).
    metric, requested, subject, group
        The canonical name; the name as asked for; the score column, run or system; the slice.
    n_rows, counts
        The rows it was computed on; further counts such as ``n_skipped``.

    Examples
    --------
    >>> result = Measured(0.75, n=8)
    >>> result.ok, float(result)
    (True, 0.75)
    """

    ok: ClassVar[Literal[True]] = True

    value: float
    n: int = 0
    interval: Interval | None = field(default=None, kw_only=True)
    bounds: Bounds | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", float(self.value))
        object.__setattr__(self, "n", int(self.n))
        if not math.isfinite(self.value):
            raise ParameterError(
                f"a measured value is finite, not {self.value}",
                why="a number that could not be computed is skipped with a reason",
                fix="return Skipped(reason)",
            )
        if self.bounds is not None and self.value not in self.bounds:
            raise ParameterError(
                f"the value {self.value} lies outside its own {self.bounds}",
                fix="give bounds that hold the value",
            )

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        text = f"{self.metric or 'value'} {self.value:.4g}"
        if self.interval is not None:
            text += f" [{self.interval.low:.4g}, {self.interval.high:.4g}]"
        if self.bounds is not None:
            text += f" within {self.bounds.low:.6g}..{self.bounds.high:.6g}"
        return f"{text} (n = {self.n:,})"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as one JSON object, as ``--json`` prints it."""
        interval = self.interval.to_dict() if self.interval else None
        return {
            **self._identity(),
            "value": self.value,
            "interval": interval,
            **({"bounds": self.bounds.to_dict()} if self.bounds else {}),
            **self._context(self.n),
        }


@dataclass(frozen=True, slots=True)
class Skipped(_Passport):
    """A number that does not exist, and why.

    Attributes
    ----------
    reason
        From the closed list of ``SkipReason``.
    n
        The denominator that was too small, usually 0.
    detail
        One sentence with the counts of this case.
    conditions, notes, metric, requested, subject, group, n_rows, counts
        As for ``Measured``.

    Examples
    --------
    >>> result = Skipped("no_positives", detail="0 of 5 rows are positive")
    >>> result.ok, result.reason.value
    (False, 'no_positives')
    >>> float(result)
    Traceback (most recent call last):
        ...
    veridical.errors.SkippedError: no value: 0 of 5 rows are positive (no_positives)
      fix: measure on data that contains positives, or check positive=
    """

    ok: ClassVar[Literal[False]] = False
    value: ClassVar[None] = None
    interval: ClassVar[None] = None
    bounds: ClassVar[None] = None

    reason: SkipReason
    n: int = 0
    detail: str = field(default="", kw_only=True)

    if TYPE_CHECKING:  # a reason may be written as its string; it is always read as a SkipReason

        def __init__(
            self,
            reason: SkipReason | str,
            n: int = 0,
            *,
            detail: str = "",
            conditions: Conditions = ...,
            notes: tuple[str, ...] = (),
            metric: str = "",
            requested: str | None = None,
            subject: str | None = None,
            group: str | None = None,
            n_rows: int | None = None,
            counts: Mapping[str, int] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", SkipReason(self.reason))
        object.__setattr__(self, "n", int(self.n))
        object.__setattr__(self, "detail", self.detail or self.reason.sentence)

    def __float__(self) -> float:
        raise SkippedError(f"no value: {self.detail}", where=str(self.reason), fix=self.reason.fix)

    def __str__(self) -> str:
        return f"{self.metric or 'value'} skipped: {self.detail} ({self.reason})"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as one JSON object: ``"value": null`` and the reason."""
        skip = {"reason": str(self.reason), "detail": self.detail}
        return {**self._identity(), "value": None, "skip": skip, **self._context(self.n)}


Result: TypeAlias = Measured | Skipped

_FIXED = {
    "metric", "requested", "subject", "group", "value", "interval", "bounds", "skip",
    "n", "n_rows", "conditions", "observed", "notes",
}  # fmt: skip


def result_from_dict(data: Mapping[str, Any]) -> Result:
    """Read back what ``to_dict`` wrote: ``result_from_dict(r.to_dict()) == r``."""
    found = set(data.get("observed", ()))
    conditions = Conditions(
        {k: v for k, v in data["conditions"].items() if k not in found},
        {k: v for k, v in data["conditions"].items() if k in found},
    )
    passport: dict[str, Any] = {
        "conditions": conditions,
        "notes": tuple(data["notes"]),
        "counts": {k: v for k, v in data.items() if k not in _FIXED},
        **{k: data.get(k) for k in ("requested", "subject", "group", "n_rows")},
        "metric": data["metric"],
    }
    if data["value"] is None:
        skip = data["skip"]
        return Skipped(skip["reason"], data["n"], detail=skip["detail"], **passport)
    interval = data.get("interval")
    return Measured(
        data["value"],
        data["n"],
        interval=Interval(**interval) if interval else None,
        bounds=Bounds(**data["bounds"]) if "bounds" in data else None,
        **passport,
    )
