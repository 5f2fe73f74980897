"""What the ledger hands out and puts on record: claims of units, and attempts at them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final, Literal, TypeAlias

__all__ = ["ABANDONED", "UNIT_STATES", "Attempt", "Claim", "UnitState"]

UnitState: TypeAlias = Literal["pending", "running", "done", "failed", "skipped"]
UNIT_STATES: Final[tuple[UnitState, ...]] = ("pending", "running", "done", "failed", "skipped")
ABANDONED: Final = "abandoned"
"""The outcome of an attempt whose process went away."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to work on one unit.

    Attributes
    ----------
    key
        The unit.
    n
        The number of the attempt, from 1.
    payload_sha256
        The hash of what is to be done, as planned.
    started
        When it was claimed, in UTC.
    """

    key: str
    n: int
    payload_sha256: str
    started: datetime


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at a unit, over and done.

    Attributes
    ----------
    key, n
        The unit; the number of the attempt, from 1.
    outcome
        In the words of the harness: ``scored``, ``infra_error``, ...; ``abandoned`` where the
        process went away.
    error
        What went wrong; None where nothing did.
    cost
        What it cost, in the currency of the run; None where that is unknown.
    started, ended
        When, in UTC.
    artefact_sha256
        The hash of what it produced; ``Ledger.artefact`` returns it.
    """

    key: str
    n: int
    outcome: str
    error: str | None
    cost: Decimal | None
    started: datetime
    ended: datetime
    artefact_sha256: str | None
