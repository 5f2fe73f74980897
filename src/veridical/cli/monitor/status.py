"""``veridical monitor status``, ``approve``, ``ack``, ``reject`` and ``dispatch``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from veridical.cli.monitor.common import MONITOR, Actor, Name, actor_of, opened
from veridical.cli.options import Json
from veridical.cli.output import emit, emit_json
from veridical.cli.saving import StoreAt
from veridical.exit_codes import OK, SERVICE
from veridical.report.visible import visible

__all__ = ["ack", "approve", "dispatch", "list_monitors", "reject", "status"]


Reason = Annotated[str, Parameter(group=MONITOR, help="Why; it is put on record.")]


def list_monitors(*, store: StoreAt = None) -> int:
    """List the monitors of a store."""
    from veridical.monitor.monitor import monitors
    from veridical.store import Store

    with Store(store, create=False) as kept:
        names = monitors(kept)
    emit("\n".join(names) or "no monitors")
    return 0


def status(name: Name, /, *, json: Json = False, store: StoreAt = None) -> int:
    """Show the state, the periods, what moved it, and the requests."""
    from veridical.monitor.showing import status_document, status_text

    with opened(name, store) as monitor:
        found, events = monitor.status(), monitor.events()
    if json:
        emit_json(status_document(found, events))
    else:
        emit(status_text(found, events))
    return 0


def approve(name: Name, /, *, actor: Actor = None, store: StoreAt = None) -> int:
    """Let the pending request go out."""
    with opened(name, store) as monitor:
        found = monitor.approve(actor=actor_of(actor))
    emit(f"approved; send it with: veridical monitor dispatch {found.name}")
    return 0


def ack(name: Name, /, *, reason: Reason = "", actor: Actor = None, store: StoreAt = None) -> int:
    """Record that the request was acknowledged."""
    with opened(name, store) as monitor:
        found = monitor.answer("acked", actor=actor_of(actor), reason=reason)
    emit(f"monitor {found.name}: {found.state}")
    return 0


def reject(
    name: Name, /, *, reason: Reason = "", actor: Actor = None, store: StoreAt = None
) -> int:
    """Record that the request was rejected, before or after it went out."""
    with opened(name, store) as monitor:
        found = monitor.answer("rejected", actor=actor_of(actor), reason=reason)
    emit(f"monitor {found.name}: {found.state}")
    return 0


def dispatch(
    name: Name,
    /,
    *,
    wait: Annotated[
        bool,
        Parameter(
            group=MONITOR, show_default=False, help="Wait until it is delivered or given up."
        ),
    ] = False,
    again: Annotated[
        bool,
        Parameter(group=MONITOR, show_default=False, help="Also what was given up."),
    ] = False,
    actor: Actor = None,
    store: StoreAt = None,
) -> int:
    """Deliver what may go out and is due; run it as often as you like."""
    from veridical.monitor import deliver

    with opened(name, store) as monitor:
        if again:
            monitor.revive(actor=actor_of(actor))
        attempts = list(deliver(monitor, wait=wait))
        request = monitor.status().pending
    for one in attempts:
        emit(f"{one.request}: attempt {one.number}, {one.outcome}: {visible(one.detail)}")
    if not attempts:
        emit("nothing is due")
    waits = request is not None and request.approved and request.outcome != "delivered"
    return SERVICE if attempts and waits else OK
