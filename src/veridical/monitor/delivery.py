"""The outbox: requests that may go out, delivered until they arrive or are given up.

An attempt is written down after it was made.  A process that is killed in between makes it again:
the request keeps its id, so that a receiver takes it once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from veridical.monitor.monitor import Monitor
from veridical.monitor.rules import Target
from veridical.monitor.states import Request, State, Status
from veridical.monitor.targets import DeliveryError, send
from veridical.store.journal import NewEvent

__all__ = ["Attempt", "deliver"]

Sending = Callable[[Target, Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt to deliver.

    Attributes
    ----------
    request
        Its id.
    number
        The how manieth attempt it is, from 1.
    outcome
        ``delivered``, ``failed`` where it will be tried again, ``dead`` where it will not.
    detail
        What the target said, or what went wrong.
    """

    request: str
    number: int
    outcome: Literal["delivered", "failed", "dead"]
    detail: str


def deliver(
    monitor: Monitor,
    *,
    wait: bool = False,
    sending: Sending = send,
    sleep: Callable[[float], None] = time.sleep,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Iterator[Attempt]:
    """Make the attempts that are due, and yield each once it is on record.

    Parameters
    ----------
    monitor
        Whose outbox.
    wait
        Whether to wait for what is due later, until all is delivered or given up.
    sending, sleep, now
        How to deliver, to wait, and to tell the time.
    """
    while (request := _open(monitor.status())) is not None:
        due = request.due(monitor.status().rules)
        ahead = 0.0 if due is None else (due - now()).total_seconds()
        if ahead > 0:
            if not wait:
                return
            sleep(ahead)
            continue
        yield _attempt(monitor, request, sending)


def _open(status: Status) -> Request | None:
    request = status.pending
    if request is None or not request.approved or request.outcome is not None:
        return None
    return request


def _attempt(monitor: Monitor, request: Request, sending: Sending) -> Attempt:
    rules = monitor.status().rules
    number = request.attempts + 1
    outcome: Literal["delivered", "failed", "dead"]
    try:
        outcome, detail = "delivered", sending(rules.target, request.payload)
    except DeliveryError as error:
        outcome, detail = "failed" if number < rules.attempts else "dead", str(error)
    made = Attempt(request.id, number, outcome, detail)

    def record(found: Request, status: Status) -> list[NewEvent]:
        if found.outcome is not None or status.pending is None:
            return []  # another process was faster
        body = {"id": made.request, "number": number, "outcome": outcome, "detail": detail}
        events: list[NewEvent] = [("attempted", body)]
        if outcome == "delivered":
            events.append(
                (
                    "moved",
                    {
                        "from": str(status.state),
                        "to": str(State.DISPATCHED),
                        "why": f"delivered to {rules.target.name}: {detail}",
                        "period": request.payload["subject"],
                        "value": request.payload["data"]["psi"],
                        "rules": rules.name,
                        "rules_sha256": rules.sha256,
                        "actor": "dispatch",
                    },
                )
            )
        return events

    monitor.record(request.id, record)
    return made
