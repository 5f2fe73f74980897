"""The history of a monitor, put together from its events: period by period, and what was done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from veridical.monitor.observing import WATCHED
from veridical.monitor.states import Observation, State, Status
from veridical.store.journal import Event

__all__ = ["LANES", "Lane", "Mark", "Period", "Reading", "marks_of", "periods_of"]

Lane = Literal["state", "request", "approval", "delivery", "answer"]
LANES: Final[tuple[Lane, ...]] = ("state", "request", "approval", "delivery", "answer")
"""What is done about drift, in the order in which it happens."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One metric of one column in one period.

    Attributes
    ----------
    value, low, high, level
        None where there is no value, or no interval.
    why
        Why there is no value.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    level: float | None = None
    why: str = ""

    @classmethod
    def of(cls, seen: Observation, column: str | None, metric: str) -> Reading | None:
        """Return what was written down; None where this metric was not measured then.

        Parameters
        ----------
        seen
            The period.
        column, metric
            Of what; ``metric`` without its parameters.
        """
        if column is None or column not in seen.columns:
            return None
        found: Mapping[str, Any] = seen.columns[column]
        for one in found.get("results", ()):
            if str(one["metric"]).partition(",")[0] == metric:
                ends = one["interval"] or {} if "interval" in one else {}
                why = str(one["skip"]["detail"]) if one["value"] is None else ""
                return cls(one["value"], ends.get("low"), ends.get("high"), ends.get("level"), why)
        if "results" in found or metric != WATCHED[0]:
            return None
        return cls(found["psi"])  # written before intervals were kept


@dataclass(frozen=True, slots=True)
class Period:
    """One period, and what happened until the next one came.

    Attributes
    ----------
    seen
        What was measured.
    state
        Where the monitor stood when the next period came, or stands now.
    marks
        What was done.
    """

    seen: Observation
    state: State
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that was done about drift, as a chart and a list show it.

    Attributes
    ----------
    lane
        Which row of the chart it stands in.
    tone
        ``"good"``, ``"bad"`` or ``"plain"``.
    word, detail
        What it was, and more about it.
    when, actor, seal
        From its event.
    """

    lane: Lane
    tone: Literal["good", "bad", "plain"]
    word: str
    detail: str
    when: datetime
    actor: str
    seal: str


def periods_of(name: str, events: Sequence[Event]) -> list[Period]:
    """Return the periods of a monitor in the order they came.

    Parameters
    ----------
    name, events
        Of the monitor.

    Raises
    ------
    MismatchError
        It was never started.
    """
    status = Status.of(name, events[:1])
    found: list[Period] = []
    done: list[Mark] = []
    for event in events[1:]:
        if event.kind == "observed":
            done = []
        status = status.after(event)
        done += marks_of(event)
        if status.observations:
            found[len(status.observations) - 1 :] = [
                Period(status.observations[-1], status.state, tuple(done))
            ]
    return found


_MOVES: Final[Mapping[str, tuple[Lane, Literal["good", "bad", "plain"], str]]] = {
    State.MONITORING_ALERT: ("state", "plain", "alert"),
    State.STABLE: ("state", "good", "stable again"),
    State.COOLDOWN: ("state", "plain", "cooldown"),
    State.RETRAIN_REQUESTED: ("request", "bad", "retraining requested"),
}
_OUTCOMES: Final[Mapping[str, tuple[Literal["good", "bad", "plain"], str]]] = {
    "delivered": ("good", "delivered"),
    "failed": ("plain", "attempt failed"),
    "dead": ("bad", "given up: a dead letter"),
}


def marks_of(event: Event) -> Iterator[Mark]:
    """Yield what an event shows; nothing where another one says the same."""
    body = event.body
    more = (event.created, str(body.get("actor", "")), event.sha256)
    if event.kind == "moved" and body["to"] in _MOVES:
        lane, tone, word = _MOVES[body["to"]]
        yield Mark(lane, tone, word, str(body["why"]), *more)
    elif event.kind == "approved":
        yield Mark("approval", "good", "approved", "", *more)
    elif event.kind == "attempted":
        tone, word = _OUTCOMES[body["outcome"]]
        yield Mark("delivery", tone, word, f"attempt {body['number']}: {body['detail']}", *more)
    elif event.kind == "revived":
        yield Mark("delivery", "plain", "to be tried again", "", *more)
    elif event.kind == "answered":
        tone = "good" if body["answer"] == "acked" else "bad"
        word = "acknowledged" if body["answer"] == "acked" else "rejected"
        yield Mark("answer", tone, word, str(body["reason"]), *more)
