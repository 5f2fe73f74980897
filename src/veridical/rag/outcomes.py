"""``Outcome``: what became of one metric on one case and repeat; it is in exactly one state."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from veridical.errors import ParameterError

__all__ = ["STATES", "Outcome", "OutcomeState"]

OutcomeState: TypeAlias = Literal[
    "scored", "skipped", "not_applicable", "judge_error", "case_error", "pending"
]
STATES: Final[tuple[OutcomeState, ...]] = (
    "scored",
    "skipped",
    "not_applicable",
    "judge_error",
    "case_error",
    "pending",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One metric on one case.

    Attributes
    ----------
    state
        Exactly one of ``STATES``.
    value
        A finite number where the state is ``scored``, else None.
    reason
        A ``SkipReason`` where it is skipped or not applicable, a code of an error; "" else.
    detail
        One sentence where it helps.
    flags
        What a reader should know about a scored case, such as ``sentinel_in_refusal``.

    Examples
    --------
    >>> Outcome("scored", 0.5).value
    0.5
    """

    state: OutcomeState
    value: float | None = None
    reason: str = ""
    detail: str = ""
    flags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        finite = self.value is not None and math.isfinite(self.value)
        if finite != (self.state == "scored") or (self.value is not None and not finite):
            raise ParameterError(
                f"a case that is {self.state} has no value {self.value}",
                fix="give a value where the case is scored, and only there",
            )
