"""The state machine of a monitor: pure functions of the events so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Literal

from veridical.errors import MismatchError
from veridical.monitor.rules import MonitorRules, read_rules
from veridical.stability.traffic_light import MODERATE, SIGNIFICANT, Light
from veridical.store.journal import Event, NewEvent
from veridical.tables._words import counted

__all__ = [
    "Answer",
    "Observation",
    "Request",
    "State",
    "Status",
    "answering",
    "observing",
    "worst",
]

Answer = Literal["acked", "rejected"]


class State(StrEnum):
    """Where a monitor stands."""

    STABLE = "STABLE"
    MONITORING_ALERT = "MONITORING_ALERT"
    RETRAIN_REQUESTED = "RETRAIN_REQUESTED"
    DISPATCHED = "DISPATCHED"
    ACKED = "ACKED"
    REJECTED = "REJECTED"
    COOLDOWN = "COOLDOWN"


_PENDING: Final = {State.RETRAIN_REQUESTED, State.DISPATCHED}


@dataclass(frozen=True, slots=True)
class Observation:
    """What was measured of one period.

    Attributes
    ----------
    period
        Its name, such as ``2026-03``.
    light
        The worst light of all columns.
    column, psi
        The column with the largest index, and that index; None where none has one.
    rows
        Rows of the period.
    data_sha256
        Of its columns.
    columns
        What each column has: ``psi``, ``light``, the expected value and the 95% quantile without
        drift, and ``results``, each watched metric with its interval.
    """

    period: str
    light: Light
    column: str | None
    psi: float | None
    rows: int
    data_sha256: str
    columns: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    """A request to retrain, and what became of it.

    Attributes
    ----------
    id
        The same however often it is sent: by it a receiver knows a repetition.
    payload
        The event that is sent, to the byte the same each time.
    approved
        Whether it may go out.
    attempts
        How often it was tried.
    outcome
        None while it waits or is to be tried again, else ``delivered`` or ``dead``.
    last
        When it was tried last, and what came of it.
    """

    id: str
    payload: Mapping[str, Any]
    approved: bool
    attempts: int = 0
    outcome: Literal["delivered", "dead"] | None = None
    last: tuple[datetime, str] | None = None

    def due(self, rules: MonitorRules) -> datetime | None:
        """Return when it is to be tried next; None for at once."""
        if self.last is None:
            return None
        pause = min(rules.backoff_s * 2 ** (self.attempts - 1), rules.longest_wait_s)
        return self.last[0] + timedelta(seconds=pause)


@dataclass(frozen=True, slots=True)
class Status:
    """What the events of a monitor add up to.

    Attributes
    ----------
    name, rules, reference
        As it was started; ``reference`` is the document of the frozen reference.
    state
        Where it stands.
    observations
        All periods, in the order they came.
    window
        Lights that count: those that say something, since the last request was answered.
    rested
        Periods since cooldown began.
    requests
        All requests, the last one at the end.
    seal
        Hash of the last event: all that went before is covered by it.
    """

    name: str
    rules: MonitorRules
    reference: Mapping[str, Any]
    state: State = State.STABLE
    observations: tuple[Observation, ...] = ()
    window: tuple[Light, ...] = ()
    rested: int = 0
    requests: tuple[Request, ...] = ()
    seal: str = ""

    @classmethod
    def of(cls, name: str, events: Sequence[Event]) -> Status:
        """Add up events.

        Raises
        ------
        MismatchError
            The monitor was never started.
        """
        if not events:
            raise MismatchError(
                f"there is no monitor {name!r}", fix=f"start it: veridical monitor start {name} ..."
            )
        first = events[0].body
        status = cls(name, read_rules(dict(first["rules"])), first["reference"])
        for event in events[1:]:
            status = status.after(event)
        return replace(status, seal=events[-1].sha256)

    @property
    def pending(self) -> Request | None:
        """The request that is not answered yet."""
        return self.requests[-1] if self.requests and self.state in _PENDING else None

    def after(self, event: Event) -> Status:
        """Return the status one event later; events that change nothing are for the record."""
        add = _ADDING.get(event.kind)
        return self if add is None else add(self, event)

    def with_request(self, request_id: str, **changes: Any) -> Status:
        """Return the status with one of the requests changed."""
        return replace(
            self,
            requests=tuple(
                replace(one, **changes) if one.id == request_id else one for one in self.requests
            ),
        )


def _observed(status: Status, event: Event) -> Status:
    seen = _observation(event.body)
    says = seen.light is not Light.INSUFFICIENT_DATA and status.state not in _PENDING
    return replace(
        status,
        observations=(*status.observations, seen),
        window=(*status.window, seen.light) if says else status.window,
        rested=status.rested + 1,
    )


def _has_moved(status: Status, event: Event) -> Status:
    state = State(event.body["to"])
    answered = status.state in {State.ACKED, State.REJECTED}
    kept = () if answered or state is State.RETRAIN_REQUESTED else status.window
    if status.state is State.COOLDOWN:  # the period that ended it is the first that counts
        kept = status.window[-1:]
    return replace(
        status,
        state=state,
        window=kept,
        rested=0 if state is State.COOLDOWN else status.rested,
    )


def _requested(status: Status, event: Event) -> Status:
    automatic = status.rules.approval == "automatic"
    new = Request(event.body["id"], event.body["payload"], automatic)
    return replace(status, requests=(*status.requests, new))


def _approved(status: Status, event: Event) -> Status:
    return status.with_request(event.body["id"], approved=True)


def _attempted(status: Status, event: Event) -> Status:
    body = event.body
    return status.with_request(
        body["id"],
        attempts=body["number"],
        outcome=None if body["outcome"] == "failed" else body["outcome"],
        last=(event.created, body["detail"]),
    )


def _revived(status: Status, event: Event) -> Status:
    return status.with_request(event.body["id"], attempts=0, outcome=None, last=None)


_ADDING: Final[Mapping[str, Callable[[Status, Event], Status]]] = {
    "observed": _observed,
    "moved": _has_moved,
    "requested": _requested,
    "approved": _approved,
    "attempted": _attempted,
    "revived": _revived,
}


def observing(
    status: Status, seen: Observation, actor: str, payload: Mapping[str, Any], request_id: str
) -> list[NewEvent]:
    """Return the events that a period adds; none where it was recorded before, with the same data.

    Parameters
    ----------
    status
        Before it.
    seen
        What was measured.
    actor
        Who recorded it.
    payload, request_id
        What a request would say.

    Raises
    ------
    MismatchError
        The period was recorded with other data.
    """
    for earlier in status.observations:
        if earlier.period == seen.period:
            if earlier.data_sha256 == seen.data_sha256:
                return []
            raise MismatchError(
                f"the period {seen.period!r} is recorded, with other data",
                why="what is recorded does not change",
                fix="give the period another name",
            )
    events: list[NewEvent] = [("observed", {**_body(seen), "actor": actor})]
    events += _moves(status, seen, actor, payload, request_id)
    return events


def _moves(
    status: Status, seen: Observation, actor: str, payload: Mapping[str, Any], request_id: str
) -> Iterator[NewEvent]:
    rules, state, window = status.rules, status.state, status.window
    if state in _PENDING or seen.light is Light.INSUFFICIENT_DATA:
        return
    if state is State.COOLDOWN:
        if status.rested < rules.cooldown:
            return
        yield _moved(status, state, State.STABLE, "the cooldown is over", seen, actor)
        state, window = State.STABLE, ()
    recent = (*window, seen.light)[-rules.periods :]
    significant = recent.count(Light.SIGNIFICANT)
    alerting = significant + recent.count(Light.MODERATE)
    of = f"of the last {rules.periods}"
    if significant >= rules.needed:
        why = f"significant in {significant} {of}"
        yield _moved(status, state, State.RETRAIN_REQUESTED, why, seen, actor)
        yield "requested", {"id": request_id, "payload": dict(payload)}
    elif alerting >= rules.needed and state is State.STABLE:
        why = f"moderate or more in {alerting} {of}"
        yield _moved(status, state, State.MONITORING_ALERT, why, seen, actor)
    elif alerting < rules.needed and state is State.MONITORING_ALERT:
        yield _moved(
            status, state, State.STABLE, f"moderate or more in {alerting} {of}", seen, actor
        )


def answering(status: Status, answer: Answer, actor: str, reason: str) -> list[NewEvent]:
    """Return the events that an answer to the pending request adds.

    Raises
    ------
    MismatchError
        No request waits for this answer.
    """
    request = status.pending
    if request is None or (answer == "acked" and status.state is not State.DISPATCHED):
        raise MismatchError(
            f"no request waits to be {answer}: the state is {status.state}",
            where=f"monitor {status.name}",
            fix=f"see `veridical monitor status {status.name}`",
        )
    state = State.ACKED if answer == "acked" else State.REJECTED
    rest = State.COOLDOWN if status.rules.cooldown else State.STABLE
    why = f"{answer} by {actor}" + (f": {reason}" if reason else "")
    seen = status.observations[-1]
    return [
        ("answered", {"id": request.id, "answer": answer, "actor": actor, "reason": reason}),
        _moved(status, status.state, state, why, seen, actor),
        _moved(
            status, state, rest, f"{counted(status.rules.cooldown, 'period')} of rest", seen, actor
        ),
    ]


def _moved(
    status: Status, old: State, new: State, why: str, seen: Observation, actor: str
) -> NewEvent:
    return "moved", {
        "from": str(old),
        "to": str(new),
        "why": why,
        "period": seen.period,
        "value": seen.psi,
        "thresholds": [MODERATE, SIGNIFICANT],
        "rules": status.rules.name,
        "rules_sha256": status.rules.sha256,
        "actor": actor,
    }


def worst(lights: Iterable[Light]) -> Light:
    """Return the worst light; one that says nothing counts only where no other is there."""
    found = set(lights)
    for light in (Light.SIGNIFICANT, Light.MODERATE, Light.STABLE):
        if light in found:
            return light
    return Light.INSUFFICIENT_DATA


def _body(seen: Observation) -> dict[str, Any]:
    return {
        "period": seen.period,
        "light": str(seen.light),
        "column": seen.column,
        "psi": seen.psi,
        "rows": seen.rows,
        "data_sha256": seen.data_sha256,
        "columns": dict(seen.columns),
    }


def _observation(body: Mapping[str, Any]) -> Observation:
    fields = {name: body[name] for name in _body(Observation("", Light.STABLE, None, None, 0, ""))}
    return Observation(**{**fields, "light": Light(body["light"])})
