"""A monitor in the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from veridical.report.visible import padded, visible, width
from veridical.store.run import written

if TYPE_CHECKING:
    from veridical.monitor.states import Request, Status
    from veridical.store.journal import Event

__all__ = ["fate", "status_document", "status_text"]

_SHOWN = 12
_BAR = 16
_FULL = 0.5
"""The index that fills a bar: twice what is called significant."""


def status_document(status: Status, events: Sequence[Event]) -> dict[str, Any]:
    """Return all that is known of a monitor, as JSON."""
    return {
        "schema": "veridical.monitor/1",
        "name": status.name,
        "state": str(status.state),
        "rules": status.rules.to_dict(),
        "rules_sha256": status.rules.sha256,
        "reference_sha256": status.reference["sha256"],
        "seal": status.seal,
        "requests": [_request(one) for one in status.requests],
        "events": [
            {
                "number": event.number,
                "created": written(event.created),
                "kind": event.kind,
                "sha256": event.sha256,
                "body": {k: v for k, v in event.body.items() if k != "reference"},
            }
            for event in events
        ],
    }


def status_text(status: Status, events: Sequence[Event]) -> str:
    """Return all that is known of a monitor, for a terminal."""
    return "\n".join(_lines(status, events))


def _lines(status: Status, events: Sequence[Event]) -> Iterator[str]:
    rules = status.rules
    yield f"monitor {visible(status.name)}: {status.state}"
    yield (
        f"rules {visible(rules.name)} ({rules.sha256[:12]}): retrain after {rules.needed} of "
        f"{rules.periods} periods, then rest for {rules.cooldown}, approval {rules.approval}, "
        f"to {visible(rules.target.name)} by {rules.target.kind}"
    )
    yield from _periods(status)
    moves = [event for event in events if event.kind == "moved"]
    if moves:
        yield ""
        yield "what moved it"
        for event in moves[-_SHOWN:]:
            body = event.body
            yield f"  {visible(str(body['period']))}: {body['from']} -> {body['to']}"
            yield f"    {visible(str(body['why']))} (by {visible(str(body['actor']))})"
    for request in status.requests[-_SHOWN:]:
        yield ""
        yield f"request {request.id}: {fate(status, request)}"
        if request.last is not None:
            yield f"  attempt {request.attempts}, {written(request.last[0])}: {request.last[1]}"
    yield ""
    yield "thresholds 0.10 and 0.25 are a convention of the industry, not of a regulator"
    yield f"{len(events)} events, seal {status.seal}"


def _periods(status: Status) -> Iterator[str]:
    if not status.observations:
        return
    yield ""
    yield f"{'period':<12}{'PSI':>8}  {'':<{_BAR}}  light, column, rows"
    name = max(12, 2 + max(width(visible(one.period)) for one in status.observations[-_SHOWN:]))
    for one in status.observations[-_SHOWN:]:
        value = "" if one.psi is None else f"{one.psi:.4f}"
        bar = "" if one.psi is None else "█" * min(_BAR, round(one.psi / _FULL * _BAR))
        light = str(one.light).replace("_", " ")
        column = "" if one.column is None else f", {visible(one.column)}"
        yield (
            f"{padded(visible(one.period), name)}{value:>8}  {bar:<{_BAR}}  "
            f"{light}{column}, {one.rows:,}"
        ).rstrip()


def fate(status: Status, request: Request) -> str:
    """Return what became of a request, in words."""
    if request.outcome is not None:
        return {"delivered": "delivered", "dead": "given up: a dead letter"}[request.outcome]
    if request is not status.pending:
        return "answered before it went out"
    if not request.approved:
        return "waits for approval"
    due = request.due(status.rules)
    return "to be sent" if due is None else f"to be sent again from {written(due)}"


def _request(request: Request) -> dict[str, Any]:
    return {
        "id": request.id,
        "payload": dict(request.payload),
        "approved": request.approved,
        "attempts": request.attempts,
        "outcome": request.outcome,
        "last_attempt": None if request.last is None else written(request.last[0]),
        "last_detail": None if request.last is None else request.last[1],
    }
