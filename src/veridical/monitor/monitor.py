"""``Monitor``: start, observe, approve, answer; each a transaction of one journal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from veridical import strict_json
from veridical.errors import MismatchError, ParameterError
from veridical.monitor.observing import observed
from veridical.monitor.rules import MonitorRules
from veridical.monitor.states import (
    Answer,
    Observation,
    Request,
    Status,
    answering,
    observing,
)
from veridical.stability.reference import Reference
from veridical.store import Store
from veridical.store.journal import Event, NewEvent
from veridical.store.run import written

__all__ = ["Monitor", "monitors"]

_PREFIX: Final = "monitor/"
_LONGEST: Final = 100
TYPE: Final = "veridical.retrain.requested"


class Monitor:
    """A model under observation.

    Parameters
    ----------
    store
        Where its journal is.
    name
        What it is called in the store.

    Examples
    --------
    >>> import tempfile
    >>> from veridical.store import Store
    >>> then = {"score": [k / 1000 for k in range(1000)]}
    >>> now = {"score": [min(1.0, 0.3 + k / 1000) for k in range(1000)]}
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/runs.db") as store:
    ...     monitor = Monitor(store, "fraud")
    ...     _ = monitor.start(then, MonitorRules())
    ...     monitor.observe(then, "2026-01").state, monitor.observe(now, "2026-02").state
    (<State.STABLE: 'STABLE'>, <State.RETRAIN_REQUESTED: 'RETRAIN_REQUESTED'>)
    """

    def __init__(self, store: Store, name: str) -> None:
        self.name = _checked("a monitor", name)
        self._journal = store.journal(f"{_PREFIX}{self.name}")
        self._file = store.location.path

    @property
    def file(self) -> Path | None:
        """The file that its journal is in; None where that is a database server."""
        return self._file

    def events(self) -> list[Event]:
        """Return all that happened; a damaged journal is an error."""
        return self._journal.events()

    def status(self) -> Status:
        """Return what the events add up to.

        Raises
        ------
        MismatchError
            The monitor was never started.
        """
        return Status.of(self.name, self.events())

    def start(
        self,
        reference: Any,
        rules: MonitorRules,
        *,
        columns: Sequence[str] | str | None = None,
        actor: str = "",
    ) -> Status:
        """Freeze a reference and begin.

        Parameters
        ----------
        reference
            A table, a ``Reference`` or the file of one.
        rules
            What the monitor is held to.
        columns
            Which to watch; all by default.
        actor
            Who starts it.

        Raises
        ------
        MismatchError
            There is one of this name.
        InputError, MissingColumnError, FileFormatError
            The reference cannot be used.
        """
        frozen = _frozen(reference, columns)
        body = {
            "rules": rules.to_dict(),
            "rules_sha256": rules.sha256,
            "reference": frozen.to_dict(),
            "actor": actor,
        }

        def decide(before: Sequence[Event]) -> list[NewEvent]:
            if before:
                raise MismatchError(
                    f"there is a monitor {self.name!r}",
                    why="its reference and its rules are not changed while it runs",
                    fix="give the new one another name",
                )
            return [("started", body)]

        return Status.of(self.name, self._journal.extend(decide))

    def observe(self, data: Any, period: str, *, actor: str = "") -> Status:
        """Measure one period against the reference, record it, and move.

        What was measured, the move and the request that follows from it are one transaction.  A
        period that is recorded with the same data is not recorded again.

        Parameters
        ----------
        data
            A table with the watched columns.
        period
            Its name, such as ``2026-03``.
        actor
            Who records it.

        Raises
        ------
        MismatchError
            The period is recorded, with other data.
        """
        period = _checked("a period", period)
        before = self.status()
        reference = Reference.from_dict(before.reference)
        seen = observed(reference, data, period, before.rules)

        def decide(events: Sequence[Event]) -> list[NewEvent]:
            status = Status.of(self.name, events)
            # The same for the same period of the same monitor, whoever measures it, however often.
            request_id = strict_json.sha256([self.name, events[0].sha256, period])[:32]
            payload = self._payload(status, seen, request_id)
            return observing(status, seen, actor, payload, request_id)

        self._journal.extend(decide)
        return self.status()

    def approve(self, *, actor: str) -> Status:
        """Let the pending request go out.

        Raises
        ------
        MismatchError
            None waits for approval.
        """

        def decide(events: Sequence[Event]) -> list[NewEvent]:
            request = Status.of(self.name, events).pending
            if request is None or request.approved:
                raise MismatchError(
                    "no request waits for approval",
                    where=f"monitor {self.name}",
                    fix=f"see `veridical monitor status {self.name}`",
                )
            return [("approved", {"id": request.id, "actor": actor})]

        self._journal.extend(decide)
        return self.status()

    def answer(self, answer: Answer, *, actor: str, reason: str = "") -> Status:
        """Record what became of the pending request: acknowledged, or rejected.

        Raises
        ------
        MismatchError
            None waits for this answer.
        """
        self._journal.extend(
            lambda events: answering(Status.of(self.name, events), answer, actor, reason)
        )
        return self.status()

    def revive(self, *, actor: str) -> Status:
        """Try a request again whose delivery was given up.

        Raises
        ------
        MismatchError
            There is none.
        """

        def decide(events: Sequence[Event]) -> list[NewEvent]:
            request = Status.of(self.name, events).pending
            if request is None or request.outcome != "dead":
                raise MismatchError(
                    "no delivery was given up",
                    where=f"monitor {self.name}",
                    fix=f"see `veridical monitor status {self.name}`",
                )
            return [("revived", {"id": request.id, "actor": actor})]

        self._journal.extend(decide)
        return self.status()

    def report(self, path: str | Path) -> Path:
        """Write its history as a self-contained HTML report, and return the path.

        Raises
        ------
        MismatchError
            The monitor was never started.
        OutputError
            The file cannot be written.
        """
        from veridical.monitor.page import write_monitor_report

        return write_monitor_report(self.name, self.events(), path)

    def record(
        self, request_id: str, decide: Callable[[Request, Status], Sequence[NewEvent]]
    ) -> Status:
        """Add events about one request; see ``delivery``."""

        def about_it(events: Sequence[Event]) -> Sequence[NewEvent]:
            status = Status.of(self.name, events)
            (request,) = (one for one in status.requests if one.id == request_id)
            return decide(request, status)

        self._journal.extend(about_it)
        return self.status()

    def _payload(self, status: Status, seen: Observation, request_id: str) -> dict[str, Any]:
        """Return the CloudEvent of a request; the same bytes whenever it is sent."""
        return {
            "specversion": "1.0",
            "id": request_id,
            "source": f"/veridical/monitor/{self.name}",
            "type": TYPE,
            "subject": seen.period,
            "time": written(datetime.now(UTC)),
            "datacontenttype": "application/json",
            "data": {
                "monitor": self.name,
                "period": seen.period,
                "column": seen.column,
                "psi": seen.psi,
                "light": str(seen.light),
                "rows": seen.rows,
                "data_sha256": seen.data_sha256,
                "reference_sha256": status.reference["sha256"],
                "rules": status.rules.name,
                "rules_sha256": status.rules.sha256,
                "target": status.rules.target.name,
            },
        }


def monitors(store: Store) -> list[str]:
    """Return the names of the monitors in a store."""
    return [name.removeprefix(_PREFIX) for name in store.journals() if name.startswith(_PREFIX)]


def _frozen(reference: Any, columns: Sequence[str] | str | None) -> Reference:
    if isinstance(reference, Reference):
        return reference
    if isinstance(reference, (str, Path)) and str(reference).endswith(".reference"):
        return Reference.load(reference)
    return Reference.freeze(reference, columns=columns)


def _checked(what: str, name: str) -> str:
    if not (0 < len(name) <= _LONGEST and name.isprintable() and name == name.strip()):
        raise ParameterError(
            f"{name[:_LONGEST]!r} is no name of {what}",
            fix=f"give 1 to {_LONGEST} printable characters without spaces around them",
        )
    return name
