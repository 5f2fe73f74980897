"""The history of a monitor as Markdown, for a pull request or a ticket."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.monitor.history import Mark, Period, Reading, periods_of
from veridical.monitor.observing import WATCHED
from veridical.monitor.states import Status
from veridical.report.display import count_text, rate_text
from veridical.report.markdown import markdown_table, markdown_text
from veridical.report.visible import visible
from veridical.store.journal import Event
from veridical.tables._words import counted

__all__ = ["trend_markdown"]

_HEAD = (
    "period",
    "index",
    "interval",
    "light",
    "column",
    "rows",
    "state after it",
    "what was done",
)


def trend_markdown(name: str, events: Sequence[Event]) -> str:
    """Return the largest index of every period, and what was done about it.

    Names in it become text that no renderer acts on.

    Parameters
    ----------
    name, events
        Of the monitor.

    Raises
    ------
    MismatchError
        It was never started.
    """
    status, periods = Status.of(name, events), periods_of(name, events)
    heading = f"monitor {status.name}: {status.state}, {counted(len(periods), 'period')}"
    parts = [f"### {markdown_text(visible(heading))}"]
    if periods:
        parts.append(
            "Population stability index of the column that moved most in each period; 0.10 and "
            "0.25 are a convention of the industry."
        )
        parts.append(markdown_table(_HEAD, map(_row, periods), {1, 5}))
    return "\n\n".join(parts) + "\n"


def _row(one: Period) -> list[str]:
    seen = one.seen
    found = Reading.of(seen, seen.column, WATCHED[0])
    cells = [
        seen.period,
        *_told(found),
        str(seen.light).replace("_", " "),
        seen.column or "none",
        count_text(seen.rows),
        str(one.state).replace("_", " "),
        "; ".join(map(_done, one.marks)) or "nothing",
    ]
    return list(map(visible, cells))


def _told(found: Reading | None) -> tuple[str, str]:
    if found is None:
        return "not measured", ""
    if found.value is None:
        return "skipped", found.why
    if found.low is None or found.high is None:
        return rate_text(found.value), ""
    return rate_text(found.value), f"{rate_text(found.low)} to {rate_text(found.high)}"


def _done(mark: Mark) -> str:
    by = f" by {mark.actor}" if mark.actor else ""
    return f"{mark.word}{by}" + (f": {mark.detail}" if mark.detail else "")
